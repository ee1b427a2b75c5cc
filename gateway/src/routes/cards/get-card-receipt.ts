import { CodedError } from '@florin/rpc/errors';
import { z } from 'zod';
import { defineRoute } from '../../http/define-route.ts';
import { foreign, toForeign } from '../../schemas/card-transaction.ts';
import { id, present } from '../../schemas/fields.ts';
import { receipt, toReceipt } from '../../schemas/receipt.ts';
import { typedDataQuery } from '../../schemas/typed-message.ts';

export const getCardReceipt = defineRoute({
  operationId: 'getCardReceipt',
  method: 'get',
  path: '/cards/transactions/{transactionId}/receipt',
  tag: 'Cards',
  summary: 'Get the 3DS receipt of a card transaction',
  description:
    'Returns the signed approval that the authorization has used up, and how an amount in another currency was billed, with the mark-up by itself. `typedData` is what the wallet has signed: a library verifies `signature` over it as it is.',
  policy: 'user',
  params: z.object({ transactionId: id }),
  query: typedDataQuery,
  answers: { 200: z.object({ receipt, foreign: foreign.optional() }) },
  errors: ['PAYMENT_NOT_FOUND', 'RECEIPT_NOT_FOUND'],
  handler: async ({ params: { transactionId }, query }, { upstream, asCaller }) => {
    const { payment } = await upstream.cardPayments.getPayment({ paymentId: transactionId }, asCaller);
    const paid = present(payment, 'the card transaction');
    const { challengeId } = paid;
    if (challengeId === '') throw new CodedError('RECEIPT_NOT_FOUND');
    const found = present((await upstream.challenges.getReceipt({ challengeId }, asCaller)).receipt, 'the receipt');
    return { receipt: toReceipt(found, query.domainType === 'true'), ...toForeign(paid) };
  },
});
