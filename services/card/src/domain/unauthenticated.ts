import type { Amount } from '@florin/rpc/money';
import { authenticates, type Claim, isCounted } from './authentication-claims.ts';
import type { CardChecks } from './check-request.ts';
import type { DeclineCode } from './decline-codes.ts';
import type { EntryMode } from './payment.ts';

/** Payments that the rules of strong customer authentication tell apart: remote ones (PSD2 RTS Art. 16), and contactless ones at a terminal (Art. 11). */
export type Channel = 'remote' | 'contactless';

/** Most payments in a row without an authentication of the cardholder, and most that one of them and all together may amount to. An absent one is unlimited. */
export type UnauthenticatedLimits = Readonly<Partial<Record<Channel, { payments?: number; amount?: Amount; perPayment?: Amount }>>>;

/** Running totals of approved payments without an authentication. */
export type Tally = { payments: number; amount: Amount };

/** The totals by channel; `since` has those at the last authentication. */
export type Unauthenticated = Readonly<Partial<Record<Channel, Tally & { since: Tally }>>>;

/** The authentication of the cardholder that a request comes with, or lacks. */
export type RequestAuthentication = { channel: Channel; isAuthenticated: boolean };

/** The same of a reserved request; `authenticatedAt` has the totals when it was authenticated. */
export type ReservedAuthentication = { channel: Channel; authenticatedAt?: Tally };

const NONE: Tally = { payments: 0, amount: 0n };

/** Reports whether the cardholder pays at a distance. A payment with an unknown entry mode is remote, one that a merchant initiates is not. */
export const isRemote = ({ entryMode, atm }: { entryMode?: EntryMode | undefined; atm: boolean }): boolean =>
  !atm && (entryMode === undefined || entryMode === 'ecommerce' || entryMode === 'manual');

type Charged = { entryMode?: EntryMode | undefined; atm: boolean; checks: CardChecks; exemption?: Claim | undefined };

/**
 * Returns the authentication of a request: by 3-D Secure at a distance, by the PIN or the cardholder's device at a terminal; undefined where it does not count.
 * @param presents whether it presents an approval of ours by 3-D Secure
 */
export const authenticationOfRequest = (request: Charged, presents: boolean): RequestAuthentication | undefined => {
  const { exemption, checks, entryMode, atm } = request;
  // A payment that a merchant initiates without an accepted claim counts as the cardholder's.
  const isUnclaimed = entryMode === 'merchant_initiated' && !atm && exemption === undefined;
  if (isRemote(request) || isUnclaimed) {
    if (!presents && !isCounted(exemption)) return undefined;
    return { channel: 'remote', isAuthenticated: presents || authenticates(exemption) };
  }
  if (checks.pin === 'correct' || checks.deviceVerification === 'correct') return { channel: 'contactless', isAuthenticated: true };
  return entryMode === 'contactless' && exemption !== 'unattended_terminal'
    ? { channel: 'contactless', isAuthenticated: false }
    : undefined;
};

/** An approval by the network or the terminal in our place, which no reservation has counted. */
export type ApprovedElsewhere = {
  /** Number of events of the payment with it. */
  revision: number;
  at: Date;
  amount: Amount;
  authentication: RequestAuthentication;
};

/** Counts an approval elsewhere after all others: who was authenticated for it begins the row anew. */
export const talliedElsewhere = (
  unauthenticated: Unauthenticated | undefined,
  { amount, authentication: { channel, isAuthenticated } }: ApprovedElsewhere,
): Unauthenticated | undefined => {
  const { payments, amount: sum } = unauthenticated?.[channel] ?? NONE;
  const authentication = isAuthenticated ? { channel, authenticatedAt: { payments, amount: sum } } : { channel };
  return tallied(unauthenticated, { amount, authentication, increase: false });
};

const EXCEEDED: Readonly<Record<Channel, DeclineCode>> = {
  remote: 'authentication_required',
  contactless: 'contactless_limit_exceeded',
};

const sumOf = (one: Tally, other: Tally): Tally => ({ payments: one.payments + other.payments, amount: one.amount + other.amount });

type UnderWay = { amount: Amount; authentication?: ReservedAuthentication; increase: boolean };

/** The totals of one unauthenticated request. An increase is no further payment. */
const tallyOf = ({ amount, increase }: Pick<UnderWay, 'amount' | 'increase'>): Tally => ({ payments: increase ? 0 : 1, amount });

/**
 * Judges a request by the payments that were approved without an authentication since the last one, and by the requests under way.
 * @returns why it is declined, or how its reservation is kept
 */
export const judgeUnauthenticated = (
  { unauthenticated = {}, underWay }: { unauthenticated: Unauthenticated | undefined; underWay: readonly UnderWay[] },
  request: { amount: Amount; increase: boolean; isEstimate: boolean; authentication: RequestAuthentication },
  limits: UnauthenticatedLimits,
): DeclineCode | ReservedAuthentication => {
  const { channel, isAuthenticated } = request.authentication;
  const { payments, amount, since } = { ...NONE, since: NONE, ...unauthenticated[channel] };
  if (isAuthenticated) return { channel, authenticatedAt: { payments, amount } };
  const reserved = underWay.filter(
    ({ authentication }) => authentication?.channel === channel && authentication.authenticatedAt === undefined,
  );
  const total = [...reserved, request].map(tallyOf).reduce(sumOf, { payments: payments - since.payments, amount: amount - since.amount });
  const { payments: mostPayments, amount: mostAmount, perPayment } = limits[channel] ?? {};
  const exceeds =
    (mostPayments !== undefined && total.payments > mostPayments) ||
    (mostAmount !== undefined && total.amount > mostAmount) ||
    (perPayment !== undefined && !request.isEstimate && request.amount > perPayment);
  return exceeds ? EXCEEDED[channel] : { channel };
};

/** The totals after a request was approved. Of authentications that are settled in another order than they were made, the latest counts. */
export const tallied = (
  unauthenticated: Unauthenticated | undefined,
  { authentication, ...approved }: UnderWay,
): Unauthenticated | undefined => {
  if (authentication === undefined || approved.amount === 0n) return unauthenticated;
  const { channel, authenticatedAt } = authentication;
  const { since = NONE, ...totals } = unauthenticated?.[channel] ?? { ...NONE, since: NONE };
  const next =
    authenticatedAt === undefined
      ? { ...sumOf(totals, tallyOf(approved)), since }
      : { ...totals, since: authenticatedAt.payments < since.payments || authenticatedAt.amount < since.amount ? since : authenticatedAt };
  return { ...unauthenticated, [channel]: next };
};
