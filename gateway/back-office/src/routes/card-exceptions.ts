import { type Exception, ExceptionKind, ExceptionProposal, ExceptionStatus } from '@florin/proto/card/v1/exception';
import { type Adjustment, AdjustmentStatus } from '@florin/proto/ledger/v1/adjustment';
import type { Assets } from '@florin/rpc/assets';
import { undefinedOn, withinRequest } from '@florin/rpc/client';
import { CodedError } from '@florin/rpc/errors';
import { derivedId } from '@florin/rpc/runtime';
import { z } from 'zod';
import { bookExceptionBody, type CardException, reasonBody } from '../contract/index.ts';
import type { Endpoint } from '../http/endpoint.ts';
import { currencyAmount, tokenAmount } from '../views/money.ts';
import { isoOf, nextOf, wordOf } from '../views/words.ts';
import { type ActionCall, action } from './act.ts';
import type { Dependencies } from './dependencies.ts';
import { programRead } from './read-program.ts';

const LIMIT = 50;

const STATUSES = { open: ExceptionStatus.OPEN, resolved: ExceptionStatus.RESOLVED } as const;

const query = z.strictObject({ status: z.enum(['open', 'resolved']).default('open'), cursor: z.string().max(500).default('') });

/** Orders for one exception, each after the one before was rejected, has failed or has expired. */
const MAX_ORDERS = 20;

const ENDED: ReadonlySet<AdjustmentStatus | undefined> = new Set([
  AdjustmentStatus.REJECTED,
  AdjustmentStatus.FAILED,
  AdjustmentStatus.EXPIRED,
]);

const toCardException = (one: Exception, assets: Assets): CardException => ({
  id: one.id,
  kind: wordOf(ExceptionKind, one.kind),
  status: wordOf(ExceptionStatus, one.status),
  proposal: wordOf(ExceptionProposal, one.proposal),
  eventId: one.eventId,
  eventType: one.eventType,
  cardId: one.cardId,
  candidates: one.candidatePaymentIds,
  accountId: one.accountId,
  ...(one.amount === '' ? {} : { amount: currencyAmount(one.amount, one.currency) }),
  ...(one.originalAmount === '' ? {} : { original: currencyAmount(one.originalAmount, one.originalCurrency) }),
  ...(one.suspendedAmount === '' ? {} : { suspended: tokenAmount(assets, one.token, one.suspendedAmount) }),
  createdAt: isoOf(one.createdAt),
  resolvedBy: one.resolvedBy,
  note: one.note,
});

/** Id of an order for an exception. It follows from the exception, so that no two operators move its amount. */
const orderIdOf = (exceptionId: string, attempt: number): string =>
  derivedId(JSON.stringify(['back office', 'exception', exceptionId, attempt]));

/**
 * The exceptions of card payments. A suspended amount leaves suspense by an order to the ledger of exactly that amount, which another operator approves above the ledger's limits; the
 * exception ends when the order is booked.
 */
export const cardExceptionEndpoints = (parts: Dependencies): Endpoint[] => {
  const { services, assets } = parts;
  const idOf = ({ params }: Pick<ActionCall<unknown>, 'params'>): string => params['exceptionId'] ?? '';

  const findOpen = async (call: ActionCall<unknown>): Promise<Exception> => {
    const { exception } = await services.exceptions.getException({ exceptionId: idOf(call) }, withinRequest(call));
    if (exception?.status !== ExceptionStatus.OPEN) throw new CodedError('EXCEPTION_STATE_CONFLICT');
    return exception;
  };

  const end = async (call: ActionCall<{ reason: string }>, adjustmentId = ''): Promise<string> => {
    const { actor, body } = call;
    const decision = { exceptionId: idOf(call), adjustmentId, actor, note: body.reason };
    const { exception } = await services.exceptions.resolveException(decision, withinRequest(call));
    return wordOf(ExceptionStatus, exception?.status ?? ExceptionStatus.UNSPECIFIED);
  };

  /** The order that is under way or booked for an exception; else the id of the next one. */
  const latestOrder = async (call: ActionCall<unknown>): Promise<{ id: string; order?: Adjustment }> => {
    for (let attempt = 0; attempt < MAX_ORDERS; attempt += 1) {
      const id = orderIdOf(idOf(call), attempt);
      const found = services.adjustments.getAdjustment({ adjustmentId: id }, withinRequest(call));
      const order = (await undefinedOn('ADJUSTMENT_NOT_FOUND', found))?.adjustment;
      if (order === undefined) return { id };
      if (!ENDED.has(order.status)) return { id, order };
    }
    throw new CodedError('ORDER_STATE_CONFLICT');
  };

  const order = async (call: ActionCall<{ account: string; reason: string }>): Promise<Adjustment | undefined> => {
    const { id: externalReference, suspendedAmount, token } = await findOpen(call);
    const { account, reason } = call.body;
    if (suspendedAmount === '') throw new CodedError('VALIDATION_FAILED', { message: 'nothing is in suspense for it' });
    const { id: adjustmentId, order: known } = await latestOrder(call);
    if (known !== undefined) return known;
    const isCharge = suspendedAmount.startsWith('-');
    const [debit, credit] = isCharge ? [account, 'suspense'] : ['suspense', account];
    const transfers = [{ debit, credit, token, amount: isCharge ? suspendedAmount.slice(1) : suspendedAmount }];
    // The network has moved the money, whatever the account has.
    const change = { case: 'transfers' as const, value: { transfers, forced: true } };
    const metadata = { actor: call.actor, reason, externalReference };
    return (await services.adjustments.createAdjustment({ adjustmentId, change, metadata }, withinRequest(call))).adjustment;
  };

  const base = '/api/card-exceptions';
  return [
    programRead(
      parts,
      { path: base, access: 'money.read', operation: 'exceptions.list', reason: 'exceptions of card payments', query },
      async ({ query: { status, cursor }, ...call }) => {
        const found = await services.exceptions.listExceptions(
          { status: STATUSES[status], page: { limit: LIMIT, cursor } },
          withinRequest(call),
        );
        return { exceptions: found.exceptions.map((one) => toCardException(one, assets)), ...nextOf(found.page?.nextCursor) };
      },
    ),
    action(
      parts,
      { path: `${base}/{exceptionId}/resolve`, access: 'money.order', operation: 'exceptions.resolve', body: reasonBody },
      (call) => end(call),
    ),
    action(
      parts,
      { path: `${base}/{exceptionId}/book`, access: 'money.order', operation: 'exceptions.book', body: bookExceptionBody },
      async (call) => {
        const placed = await order(call);
        return placed?.status === AdjustmentStatus.BOOKED
          ? end(call, placed.id)
          : wordOf(AdjustmentStatus, placed?.status ?? AdjustmentStatus.UNSPECIFIED);
      },
    ),
  ];
};

/** Ends the exception that an order was for, once the order is booked. Another one that it was not for stays. */
export const endExceptionOf = async (
  { services }: Pick<Dependencies, 'services'>,
  adjustment: Adjustment | undefined,
  { actor, requestId }: Pick<ActionCall<unknown>, 'actor' | 'requestId'>,
): Promise<void> => {
  const { externalReference = '', reason: note = '' } = adjustment?.metadata ?? {};
  if (adjustment?.status !== AdjustmentStatus.BOOKED) return;
  const isOfException = Array.from({ length: MAX_ORDERS }, (_, attempt) => orderIdOf(externalReference, attempt)).includes(adjustment.id);
  if (!isOfException) return;
  const decision = { exceptionId: externalReference, adjustmentId: adjustment.id, actor, note };
  await services.exceptions.resolveException(decision, withinRequest({ requestId }));
};
