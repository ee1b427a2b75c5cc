import type { MessageInitShape } from '@bufbuild/protobuf';
import { type Timestamp, timestampDate } from '@bufbuild/protobuf/wkt';
import { cutFound, cutPage, decodeIdCursor, encodeIdCursor, findLimitOf, pageOf } from '@florin/data/paging';
import {
  type AdvanceDisputeRequest,
  type CountPaymentsRequest,
  type CreateCardChangeChallengeRequest,
  type DisputePaymentRequest,
  type FindPaymentsByReferenceRequest,
  type FindPaymentsRequest,
  type GetCardControlsRequest,
  type GetCardLimitsRequest,
  type GetPaymentRequest,
  type ListDisputesRequest,
  type ListPaymentsRequest,
  PaymentService,
  type PaymentVolumeSchema,
  type ReplayPaymentsRequest,
  type ResolveDisputeRequest,
  type SetPaymentNoteRequest,
  type WithdrawDisputeRequest,
} from '@florin/proto/card/v1/payment_service';
import type { Caller } from '@florin/rpc/auth';
import { requireFields, stated } from '@florin/rpc/contract';
import { CodedError } from '@florin/rpc/errors';
import { implement, type ServiceImplementation, serviceMethod, userMethod, userOfCall, userOrServiceMethod } from '@florin/rpc/server';
import { seriesOf } from '../domain/card.ts';
import { type ApprovedChange, controlsChange, limitsChange, UNFREEZING } from '../domain/change-facts.ts';
import { type Dispute, type DisputeReason, disputeOf, stepEventId } from '../domain/dispute.ts';
import { eventOf, type Payment } from '../domain/payment.ts';
import { claimIdOf, paymentIdOf } from '../domain/payment-ids.ts';
import type { Program } from '../domain/program.ts';
import { ordersOf } from '../domain/replay-orders.ts';
import { actorOf } from './change-request.ts';
import type { Dependencies } from './dependencies.ts';
import { findOwnCard, requireLive } from './own-card.ts';
import { readNewControls, setCardControls } from './set-card-controls.ts';
import { readNewLimits, setCardLimits } from './set-card-limits.ts';
import { stepFromWire } from './to-wire-dispute.ts';
import { paymentKindFromWire, paymentStatusFromWire, toWireForeignAmounts, toWirePayment } from './to-wire-payment.ts';
import { readSpending, toWireControls } from './to-wire-spending.ts';

/** A card transaction as the caller sees it: nobody but the cardholder is told of the note. */
const shownTo = ({ kind }: Pick<Caller, 'kind'>, payment: Payment, program: Program, detailed: boolean) => ({
  ...toWirePayment(payment, program, detailed),
  note: kind === 'service' ? '' : (payment.note ?? ''),
});

/** Disputes what was cleared of a payment and has not been refunded. */
const disputePayment = ({ payments, disputes, program }: Dependencies) =>
  userOrServiceMethod(async (request: DisputePaymentRequest, { caller, logger }) => {
    // A dispute can pay a provisional credit, which no person orders alone.
    if (caller.kind === 'service' && caller.person === true) throw new CodedError('FORBIDDEN');
    const { paymentId, requestId: id, text, amount } = request;
    const payment = await payments.find(paymentId);
    if (payment === undefined || (caller.kind !== 'service' && payment.userId !== caller.userId)) throw new CodedError('PAYMENT_NOT_FOUND');
    const reason = request.reason as DisputeReason;
    const actor = caller.kind === 'service' ? actorOf(caller, request.actor) : undefined;
    const disputed = await disputes.open(payment, { id, reason, text, amount: amount === '' ? undefined : BigInt(amount), actor }, logger);
    return { payment: shownTo(caller, disputed, program, true) };
  });

/** Records a step of a dispute. */
const advanceDispute = ({ payments, disputes, program }: Dependencies) =>
  serviceMethod(async (request: AdvanceDisputeRequest, { caller, logger }) => {
    const { paymentId, disputeId, eventId, amount, networkCaseId, networkReasonCode, deadline, note, actor } = request;
    const payment = await payments.find(paymentId);
    if (payment === undefined) throw new CodedError('PAYMENT_NOT_FOUND');
    // A repeat that names none is about the dispute that was the latest one when the step first arrived.
    const dispute = disputeOf(payment, disputeId || eventOf(payment, stepEventId(eventId))?.dispute?.id);
    if (dispute === undefined) throw new CodedError('DISPUTE_NOT_AVAILABLE');
    const step = {
      eventId: stepEventId(eventId),
      stage: stepFromWire(request.stage),
      amount: amount === '' ? undefined : BigInt(amount),
      networkCaseId: networkCaseId || undefined,
      networkReasonCode: networkReasonCode || undefined,
      deadline: deadline && timestampDate(deadline),
      note: note || undefined,
      actor: actorOf(caller, actor),
    };
    return { payment: toWirePayment(await disputes.advance(payment, dispute, step, logger), program, true) };
  });

