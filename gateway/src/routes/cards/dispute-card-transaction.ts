import { z } from 'zod';
import { defineRoute } from '../../http/define-route.ts';
import { amount, id, present } from '../../schemas/fields.ts';
import { displayed } from '../../schemas/text.ts';

export const disputeCardTransaction = defineRoute({
  operationId: 'disputeCardTransaction',
  method: 'post',
  path: '/cards/transactions/{transactionId}/dispute',
  tag: 'Cards',
  summary: 'Dispute a card transaction',
  description:
    'Disputes what was cleared and has been neither refunded nor disputed, in part or whole. The program may credit it provisionally; the credit is taken back if the dispute is lost. The reason `fraud` blocks the card for good, which `cardBlocked` says: it can be replaced.',
  policy: 'user',
  params: z.object({ transactionId: id }),
  body: z.object({
    reason: z.enum(['fraud', 'not_received', 'not_as_described', 'duplicate', 'cancelled', 'other']),
    amount: z
      .string()
      .regex(/^[1-9][0-9]{0,14}$/, 'must be a positive integer in the minor unit')
      .optional()
      .meta({ description: "What is disputed, in the minor unit of the card's currency. Default: all that can be" }),
    text: displayed(500).optional().meta({ description: "The cardholder's words" }),
  }),
  answers: { 200: z.object({ id, status: z.string(), amount, cardBlocked: z.boolean() }) },
  errors: ['PAYMENT_NOT_FOUND', 'DISPUTE_NOT_AVAILABLE'],
  handler: async ({ params: { transactionId }, body: { reason, text = '', amount: part = '' } }, { upstream, asCaller, requestKey }) => {
    const request = { paymentId: transactionId, requestId: requestKey, reason, text, amount: part };
    const dispute = present((await upstream.cardPayments.disputePayment(request, asCaller)).payment?.dispute, 'the dispute');
    return { id: dispute.id, status: dispute.status, amount: dispute.amount, cardBlocked: dispute.cardBlocked };
  },
});
