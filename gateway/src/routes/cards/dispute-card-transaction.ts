import { z } from 'zod';
import { defineRoute } from '../../http/define-route.ts';
import { id, present } from '../../schemas/fields.ts';
import { displayed } from '../../schemas/text.ts';

export const disputeCardTransaction = defineRoute({
  operationId: 'disputeCardTransaction',
  method: 'post',
  path: '/cards/transactions/{transactionId}/dispute',
  tag: 'Cards',
  summary: 'Dispute a card transaction',
  description:
    'Disputes what was cleared and has not been refunded. The program may credit it provisionally; the credit is taken back if the dispute is lost.',
  policy: 'user',
  params: z.object({ transactionId: id }),
  body: z.object({
    reason: z.enum(['fraud', 'not_received', 'not_as_described', 'duplicate', 'cancelled', 'other']),
    text: displayed(500).optional().meta({ description: "The cardholder's words" }),
  }),
  answers: { 200: z.object({ id, status: z.string() }) },
  errors: ['PAYMENT_NOT_FOUND', 'DISPUTE_NOT_AVAILABLE'],
  handler: async ({ params: { transactionId }, body: { reason, text = '' } }, { upstream, asCaller, requestKey }) => {
    const request = { paymentId: transactionId, requestId: requestKey, reason, text };
    const dispute = present((await upstream.cardPayments.disputePayment(request, asCaller)).payment?.dispute, 'the dispute');
    return { id: dispute.id, status: dispute.status };
  },
});