/** Gives up a dispute of the caller's own payment. */
const withdrawDispute = ({ payments, disputes, program }: Dependencies) =>
  userMethod(async ({ paymentId, disputeId }: WithdrawDisputeRequest, { caller, logger }) => {
    const payment = await payments.find(paymentId);
    const dispute = payment === undefined ? undefined : disputeOf(payment, disputeId);
    if (payment === undefined || dispute === undefined || payment.userId !== caller.userId) throw new CodedError('PAYMENT_NOT_FOUND');
    // There is one withdrawal of a dispute by its cardholder: a repeat is the same step.
    const step = { eventId: stepEventId(`withdrawn/${disputeId}`), stage: 'withdrawn' as const };
    return { payment: shownTo(caller, await disputes.advance(payment, dispute, step, logger), program, true) };
  });

/** Replaces the caller's note on a payment of their own. */
const setPaymentNote = ({ payments, cardholders, program }: Dependencies) =>
  userMethod(async ({ paymentId, note }: SetPaymentNoteRequest, { caller }) => {
    const payment = await payments.find(paymentId);
    if (payment === undefined || payment.userId !== caller.userId) throw new CodedError('PAYMENT_NOT_FOUND');
    await payments.setNote(paymentId, note);
    // Last: an erasure marks the user before it removes the notes, so that one of both removes this one.
    if (await cardholders.isErased(caller.userId)) await payments.eraseNotes(caller.userId);
    return { payment: shownTo(caller, { ...payment, note }, program, true) };
  });

/** Returns a page of the payments of all users with disputes of a status, newest first. */
const listDisputes = ({ payments, program }: Dependencies) =>
  serviceMethod(async (request: ListDisputesRequest) => {
    const page = pageOf(request);
    const found = await payments.findDisputed(request.status as Dispute['status'], page.limit + 1, decodeIdCursor(page.cursor));
    const { rows, nextCursor } = cutPage(found, page.limit, ({ listId }) => encodeIdCursor(listId));
    return { payments: rows.map((payment) => toWirePayment(payment, program, false)), page: { nextCursor } };
  });

/** Ends the latest dispute as the network has decided it. The first outcome stands: a repeat of it returns the payment, the opposite one is rejected. */
const resolveDispute = ({ payments, disputes, program }: Dependencies) =>
  serviceMethod(async (request: ResolveDisputeRequest, { caller, logger }) => {
    const { paymentId, won } = request;
    const payment = await payments.find(paymentId);
    if (payment === undefined) throw new CodedError('PAYMENT_NOT_FOUND');
    const { dispute } = payment;
    if (dispute === undefined) throw new CodedError('DISPUTE_NOT_AVAILABLE');
    const stage = won ? 'won' : 'lost';
    // A dispute that is submitted again at a later stage has an outcome of that stage.
    const eventId = ['dispute', dispute.id, stage, ...(dispute.standingCredit === undefined ? [] : [dispute.stage])].join(':');
    const resolved = await disputes.advance(payment, dispute, { eventId, stage, actor: caller.name }, logger);
    return { payment: toWirePayment(resolved, program, true) };
  });

/** Begins the cursors of the pages with reports in suspense, which follow those of the payments. */
const OF_SUSPENSE = 'suspense.';

