import type { Amount } from '@florin/rpc/money';
import { increasedBy, overClearedOf, reversedAmount } from './approved-amount.ts';
import { authenticationEffects } from './authentication-effects.ts';
import { atMost, type Change } from './event-change.ts';
import type { NetworkData } from './network-data.ts';
import { factsOf, kindAfter, kindBefore, newPayment } from './new-payment.ts';
import {
  eventOf,
  eventsOfAttempt,
  isBookedAtOnce,
  isOfCredits,
  isOfIncreases,
  isSingleMessage,
  isUndone,
  knowsApproval,
  type Payment,
  type PaymentFacts,
  sameTrace,
  unacknowledgedApproval,
  usageOf,
} from './payment.ts';
import type { NewEffect } from './payment-effect.ts';
import type { Decision, PaymentEvent, PaymentEventType } from './payment-event.ts';
import { holdIdOf, orderIdOf } from './payment-ids.ts';
import { announcementExpired, announcementReversed, creditAnnounced, refunded, refundReversed } from './record-credit.ts';
import { disputeAdvanced, disputed } from './record-dispute.ts';
import { attemptBegun, beyondBooking, bookedBy, bookingReplaced, bookingReversed, bookingUndone } from './record-single-message.ts';
import { purchaseNamed, relatedRefunded, relatingOrders } from './related-refund.ts';
import { settleCredits } from './settle-credits.ts';
import { usagesAfter } from './usages.ts';

const declined = (event: PaymentEvent, decision: Decision): PaymentEvent => ({
  ...event,
  decision: { decline: 'transaction_invalid', billing: 0n, amount: 0n, held: decision.held },
});

/** The part of an amount that is left to hold. Parts that were cleared or released before their authorization arrived are not held. */
export const uncleared = (payment: Pick<Payment, 'events' | 'cleared' | 'takenBack' | 'releasedEarly'>, amount: Amount): Amount =>
  amount - atMost(amount, bookedBy(payment) + payment.releasedEarly);

/** The facts that the holding event fixes for limits and increases. Earlier events of the payment may be of another kind: a declined request, a verification. */
const heldBy = ({ atm = false, entryMode }: PaymentEvent) => ({
  atm,
  ...(entryMode === undefined ? {} : { entryMode }),
});

/** The same of an advice, which need not say again what the payment is. */
const advisedBy = ({ kind }: Payment, event: PaymentEvent) => heldBy({ ...event, atm: event.atm ?? kind === 'atm' });

const expiryOf = (event: PaymentEvent): Date => event.expiresAt ?? event.at;

/**
 * An authorization that was decided. Later events that came first prevail: after a full reversal it is declined, and amounts cleared
 * before it arrived are not held again.
 */
const authorized = (payment: Payment, event: PaymentEvent, decision: Decision): Change => {
  const holdId = holdIdOf(payment.id, event.id);
  const cancel: NewEffect = { kind: 'cancel_hold', holdId, expiresAt: expiryOf(event) };
  if (decision.decline !== undefined) return decision.heldUnknown ? { effects: [cancel] } : {};
  if (payment.ended !== undefined || payment.holdId !== undefined || isUndone(payment, event.id))
    return { event: declined(event, decision), effects: [cancel] };
  const { authorizationCode } = decision;
  const cash = event.cashBack === undefined ? {} : { cashBack: atMost(event.cashBack, decision.billing) };
  const state = { ...heldBy(event), ...cash, ...(authorizationCode === undefined ? {} : { authorizationCode }) };
  const rest = uncleared(payment, decision.billing);
  const surplus = decision.held - rest;
  if (rest === 0n) return { state: { ...state, ended: 'cleared' }, effects: decision.held > 0n ? [{ kind: 'void_hold', holdId }] : [] };
  const effects: NewEffect[] = surplus > 0n ? [{ kind: 'decrease_hold', holdId, amount: surplus }] : [];
  if (event.singleMessage === true && event.isEstimate !== true) {
    effects.push({ kind: 'post', holdId, amount: rest, keepOpen: false });
    const booked = { holdId, cleared: payment.cleared + rest, ended: 'cleared', clearedAt: event.at } as const;
    return settleCredits(payment, { state: { ...state, ...booked }, effects });
  }
  return { state: { ...state, holdId, held: rest, expiresAt: event.acknowledgeBy ?? expiryOf(event) }, effects };
};

