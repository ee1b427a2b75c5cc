import type { Amount } from '@florin/rpc/money';
import type { CardMerchant } from './card-merchant.ts';
import type { DeclineCode } from './decline-codes.ts';
import type { Dispute } from './dispute.ts';
import type { PaymentEffect } from './payment-effect.ts';
import { isDeclined, type PaymentEvent, type PaymentEventType } from './payment-event.ts';
import type { Usage } from './usages.ts';

export type PaymentKind = 'payment' | 'refund' | 'atm' | 'credit' | 'verification';

export type PaymentStatus = 'pending' | 'settled' | 'reversed' | 'expired' | 'declined';

export type EntryMode = 'chip' | 'contactless' | 'magnetic_stripe' | 'ecommerce' | 'merchant_initiated' | 'manual';

/** Facts of a payment that its first event fixes. */
export type PaymentFacts = {
  id: string;
  processor: string;
  /** The processor's id of the transaction; absent when it gave none. */
  transactionId?: string;
  cardId: string;
  /** The series of the card, when it replaces another one: whose limits the payment counts against. */
  seriesId?: string;
  accountId: string;
  userId: string;
  /** Last four digits of the card's number; absent from payments of earlier releases. */
  last4?: string;
  /** The network of the card, for example visa; absent from payments of earlier releases. */
  network?: string;
  kind: PaymentKind;
  merchant?: CardMerchant;
  entryMode?: EntryMode;
  retrievalReference?: string;
  /** Of a refund under a transaction id of its own: the payment that it refunds. Events bring it; earlier releases fixed it with the first one. */
  relatedPaymentId?: string;
  createdAt: Date;
};

type PaidBy = Pick<PaymentFacts, 'cardId' | 'seriesId' | 'accountId'>;

/** Reports whether both are of one card: a replacement is the card that it replaces, under another number. */
export const sameCard = (one: PaidBy, other: PaidBy): boolean =>
  (one.seriesId ?? one.cardId) === (other.seriesId ?? other.cardId) && one.accountId === other.accountId;

/** The part that the network has taken back of a payment that was booked with its authorization (single message). */
export type TakenBack = {
  /** The amount that reversals and replacements take back. */
  amount: Amount;
  /** The amount credited to the account for it by now: the part that refunds have not given back. */
  credited: Amount;
  /** Of `amount`: what attempts before the latest one have booked, which were reversed whole. Absent while there are none. */
  formerAmount?: Amount;
};

/**
 * A card transaction: its events, and what they add up to. Amounts are in the billing currency's minor unit.
 *
 * Invariants: `held` is what the ledger holds for it once the effects are carried out, `cleared` what was posted less what `takenBack` has
 * credited, `refunded` what was credited less what was taken back.
 */
