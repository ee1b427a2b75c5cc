import type { SearchKind } from '../api/types.ts';

const SHAPES: readonly (readonly [SearchKind, RegExp])[] = [
  ['email', /@/],
  ['wallet', /^0x[0-9a-f]{40}$/i],
  ['transaction', /^0x[0-9a-f]{64}$/i],
  ['last4', /^\d{4}$/],
];

/** The probable kind of a search text; a reference, which may be any id, unless it has another shape. */
export const guessKind = (typed: string): SearchKind => SHAPES.find(([, shape]) => shape.test(typed.trim()))?.[0] ?? 'reference';
