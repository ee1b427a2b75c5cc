import { toJson } from '@bufbuild/protobuf';
import { DecisionReceiptSchema } from '@florin/proto/threeds/v1/challenge';
import { CodedError } from '@florin/rpc/errors';
import { z } from 'zod';
import { defineRoute } from '../../http/define-route.ts';
import { foreign, toForeign } from '../../schemas/card-transaction.ts';
import { id, present } from '../../schemas/fields.ts';

/** `florin.threeds.v1.DecisionReceipt` in its JSON form, which the offline check reads; fields without a value are left out. */
const receipt = z
  .object({
    challengeId: id,
    decision: z.string().optional(),
    typedData: z
      .object({
        domainName: z.string().optional(),
        domainVersion: z.string().optional(),
        domainChainId: z.int().optional(),
        messageTypes: z.array(z.object({ name: z.string().optional(), type: z.string().optional() })).optional(),
        authorization: z.string().optional(),
        nonce: z.string().optional(),
      })
      .optional(),
    signature: z.string().optional(),
    signer: z.string().optional(),
    signerType: z.string().optional(),
    blockNumber: z.string().optional(),
    issuedAt: z.string().optional(),
    decidedAt: z.string().optional(),
    amount: z.string().optional(),
    currency: z.string().optional(),
    decimals: z.int().optional(),
    cardLast4: z.string().optional(),
    merchant: z
      .object({
        id: z.string().optional(),
        displayName: z.string().optional(),
        country: z.string().optional(),
        categoryCode: z.string().optional(),
      })
      .optional(),
    expiresAt: z.string().optional(),
    typedDataHash: z.string().optional(),
    fingerprint: z.string().optional(),
  })
  .meta({ id: 'DecisionReceipt', description: 'Evidence of the decision, which `npm run verify-receipt` checks offline' });

export const getCardReceipt = defineRoute({
  operationId: 'getCardReceipt',
  method: 'get',
  path: '/cards/transactions/{transactionId}/receipt',
  tag: 'Cards',
  summary: 'Get the 3DS receipt of a card transaction',
  description:
    'Returns the signed approval that the authorization has used up, and how an amount in another currency was billed, with the mark-up by itself.',
  policy: 'user',
  params: z.object({ transactionId: id }),
  answers: { 200: z.object({ receipt, foreign: foreign.optional() }) },
  errors: ['PAYMENT_NOT_FOUND', 'RECEIPT_NOT_FOUND'],
  handler: async ({ params: { transactionId } }, { upstream, asCaller }) => {
    const { payment } = await upstream.cardPayments.getPayment({ paymentId: transactionId }, asCaller);
    const paid = present(payment, 'the card transaction');
    const { challengeId } = paid;
    if (challengeId === '') throw new CodedError('RECEIPT_NOT_FOUND');
    const found = present((await upstream.challenges.getReceipt({ challengeId }, asCaller)).receipt, 'the receipt');
    return { receipt: toJson(DecisionReceiptSchema, found) as z.output<typeof receipt>, ...toForeign(paid) };
  },
});
