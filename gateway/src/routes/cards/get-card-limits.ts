import { z } from 'zod';
import { defineRoute } from '../../http/define-route.ts';
import { id } from '../../schemas/fields.ts';
import { cardLimits, toCardLimits } from '../../schemas/spending.ts';

export const getCardLimits = defineRoute({
  operationId: 'getCardLimits',
  method: 'get',
  path: '/cards/{cardId}/limits',
  tag: 'Cards',
  summary: 'Get the limits of a card',
  description: 'The limits in force with what counts against them. Days, ISO weeks and months are in UTC.',
  policy: 'user',
  params: z.object({ cardId: id }),
  answers: { 200: cardLimits },
  errors: ['CARD_NOT_FOUND'],
  handler: async ({ params: { cardId } }, { upstream, asCaller }) =>
    toCardLimits((await upstream.cardPayments.getCardLimits({ cardId }, asCaller)).limits),
});
