import type { Amount } from '@florin/rpc/money';

/** A record that a network, a bank or the operator reports. Amounts are in the minor unit of `currency`. */
export type SettlementRecord = {
  /** Issuer of the record and of its id. */
  source: string;
  id: string;
  /** Business date or booking date, as 2026-01-31. */
  date: string;
  currency: string;
} & (Clearing | BankMovement | Collection | Correction);

type Clearing = {
  kind: 'clearing';
  network: string;
  /** Above zero for a purchase, below zero for a refund. */
  amount: Amount;
  /** Above zero when the issuer receives it. */
  interchange: Amount;
  /** Above zero when the issuer pays them. */
  schemeFee: Amount;
  processorFee: Amount;
  eventId: string;
  transactionId: string;
  acquirerReference: string;
};

/** `settles`: a position, `treasury`, or empty for a movement that names nothing. */
type BankMovement = { kind: 'bank'; amount: Amount; settles: string };

/** Above zero from Safes to the treasury. */
type Collection = { kind: 'collection'; amount: Amount };

type Correction = { kind: 'correction'; debit: string; credit: string; amount: Amount; note: string };

/** An amount on an account; a debit is positive. */
export type Leg = { account: string; amount: Amount };

/** The key of a record: one is booked for each. */
export const keyOf = ({ source, id }: Pick<SettlementRecord, 'source' | 'id'>): string => `${source}:${id}`;

/** Name of the position with a network for a business date. Below zero it is payable to the network, above zero receivable from it. */
export const positionOf = (network: string, date: string): string => `payable/${network}/${date}`;

/** The double entry of a record. Its legs add up to zero. */
export const legsOf = (record: SettlementRecord): Leg[] => {
  const legs = ((): Leg[] => {
    const { amount } = record;
    switch (record.kind) {
      case 'clearing': {
        const { network, date, interchange, schemeFee, processorFee } = record;
        return [
          { account: 'receivable', amount },
          { account: 'interchange', amount: -interchange },
          { account: 'scheme_fees', amount: schemeFee },
          { account: 'processor_fees', amount: processorFee },
          { account: positionOf(network, date), amount: interchange - amount - schemeFee - processorFee },
        ];
      }
      case 'bank':
        return [
          { account: 'bank', amount },
          { account: record.settles || 'unexplained', amount: -amount },
        ];
      case 'collection':
        return [
          { account: 'treasury', amount },
          { account: 'receivable', amount: -amount },
        ];
      case 'correction':
        return [
          { account: record.debit, amount },
          { account: record.credit, amount: -amount },
        ];
    }
  })();
  return legs.filter(({ amount }) => amount !== 0n);
};

/**
 * The record of what the program has billed beyond what the network settles for a clearing, because it converts by another rate and with a mark-up: so much more is
 * collected. Undefined when both are the same.
 */
export const conversionOf = (clearing: SettlementRecord & Clearing, billed: Amount): SettlementRecord | undefined => {
  const { date, currency, amount } = clearing;
  const more = billed - amount;
  if (more === 0n) return undefined;
  const [debit, credit] = more > 0n ? ['receivable', 'fx_income'] : ['fx_income', 'receivable'];
  const common = { source: 'settlement', id: keyOf(clearing), date, currency };
  return { ...common, kind: 'correction', debit, credit, amount: more > 0n ? more : -more, note: 'conversion' };
};

/** The one spelling of a record: JSON, which blocks store, hashes cover and reports print. Equal records are spelled equally. */
export const spell = (record: SettlementRecord): string => {
  const { kind, source, id, date, currency, amount } = record;
  const common = [kind, source, id, date, currency, String(amount)];
  switch (record.kind) {
    case 'clearing': {
      const { network, interchange, schemeFee, processorFee, eventId, transactionId, acquirerReference } = record;
      const fees = [interchange, schemeFee, processorFee].map(String);
      return JSON.stringify([...common, network, ...fees, eventId, transactionId, acquirerReference]);
    }
    case 'bank':
      return JSON.stringify([...common, record.settles]);
    case 'collection':
      return JSON.stringify(common);
    case 'correction':
      return JSON.stringify([...common, record.debit, record.credit, record.note]);
  }
};

/** The record of a spelling. @throws Error when the text is not the spelling of a record */
export const parse = (line: string): SettlementRecord => {
  const fail = (): never => {
    throw new Error('the text is not a settlement record');
  };
  const parts: unknown = JSON.parse(line);
  if (!Array.isArray(parts) || !parts.every((part) => typeof part === 'string')) return fail();
  const [kind, source = '', id = '', date = '', currency = '', amount = '', ...more] = parts as string[];
  const common = { source, id, date, currency, amount: BigInt(amount) };
  const record = ((): SettlementRecord => {
    const [a = '', b = '', c = '', d = '', eventId = '', transactionId = '', acquirerReference = ''] = more;
    if (kind === 'clearing') {
      const fees = { interchange: BigInt(b), schemeFee: BigInt(c), processorFee: BigInt(d) };
      return { ...common, kind, network: a, ...fees, eventId, transactionId, acquirerReference };
    }
    if (kind === 'bank') return { ...common, kind, settles: a };
    if (kind === 'collection') return { ...common, kind };
    if (kind === 'correction') return { ...common, kind, debit: a, credit: b, note: c };
    return fail();
  })();
  return spell(record) === line ? record : fail();
};

/** Reports whether a text is a day of the calendar, as 2026-01-31. */
export const isDay = (text: string): boolean => {
  const time = Date.parse(`${text}T00:00:00Z`);
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
};

/** Reports whether an account is none of a position, or of one for a day of the calendar. */
export const namesDay = (account: string): boolean => !account.startsWith('payable/') || isDay(account.slice(-10));

/** The day that begins a number of days after another one. */
export const dayAfter = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);

/** When a day ends (UTC). */
export const endOf = (day: string): Date => new Date(dayAfter(day, 1));

/** The day that a time is in (UTC). */
export const dayOf = (time: Date): string => time.toISOString().slice(0, 10);
