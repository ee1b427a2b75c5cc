import type { Amount } from '@florin/rpc/money';
import { approvedAmount, reversalsOf, sumOf } from './approved-amount.ts';
import { atMost } from './event-change.ts';
import { disputableOf, isBookedAtOnce, isOfIncreases, type Payment, refundsOf, usageOf } from './payment.ts';
import { isDeclined, type PaymentEvent, type PaymentEventType } from './payment-event.ts';
import { rejectionIdOf } from './payment-ids.ts';

export type ExceptionKind =
  | 'unknown_card'
  | 'unknown_rate'
  | 'over_clearing'
  | 'duplicate'
  | 'force_post'
  | 'late_clearing'
  | 'refund_above_purchase'
  | 'erased_person'
  | 'debt'
  | 'unmatched_settlement'
  | 'settlement_difference'
  | 'not_settled'
  | 'ambiguous'
  | 'order_rejected'
  | 'unexplained_movement';

export type ExceptionProposal = 'assign' | 'charge_back' | 'verify' | 'settle_elsewhere' | 'collect' | 'repeat';

export type ExceptionStatus = 'open' | 'resolved';

/** The usual way to resolve an exception, by kind. */
export const PROPOSALS: Readonly<Record<ExceptionKind, ExceptionProposal>> = {
  unknown_card: 'assign',
  unknown_rate: 'assign',
  over_clearing: 'charge_back',
  duplicate: 'charge_back',
  force_post: 'verify',
  late_clearing: 'charge_back',
  refund_above_purchase: 'verify',
  erased_person: 'settle_elsewhere',
  debt: 'collect',
  unmatched_settlement: 'verify',
  settlement_difference: 'verify',
  not_settled: 'verify',
  ambiguous: 'verify',
  order_rejected: 'repeat',
  unexplained_movement: 'verify',
};

/** How an exception was decided. */
export type Resolution = {
  by: string;
  note: string;
  /** The ledger's adjustment that has moved the money, if any was moved. */
  adjustmentId?: string;
  at: Date;
};

/** A report of the card network that a person has to look at. */
export type Exception = {
  id: string;
  kind: ExceptionKind;
  status: ExceptionStatus;
  createdAt: Date;
  /** The amount in the billing currency's minor unit, signed for exceptions about settlement; absent when unknown. */
  amount?: Amount;
  processor: string;
  /** Empty for `debt`, to which several events may lead, for `order_rejected` and for `not_settled`. Of a settlement record: its id. */
  eventId: string;
  eventType: PaymentEventType | '';
  /** The processor's id of the transaction; absent where there is a payment, and from what earlier releases have raised. */
  transactionId?: string;
  /** Id of what an acquirer has presented, by which the ledger knows the amount in suspense; absent without its reference, and from what earlier releases have raised. */
  presentmentId?: string;
  cardId: string;
  paymentId?: string;
  /** The payments that the event names equally well; absent where there is no doubt. */
  candidates?: readonly string[];
  accountId?: string;
  originalAmount?: Amount;
  originalCurrency?: string;
  /** The amount in the ledger's account `suspense`, in the billing currency's minor unit: below zero when the network has charged it. */
  suspended?: Amount;
  /** Of the first report of a single message: by how much each later one has changed what is in suspense for it. Their exceptions have these amounts. */
  changes?: readonly { eventId: string; amount: Amount }[];
  resolution?: Resolution;
};

/** An exception before it is stored. */
export type NewException = Omit<Exception, 'status' | 'createdAt' | 'changes' | 'resolution'>;

type Raised = { kind: ExceptionKind; amount: Amount };

const REFUNDS: ReadonlySet<PaymentEventType> = new Set(['refund', 'correction_credit', 'related_refund']);

const isLate = ({ ended }: Payment): boolean => ended === 'reversed' || ended === 'expired';

/** @param amount what the clearing has booked */
const ofClearing = (before: Payment, { overTolerance }: PaymentEvent, amount: Amount): Raised[] => {
  const { ended, holdId } = before;
  if (isLate(before)) return [{ kind: 'late_clearing', amount }];
  if (ended === undefined && holdId === undefined) return [{ kind: 'force_post', amount }];
  // After the last clearing nothing is held any more.
  const over = ended === 'cleared' ? amount : overTolerance;
  return over === undefined ? [] : [{ kind: 'over_clearing', amount: over }];
};

