import type { Line } from './balances.ts';

/** Kinds that have another word where money left. */
const BOTH_WAYS: ReadonlySet<Line['kind']> = new Set(['card_refund', 'card_credit', 'adjustment']);

/** The word of a line, after `line.`: its kind, and that money left where the kind has a word for it. */
export const lineWord = ({ kind, amount }: Pick<Line, 'kind' | 'amount'>): string =>
  BOTH_WAYS.has(kind) && amount.startsWith('-') ? `${kind}_debit` : kind;
