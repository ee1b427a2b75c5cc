import type { PaymentDecision } from '@florin/proto/card/v1/processor_service';
import { z } from 'zod';
import { declineReason } from '../../schemas/card-transaction.ts';
import { amount, id, present } from '../../schemas/fields.ts';

/** The issuer's answer to a request of the network. */
export const networkDecision = z
  .object({
    transactionId: id.meta({ description: 'Id of the card transaction' }),
    approved: z.boolean(),
    approvedAmount: amount.meta({ description: 'In the currency of the request' }),
    billingAmount: amount,
    responseCode: z.string().meta({ description: 'Response code of ISO 8583, field 39' }),
    reason: declineReason.optional(),
    authorizationCode: z.string().optional(),
  })
  .meta({ id: 'NetworkDecision' });

export const toNetworkDecision = (found: PaymentDecision | undefined): z.output<typeof networkDecision> => {
  const decision = present(found, 'the decision');
  const { declineReason: reason } = decision;
  return {
    transactionId: decision.paymentId,
    approved: decision.approved,
    approvedAmount: decision.approvedAmount,
    billingAmount: decision.billingAmount,
    responseCode: decision.responseCode,
    ...(reason === undefined ? {} : { reason: { code: reason.code, message: reason.message } }),
    ...(decision.authorizationCode === '' ? {} : { authorizationCode: decision.authorizationCode }),
  };
};
