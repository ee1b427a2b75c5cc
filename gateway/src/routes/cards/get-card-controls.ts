import { z } from 'zod';
import { defineRoute } from '../../http/define-route.ts';
import { id } from '../../schemas/fields.ts';
import { cardControls, toControls } from '../../schemas/spending.ts';

export const getCardControls = defineRoute({
  operationId: 'getCardControls',
  method: 'get',
  path: '/cards/{cardId}/controls',
  tag: 'Cards',
  summary: 'Get the controls of a card',
  description: 'What the cardholder permits. Controls never stop clearings.',
  policy: 'user',
  params: z.object({ cardId: id }),
  answers: { 200: cardControls },
  errors: ['CARD_NOT_FOUND'],
  handler: async ({ params: { cardId } }, { upstream, asCaller }) =>
    toControls((await upstream.cardPayments.getCardControls({ cardId }, asCaller)).controls),
});
