import { isDeepStrictEqual } from 'node:util';
import type { Amount } from '@florin/rpc/money';
import type { CardControls } from './card-controls.ts';
import type { DeclineCode } from './decline-codes.ts';
import { type Period, periodStart } from './periods.ts';
import type { Usage } from './usages.ts';

/** The limits of a card, in the billing currency's minor unit. An absent one is unlimited. */
export const LIMIT_NAMES = ['perTransaction', 'daily', 'weekly', 'monthly', 'atm'] as const;
export type LimitName = (typeof LIMIT_NAMES)[number];
export type Limits = Readonly<Partial<Record<LimitName, Amount>>>;

/** Most payments of a card in one day, of all kinds and of withdrawals of cash. An absent one is unlimited. */
export type Counts = Readonly<Partial<Record<'daily' | 'atm', number>>>;

/** The reservation of a request that is being decided. */
export type Reservation = { eventId: string; claimId: string; amount: Amount; at: Date };

/** The usage of one payment from one time on: a request under way, or what an event of the payment has added. */
export type SpendingEntry = {
  paymentId: string;
  /** Whose periods it counts in. */
  at: Date;
  atm: boolean;
  /** True if it adds to a payment that has an earlier entry, and is no further payment. */
  increase?: boolean;
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

/** Reports whether both settings lead to the same judgment of a request, apart from the limits, which are judged where they are reserved. */
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

/** The usage of a limit at `now`. */
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

const isCurrent = ({ at, reservations }: SpendingEntry, from: number): boolean => at.getTime() >= from || reservations.length > 0;

const withEntries = (spending: Spending, entries: readonly SpendingEntry[], now: Date): Spending => {
  const from = currentFrom(now);
  return { ...spending, entries: entries.filter((entry) => isCurrent(entry, from)) };
};

/**
 * Reports whether the day has as many payments as it may have, without this one. Payments that hold and have cleared nothing do not count, and a payment of
 * an earlier day is none of today's.
 */
const tooMany = ({ entries }: Spending, { paymentId, atm }: RequestKey, counts: Counts, now: Date): boolean => {
  const from = periodStart('day', now).getTime();
  const others = entries.filter(
    (entry) => entry.paymentId !== paymentId && entry.increase !== true && entry.at.getTime() >= from && countOf(entry) > 0n,
  );
  const paymentsOf = (counted: readonly SpendingEntry[]): number => new Set(counted.map((entry) => entry.paymentId)).size;
  if (counts.daily !== undefined && paymentsOf(others) >= counts.daily) return true;
  return atm && counts.atm !== undefined && paymentsOf(others.filter((other) => other.atm)) >= counts.atm;
};

/** A payment that is increased, as it was read. */
export type IncreasedPayment = {
  usage: Amount;
  eventIds: ReadonlySet<string>;
  /** The total from which the increase needs an authentication of the cardholder, which it does not have. */
  authenticationFrom?: Amount | undefined;
};

/** Usage of a payment with the requests under way. Entries of earlier periods are gone, and then only the payment itself tells. */
const totalOf = (entries: readonly SpendingEntry[], increased: IncreasedPayment | undefined): Amount => {
  const asCounted = entries.reduce((sum, entry) => sum + countOf(entry), 0n);
  if (increased === undefined) return asCounted;
  const { usage, eventIds } = increased;
  const underWay = entries.flatMap(({ reservations }) => reservations.filter(({ eventId }) => !eventIds.has(eventId)));
  const asRead = underWay.reduce((sum, { amount }) => sum + amount, usage);
  return asRead > asCounted ? asRead : asCounted;
};

type RequestKey = { paymentId: string; atm: boolean };

/**
 * Reserves an amount for a request, if it is within the limits. It counts in the periods of `now`.
 * @param limits the limits in force
 * @param counts most payments a day; an increase of a payment is no further one
 * @param increased the payment that the request increases
 * @returns the spending with the reservation, unchanged when the request has one already; or why it is declined
 */
export const reserve = (
  spending: Spending,
  { paymentId, atm }: RequestKey,
  reservation: Reservation,
  { limits, counts, increased, now }: { limits: Limits; counts: Counts; increased?: IncreasedPayment | undefined; now: Date },
): Spending | DeclineCode => {
  const known = spending.entries.filter((entry) => entry.paymentId === paymentId);
  if (known.some(({ reservations }) => reservations.some(({ eventId }) => eventId === reservation.eventId))) return spending;
  const total = totalOf(known, increased) + reservation.amount;
  if (increased?.authenticationFrom !== undefined && total >= increased.authenticationFrom) return 'authentication_required';
  for (const name of LIMIT_NAMES) {
    const limit = limits[name];
    if (limit === undefined || (name === 'atm' && !atm)) continue;
    const after = name === 'perTransaction' ? total : usedOf(spending, name, now) + reservation.amount;
    if (after > limit) return EXCEEDED[name];
  }
  if (increased === undefined && tooMany(spending, { paymentId, atm }, counts, now)) return 'count_limit_exceeded';
  const kind = increased === undefined ? {} : { increase: true };
  const entry = { paymentId, at: now, atm, ...kind, revision: 0, amount: 0n, reservations: [reservation] };
  return withEntries(spending, [...spending.entries, entry], now);
};

/** Gives back what was reserved for a request that was declined. */
export const release = (spending: Spending, { paymentId }: { paymentId: string }, eventId: string): Spending => {
  const has = (entry: SpendingEntry): boolean =>
    entry.paymentId === paymentId && entry.reservations.some((reservation) => reservation.eventId === eventId);
  if (!spending.entries.some(has)) return spending;
  const entries = spending.entries.flatMap((entry) => {
    if (!has(entry)) return [entry];
    const left = { ...entry, reservations: entry.reservations.filter((reservation) => reservation.eventId !== eventId) };
    return left.reservations.length === 0 && left.revision === 0 ? [] : [left];
  });
  return { ...spending, entries };
};

/** A payment as it counts. */
export type CountedPayment = RequestKey & {
  revision: number;
  /** Usage, by the time from which it counts. */
  usages: readonly Usage[];
  /** Ids of the payment's events. */
  eventIds: ReadonlySet<string>;
};

/** Takes over what a payment counts. An older revision changes nothing; reservations of events that the payment has are settled. */
export const settle = (spending: Spending, { paymentId, atm, revision, usages, eventIds }: CountedPayment, now: Date): Spending => {
  const known = spending.entries.filter((entry) => entry.paymentId === paymentId);
  const latest = known.reduce((most, entry) => Math.max(most, entry.revision), 0);
  if (revision < latest) return spending;
  const isSettled = ({ eventId }: Reservation): boolean => eventIds.has(eventId);
  if (revision === latest && !known.some(({ reservations }) => reservations.some(isSettled))) return spending;
  const underWay = known.flatMap((entry) => {
    const reservations = entry.reservations.filter((reservation) => !isSettled(reservation));
    return reservations.length === 0 ? [] : [{ ...entry, amount: 0n, revision: 0, reservations }];
  });
  const counted = usages.map(({ at, amount }, index) => {
    const kind = index === 0 ? {} : { increase: true };
    return { paymentId, at, atm, ...kind, revision, amount, reservations: [] };
  });
  const others = spending.entries.filter((entry) => entry.paymentId !== paymentId);
  return withEntries(spending, [...others, ...counted, ...underWay], now);
};
