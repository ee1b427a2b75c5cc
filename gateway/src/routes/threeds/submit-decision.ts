import { z } from 'zod';
import { defineRoute } from '../../http/define-route.ts';
import { challengeDetail, decision, toChallengeDetail, toWireDecision } from '../../schemas/challenge.ts';
import { id, signature } from '../../schemas/fields.ts';

export const submitDecision = defineRoute({
  operationId: 'submitDecision',
  method: 'post',
  path: '/3ds/challenges/{challengeId}/decision',
  tag: '3DS',
  summary: 'Submit a decision',
  description:
    'Approves or declines the payment with a signature over the typed data that was created for this decision. Approval authenticates the cardholder; it does not move money. Submitting the same decision again returns the challenge.',
  policy: 'user',
  params: z.object({ challengeId: id }),
  ignoresUnknownFields: true,
  body: z.object({ decision, signature: signature.meta({ description: 'EIP-712 signature in hexadecimal with 0x' }) }),
  answers: { 200: challengeDetail },
  errors: [
    'CHALLENGE_NOT_FOUND',
    'INVALID_SIGNATURE',
    'DECISION_NOT_AVAILABLE',
    'DECISION_ALREADY_MADE',
    'CARD_NOT_ACTIVE',
    'ACCOUNT_NOT_ACTIVE',
    'WALLET_COOLING',
  ],
  handler: async ({ params: { challengeId }, body }, { upstream, asCaller }) => {
    const request = { challengeId, decision: toWireDecision(body.decision), signature: body.signature };
    return toChallengeDetail(await upstream.challenges.submitDecision(request, asCaller));
  },
});
