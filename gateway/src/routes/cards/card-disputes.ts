import { CodedError } from '@florin/rpc/errors';
import { z } from 'zod';
import { defineRoute, type RouteCall } from '../../http/define-route.ts';
import { cardDispute, cardDisputeDetail, disputeStatus, toCardDisputeDetail, toCardDisputes } from '../../schemas/card-transaction.ts';
import { id, present } from '../../schemas/fields.ts';
import { pageQuery, pagination, toPageRequest, toPagination } from '../../schemas/page.ts';
import { inOrder, periodQuery, toPeriod } from '../../schemas/period.ts';

const params = z.object({ disputeId: id });

/** Finds the card transaction of a dispute of the caller. @throws CodedError PAYMENT_NOT_FOUND */
export const paymentOfDispute = async (disputeId: string, { upstream, asCaller }: RouteCall<'user'>): Promise<string> => {
  const { payments } = await upstream.cardPayments.listPayments({ disputeId, page: { limit: 1 } }, asCaller);
  if (payments[0] === undefined) throw new CodedError('PAYMENT_NOT_FOUND');
  return payments[0].id;
};

const read = async (disputeId: string, call: RouteCall<'user'>): Promise<z.output<typeof cardDisputeDetail>> => {
  const paymentId = await paymentOfDispute(disputeId, call);
  const { payment } = await call.upstream.cardPayments.getPayment({ paymentId }, call.asCaller);
  return present(toCardDisputeDetail(present(payment, 'the payment'), disputeId), 'the dispute');
};

export const listCardDisputes = defineRoute({
  operationId: 'listCardDisputes',
  method: 'get',
  path: '/cards/disputes',
  tag: 'Cards',
  summary: 'List disputes',
  description:
    'Returns the disputes of the caller, those of the newest card transaction first. `limit` counts card transactions, and the period is that of their `createdAt`.',
  policy: 'user',
  query: inOrder(
    pageQuery.extend({
      status: disputeStatus.optional(),
      cardId: id.optional(),
      ...periodQuery.shape,
    }),
  ),
  answers: { 200: z.object({ data: z.array(cardDispute), pagination }) },
  errors: [],
  handler: async ({ query }, { upstream, asCaller }) => {
    const { status, cardId = '' } = query;
    const request = { disputed: true, disputeStatus: status ?? '', cardId, ...toPeriod(query), page: toPageRequest(query) };
    const { payments, page } = await upstream.cardPayments.listPayments(request, asCaller);
    const disputes = payments.flatMap(toCardDisputes).filter((dispute) => status === undefined || dispute.status === status);
    return { data: disputes, pagination: toPagination(page) };
  },
});

export const getCardDispute = defineRoute({
  operationId: 'getCardDispute',
  method: 'get',
  path: '/cards/disputes/{disputeId}',
  tag: 'Cards',
  summary: 'Get a dispute',
  description: 'Returns a dispute of the caller, with what has happened to it.',
  policy: 'user',
  params,
  answers: { 200: cardDisputeDetail },
  errors: ['PAYMENT_NOT_FOUND'],
  handler: ({ params: { disputeId } }, call) => read(disputeId, call),
});

export const withdrawCardDispute = defineRoute({
  operationId: 'withdrawCardDispute',
  method: 'post',
  path: '/cards/disputes/{disputeId}/withdraw',
  tag: 'Cards',
  summary: 'Withdraw a dispute',
  description: 'Gives a dispute up that is not decided: what was credited for it is taken back. A card that it has blocked stays blocked.',
  policy: 'user',
  params,
  answers: { 200: cardDisputeDetail },
  errors: ['PAYMENT_NOT_FOUND', 'DISPUTE_NOT_AVAILABLE'],
  handler: async ({ params: { disputeId } }, call) => {
    const paymentId = await paymentOfDispute(disputeId, call);
    const { payment } = await call.upstream.cardPayments.withdrawDispute({ paymentId, disputeId }, call.asCaller);
    return present(toCardDisputeDetail(present(payment, 'the payment'), disputeId), 'the dispute');
  },
});