/** An increase that was decided: it counts only if the authorization is still open. Amounts cleared before it arrived are not held again. */
const incremented = (payment: Payment, event: PaymentEvent, decision: Decision): Change => {
  const { holdId } = payment;
  const changeId = holdIdOf(payment.id, event.id);
  const cancel = (amount: Amount): NewEffect[] => (holdId === undefined ? [] : [{ kind: 'cancel_increase', holdId, changeId, amount }]);
  if (decision.decline !== undefined) return { effects: decision.heldUnknown ? cancel(event.billing ?? 0n) : [] };
  if (holdId === undefined || payment.ended !== undefined || isUndone(payment, event.id))
    return { event: declined(event, decision), effects: cancel(decision.held) };
  const surplus = atMost(overClearedOf(payment), decision.billing);
  const state = { held: payment.held + decision.billing - surplus, expiresAt: expiryOf(event) };
  return { state, effects: surplus > 0n ? [{ kind: 'decrease_hold', holdId, amount: surplus }] : [] };
};

/** The network has approved a single message in our place: it is booked, from what is held or from what is available. */
const advisedAtOnce = (payment: Payment, event: PaymentEvent, amount: Amount): Change => {
  const held = payment.ended === undefined ? payment.holdId : undefined;
  const holdId = held ?? holdIdOf(payment.id, event.id);
  const { cleared } = payment;
  const booked = held === undefined && amount === 0n ? {} : { holdId };
  const state = { ...advisedBy(payment, event), ...booked, held: 0n, cleared: cleared + amount, clearedAt: event.at };
  const effects: NewEffect[] = amount > 0n ? [{ kind: 'post', holdId, amount, keepOpen: false }] : [];
  const ordered: NewEffect[] = amount === 0n && held !== undefined ? [{ kind: 'void_hold', holdId }] : effects;
  return {
    event: { ...event, singleMessage: true },
    ...settleCredits(payment, { state: { ...state, ended: 'cleared' }, effects: ordered }),
  };
};

/** Reports whether the network has sent an event before the reversal of the payment, by its own times; false where it does not tell them. */
const precedesReversal = ({ events }: Payment, { network }: PaymentEvent): boolean => {
  const reversedAt = events.findLast(({ type }) => type === 'reversal')?.network?.transmittedAt;
  return network?.transmittedAt !== undefined && reversedAt !== undefined && network.transmittedAt < reversedAt;
};

/**
 * The network has approved in our place, or replaces the amount. After a full reversal or the expiry nothing is held again, and a clearing books all the same. A single
 * message is booked then: no clearing follows, and requests that were not answered are reversed before the network approves them.
 */
const advised = (payment: Payment, event: PaymentEvent): Change => {
  if (isBookedAtOnce(payment)) return bookingReplaced(payment, event);
  const { billing = 0n } = event;
  const standing = payment.held + bookedBy(payment) - overClearedOf(payment);
  const total = isOfIncreases(payment, event) ? standing - increasedBy(payment, event).billing + billing : billing;
  const { holdId } = payment;
  const target = holdId === undefined ? uncleared(payment, total) : total - atMost(total, bookedBy(payment));
  if (event.singleMessage === true || (isSingleMessage(payment) && payment.ended !== 'reversed')) {
    // After a reversal it is another approval, whatever was booked before.
    if (payment.ended === 'reversed' && !precedesReversal(payment, event)) return advisedAtOnce(attemptBegun(payment), event, total);
    if (payment.ended === undefined || payment.ended === 'expired') return advisedAtOnce(payment, event, target);
    const { singleMessage: _without, ...ineffective } = event;
    return { event: ineffective };
  }
  if (payment.ended !== undefined) return {};
  const expiresAt = expiryOf(event);
  if (holdId === undefined) {
    if (target === 0n) return {};
    const fresh = holdIdOf(payment.id, event.id);
    return {
      state: { ...advisedBy(payment, event), holdId: fresh, held: target, expiresAt },
      effects: [{ kind: 'open_hold', holdId: fresh, amount: target, expiresAt }],
    };
  }
  const difference = target - payment.held;
  const effects: NewEffect[] = [];
  if (difference > 0n) effects.push({ kind: 'increase_hold', holdId, amount: difference, expiresAt });
  if (difference < 0n) effects.push({ kind: 'decrease_hold', holdId, amount: -difference });
  if (difference <= 0n) effects.push({ kind: 'extend_hold', holdId, expiresAt });
  return { state: { held: target, overCleared: 0n, expiresAt }, effects };
};

