import { z } from 'zod';
import { defineRoute } from '../../http/define-route.ts';
import { APPROVAL_ERRORS, APPROVAL_STATUS, APPROVAL_TIMEOUT_MS, approvalQuery } from '../../schemas/approval.ts';
import { card, toCard } from '../../schemas/card.ts';
import { id, present } from '../../schemas/fields.ts';

export const unfreezeCard = defineRoute({
  operationId: 'unfreezeCard',
  method: 'post',
  path: '/cards/{cardId}/unfreeze',
  tag: 'Cards',
  summary: 'Unfreeze a card',
  description:
    "Lifts the caller's freeze. A freeze by the issuer cannot be lifted. The session must be younger than five minutes; otherwise sign in again. A wallet signs the typed data of `POST /cards/{cardId}/unfreeze/challenge`.",
  policy: 'user',
  params: z.object({ cardId: id }),
  query: approvalQuery,
  answers: { 200: card },
  errors: ['CARD_NOT_FOUND', 'CARD_STATE_CONFLICT', ...APPROVAL_ERRORS, 'FROZEN_BY_ISSUER'],
  statusOf: APPROVAL_STATUS,
  handler: async ({ params: { cardId }, query: { approval = '' } }, { upstream, asCaller, requestKey }) => {
    const request = { cardId, requestId: requestKey, approval };
    const changed = await upstream.cards.unfreezeCard(request, { ...asCaller, timeoutMs: APPROVAL_TIMEOUT_MS });
    return toCard(present(changed.card, 'the card'));
  },
});
