import { z } from 'zod';
import { defineRoute } from '../../http/define-route.ts';
import { card, cardStatus, toCard, toWireCardStatus } from '../../schemas/card.ts';

export const listCards = defineRoute({
  operationId: 'listCards',
  method: 'get',
  path: '/cards',
  tag: 'Cards',
  summary: "The caller's cards, newest first",
  policy: 'user',
  query: z.object({ status: cardStatus.optional() }),
  answers: { 200: z.object({ data: z.array(card) }) },
  errors: [],
  handler: async ({ query }, { upstream, asCaller }) => {
    const { cards } = await upstream.cards.listCards({ status: toWireCardStatus(query.status) }, asCaller);
    return { data: cards.map(toCard) };
  },
});