export type Payment = PaymentFacts & {
  events: readonly PaymentEvent[];
  held: Amount;
  cleared: Amount;
  refunded: Amount;
  /** Credited by refunds under transaction ids of their own, less what was taken back; absent while there are none. */
  refundedElsewhere?: Amount;
  /** Present once the network has taken back a part of what was booked with the authorization. */
  takenBack?: TakenBack;
  /** Announced, and neither credited nor reversed yet. */
  pendingCredit: Amount;
  /** When the announced credit expires; present while one is pending. */
  creditExpiresAt?: Date;
  /** Released by partial reversals that arrived before the authorization. */
  releasedEarly: Amount;
  /** Cleared beyond what was held while the hold stays open, as of the latest clearing; absent while there was nothing. Increases since have covered a part (`overClearedOf`). */
  overCleared?: Amount;
  /** The ledger's hold; absent while nothing has been held. */
  holdId?: string;
  /** Usage of limits, by event; absent from payments of earlier releases, which count as a whole. */
  usages?: readonly Usage[];
  /** Of payments of earlier releases: in whose periods they count. Default: `createdAt`. */
  countsAt?: Date;
  /** True if what holds is cash at a machine. Default: by the kind. */
  atm?: boolean;
  /** The part of what was approved that is paid out in cash at a counter. */
  cashBack?: Amount;
  /** No further event holds money: a full reversal, the expiry, or the last clearing. */
  ended?: 'reversed' | 'expired' | 'cleared';
  /**
   * True if the processor itself has reversed it, because it has not used the answer, or has not acknowledged it in time. Later reports and requests of the network
   * count anew.
   */
  undone?: true;
  /** When the hold expires; present while the payment is pending. */
  expiresAt?: Date;
  /** That of the first approval, else the first one that a report has stated. */
  authorizationCode?: string;
  clearedAt?: Date;
  /** The latest dispute. */
  dispute?: Dispute;
  /** Those before it, oldest first; absent while there are none. */
  earlierDisputes?: readonly Dispute[];
  /** Orders to other records that have not been confirmed yet, in their order. */
  effects: readonly PaymentEffect[];
  /** The network's id of the transaction: that of the first event which has one. */
  networkTransactionId?: string;
  /** Ids of the transaction that later events had, by the processor or the network: each finds the payment. Absent while there are none. */
  otherIds?: readonly string[];
  /** Ids of the ledger's holds and entries that the payment has caused. */
  ledgerEntries: readonly string[];
  /** The cardholder's own note; absent if there is none. */
  note?: string;
  /** Number of events: each write requires the one that it is based on. */
  revision: number;
  updatedAt: Date;
};

/** The ids of a payment's transaction: that of its first event, and those of later ones. */
export const transactionIdsOf = ({ transactionId, otherIds = [] }: Pick<Payment, 'transactionId' | 'otherIds'>): readonly string[] =>
  transactionId === undefined ? otherIds : [transactionId, ...otherIds];

/** Reports whether a payment is cash at a machine. */
export const isCash = ({ kind, atm = kind === 'atm' }: Pick<Payment, 'kind' | 'atm'>): boolean => atm;

/** The usage of the card's limits: the held and the cleared amount. Refunds restore nothing. */
export const usageOf = ({ held, cleared }: Pick<Payment, 'held' | 'cleared'>): Amount => held + cleared;

type Refunds = Pick<Payment, 'refunded' | 'refundedElsewhere'>;

/** The refunded amount, under any transaction id. */
export const refundsOf = ({ refunded, refundedElsewhere = 0n }: Refunds): Amount => refunded + refundedElsewhere;

/** The disputable amount: cleared and not refunded. The reversal of a refund that has not arrived yet adds nothing. */
export const disputableOf = ({ cleared, ...refunds }: Pick<Payment, 'cleared'> & Refunds): Amount => {
  const refunded = refundsOf(refunds);
  if (refunded < 0n) return cleared;
  return cleared > refunded ? cleared - refunded : 0n;
};

/** Reports whether the payment began with a refund or a credit, rather than with a purchase. */
export const isOfCredits = ({ kind }: Pick<Payment, 'kind'>): boolean => kind === 'refund' || kind === 'credit';

/** The amount credited to the account, now or soon, less the amount taken back. Negative while a refund was reversed that has not arrived. */
const netCredit = ({ refunded, pendingCredit }: Pick<Payment, 'refunded' | 'pendingCredit'>): Amount => refunded + pendingCredit;

/** Reports whether the payment pays the account. The reversal of a refund that has not arrived takes from it. */
export const isCredit = (payment: Pick<Payment, 'kind' | 'refunded' | 'pendingCredit'>): boolean =>
  isOfCredits(payment) && netCredit(payment) >= 0n;

const approvedOnce = (payment: Payment): boolean =>
  payment.events.some(({ decision }) => decision !== undefined && decision.decline === undefined);

/** Reports whether the processor undoes a request, which may not have arrived yet, or has not acknowledged its approval in time. */
export const isUndone = ({ events }: Pick<Payment, 'events'>, requestId: string): boolean =>
  events.some(
    ({ undoneRequestId, isIneffective, duplicateOf }) =>
      undoneRequestId === requestId && isIneffective !== true && duplicateOf === undefined,
  );

