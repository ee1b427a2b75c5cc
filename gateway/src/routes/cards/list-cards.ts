import { z } from 'zod';
import { defineRoute } from '../../http/define-route.ts';
import { card, cardStatus, toCard, toWireCardStatus } from '../../schemas/card.ts';
import { pageQuery, pagination, toPageRequest, toPagination } from '../../schemas/page.ts';

export const listCards = defineRoute({
  operationId: 'listCards',
  method: 'get',
  path: '/cards',
  tag: 'Cards',
  summary: 'List cards',
  description: "Returns the caller's cards, newest first.",
  policy: 'user',
  query: pageQuery.extend({ status: cardStatus.optional() }),
  answers: { 200: z.object({ data: z.array(card), pagination }) },
  errors: [],
  handler: async ({ query }, { upstream, asCaller }) => {
    const { cards, page } = await upstream.cards.listCards(
      { status: toWireCardStatus(query.status), page: toPageRequest(query) },
      asCaller,
    );
    return { data: cards.map(toCard), pagination: toPagination(page) };
  },
});
