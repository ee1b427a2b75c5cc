import { isDeepStrictEqual } from 'node:util';
import type { Amount } from '@florin/rpc/money';
import type { CardControls } from './card-controls.ts';
import type { DeclineCode } from './decline-codes.ts';
import { type Period, periodStart } from './periods.ts';

/** The limits of a card, in the billing currency's minor unit. An absent one is unlimited. */
export const LIMIT_NAMES = ['perTransaction', 'daily', 'weekly', 'monthly', 'atm'] as const;
export type LimitName = (typeof LIMIT_NAMES)[number];
export type Limits = Readonly<Partial<Record<LimitName, Amount>>>;

/** Most payments of a card in one day, of all kinds and of withdrawals of cash. An absent one is unlimited. */
export type Counts = Readonly<Partial<Record<'daily' | 'atm', number>>>;

/** What is reserved for a request that is being decided. */
export type Reservation = { eventId: string; claimId: string; amount: Amount; at: Date };

/** What one payment counts. */
export type SpendingEntry = {
  paymentId: string;
  /** Time of the authorization: the periods that it counts in. */
  at: Date;
  atm: boolean;
  /** Revision of the payment that `amount` was taken from; 0 before the first. */
  revision: number;
  amount: Amount;
  /** Requests under way. */
  reservations: readonly Reservation[];
};

export type SpendingSettings = {
  limits: Limits;
  controls: CardControls;
  /** Seconds by which the sandbox's clock is ahead for this card. */
  clockAhead: number;
};

/**
 * The spending document of a card or of an account: limits, controls, and what counts against them. Each change is one conditional write on
 * its revision, so that two requests never spend the same rest of a limit. `entries` has every payment of the current week and month.
 */
export type Spending = SpendingSettings & {
  /** Id of the card or the account. */
  id: string;
  entries: readonly SpendingEntry[];
  revision: number;
};

/** Whether both settings lead to the same judgment of a request, apart from the limits, which are judged where they are reserved. */
export const judgesAlike = (one: SpendingSettings, other: SpendingSettings): boolean =>
  one.clockAhead === other.clockAhead && (one.controls === other.controls || isDeepStrictEqual(one.controls, other.controls));

/** Id of an account's spending document. */
export const accountDocument = (accountId: string): string => `account:${accountId}`;

export const newSpending = (id: string): Spending => ({ id, limits: {}, controls: {}, entries: [], clockAhead: 0, revision: 0 });

/** Now, on the clock of a card. */
export const spendingNow = ({ clockAhead }: Pick<Spending, 'clockAhead'>, now: Date): Date => new Date(now.getTime() + clockAhead * 1000);

const PERIOD_OF: Readonly<Record<Exclude<LimitName, 'perTransaction'>, Period>> = {
  daily: 'day',
  weekly: 'week',
  monthly: 'month',
  atm: 'day',
};

const EXCEEDED: Readonly<Record<LimitName, DeclineCode>> = {
  perTransaction: 'transaction_limit_exceeded',
  atm: 'atm_limit_exceeded',
  daily: 'daily_limit_exceeded',
  weekly: 'weekly_limit_exceeded',
  monthly: 'monthly_limit_exceeded',
};

const countOf = ({ amount, reservations }: SpendingEntry): Amount =>
  reservations.reduce((sum, reservation) => sum + reservation.amount, amount);

/** What counts against a limit at `now`. */
export const usedOf = ({ entries }: Pick<Spending, 'entries'>, name: LimitName, now: Date): Amount => {
  if (name === 'perTransaction') return 0n;
  const from = periodStart(PERIOD_OF[name], now).getTime();
  let sum = 0n;
  for (const entry of entries) if (entry.at.getTime() >= from && (name !== 'atm' || entry.atm)) sum += countOf(entry);
  return sum;
};

/** End of the period that a limit counts in at `now`; undefined for the one per transaction. */
export const resetsAt = (name: LimitName, now: Date): Date | undefined =>
  name === 'perTransaction' ? undefined : periodStart(PERIOD_OF[name], now, 1);

/** The lower of two limits, by name. */
export const lowest = (one: Limits, other: Limits): Limits =>
  Object.fromEntries(
    LIMIT_NAMES.flatMap((name) => {
      const [a, b] = [one[name], other[name]];
      const limit = a === undefined || (b !== undefined && b < a) ? b : a;
      return limit === undefined ? [] : [[name, limit]];
    }),
  );

/** Payments since this time can still count in a period. */
const currentFrom = (now: Date): number => Math.min(periodStart('week', now).getTime(), periodStart('month', now).getTime());

const withEntry = (spending: Spending, entry: SpendingEntry, now: Date): Spending => {
  const from = currentFrom(now);
  const isKept = ({ at, reservations }: SpendingEntry): boolean => at.getTime() >= from || reservations.length > 0;
  const entries = spending.entries.filter((other) => other.paymentId !== entry.paymentId && isKept(other));
  if (isKept(entry)) entries.push(entry);
  return { ...spending, entries };
};

type PaymentKey = { paymentId: string; at: Date; atm: boolean };

