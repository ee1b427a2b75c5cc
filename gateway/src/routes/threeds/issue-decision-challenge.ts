import { z } from 'zod';
import { defineRoute } from '../../http/define-route.ts';
import { decision, toWireDecision } from '../../schemas/challenge.ts';
import { id, present } from '../../schemas/fields.ts';
import { toTypedMessage, typedDataQuery, typedMessage } from '../../schemas/typed-message.ts';

export const issueDecisionChallenge = defineRoute({
  operationId: 'issueDecisionChallenge',
  method: 'post',
  path: '/3ds/challenges/{challengeId}/decision-challenge',
  tag: '3DS',
  summary: 'Create the data to sign',
  description:
    'Returns EIP-712 typed data to sign for a decision. It is bound to the challenge, the decision, the amount, the merchant and the expiry (dynamic linking, PSD2 RTS Art. 5).',
  policy: 'user',
  params: z.object({ challengeId: id }),
  query: typedDataQuery,
  ignoresUnknownFields: true,
  body: z.object({ decision }),
  answers: { 200: typedMessage },
  errors: ['CHALLENGE_NOT_FOUND', 'DECISION_NOT_AVAILABLE', 'DECISION_ALREADY_MADE'],
  handler: async ({ params: { challengeId }, query, body }, { upstream, asCaller }) => {
    const request = { challengeId, decision: toWireDecision(body.decision) };
    const { typedData } = await upstream.challenges.issueDecisionChallenge(request, asCaller);
    return toTypedMessage(present(typedData, 'typed data'), query.domainType === 'true');
  },
});