/** The place of the event that has undone the latest authorization; -1 if there is none. */
const undoneAt = ({ events }: Pick<Payment, 'events'>): number =>
  events.findLastIndex(
    ({ undoneRequestId, isIneffective }, at) =>
      undoneRequestId !== undefined &&
      isIneffective !== true &&
      events.slice(0, at).some(({ id, type }) => id === undoneRequestId && type === 'authorization'),
  );

/** The events since an authorization was undone: with it ended all that came before. */
export const eventsOfAttempt = (payment: Pick<Payment, 'events'>): readonly PaymentEvent[] => payment.events.slice(undoneAt(payment) + 1);

/** The payment with the events of its latest approval: those before it was undone, unless another one has begun since. */
export const withUndone = (payment: Payment): Payment =>
  payment.undone === true ? { ...payment, events: payment.events.slice(0, undoneAt(payment)) } : payment;

/** The approved requests for money that stand, oldest first. */
export const approvedRequests = (payment: Payment): readonly PaymentEvent[] =>
  eventsOfAttempt(payment).filter(
    ({ id, type, decision }) =>
      (type === 'authorization' || type === 'increment') && decision !== undefined && !decision.decline && !isUndone(payment, id),
  );

/** Reports whether what was approved is booked rather than held: an authorization for an estimate by the advice alone, if no clearing has told the amount before. */
export const isSingleMessage = (payment: Payment): boolean => {
  const events = eventsOfAttempt(payment);
  const isApproved = ({ type, decision }: PaymentEvent): boolean =>
    type === 'advice' || (decision !== undefined && decision.decline === undefined);
  const isCleared = events.some(({ type }) => type === 'clearing');
  return events.some((event) => event.singleMessage === true && isApproved(event) && !(event.isEstimate === true && isCleared));
};

/** Reports whether the payment was booked with its authorization, or with the advice of it: no clearing follows, and later events of the authorization change what is booked. */
export const isBookedAtOnce = (payment: Payment): boolean => payment.ended === 'cleared' && isSingleMessage(payment);

/** The latest authentication of the cardholder that an approved request has used up. */
export const authenticationOf = (payment: Payment): string | undefined =>
  approvedRequests(payment).findLast(({ challengeId }) => challengeId !== undefined)?.challengeId;

/** Ids of the payment's requests that were decided, oldest first. */
export const decidedRequests = ({ events }: Pick<Payment, 'events'>): string[] =>
  events.filter(({ decision }) => decision !== undefined).map(({ id }) => id);

/** The approved amount, in the minor unit of a currency; undefined when a part of it is in another one. */
export const approvedIn = (payment: Payment, currency: string): Amount | undefined => {
  const approved = approvedRequests(payment);
  if (approved.some((event) => event.currency !== currency)) return undefined;
  return approved.reduce((sum, { decision }) => sum + (decision?.amount ?? 0n), 0n);
};

const ENDS_OF_CREDIT: ReadonlySet<PaymentEventType> = new Set(['reversal', 'announcement_reversal', 'expiry', 'announcement_expiry']);
const endsCredit = ({ type }: PaymentEvent): boolean => ENDS_OF_CREDIT.has(type);

/** Reports whether a full reversal came after declines alone: there was nothing to reverse, also of what the network has approved. */
const declinedBeforeReversal = ({ events, holdId }: Payment): boolean => {
  if (holdId !== undefined) return false;
  const at = events.findIndex(({ type }) => type === 'reversal');
  const decided = events.slice(0, at).flatMap(({ decision = [] }) => decision);
  return decided.length > 0 && decided.every(({ decline }) => decline !== undefined);
};

