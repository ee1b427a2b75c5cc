import { z } from 'zod';
import { defineRoute } from '../../http/define-route.ts';
import { challenge, challengeDetail, challengeStatus, decision, toChallenge, toChallengeDetail } from '../../schemas/challenge.ts';
import { id, present, signature } from '../../schemas/fields.ts';
import { pageQuery, pagination, toPageRequest, toPagination } from '../../schemas/page.ts';
import { inOrder, periodQuery, toPeriod } from '../../schemas/period.ts';
import { toTypedMessage, typedDataQuery, typedMessage } from '../../schemas/typed-message.ts';

export const listChallenges = defineRoute({
  operationId: 'listChallenges',
  method: 'get',
  path: '/3ds/challenges',
  tag: '3DS',
  summary: 'List challenges',
  description:
    "Returns the caller's challenges, newest first; the period is that of `createdAt`. Use `status=pending` to recover challenges whose push notification was lost. With a status a page may be short, or empty, although `hasNext` is true.",
  policy: 'user',
  query: inOrder(
    pageQuery.extend({
      status: challengeStatus.schema.optional().meta({ description: 'Status at the time of the response' }),
      cardId: id.optional(),
      ...periodQuery.shape,
    }),
  ),
  answers: { 200: z.object({ data: z.array(challenge), pagination }) },
  errors: [],
  handler: async ({ query }, { upstream, asCaller }) => {
    const { from, to } = toPeriod(query);
    const request = {
      status: challengeStatus.toValue(query.status),
      cardId: query.cardId ?? '',
      ...(from === undefined ? {} : { createdFrom: from }),
      ...(to === undefined ? {} : { createdBefore: to }),
      page: toPageRequest(query),
    };
    const { challenges, page } = await upstream.challenges.listChallenges(request, asCaller);
    return { data: challenges.map(toChallenge), pagination: toPagination(page) };
  },
});

export const getChallenge = defineRoute({
  operationId: 'getChallenge',
  method: 'get',
  path: '/3ds/challenges/{challengeId}',
  tag: '3DS',
  summary: 'Get a challenge',
  description: "Returns a challenge of one of the caller's card payments. Other users' challenges are not found.",
  policy: 'user',
  params: z.object({ challengeId: id }),
  answers: { 200: challengeDetail },
  errors: ['CHALLENGE_NOT_FOUND'],
  handler: async ({ params: { challengeId } }, { upstream, asCaller }) =>
    toChallengeDetail(await upstream.challenges.getChallenge({ challengeId }, asCaller)),
});

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
  query: typedDataQuery.extend({
    quoted: z.enum(['true', 'false']).default('false').meta({
      description:
        'Puts the merchant’s name in quotation marks, which no name contains. Ask for it if your program accepts this form of the text.',
    }),
  }),
  ignoresUnknownFields: true,
  body: z.object({ decision: decision.schema }),
  answers: { 200: typedMessage },
  errors: ['CHALLENGE_NOT_FOUND', 'DECISION_NOT_AVAILABLE', 'DECISION_ALREADY_MADE'],
  handler: async ({ params: { challengeId }, query, body }, { upstream, asCaller }) => {
    const request = { challengeId, decision: decision.toValue(body.decision), quoted: query.quoted === 'true' };
    const { typedData } = await upstream.challenges.issueDecisionChallenge(request, asCaller);
    return toTypedMessage(present(typedData, 'typed data'), query.domainType === 'true');
  },
});

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
  body: z.object({ decision: decision.schema, signature: signature.meta({ description: 'EIP-712 signature in hexadecimal with 0x' }) }),
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
    const request = { challengeId, decision: decision.toValue(body.decision), signature: body.signature };
    return toChallengeDetail(await upstream.challenges.submitDecision(request, asCaller));
  },
});
