import { isDeepStrictEqual } from 'node:util';
import type { Amount } from '@florin/rpc/money';
import type { CardControls } from './card-controls.ts';
import type { DeclineCode } from './decline-codes.ts';
import { atMost } from './event-change.ts';
import { type Counts, EXCEEDED, LIMIT_NAMES, type LimitName, type Limits, PERIOD_OF } from './limits.ts';
import { periodStart } from './periods.ts';
import {
  type ApprovedElsewhere,
  judgeUnauthenticated,
  type RequestAuthentication,
  type ReservedAuthentication,
  tallied,
  talliedElsewhere,
  type Unauthenticated,
  type UnauthenticatedLimits,
} from './unauthenticated.ts';
import type { Usage } from './usages.ts';

/** The reservation of a request that is being decided. */
export type Reservation = {
  eventId: string;
  claimId: string;
  amount: Amount;
  /** The part of `amount` that is paid out in cash at a counter. */
  cash?: Amount;
  at: Date;
  authentication?: ReservedAuthentication;
};

/** The usage of one payment from one time on: a request under way, or what an event of the payment has added. */
export type SpendingEntry = {
  paymentId: string;
  /** Whose periods it counts in. */
  at: Date;
  atm: boolean;
  /** True if it adds to a payment that has an earlier entry, or was not approved as a purchase, and is no further payment. */
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
  /** Totals of the payments without an authentication of the cardholder. */
  unauthenticated?: Unauthenticated | undefined;
  revision: number;
};

/** Reports whether both settings lead to the same judgment of a request, apart from the limits, which are judged where they are reserved. */
export const judgesAlike = (one: SpendingSettings, other: SpendingSettings): boolean =>
  one.clockAhead === other.clockAhead && (one.controls === other.controls || isDeepStrictEqual(one.controls, other.controls));

/** Id of an account's spending document. */
export const accountDocument = (accountId: string): string => `account:${accountId}`;

export const newSpending = (id: string): Spending => ({ id, limits: {}, controls: {}, entries: [], clockAhead: 0, revision: 0 });

/** Now, on the clock of a card. It is not before the card's single use began, also for a process whose clock is behind. */
export const spendingNow = (
  { clockAhead, controls }: Pick<Spending, 'clockAhead'> & Partial<Pick<Spending, 'controls'>>,
  now: Date,
): Date => new Date(Math.max(now.getTime() + clockAhead * 1000, controls?.singleUseFrom?.getTime() ?? 0));

const countOf = ({ amount, reservations }: SpendingEntry): Amount =>
  reservations.reduce((sum, reservation) => sum + reservation.amount, amount);

const cashOf = (entry: SpendingEntry): Amount =>
  entry.atm ? countOf(entry) : entry.reservations.reduce((sum, { cash = 0n }) => sum + cash, 0n);

/** The usage of a limit at `now`. */
export const usedOf = ({ entries }: Pick<Spending, 'entries'>, name: LimitName, now: Date): Amount => {
  if (name === 'perTransaction') return 0n;
  const from = periodStart(PERIOD_OF[name], now).getTime();
  let sum = 0n;
  for (const entry of entries) if (entry.at.getTime() >= from) sum += name === 'atm' ? cashOf(entry) : countOf(entry);
  return sum;
};

/** Payments since this time can still count in a period. */
const currentFrom = (now: Date): number => Math.min(periodStart('week', now).getTime(), periodStart('month', now).getTime());

const isCurrent = ({ at, reservations }: SpendingEntry, from: number): boolean => at.getTime() >= from || reservations.length > 0;

/**
 * The purchase of a card for single use: the first payment since then that was approved, here or elsewhere, whatever has become of it, or that is being decided;
 * undefined if the card has made none, or is not for single use.
 */