/** Reports whether a reversal or an expiry can only be about an announced credit: nothing is held, and nothing can be taken back of what was booked. */
const isAnnouncement = (payment: Payment): boolean =>
  payment.pendingCredit > 0n && (payment.holdId === undefined || payment.ended !== undefined) && !isBookedAtOnce(payment);

/** Releases what a request holds or has booked whose answer the processor has not used. One that was not decided yet is declined when it is. */
const undone = (payment: Payment, event: PaymentEvent, requestId: string): Change => {
  const ineffective = { ...event, isIneffective: true as const };
  const request = eventOf(payment, requestId);
  if (request === undefined) return {};
  const { type, decision } = request;
  const isOver = payment.ended !== undefined && !isBookedAtOnce(payment);
  const isFormer = isUndone(payment, requestId) || !eventsOfAttempt(payment).includes(request);
  // An advice or a clearing before an increase is not about it.
  const from = type === 'increment' ? payment.events.indexOf(request) : 0;
  const isKnown = payment.events.slice(from).some(knowsApproval);
  const stands = decision === undefined || decision.decline !== undefined || isOver || isFormer || isKnown;
  const { holdId, held } = payment;
  if (stands || holdId === undefined) return { event: ineffective };
  if (type === 'increment') {
    // The rest has covered what clearings had taken beyond the hold, or was reversed.
    const standing = isOfIncreases(payment, request) ? increasedBy(payment, request).billing : decision.billing;
    const amount = atMost(held, atMost(standing, decision.billing));
    return { state: { held: held - amount }, effects: amount > 0n ? [{ kind: 'decrease_hold', holdId, amount }] : [] };
  }
  if (holdId !== holdIdOf(payment.id, requestId)) return { event: ineffective };
  if (isBookedAtOnce(payment)) return bookingUndone(payment);
  return { state: { held: 0n, ended: 'reversed', undone: true }, effects: [{ kind: 'void_hold', holdId }] };
};

/** Releases what increases hold, at most the stated amount: their authorization stands. */
const increasesReversed = (payment: Payment, event: PaymentEvent): Change => {
  const { holdId, held, ended } = payment;
  if (holdId === undefined || ended !== undefined) return {};
  const raised = increasedBy(payment, event).billing;
  const billing = atMost(raised, event.billing ?? raised);
  // The rest has covered what clearings had taken beyond the hold, or was reversed.
  const amount = atMost(held, billing);
  const effects: NewEffect[] = amount > 0n ? [{ kind: 'decrease_hold', holdId, amount }] : [];
  return { event: { ...event, billing }, state: { held: held - amount }, effects };
};

/** Releases a part of what is held, or all of it; of what was booked at once, credits it. Without a known authorization a full reversal is a tombstone. */
const reversed = (payment: Payment, event: PaymentEvent): Change => {
  if (event.undoneRequestId !== undefined) return undone(payment, event, event.undoneRequestId);
  if (isOfIncreases(payment, event)) return increasesReversed(payment, event);
  if (isAnnouncement(payment)) return announcementReversed(payment, event);
  if (isBookedAtOnce(payment)) return bookingReversed(payment, event);
  if (payment.ended !== undefined) return {};
  const { holdId, held } = payment;
  const amount = reversedAmount(payment, event);
  if (holdId === undefined) {
    return { state: amount === undefined ? { ended: 'reversed' } : { releasedEarly: payment.releasedEarly + amount } };
  }
  if (amount !== undefined && amount < held) {
    return { state: { held: held - amount }, effects: amount > 0n ? [{ kind: 'decrease_hold', holdId, amount }] : [] };
  }
  return { state: { held: 0n, ended: 'reversed' }, effects: [{ kind: 'void_hold', holdId }] };
};

