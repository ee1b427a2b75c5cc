import { z } from 'zod';
import { defineRoute } from '../../http/define-route.ts';
import { atLeastOne } from '../../schemas/at-least-one.ts';
import { card, cardName, toCard } from '../../schemas/card.ts';
import { id, present } from '../../schemas/fields.ts';

export const renameCard = defineRoute({
  operationId: 'renameCard',
  method: 'patch',
  path: '/cards/{cardId}',
  tag: 'Cards',
  summary: 'Rename a card',
  policy: 'user',
  params: z.object({ cardId: id }),
  body: z
    .object({
      cardName: cardName.optional(),
      name: cardName.optional().meta({ description: 'The same as `cardName`, which takes precedence', deprecated: true }),
    })
    .refine(({ cardName: given, name }) => given !== undefined || name !== undefined, { path: ['cardName'], message: 'is required' })
    .meta(atLeastOne('cardName', 'name')),
  answers: { 200: card },
  errors: ['CARD_NOT_FOUND', 'CARD_STATE_CONFLICT'],
  handler: async ({ params: { cardId }, body }, { upstream, asCaller, requestKey }) => {
    const name = body.cardName ?? body.name ?? '';
    const renamed = await upstream.cards.renameCard({ cardId, name, requestId: requestKey }, asCaller);
    return toCard(present(renamed.card, 'the card'));
  },
});
