import { DisputeStage } from '@florin/proto/card/v1/payment';
import { z } from 'zod';
import { defineRoute } from '../../http/define-route.ts';
import { cardDisputeDetail, toCardDisputeDetail } from '../../schemas/card-transaction.ts';
import { id, present } from '../../schemas/fields.ts';
import { paymentOfDispute } from '../cards/card-disputes.ts';

const STAGES = {
  chargeback: DisputeStage.CHARGEBACK,
  representment: DisputeStage.REPRESENTMENT,
  pre_arbitration: DisputeStage.PRE_ARBITRATION,
  arbitration: DisputeStage.ARBITRATION,
  won: DisputeStage.WON,
  lost: DisputeStage.LOST,
} as const;

export const resolveDispute = defineRoute({
  operationId: 'sandboxResolveDispute',
  method: 'post',
  path: '/sandbox/disputes/{disputeId}/resolve',
  tag: 'Sandbox',
  summary: 'Advance or decide a dispute',
  description: 'Records that a dispute of the caller has reached a stage at the card network, or its outcome `won` or `lost`.',
  policy: 'user',
  sandboxOnly: true,
  params: z.object({ disputeId: id }),
  body: z.object({
    outcome: z.enum(Object.keys(STAGES) as (keyof typeof STAGES)[]),
    amount: z
      .string()
      .regex(/^[1-9][0-9]{0,14}$/, 'must be a positive integer in the minor unit')
      .optional()
      .meta({ description: 'The part that the step is about. Default: the disputed amount' }),
  }),
  answers: { 200: cardDisputeDetail },
  errors: ['PAYMENT_NOT_FOUND', 'DISPUTE_NOT_AVAILABLE'],
  handler: async ({ params: { disputeId }, body: { outcome, amount = '' } }, call) => {
    const paymentId = await paymentOfDispute(disputeId, call);
    const step = { paymentId, disputeId, eventId: `sandbox/${call.requestKey}`, stage: STAGES[outcome], amount };
    const { payment } = await call.asGateway((options) => call.upstream.cardPayments.advanceDispute(step, options));
    return present(toCardDisputeDetail(present(payment, 'the payment'), disputeId), 'the dispute');
  },
});