export const singlePurchase = ({
  controls: { singleUseFrom },
  entries,
}: Pick<Spending, 'controls' | 'entries'>): SpendingEntry | undefined => {
  if (singleUseFrom === undefined) return undefined;
  const purchases = entries.filter(({ at, increase }) => increase !== true && at >= singleUseFrom);
  return purchases.reduce<SpendingEntry | undefined>(
    (first, entry) => (first === undefined || entry.at < first.at ? entry : first),
    undefined,
  );
};

/** The spending with entries, less those of former periods. That of a single purchase stays for good. */
const withEntries = (spending: Spending, entries: readonly SpendingEntry[], now: Date): Spending => {
  const from = currentFrom(now);
  const purchase = singlePurchase({ ...spending, entries });
  return { ...spending, entries: entries.filter((entry) => entry === purchase || isCurrent(entry, from)) };
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

/** The approved amount of each event of a payment, by the event's id; zero for events that approve nothing. */
export type PaymentEvents = ReadonlyMap<string, Amount>;

/** A payment that is increased, as it was read. */
export type IncreasedPayment = {
  usage: Amount;
  events: PaymentEvents;
  /** The total from which the increase needs an authentication of the cardholder, which it does not have. */
  authenticationFrom?: Amount | undefined;
};

/** Usage of a payment with the requests under way. Entries of earlier periods are gone, and then only the payment itself tells. */
const totalOf = (entries: readonly SpendingEntry[], increased: IncreasedPayment | undefined): Amount => {
  const asCounted = entries.reduce((sum, entry) => sum + countOf(entry), 0n);
  if (increased === undefined) return asCounted;
  const { usage, events } = increased;
  const underWay = entries.flatMap(({ reservations }) => reservations.filter(({ eventId }) => !events.has(eventId)));
  const asRead = underWay.reduce((sum, { amount }) => sum + amount, usage);
  return asRead > asCounted ? asRead : asCounted;
};

type RequestKey = { paymentId: string; atm: boolean };

/** The rules that a request is judged by where its amount is reserved. */
export type ReservationRules = {
  /** The limits in force. */
  limits: Limits;
  /** Most payments a day; an increase of a payment is no further one. */
  counts: Counts;
  /** The payment that the request increases. */
  increased?: IncreasedPayment | undefined;
  /** Absent where the request is not judged by it. */
  authentication?: { ofRequest: RequestAuthentication; limits: UnauthenticatedLimits; isEstimate: boolean } | undefined;
  now: Date;
};

/** Judges a request by the unauthenticated payments. @returns the reservation as it is kept, or why the request is declined */
const withAuthentication = (
  { entries, unauthenticated }: Spending,
  reservation: Reservation,
  { authentication, increased }: ReservationRules,
): Reservation | DeclineCode => {
  if (authentication === undefined) return reservation;
  const underWay = entries.flatMap(({ increase = false, reservations }) => reservations.map((one) => ({ ...one, increase })));
  const { amount } = reservation;
  const { ofRequest, limits, isEstimate } = authentication;
  const request = { amount, increase: increased !== undefined, isEstimate, authentication: ofRequest };
  const judged = judgeUnauthenticated({ unauthenticated, underWay }, request, limits);
  return typeof judged === 'string' ? judged : { ...reservation, authentication: judged };
};

/**
 * Reserves an amount for a request, if it is within the limits. It counts in the periods of `now`.
 * @returns the spending with the reservation, unchanged when the request has one already; or why it is declined
 */
export const reserve = (
  spending: Spending,
  { paymentId, atm }: RequestKey,
  reservation: Reservation,
  rules: ReservationRules,
): Spending | DeclineCode => {
  const { limits, counts, increased, now } = rules;
  const known = spending.entries.filter((entry) => entry.paymentId === paymentId);
  if (known.some(({ reservations }) => reservations.some(({ eventId }) => eventId === reservation.eventId))) return spending;
  const purchase = singlePurchase(spending);
  if (purchase !== undefined && purchase.paymentId !== paymentId) return 'card_used';
  const total = totalOf(known, increased) + reservation.amount;
  if (increased?.authenticationFrom !== undefined && total >= increased.authenticationFrom) return 'authentication_required';
  const reserved = withAuthentication(spending, reservation, rules);
  if (typeof reserved === 'string') return reserved;
  for (const name of LIMIT_NAMES) {
    const limit = limits[name];
    const added = name !== 'atm' || atm ? reservation.amount : (reservation.cash ?? 0n);
    if (limit === undefined || added === 0n) continue;
    const after = name === 'perTransaction' ? total : usedOf(spending, name, now) + added;
    if (after > limit) return EXCEEDED[name];
  }
  if (increased === undefined && tooMany(spending, { paymentId, atm }, counts, now)) return 'count_limit_exceeded';
  const kind = increased === undefined ? {} : { increase: true };
  const entry = { paymentId, at: now, atm, ...kind, revision: 0, amount: 0n, reservations: [reserved] };
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
  /** The part that is paid out in cash at a counter. */
  cashBack?: Amount;
  /** Usage, by the time from which it counts. */
  usages: readonly (Usage & { increase?: true })[];
  events: PaymentEvents;
  /** Where the payment was approved elsewhere first. */
  approvedElsewhere?: ApprovedElsewhere | undefined;
};

/** Takes over what a payment counts. An older revision changes nothing; reservations of events that the payment has are settled. */
export const settle = (
  spending: Spending,
  { paymentId, atm, revision, cashBack = 0n, usages, events, approvedElsewhere }: CountedPayment,
  now: Date,
): Spending => {
  const known = spending.entries.filter((entry) => entry.paymentId === paymentId);
  const latest = known.reduce((most, entry) => Math.max(most, entry.revision), 0);
  if (revision < latest) return spending;
  const isSettled = ({ eventId }: Reservation): boolean => events.has(eventId);
  if (revision === latest && !known.some(({ reservations }) => reservations.some(isSettled))) return spending;
  const underWay = known.flatMap((entry) => {
    const reservations = entry.reservations.filter((reservation) => !isSettled(reservation));
    return reservations.length === 0 ? [] : [{ ...entry, amount: 0n, revision: 0, reservations }];
  });
  let cashLeft = atm ? 0n : cashBack;
  const counted = usages.flatMap(({ amount, ...usage }) => {
    const cash = cashLeft < amount ? cashLeft : amount;
    cashLeft -= cash;
    const entry = { ...usage, paymentId, atm, revision, amount: amount - cash, reservations: [] };
    return cash === 0n ? [entry] : [entry, { ...entry, atm: true, increase: true, amount: cash }];
  });
  const others = spending.entries.filter((entry) => entry.paymentId !== paymentId);
  // A request for what was cleared before it came adds to a payment that counts already. It may have been reserved before that was known.
  const { amount: countedBefore = 0n } = approvedElsewhere ?? {};
  // An authentication ends the row also where all of its payment was cleared before, and nothing was reserved.
  const addedBy = ({ eventId, amount, authentication }: Reservation, before: Amount): Amount => {
    const approved = events.get(eventId) ?? 0n;
    return authentication?.authenticatedAt === undefined ? atMost(amount, approved - atMost(approved, before)) : approved;
  };
  const unauthenticated = known
    .flatMap(({ increase, reservations }) => reservations.filter(isSettled).map((one) => ({ ...one, increase })))
    .map(({ increase, ...one }) => ({
      ...{ ...one, increase: increase ?? approvedElsewhere !== undefined },
      amount: addedBy(one, increase === true ? 0n : countedBefore),
    }))
    .reduce(tallied, spending.unauthenticated);
  const isNew =
    approvedElsewhere !== undefined && approvedElsewhere.revision > latest && approvedElsewhere.at.getTime() >= currentFrom(now);
  const counting = isNew ? talliedElsewhere(unauthenticated, approvedElsewhere) : unauthenticated;
  return withEntries({ ...spending, unauthenticated: counting }, [...others, ...counted, ...underWay], now);
};