/** Orders from the ledger again what a page of payments, or of reports in suspense, has ordered. */
const replayPayments = ({ payments, exceptions, suspense, effects }: Dependencies) =>
  serviceMethod(async (request: ReplayPaymentsRequest, { logger }) => {
    const since = request.changedSince && timestampDate(request.changedSince);
    const { limit, cursor } = pageOf(request);
    if (cursor.startsWith(OF_SUSPENSE)) {
      const after = decodeIdCursor(cursor.slice(OF_SUSPENSE.length));
      const found = await exceptions.pageOfSuspended(since, after, limit + 1);
      const { rows, nextCursor } = cutPage(found, limit, ({ id }) => OF_SUSPENSE + encodeIdCursor(id));
      for (const exception of rows) await suspense.replay(exception);
      return { orders: rows.length, page: { nextCursor } };
    }
    const found = await payments.pageOfAll(since, decodeIdCursor(cursor), limit + 1);
    const { rows, nextCursor } = cutPage(found, limit, ({ id }) => encodeIdCursor(id));
    const skippedPaymentIds: string[] = [];
    const rejectedPaymentIds: string[] = [];
    let count = 0;
    /** Repeats the orders of a payment, and those of events that were recorded in the meantime, which have met the ledger as it was. */
    const replay = async (payment: Payment): Promise<void> => {
      const orders = ordersOf(payment);
      if (orders === undefined) {
        skippedPaymentIds.push(payment.id);
        return;
      }
      const rejected = await effects.repeat(payment, orders, logger);
      count += orders.length;
      const latest = await payments.find(payment.id);
      if (latest !== undefined && latest.revision > payment.revision) await replay(latest);
      else if (rejected > 0) rejectedPaymentIds.push(payment.id);
    };
    for (const payment of rows) await replay(payment);
    const page = { nextCursor: nextCursor === '' ? OF_SUSPENSE : nextCursor };
    return { payments: rows.length, orders: count, skippedPaymentIds, rejectedPaymentIds, page };
  });

const LONGEST_MS = 31 * 86_400_000;

/** Counts the approved and the declined payments of all users in a period, and adds up what was approved between times. */
const countPayments = ({ payments, program }: Dependencies) =>
  serviceMethod(async (request: CountPaymentsRequest) => {
    const [from, to] = [timestampDate(stated(request.from)), timestampDate(stated(request.to))];
    const isPeriod = from < to && to.getTime() - from.getTime() <= LONGEST_MS;
    const bounds = request.bounds.map(timestampDate);
    const spans = bounds.slice(1).map((until, index) => ({ since: bounds[index] ?? until, until }));
    const areBounds = spans.every(({ since, until }) => since < until) && Number(bounds.at(-1) ?? 0) - Number(bounds[0] ?? 0) <= LONGEST_MS;
    requireFields({
      to: isPeriod ? undefined : 'must be after from, by at most 31 days',
      bounds: areBounds ? undefined : 'must be in ascending order, within 31 days',
    });
    const { approved = 0, ...declined } = Object.fromEntries(await payments.countOutcomes(from, to));
    const reasons = Object.entries(declined).filter(([, count]) => count > 0);
    const volumes: MessageInitShape<typeof PaymentVolumeSchema>[] = [];
    for (const { since, until } of spans) {
      const { amount, ...counts } = await payments.volume(since, until);
      volumes.push({ approved: BigInt(counts.approved), amount: amount.toString(), declined: BigInt(counts.declined) });
    }
    return {
      approved: BigInt(approved),
      declined: Object.fromEntries(reasons.map(([code, count]) => [code, BigInt(count)])),
      ...{ volumes, currency: program.currency, decimals: program.decimals },
    };
  });

/** Returns which of the caller's card transactions the ledger's holds and entries belong to. */
const findPayments = ({ payments, program }: Dependencies) =>
  userMethod(async ({ references }: FindPaymentsRequest, { caller }) => {
    if (references.length === 0) return { paymentIds: {} };
    const found = await payments.findByEntries(caller.userId, references);
    const asked = new Set(references);
    const links = found.flatMap(({ id, ledgerEntries }) => ledgerEntries.filter((entry) => asked.has(entry)).map((entry) => [entry, id]));
    return {
      paymentIds: Object.fromEntries(links) as Record<string, string>,
      payments: found.map((payment) => toWirePayment(payment, program, false)),
      foreignAmounts: Object.fromEntries(found.flatMap((payment) => toWireForeignAmounts(payment, program))),
    };
  });

/**
 * Returns card transactions by what processors and the card network call them. Ids of processors need no index: the ids of payments and of claims
 * derive from them.
 */
const findPaymentsByReference = ({ payments, claims, processors, program }: Dependencies) =>
  serviceMethod(async (request: FindPaymentsByReferenceRequest) => {
    const { reference } = request;
    const limit = findLimitOf(request);
    const names = processors();
    const ofEvents = await claims.paymentsOf(names.map((processor) => claimIdOf(processor, reference)));
    const ids = [...names.map((processor) => paymentIdOf(processor, reference)), ...ofEvents];
    const { rows, hasMore } = cutFound(await payments.findByReference(reference, ids, limit + 1), limit);
    return { payments: rows.map((payment) => toWirePayment(payment, program, false)), hasMore };
  });

/** Returns the controls of a card. */
const getCardControls = ({ cards, spendings }: Dependencies) =>
  userOrServiceMethod(async (request: GetCardControlsRequest, { caller }) => {
    const { cardId } = request;
    const spending = await spendings.find(seriesOf(await findOwnCard(cards, cardId, caller)));
    return { controls: toWireControls(spending?.controls ?? {}) };
  });

