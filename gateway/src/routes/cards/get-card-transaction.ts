import { z } from 'zod';
import { defineRoute } from '../../http/define-route.ts';
import { cardTransactionDetail, toCardTransactionDetail } from '../../schemas/card-transaction.ts';
import { id } from '../../schemas/fields.ts';

export const getCardTransaction = defineRoute({
  operationId: 'getCardTransaction',
  method: 'get',
  path: '/cards/transactions/{transactionId}',
  tag: 'Cards',
  summary: 'Get a card transaction',
  description: 'Returns one of the card transactions of the caller, with its events and ledger entries.',
  policy: 'user',
  params: z.object({ transactionId: id }),
  answers: { 200: cardTransactionDetail },
  errors: ['PAYMENT_NOT_FOUND'],
  handler: async ({ params: { transactionId } }, { upstream, asCaller }) =>
    toCardTransactionDetail((await upstream.cardPayments.getPayment({ paymentId: transactionId }, asCaller)).payment),
});
