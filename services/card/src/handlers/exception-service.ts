import { timestampDate } from '@bufbuild/protobuf/wkt';
import { cutPage, decodeIdCursor, encodeIdCursor, pageOf } from '@florin/data/paging';
import {
  ExceptionService,
  type GetExceptionRequest,
  type ListExceptionsRequest,
  type MatchSettlementRequest,
  type ReportUnexplainedRequest,
  type ReportUnsettledRequest,
  type ResolveExceptionRequest,
} from '@florin/proto/card/v1/exception_service';
import { CodedError } from '@florin/rpc/errors';
import { implement, type ServiceImplementation, serviceMethod } from '@florin/rpc/server';
import { awaitsOrder, type Exception, resolves } from '../domain/exception.ts';
import { toTokenAmount } from '../domain/program.ts';
import { matchSettlement } from '../payments/match-settlement.ts';
import { raiseUnexplained } from '../payments/raise-unexplained.ts';
import { raiseUnsettled } from '../payments/raise-unsettled.ts';
import { actorOf } from './change-request.ts';
import type { Dependencies } from './dependencies.ts';
import { kindFromWire, statusFromWire, toWireException } from './to-wire-exception.ts';

/** Returns a page of exceptions, oldest first. */
const listExceptions = ({ exceptions, program }: Dependencies) =>
  serviceMethod(async (request: ListExceptionsRequest) => {
    const { limit, cursor } = pageOf(request);
    const kinds = [request.kind, ...request.kinds].map(kindFromWire).filter((kind) => kind !== undefined);
    const query = { status: statusFromWire(request.status) ?? 'open', kinds, after: decodeIdCursor(cursor) };
    const { rows, nextCursor } = cutPage(await exceptions.page({ ...query, limit: limit + 1 }), limit, ({ listId }) =>
      encodeIdCursor(listId),
    );
    return { exceptions: rows.map((exception) => toWireException(exception, program)), page: { nextCursor } };
  });

/** Returns an exception. */
const getException = ({ exceptions, program }: Dependencies) =>
  serviceMethod(async ({ exceptionId }: GetExceptionRequest) => {
    const exception = await exceptions.find(exceptionId);
    if (exception === undefined) throw new CodedError('EXCEPTION_NOT_FOUND');
    return { exception: toWireException(exception, program) };
  });

/** @throws CodedError unless money is moved as the exception demands: ADJUSTMENT_NOT_FOUND, ADJUSTMENT_STATE_CONFLICT, VALIDATION_FAILED */
const checkMoney = async ({ adjustments, program }: Dependencies, exception: Exception, adjustmentId: string): Promise<void> => {
  const { id: exceptionId, suspended = 0n } = exception;
  if (adjustmentId === '') {
    if (suspended === 0n) return;
    throw new CodedError('VALIDATION_FAILED', { message: 'adjustmentId: is required while an amount is in suspense' });
  }
  const expected = { exceptionId, token: program.token.symbol, suspended: toTokenAmount(program, suspended) };
  if (!resolves(await adjustments.find(adjustmentId), expected)) throw new CodedError('ADJUSTMENT_STATE_CONFLICT');
};

/** Ends an open exception. */
const resolveException = (dependencies: Dependencies) =>
  serviceMethod(async (request: ResolveExceptionRequest, { caller }) => {
    const { exceptions, program, runtime } = dependencies;
    const { exceptionId, note, adjustmentId } = request;
    const found = await exceptions.find(exceptionId);
    if (found === undefined) throw new CodedError('EXCEPTION_NOT_FOUND');
    if (found.status === 'open') await checkMoney(dependencies, found, adjustmentId);
    const payment = found.kind === 'order_rejected' ? await dependencies.payments.find(found.paymentId ?? '') : undefined;
    // Once the ledger accepts the order, the exception resolves itself.
    if (found.status === 'open' && payment !== undefined && awaitsOrder(found, payment)) throw new CodedError('EXCEPTION_STATE_CONFLICT');
    const by = actorOf(caller, request.actor);
    const resolution = { by, note, at: runtime.now(), ...(adjustmentId === '' ? {} : { adjustmentId }) };
    const resolved = found.status === 'open' ? await exceptions.resolve(exceptionId, resolution) : found;
    // Of decisions that race, the first one stands.
    if ((resolved?.resolution?.adjustmentId ?? '') !== adjustmentId) throw new CodedError('EXCEPTION_STATE_CONFLICT');
    return { exception: toWireException(resolved ?? found, program) };
  });

/** Matches settlement records with the reports that they settle. */
const matchSettled = (dependencies: Dependencies) =>
  serviceMethod(async ({ items }: MatchSettlementRequest) => {
    const settled = items.map(({ processor, recordId, eventId, transactionId, acquirerReference, amount, currency, raiseUnmatched }) => ({
      ...{ processor, recordId, amount: BigInt(amount), currency, raisesUnmatched: raiseUnmatched },
      ...{ eventId: eventId || undefined, transactionId: transactionId || undefined, acquirerReference: acquirerReference || undefined },
    }));
    const matches = await matchSettlement(dependencies, settled);
    return {
      matches: matches.map(({ report, exceptionId = '', suspenseId = '' }) => ({
        ...{ exceptionId, suspenseId },
        paymentId: report?.payment.id ?? '',
        accountId: report?.payment.accountId ?? '',
        billedAmount: report?.billed.toString() ?? '',
        billingCurrency: report === undefined ? '' : dependencies.program.currency,
      })),
    };
  });

/** Raises exceptions for payments that the network has not settled as they were booked, or resolves them. */
const reportUnsettled = (dependencies: Dependencies) =>
  serviceMethod(async ({ items }: ReportUnsettledRequest) => {
    const unsettled = items.map(({ since, amount, ...item }) => ({
      ...item,
      since: since === undefined ? new Date(0) : timestampDate(since),
      amount: BigInt(amount),
    }));
    await raiseUnsettled(dependencies, unsettled);
    return {};
  });

/** Raises exceptions for movements on the bank account that nothing explains, or resolves them. */
const reportUnexplained = (dependencies: Dependencies) =>
  serviceMethod(async ({ movements }: ReportUnexplainedRequest) => {
    await raiseUnexplained(
      dependencies,
      movements.map(({ amount, ...movement }) => ({ ...movement, amount: BigInt(amount) })),
    );
    return {};
  });

/** Implementation of the contract `ExceptionService`. */
export const exceptionService = (dependencies: Dependencies): ServiceImplementation =>
  implement(ExceptionService, {
    listExceptions: listExceptions(dependencies),
    getException: getException(dependencies),
    resolveException: resolveException(dependencies),
    matchSettlement: matchSettled(dependencies),
    reportUnsettled: reportUnsettled(dependencies),
    reportUnexplained: reportUnexplained(dependencies),
  });