/**
 * Ends the hold. Our own expiry names the time that it is about: an authorization that was extended since does not expire. That of an approval which the processor has
 * not acknowledged undoes it, as the processor itself would have.
 */
const expired = (payment: Payment, event: PaymentEvent): Change => {
  const { holdId, expiresAt } = payment;
  const undoes = event.undoneRequestId !== undefined;
  if (isOfIncreases(payment, event)) return increasesReversed(payment, event);
  if (!undoes && isAnnouncement(payment)) return announcementExpired(payment, event);
  const isExtended = event.expiresAt !== undefined && expiresAt !== undefined && expiresAt > event.expiresAt;
  const stands = holdId === undefined || payment.ended !== undefined || isExtended;
  if (stands && undoes) return { event: { ...event, isIneffective: true } };
  if (stands) return {};
  return { state: { held: 0n, ended: 'expired', ...(undoes ? { undone: true } : {}) }, effects: [{ kind: 'void_hold', holdId }] };
};

/** Books a clearing: from what is held, then from what is available, then as debt. The last one releases the rest. */
const cleared = (payment: Payment, event: PaymentEvent): Change => {
  const { billing = 0n } = event;
  const amount = event.type === 'clearing' ? beyondBooking(payment, billing) : billing;
  if (amount === 0n && billing > 0n) return {};
  const booked = { cleared: payment.cleared + amount, clearedAt: event.at };
  const { holdId } = payment;
  const beside = event.type !== 'clearing' || holdId === undefined || payment.ended !== undefined;
  if (beside) {
    const late = holdIdOf(payment.id, event.id);
    return settleCredits(payment, { state: booked, effects: [{ kind: 'post', holdId: late, amount, keepOpen: false }] });
  }
  const keepOpen = event.moreExpected === true;
  if (!keepOpen) {
    const state = { ...booked, ended: 'cleared', held: 0n } as const;
    return settleCredits(payment, { state, effects: [{ kind: 'post', holdId, amount, keepOpen }] });
  }
  const fromHold = atMost(payment.held, amount);
  const over = amount - fromHold;
  const overCleared = overClearedOf(payment) + over;
  const state = { ...booked, held: payment.held - fromHold, ...(overCleared === payment.overCleared ? {} : { overCleared }) };
  // An increase that is being decided has its money in the same hold by now, and is not recorded yet: the clearing leaves it there.
  return settleCredits(payment, { state, effects: [{ kind: 'post', holdId, amount, keepOpen, ...(over > 0n ? { fromHold } : {}) }] });
};

/** Events by which the processor knows of the approval. */
const ACKNOWLEDGING: ReadonlySet<PaymentEventType> = new Set(['acknowledgement', 'increment', 'advice', 'clearing']);

/** An approval that the processor knows of is held for its whole time. */
const acknowledged = (payment: Payment, { type }: PaymentEvent): Partial<Payment> => {
  const approval = ACKNOWLEDGING.has(type) ? unacknowledgedApproval(payment) : undefined;
  return approval === undefined ? {} : { expiresAt: expiryOf(approval) };
};