/** The status that the events add up to. */
export const paymentStatus = (payment: Payment): PaymentStatus => {
  if (payment.holdId !== undefined && payment.ended === undefined) return 'pending';
  if (isOfCredits(payment) && payment.pendingCredit > 0n) return 'pending';
  if (payment.cleared > 0n || payment.refunded !== 0n) return 'settled';
  if (payment.ended === 'expired') return 'expired';
  if (isOfCredits(payment) && payment.events.every(isDeclined)) return 'declined';
  if (isOfCredits(payment)) return payment.events.findLast(endsCredit)?.type.endsWith('expiry') === true ? 'expired' : 'reversed';
  const undecided = payment.events.every(({ decision }) => decision === undefined);
  if (undecided) return payment.events.at(-1)?.type === 'expiry' ? 'expired' : 'reversed';
  if (payment.ended === 'reversed') return declinedBeforeReversal(payment) ? 'declined' : 'reversed';
  return approvedOnce(payment) ? 'settled' : 'declined';
};

/** Why the latest request was declined; undefined unless the payment is. */
export const declineOf = (payment: Payment): DeclineCode | undefined =>
  paymentStatus(payment) === 'declined' ? payment.events.findLast(({ decision }) => decision?.decline)?.decision?.decline : undefined;

/** The outcome of the payment's requests: `approved` once one of them was, otherwise why they were not; undefined when nothing was decided. */
export type PaymentOutcome = 'approved' | DeclineCode;

export const outcomeOf = (payment: Payment): PaymentOutcome | undefined => (approvedOnce(payment) ? 'approved' : declineOf(payment));

/** Reports whether an event is about increases alone, not their authorization: those under the same transaction id, which is not that of the payment. */
export const isOfIncreases = ({ events }: Pick<Payment, 'events'>, { transactionId }: PaymentEvent): boolean =>
  transactionId !== undefined && events.some((one) => one.type === 'increment' && one.transactionId === transactionId);

/** Reports whether the network knows of an approval, ours or its own, by an event. */
export const knowsApproval = ({ type, duplicateOf }: PaymentEvent): boolean =>
  (type === 'advice' || type === 'clearing') && duplicateOf === undefined;

/** Reports whether two messages may be the same one by their trace numbers, which a repeat keeps. */
export const sameTrace = ({ network: one }: PaymentEvent, { network: other }: PaymentEvent): boolean =>
  (one?.traceNumber ?? other?.traceNumber) === (other?.traceNumber ?? one?.traceNumber);

/** The approval that holds the money until the processor has acknowledged it; undefined when none does, or its acknowledgement is no longer awaited. */
export const unacknowledgedApproval = ({ events, expiresAt, holdId, ended }: Payment): PaymentEvent | undefined => {
  if (holdId === undefined || ended !== undefined) return undefined;
  return events.find(({ acknowledgeBy, decision }) => decision?.decline === undefined && acknowledgeBy?.getTime() === expiresAt?.getTime());
};

/**
 * The decided request that a message of the network repeats under an id of its own: the latest one of its type and amount, with no other trace number. An approval that was
 * reversed since is none any more: nothing is held for it.
 */
export const repeatedRequest = ({ events, ended }: Payment, event: PaymentEvent): PaymentEvent | undefined => {
  const { id, type, amount, currency, network } = event;
  if (network?.repeat !== true) return undefined;
  const repeated = events.findLast(
    (one) =>
      one.id !== id &&
      one.type === type &&
      one.amount === amount &&
      one.currency === currency &&
      one.decision !== undefined &&
      one.decision.decline !== 'transaction_invalid' &&
      sameTrace(one, event),
  );
  const isReversed = repeated !== undefined && (ended === 'reversed' || isUndone({ events }, repeated.id));
  return isReversed && repeated.decision?.decline === undefined ? undefined : repeated;
};

/** The amount that a list shows, never negative: what is cleared and held, what was credited or is to be, or what was asked for. */
export const paymentAmount = (payment: Payment): Amount => {
  const net = netCredit(payment);
  if (isOfCredits(payment)) return net < 0n ? -net : net;
  const usage = usageOf(payment);
  if (usage > 0n) return usage;
  return payment.events.find(({ billing }) => billing !== undefined)?.billing ?? 0n;
};

/** The event with this id. */
export const eventOf = (payment: Payment | undefined, eventId: string): PaymentEvent | undefined =>
  payment?.events.find(({ id }) => id === eventId);