/** The part of what was cleared that a reversal says was cancelled: what is cleared and reversed is more than was approved. */
const clearedAndReversed = (before: Payment, event: PaymentEvent): Amount => {
  const { ended, cleared, pendingCredit, holdId } = before;
  const isOfOthers = event.undoneRequestId !== undefined || pendingCredit > 0n || isOfIncreases(before, event);
  if (ended !== 'cleared' || holdId === undefined || isOfOthers || isBookedAtOnce(before)) return 0n;
  const { billing } = event;
  const reversed = sumOf(reversalsOf(before)).billing;
  const over = billing === undefined ? cleared : atMost(billing, cleared + reversed + billing - approvedAmount(before));
  return atMost(over, disputableOf(before));
};

const postedBetween = (before: Payment, after: Payment): Amount =>
  after.effects.slice(before.effects.length).reduce((sum, effect) => (effect.kind === 'post' ? sum + effect.amount : sum), 0n);

/** The amount from which refunds exceed their purchase: cleared, or yet to be; undefined without a purchase. */
const purchaseOf = (payment: Payment): Amount | undefined =>
  payment.cleared > 0n || payment.holdId !== undefined ? usageOf(payment) : undefined;

/** Reports whether all that the network has asked about a credit was declined. */
const isDeclinedPush = ({ events }: Payment): boolean => {
  const asked = events.filter(({ type }) => type === 'credit_request');
  return asked.length > 0 && asked.every(isDeclined);
};

/**
 * The exceptions that the latest event of a payment raises.
 * @param before the payment before the event
 */
export const raisedBy = (before: Payment, after: Payment): Raised[] => {
  const event = after.events.at(-1);
  if (event === undefined) return [];
  const { type, billing: amount = 0n, duplicateOf, candidates, decision } = event;
  // A message that the network itself calls a repeat is nothing unusual.
  if (duplicateOf !== undefined) return event.network?.repeat === true ? [] : [{ kind: 'duplicate', amount }];
  // A second presentment without a dispute that it could contest may be a first one.
  if (type === 'force_post' || (type === 'second_presentment' && event.dispute === undefined)) return [{ kind: 'force_post', amount }];
  // A clearing is booked all the same, on a payment of its own.
  if (candidates !== undefined && decision === undefined && type !== 'clearing') return [{ kind: 'ambiguous', amount }];
  const booked = postedBetween(before, after);
  if (type === 'clearing') return booked === 0n ? [] : ofClearing(before, event, booked);
  if (type === 'advice' && isLate(before) && booked > 0n) return [{ kind: 'late_clearing', amount: booked }];
  if (type === 'credit' && isDeclinedPush(before)) return [{ kind: 'force_post', amount }];
  if (type === 'reversal') {
    const cancelled = clearedAndReversed(before, event);
    return cancelled > 0n ? [{ kind: 'late_clearing', amount: cancelled }] : [];
  }
  const purchase = purchaseOf(after);
  if (!REFUNDS.has(type) || purchase === undefined) return [];
  const above = refundsOf(after) - purchase;
  return above > 0n ? [{ kind: 'refund_above_purchase', amount: atMost(above, amount) }] : [];
};

/** Reports whether the order that the ledger rejects is still to be carried out. */
export const awaitsOrder = ({ id }: Pick<Exception, 'id'>, payment: Pick<Payment, 'effects'>): boolean =>
  payment.effects.some((effect) => rejectionIdOf(effect.id) === id);

/** An adjustment of the ledger, as far as it decides on an exception. */
export type Adjustment = {
  isBooked: boolean;
  externalReference: string;
  transfers: readonly { debit: string; credit: string; token: string; amount: Amount }[];
};

const SUSPENSE = 'suspense';

/**
 * Reports whether an adjustment resolves an exception: it is booked, is about it, and takes exactly out of suspense what is there for it.
 * @param suspended in the token's smallest unit
 */
export const resolves = (
  adjustment: Adjustment,
  { exceptionId, token, suspended }: { exceptionId: string; token: string; suspended: Amount },
): boolean => {
  if (!adjustment.isBooked || adjustment.externalReference !== exceptionId) return false;
  const ofToken = adjustment.transfers.filter((transfer) => transfer.token === token);
  const taken = ofToken.reduce((sum, { debit, credit, amount }) => {
    const out = debit === SUSPENSE ? amount : 0n;
    return sum + out - (credit === SUSPENSE ? amount : 0n);
  }, 0n);
  return taken === suspended;
};
