import { z } from 'zod';
import { defineRoute } from '../../http/define-route.ts';
import { id, phone, present } from '../../schemas/fields.ts';

export const createVirtualCard = defineRoute({
  operationId: 'createVirtualCard',
  method: 'post',
  path: '/cards/virtual',
  tag: 'Cards',
  summary: 'Create Virtual Card',
  description: 'Issued at once, for online payments. The first card creates the cardholder and needs a phone number.',
  policy: 'user',
  body: z.object({
    cardName: z
      .string()
      .min(1)
      .max(26)
      .regex(/^\P{C}*$/u, 'must be printable'),
    phone: phone.optional().meta({ description: 'Required for the first card' }),
  }),
  answers: { 200: z.object({ cardId: id }) },
  errors: ['PHONE_REQUIRED', 'PHONE_NOT_VERIFIED', 'CARD_LIMIT_REACHED', 'ACCOUNT_NOT_FOUND', 'ACCOUNT_NOT_ACTIVE', 'CARD_ISSUING_FAILED'],
  handler: async ({ body: { cardName, phone: number = '' } }, { upstream, asCaller, requestKey }) => {
    const { card } = await upstream.cards.createVirtualCard({ requestId: requestKey, cardName, phone: number }, asCaller);
    return { cardId: present(card, 'the card').id };
  },
});
