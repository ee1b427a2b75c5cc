import {
  type AcknowledgeRequest,
  type AdviseRequest,
  type AnnounceCreditRequest,
  type AuthorizeCreditRequest,
  type ClearRequest,
  CorrectionDirection,
  type CorrectRequest,
  type CreditRequest,
  type ExpireRequest,
  type IncrementRequest,
  type InquireBalanceRequest,
  ProcessorService,
  type RefundRequest,
  type ReportDeclineRequest,
  type ReverseAnnouncedCreditRequest,
  type ReverseRefundRequest,
  type ReverseRequest,
  type VerifyRequest,
} from '@florin/proto/card/v1/processor_service';
import { requireFields } from '@florin/rpc/contract';
import { CodedError } from '@florin/rpc/errors';
import { implement, type ServiceImplementation, serviceMethod } from '@florin/rpc/server';
import { eventOf, unacknowledgedApproval } from '../domain/payment.ts';
import { claimIdOf } from '../domain/payment-ids.ts';
import { fromTokenAmount } from '../domain/program.ts';
import { authorize, availableAfter } from './authorize.ts';
import type { Dependencies } from './dependencies.ts';
import { readReport, readRequest, requireTransaction, toAuthentication, toChecks } from './event-fields.ts';
import { toWireReported } from './to-wire-exception.ts';
import { toWireDecision, toWirePayment } from './to-wire-payment.ts';

/** Decides on raising an authorization. */
const increment = ({ deciding, holds, program }: Dependencies) =>
  serviceMethod(async (request: IncrementRequest, { caller, logger }) => {
    requireTransaction(request);
    const decided = await deciding.decide({ processor: caller.name, type: 'increment', ...readRequest(request) }, logger);
    return {
      decision: { ...toWireDecision(decided.payment, decided.event), ...(await availableAfter({ holds, program }, request, decided)) },
    };
  });

/** Records that the processor has the answer to a request. */
const acknowledge = ({ payments, claims, record, program, runtime }: Dependencies) =>
  serviceMethod(async ({ eventId }: AcknowledgeRequest, { caller }) => {
    // The payment of an increment may have begun under another transaction id.
    const claim = await claims.find(claimIdOf(caller.name, eventId));
    const payment = claim && (await payments.find(claim.paymentId));
    if (payment === undefined || eventOf(payment, eventId)?.decision === undefined) throw new CodedError('PAYMENT_NOT_FOUND');
    const isAwaited = unacknowledgedApproval(payment)?.id === eventId;
    const event = { id: `acknowledgement:${eventId}`, type: 'acknowledgement' as const, at: runtime.now() };
    const after = isAwaited ? await record(payment, event, payment) : payment;
    return { payment: toWirePayment(after, program, true) };
  });

/** Records an authorization that the network has approved in the place of the issuer. */
const advise = ({ reporting, program }: Dependencies) =>
  serviceMethod(async (request: AdviseRequest, { caller, logger }) => {
    requireTransaction(request);
    const { atm, singleMessage } = request;
    const reported = await reporting.book(
      { processor: caller.name, type: 'advice', ...readReport(request, logger), atm, singleMessage },
      logger,
    );
    return toWireReported(reported, program);
  });

/** Records a request that another party has declined in our place. */
const reportDecline = ({ reporting, program }: Dependencies) =>
  serviceMethod(async (request: ReportDeclineRequest, { caller, logger }) => {
    requireTransaction(request);
    const { atm, responseCode } = request;
    const event = { processor: caller.name, type: 'decline' as const, ...readReport(request, logger), atm, responseCode };
    return { payment: toWirePayment(await reporting.report(event, logger), program, true) };
  });

/** Records a reversal. */
const reverse = ({ reporting, program }: Dependencies) =>
  serviceMethod(async (request: ReverseRequest, { caller, logger }) => {
    requireTransaction(request);
    const { requestEventId, amount } = request;
    requireFields({ amount: requestEventId !== '' && amount !== undefined ? 'must be absent with request_event_id' : undefined });
    const undone = requestEventId === '' ? {} : { undoneRequestId: requestEventId };
    const reversal = { processor: caller.name, type: 'reversal' as const, ...readReport(request, logger), ...undone };
    return toWireReported(await reporting.book(reversal, logger), program);
  });

/** Records the expiry of an authorization. */
const expire = ({ reporting, program }: Dependencies) =>
  serviceMethod(async (request: ExpireRequest, { caller, logger }) => {
    requireTransaction(request);
    const payment = await reporting.report({ processor: caller.name, type: 'expiry', ...readReport(request, logger) }, logger);
    return { payment: toWirePayment(payment, program, true) };
  });

/** Records a clearing. */
const clear = ({ reporting, program }: Dependencies) =>
  serviceMethod(async (request: ClearRequest, { caller, logger }) => {
    const { forcePost, secondPresentment, moreExpected, atm } = request;
    const booked = forcePost ? 'force_post' : 'clearing';
    const type = secondPresentment ? 'second_presentment' : booked;
    const reported = await reporting.book({ processor: caller.name, type, ...readReport(request, logger), moreExpected, atm }, logger);
    return toWireReported(reported, program);
  });