const entryOf = (spending: Spending, { paymentId, at, atm }: PaymentKey): SpendingEntry =>
  spending.entries.find((entry) => entry.paymentId === paymentId) ?? { paymentId, at, atm, revision: 0, amount: 0n, reservations: [] };

/** The entry with the time and the kind of a request or payment. Beside other requests under way it counts in the stricter way: they count too. */
const keyed = (entry: SpendingEntry, { at, atm }: PaymentKey): SpendingEntry =>
  entry.reservations.length === 0 ? { ...entry, at, atm } : { ...entry, at: at > entry.at ? at : entry.at, atm: atm || entry.atm };

/**
 * Whether the day has as many payments as it may have, without this one. Payments that hold and have cleared nothing do not count, and a payment of
 * an earlier day is none of today's.
 */
const tooMany = ({ entries }: Spending, { paymentId, at, atm }: SpendingEntry, counts: Counts, now: Date): boolean => {
  if (counts.daily === undefined && (!atm || counts.atm === undefined)) return false;
  const from = periodStart('day', now).getTime();
  if (at.getTime() < from) return false;
  const others = entries.filter((entry) => entry.paymentId !== paymentId && entry.at.getTime() >= from && countOf(entry) > 0n);
  if (counts.daily !== undefined && others.length >= counts.daily) return true;
  return atm && counts.atm !== undefined && others.filter((other) => other.atm).length >= counts.atm;
};

/** A payment that is increased, as it was read. */
export type IncreasedPayment = {
  usage: Amount;
  eventIds: ReadonlySet<string>;
  /** The total from which the increase needs an authentication of the cardholder, which it does not have. */
  authenticationFrom?: Amount | undefined;
};

/** What a payment counts with the requests under way. An entry of earlier periods is gone, and then only the payment itself tells. */
const totalOf = (entry: SpendingEntry, increased: IncreasedPayment | undefined): Amount => {
  if (increased === undefined) return countOf(entry);
  const { usage, eventIds } = increased;
  const asRead = entry.reservations.reduce((sum, { eventId, amount }) => (eventIds.has(eventId) ? sum : sum + amount), usage);
  const asCounted = countOf(entry);
  return asRead > asCounted ? asRead : asCounted;
};

/**
 * Reserves an amount for a request, if it is within the limits.
 * @param limits the limits in force
 * @param counts most payments a day; an increase of a payment is no further one
 * @param increased the payment that the request increases
 * @returns the spending with the reservation, unchanged when the request has one already; or why it is declined
 */
export const reserve = (
  spending: Spending,
  key: PaymentKey,
  reservation: Reservation,
  { limits, counts, increased, now }: { limits: Limits; counts: Counts; increased?: IncreasedPayment | undefined; now: Date },
): Spending | DeclineCode => {
  const known = entryOf(spending, key);
  if (known.reservations.some(({ eventId }) => eventId === reservation.eventId)) return spending;
  const entry = keyed(known, key);
  const total = totalOf(entry, increased) + reservation.amount;
  if (increased?.authenticationFrom !== undefined && total >= increased.authenticationFrom) return 'authentication_required';
  const counted = withEntry(spending, entry, now);
  for (const name of LIMIT_NAMES) {
    const limit = limits[name];
    if (limit === undefined || (name === 'atm' && !entry.atm)) continue;
    // An increment counts in the periods of its authorization, which may be over.
    const counts = name === 'perTransaction' || entry.at >= periodStart(PERIOD_OF[name], now);
    const after = name === 'perTransaction' ? total : usedOf(counted, name, now) + reservation.amount;
    if (counts && after > limit) return EXCEEDED[name];
  }
  if (tooMany(spending, entry, counts, now)) return 'count_limit_exceeded';
  return withEntry(spending, { ...entry, reservations: [...entry.reservations, reservation] }, now);
};

/**
 * Gives back what was reserved for a request that was declined.
 * @param key of the payment without the request: what it has cleared counts in its own periods again
 */
export const release = (spending: Spending, key: PaymentKey, eventId: string): Spending => {
  const entry = spending.entries.find((candidate) => candidate.paymentId === key.paymentId);
  if (entry === undefined || !entry.reservations.some((one) => one.eventId === eventId)) return spending;
  const left = keyed({ ...entry, reservations: entry.reservations.filter((one) => one.eventId !== eventId) }, key);
  const others = spending.entries.filter((other) => other !== entry);
  const empty = left.reservations.length === 0 && left.amount === 0n && left.revision === 0;
  return { ...spending, entries: empty ? others : [...others, left] };
};

/**
 * Takes over what a payment counts. An older revision changes nothing; reservations of events that the payment has are settled.
 * @param usage what the payment counts at `revision`
 * @param eventIds ids of the payment's events
 */
export const settle = (
  spending: Spending,
  key: PaymentKey,
  { revision, usage, eventIds }: { revision: number; usage: Amount; eventIds: ReadonlySet<string> },
  now: Date,
): Spending => {
  const entry = entryOf(spending, key);
  if (revision < entry.revision) return spending;
  const reservations = entry.reservations.filter(({ eventId }) => !eventIds.has(eventId));
  if (revision === entry.revision && reservations.length === entry.reservations.length) return spending;
  return withEntry(spending, keyed({ ...entry, revision, amount: usage, reservations }, key), now);
};