const changeOf = (payment: Payment, event: PaymentEvent): Change => {
  const { decision } = event;
  switch (event.type) {
    case 'authorization':
      return decision === undefined ? {} : authorized(payment, event, decision);
    case 'increment':
      return decision === undefined ? {} : incremented(payment, event, decision);
    case 'acknowledgement':
    case 'decline':
    case 'verification':
    case 'balance_inquiry':
      return {};
    case 'advice':
      return advised(payment, event);
    case 'reversal':
      return reversed(payment, event);
    case 'expiry':
      return expired(payment, event);
    case 'clearing':
    case 'force_post':
    case 'correction_debit':
      return cleared(payment, event);
    case 'refund':
    case 'credit':
    case 'correction_credit':
      return refunded(payment, event);
    case 'credit_request':
      return decision === undefined || decision.decline !== undefined ? {} : creditAnnounced(payment, event);
    case 'credit_announced':
      return creditAnnounced(payment, event);
    case 'announcement_reversal':
      return announcementReversed(payment, event);
    case 'announcement_expiry':
      return announcementExpired(payment, event);
    case 'refund_reversal':
      return refundReversed(payment, event);
    case 'related_refund':
    case 'related_refund_reversal':
      return relatedRefunded(payment, event);
    case 'related_purchase':
      return purchaseNamed(payment, event);
    case 'dispute_opened':
      return disputed(payment, event);
    case 'second_presentment':
    case 'dispute_chargeback':
    case 'dispute_representment':
    case 'dispute_pre_arbitration':
    case 'dispute_arbitration':
    case 'dispute_won':
    case 'dispute_lost':
    case 'dispute_withdrawn':
      return disputeAdvanced(payment, event);
  }
};

/** Events of clearing files, in which the same one may stand twice. */
const PRESENTED: ReadonlySet<PaymentEventType> = new Set([
  ...(['clearing', 'force_post', 'refund', 'credit', 'correction_debit', 'correction_credit'] as const),
]);

/** The acquirer's reference of a presentment; undefined for other events. */
export const presentmentOf = ({ type, network }: { type: PaymentEventType; network?: NetworkData | undefined }): string | undefined =>
  PRESENTED.has(type) ? network?.acquirerReference : undefined;

const isAlike = (one: PaymentEvent, { type, amount, currency }: PaymentEvent): boolean =>
  one.type === type && one.amount === amount && one.currency === currency && one.duplicateOf === undefined;

/** The earlier event with the type, amount and acquirer reference of another one. */
const presentedBefore = ({ events }: Payment, event: PaymentEvent): PaymentEvent | undefined => {
  const reference = presentmentOf(event);
  return reference === undefined ? undefined : events.find((one) => isAlike(one, event) && one.network?.acquirerReference === reference);
};

/**
 * The earlier report that a message of the network repeats under an id of its own, by its mark: one of its type and amount with its trace number; without one, of the same
 * attempt. It reverses what the processor undoes only if it is its own.
 */
const reportedBefore = (payment: Payment, event: PaymentEvent): PaymentEvent | undefined => {
  if (event.network?.repeat !== true || event.decision !== undefined) return undefined;
  const { traceNumber } = event.network;
  const repeats = (one: PaymentEvent): boolean => isAlike(one, event) && one.undoneRequestId === event.undoneRequestId;
  const traced = payment.events.find((one) => traceNumber !== undefined && one.network?.traceNumber === traceNumber && repeats(one));
  return traced ?? eventsOfAttempt(payment).find((one) => repeats(one) && sameTrace(one, event));
};

/** The ids of the transaction under which a payment is known besides its own, with those of an event. */
const otherIdsOf = (
  { transactionId, otherIds = [] }: Payment,
  event: PaymentEvent,
  networkTransactionId: string | undefined,
): readonly string[] => {
  const known = new Set([transactionId, networkTransactionId, ...otherIds]);
  const ids = [event.transactionId, event.network?.transactionId].filter((id) => id !== undefined && !known.has(id));
  return [...otherIds, ...new Set(ids as string[])];
};

/** The payment as an event finds it: what the processor has undone begins anew with what the network approves in our place, and with another approval. */
const foundBy = (payment: Payment, event: PaymentEvent): Payment => {
  const { id, type, billing = 0n, decision } = event;
  const isApproval = type === 'authorization' && decision?.decline === undefined && !isUndone(payment, id);
  const begins = type === 'advice' ? billing > 0n && !isOfIncreases(payment, event) : isApproval;
  if (payment.undone !== true || !begins) return payment;
  const { ended: _reversed, undone: _undone, holdId: _voided, ...rest } = payment;
  return { ...rest, held: 0n };
};

/**
 * Records an event on a payment, in whatever order events arrive. Nothing that has happened is rejected; a request that was approved can turn
 * into a decline because of what was recorded before it, and what was held for it is then released.
 * @returns the payment with the event and the effects that follow from it. The payment is unchanged if it has the event already
 */