/** Records a refund. */
const refund = ({ reporting, program }: Dependencies) =>
  serviceMethod(async (request: RefundRequest, { caller, logger }) => {
    const reported = await reporting.book({ processor: caller.name, type: 'refund', ...readReport(request, logger) }, logger);
    return toWireReported(reported, program);
  });

/** Records that a refund is taken back. */
const reverseRefund = ({ reporting, program }: Dependencies) =>
  serviceMethod(async (request: ReverseRefundRequest, { caller, logger }) => {
    const reported = await reporting.book({ processor: caller.name, type: 'refund_reversal', ...readReport(request, logger) }, logger);
    return toWireReported(reported, program);
  });

/** Records a credit push. */
const credit = ({ reporting, program }: Dependencies) =>
  serviceMethod(async (request: CreditRequest, { caller, logger }) => {
    const reported = await reporting.book({ processor: caller.name, type: 'credit', ...readReport(request, logger) }, logger);
    return toWireReported(reported, program);
  });

/** Decides on a credit that is to come, and announces it. */
const authorizeCredit = ({ deciding }: Dependencies) =>
  serviceMethod(async (request: AuthorizeCreditRequest, { caller, logger }) => {
    requireTransaction(request);
    const { push } = request;
    const decided = await deciding.decide({ processor: caller.name, type: 'credit_request', ...readRequest(request), push }, logger);
    return { decision: toWireDecision(decided.payment, decided.event) };
  });

/** Records a credit that is to come. */
const announceCredit = ({ reporting, program }: Dependencies) =>
  serviceMethod(async (request: AnnounceCreditRequest, { caller, logger }) => {
    const { push } = request;
    const payment = await reporting.report(
      { processor: caller.name, type: 'credit_announced', ...readReport(request, logger), push },
      logger,
    );
    return { payment: toWirePayment(payment, program, true) };
  });

/** Records that an announced credit is taken back. */
const reverseAnnouncedCredit = ({ reporting, program }: Dependencies) =>
  serviceMethod(async (request: ReverseAnnouncedCreditRequest, { caller, logger }) => {
    const payment = await reporting.report(
      { processor: caller.name, type: 'announcement_reversal', ...readReport(request, logger) },
      logger,
    );
    return { payment: toWirePayment(payment, program, true) };
  });

/** Records a correction of the network. */
const correct = ({ reporting, program }: Dependencies) =>
  serviceMethod(async (request: CorrectRequest, { caller, logger }) => {
    const type = request.direction === CorrectionDirection.DEBIT ? ('correction_debit' as const) : ('correction_credit' as const);
    const reported = await reporting.book({ processor: caller.name, type, ...readReport(request, logger) }, logger);
    return toWireReported(reported, program);
  });

/** Decides on a balance inquiry, and returns what is available. */
const inquireBalance = ({ deciding, holds, program }: Dependencies) =>
  serviceMethod(async (request: InquireBalanceRequest, { caller, logger }) => {
    const input = { processor: caller.name, type: 'balance_inquiry' as const, ...readRequest(request), checks: toChecks(request.checks) };
    const { payment, event } = await deciding.decide(input, logger);
    const approved = event.decision.decline === undefined;
    const available = approved ? fromTokenAmount(program, await holds.available(payment.accountId, program.token.symbol)).toString() : '';
    return { decision: toWireDecision(payment, event), available, currency: program.currency };
  });

/** Decides on a verification of the card without an amount. */
const verify = ({ deciding }: Dependencies) =>
  serviceMethod(async (request: VerifyRequest, { caller, logger }) => {
    requireTransaction(request);
    const input = {
      ...{ processor: caller.name, type: 'verification' as const },
      ...readRequest(request),
      ...{ checks: toChecks(request.checks), ...toAuthentication(request) },
    };
    const decided = await deciding.decide(input, logger);
    return { decision: toWireDecision(decided.payment, decided.event) };
  });

/** Implementation of the contract `ProcessorService`. */
export const processorService = (dependencies: Dependencies): ServiceImplementation =>
  implement(ProcessorService, {
    authorize: authorize(dependencies),
    increment: increment(dependencies),
    acknowledge: acknowledge(dependencies),
    advise: advise(dependencies),
    reportDecline: reportDecline(dependencies),
    reverse: reverse(dependencies),
    expire: expire(dependencies),
    clear: clear(dependencies),
    refund: refund(dependencies),
    reverseRefund: reverseRefund(dependencies),
    credit: credit(dependencies),
    authorizeCredit: authorizeCredit(dependencies),
    announceCredit: announceCredit(dependencies),
    reverseAnnouncedCredit: reverseAnnouncedCredit(dependencies),
    correct: correct(dependencies),
    inquireBalance: inquireBalance(dependencies),
    verify: verify(dependencies),
  });