/** Returns the limits of a card with their use. */
const getCardLimits = (dependencies: Dependencies) =>
  userOrServiceMethod(async (request: GetCardLimitsRequest, { caller }) => {
    const { cardId } = request;
    return { limits: (await readSpending(dependencies, await findOwnCard(dependencies.cards, cardId, caller))).limits };
  });

/** Returns a card transaction: the caller's own to a user, any to a platform service unless it names the user. */
const getPayment = ({ payments, program }: Dependencies) =>
  userOrServiceMethod(async (request: GetPaymentRequest, { caller }) => {
    const owner = caller.kind === 'service' && request.userId === '' ? undefined : userOfCall(request, caller);
    const payment = await payments.find(request.paymentId);
    if (payment === undefined || (owner !== undefined && payment.userId !== owner)) throw new CodedError('PAYMENT_NOT_FOUND');
    return { payment: shownTo(caller, payment, program, true) };
  });

const timeOf = (time: Timestamp | undefined): Date | undefined => time && timestampDate(time);

/** Returns a page of a user's card transactions, newest first. */
const listPayments = ({ payments, program }: Dependencies) =>
  userOrServiceMethod(async (request: ListPaymentsRequest, { caller }) => {
    const userId = userOfCall(request, caller);
    const { cardId, currency, categoryCode } = request;
    const [from, to] = [timeOf(request.from), timeOf(request.to)];
    requireFields({ from: from !== undefined && to !== undefined && from > to ? 'must not be after to' : undefined });
    const filter = {
      cardId: cardId || undefined,
      status: paymentStatusFromWire(request.status),
      kind: paymentKindFromWire(request.kind),
      from,
      to,
      currency: currency || undefined,
      categoryCode: categoryCode || undefined,
      disputed: request.disputed || undefined,
      disputeId: request.disputeId || undefined,
      disputeStatus: request.disputeStatus || undefined,
      merchantName: request.merchantName || undefined,
    };
    const page = pageOf(request);
    const found = await payments.page(userId, { ...filter, limit: page.limit + 1, before: decodeIdCursor(page.cursor) });
    const { rows, nextCursor } = cutPage(found, page.limit, ({ listId }) => encodeIdCursor(listId));
    return { payments: rows.map((payment) => shownTo(caller, payment, program, false)), page: { nextCursor } };
  });

/** The card that a request is about, and the change as the call that makes it will state it. */
const readChange = ({ change }: CreateCardChangeChallengeRequest, program: Program): { cardId: string; change: ApprovedChange } => {
  switch (change.case) {
    case 'limits': {
      const { named, wanted } = readNewLimits(change.value, program);
      return { cardId: change.value.cardId, change: limitsChange(named, wanted, program) };
    }
    case 'controls':
      return { cardId: change.value.cardId, change: controlsChange(change.value.changed, readNewControls(change.value)) };
    default:
      return { cardId: stated(change.value), change: UNFREEZING };
  }
};

/** Creates the typed data that a wallet signs to approve a change of a card. */
const createCardChangeChallenge = ({ approvals, cards, program, runtime }: Dependencies) =>
  userMethod(async (request: CreateCardChangeChallengeRequest, call) => {
    const { cardId, change } = readChange(request, program);
    const card = await findOwnCard(cards, cardId, call.caller);
    requireLive(card, runtime.now());
    const { typedData, expiresAt } = await approvals.issue(card, change, call);
    return { typedData, expiresAt };
  });

/** Implementation of the contract `PaymentService`. */
export const paymentService = (dependencies: Dependencies): ServiceImplementation =>
  implement(PaymentService, {
    disputePayment: disputePayment(dependencies),
    advanceDispute: advanceDispute(dependencies),
    withdrawDispute: withdrawDispute(dependencies),
    setPaymentNote: setPaymentNote(dependencies),
    listDisputes: listDisputes(dependencies),
    resolveDispute: resolveDispute(dependencies),
    replayPayments: replayPayments(dependencies),
    countPayments: countPayments(dependencies),
    findPayments: findPayments(dependencies),
    findPaymentsByReference: findPaymentsByReference(dependencies),
    getCardControls: getCardControls(dependencies),
    getCardLimits: getCardLimits(dependencies),
    getPayment: getPayment(dependencies),
    listPayments: listPayments(dependencies),
    setCardControls: setCardControls(dependencies),
    setCardLimits: setCardLimits(dependencies),
    createCardChangeChallenge: createCardChangeChallenge(dependencies),
  });
