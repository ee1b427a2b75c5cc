import { z } from 'zod';
import { defineRoute } from '../../http/define-route.ts';
import { DONE, done, id } from '../../schemas/fields.ts';
import { kycMove } from '../../schemas/kyc.ts';
import { opaque } from '../../schemas/text.ts';

export const receiveKycEvent = defineRoute({
  operationId: 'receiveKycEvent',
  method: 'post',
  path: '/webhooks/kyc',
  tag: 'KYC',
  summary: 'Receive a KYC event',
  description:
    'Receives a signed event of the KYC provider. The response is 200 even if the event changes nothing, because it was already processed or is older than the current state. On any other status, deliver the event again.',
  policy: 'public',
  webhook: { signatureHeader: 'Florin-Signature' },
  body: z.object({
    id: opaque(128),
    profileId: id,
    sequence: z.int().min(1).meta({ description: 'Sequence number; increases with every event of a profile' }),
    status: kycMove,
  }),
  answers: { 200: done },
  errors: ['INVALID_SIGNATURE', 'KYC_PROFILE_NOT_FOUND'],
  // On this operation the signature is the caller's credential.
  statusOf: { INVALID_SIGNATURE: 401 },
  handler: async (_input, { upstream, asGateway, delivery }) => {
    await asGateway((options) => upstream.kyc.receiveEvent(delivery, options));
    return DONE;
  },
});
