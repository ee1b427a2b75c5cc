import { z } from 'zod';
import { defineRoute } from '../../http/define-route.ts';
import { DONE, done, id } from '../../schemas/fields.ts';
import { kycMove } from '../../schemas/kyc.ts';

export const receiveKycEvent = defineRoute({
  operationId: 'receiveKycEvent',
  method: 'post',
  path: '/webhooks/kyc',
  tag: 'KYC',
  summary: 'An event of the KYC provider',
  description:
    'Answered with 200 also when it changes nothing, because it was seen before or is older than another one. Whatever else is answered, it is to be delivered again.',
  policy: 'public',
  webhook: { signatureHeader: 'Florin-Signature' },
  body: z.object({
    id: z.string().min(1).max(128),
    profileId: id,
    sequence: z.int().min(1).meta({ description: 'Rises with every event of a profile' }),
    status: kycMove,
  }),
  answers: { 200: done },
  errors: ['INVALID_SIGNATURE', 'KYC_PROFILE_NOT_FOUND'],
  // Here a bad signature is a credential that was not accepted.
  statusOf: { INVALID_SIGNATURE: 401 },
  handler: async (_input, { upstream, asGateway, delivery }) => {
    await upstream.kyc.receiveEvent(delivery, asGateway);
    return DONE;
  },
});
