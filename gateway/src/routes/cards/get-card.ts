import { z } from 'zod';
import { defineRoute } from '../../http/define-route.ts';
import { card, toCard } from '../../schemas/card.ts';
import { id, present } from '../../schemas/fields.ts';

export const getCard = defineRoute({
  operationId: 'getCard',
  method: 'get',
  path: '/cards/{cardId}',
  tag: 'Cards',
  summary: 'One of the cards of the caller',
  policy: 'user',
  params: z.object({ cardId: id }),
  answers: { 200: card },
  errors: ['CARD_NOT_FOUND'],
  handler: async ({ params: { cardId } }, { upstream, asCaller }) => {
    const found = await upstream.cards.getCard({ cardId }, asCaller);
    return toCard(present(found.card, 'the card'));
  },
});