export const recordEvent = (known: Payment, event: PaymentEvent): Payment => {
  if (known.events.some(({ id }) => id === event.id)) return known;
  const payment = foundBy(known, event);
  const before = presentedBefore(payment, event) ?? reportedBefore(payment, event);
  const change = before === undefined ? changeOf(payment, event) : { event: { ...event, duplicateOf: before.id } };
  const { event: changed = event, state = {}, effects = [] } = change;
  const { transactionId, ...unnamed } = changed;
  const recorded = transactionId === payment.transactionId ? unnamed : changed;
  const networkTransactionId = payment.networkTransactionId ?? event.network?.transactionId;
  // A refund that is presented again refunds nothing, and no payment refunds itself.
  const isRelated = recorded.duplicateOf === undefined && recorded.relatedPaymentId !== payment.id;
  const otherIds = otherIdsOf(payment, event, networkTransactionId);
  const relatedPaymentId = (isRelated ? recorded.relatedPaymentId : undefined) ?? payment.relatedPaymentId;
  const { authorizationCode = event.authorizationCode } = payment;
  const next: Payment = {
    ...payment,
    ...(authorizationCode === undefined ? {} : { authorizationCode }),
    ...acknowledged(payment, event),
    ...state,
    ...(relatedPaymentId === undefined ? {} : { relatedPaymentId }),
    ...(networkTransactionId === undefined ? {} : { networkTransactionId }),
    ...(otherIds.length === 0 ? {} : { otherIds }),
    events: [...payment.events, recorded],
    revision: payment.revision + 1,
    updatedAt: event.at,
  };
  next.kind = kindAfter(payment, event, usageOf(next) > usageOf(payment));
  // It is a purchase, which has refunds of its own.
  if (!isOfCredits(next)) delete next.relatedPaymentId;
  next.usages = usagesAfter(payment, next, event.at);
  if (event.cashBack !== undefined && event.type !== 'authorization') next.cashBack = usageOf(next);
  if (next.ended !== undefined || next.holdId === undefined) delete next.expiresAt;
  if (next.pendingCredit === 0n) delete next.creditExpiresAt;
  // The network has reversed the payment itself.
  if (event.type === 'reversal' && event.undoneRequestId === undefined && !isOfIncreases(payment, event)) delete next.undone;
  const ledgerEntries =
    next.holdId === undefined || next.ledgerEntries.includes(next.holdId) ? next.ledgerEntries : [...next.ledgerEntries, next.holdId];
  // The decision of a request settles its reservation as well; only later events need an effect.
  const countsAnew = recorded.decision === undefined ? usageOf(next) !== usageOf(payment) : effects.length > 0;
  const ordered: NewEffect[] = [...effects, ...relatingOrders(payment, next, recorded)];
  if (countsAnew) ordered.push({ kind: 'usage' });
  const withIds = (orders: readonly NewEffect[], from: number) =>
    orders.map((effect, index) => ({ ...effect, id: orderIdOf(payment.id, event.id, `${effect.kind} ${from + index}`) }));
  // They come first, and are counted last: no id of an order to the ledger depends on an authentication that a restored database may not know of.
  const ofAuthentication = withIds(authenticationEffects(payment, next, recorded), ordered.length);
  return { ...next, ledgerEntries, effects: [...payment.effects, ...ofAuthentication, ...withIds(ordered, 0)] };
};

/** The facts that were known before the first event. */
export const factsOfFirstEvent = (payment: Payment): PaymentFacts => {
  const { relatedPaymentId, ...facts } = factsOf({ ...payment, kind: kindBefore(payment) });
  const isFixed = relatedPaymentId !== undefined && payment.events.every((event) => event.relatedPaymentId === undefined);
  return isFixed ? { ...facts, relatedPaymentId } : facts;
};

/** The payment as it was right after one of its events: what the event's sender was told, and is told again. */
export const paymentAt = (payment: Payment, eventId: string): Payment => {
  let replayed = newPayment(factsOfFirstEvent(payment));
  for (const event of payment.events) {
    replayed = recordEvent(replayed, event);
    if (event.id === eventId) break;
  }
  return replayed;
};
