import { z } from 'zod';
import { defineRoute } from '../../http/define-route.ts';
import { id, phone, present } from '../../schemas/fields.ts';

/** The card service calls the ledger and then the card processor, each with a deadline of its own. */
const TIMEOUT_MS = 8000;

export const createVirtualCard = defineRoute({
  operationId: 'createVirtualCard',
  method: 'post',
  path: '/cards/virtual',
  tag: 'Cards',
  summary: 'Create Virtual Card',
  description:
    'Issues a virtual card for online payments. The first card creates the cardholder and requires a phone number. A user can have five live cards.',
  policy: 'user',
  body: z.object({
    // The part of the rule that a schema can express; the card service applies all of it.
    cardName: z
      .string()
      .min(1)
      .max(26)
      .regex(/^\P{C}*$/u, 'must contain printable characters only'),
    phone: phone.optional().meta({ description: 'Phone number of the cardholder; required for the first card' }),
  }),
  answers: { 200: z.object({ cardId: id }) },
  errors: ['PHONE_REQUIRED', 'PHONE_NOT_VERIFIED', 'CARD_LIMIT_REACHED', 'ACCOUNT_NOT_ACTIVE', 'CARD_ISSUING_FAILED'],
  handler: async ({ body: { cardName, phone: number = '' } }, { upstream, asCaller, requestKey }) => {
    const order = { requestId: requestKey, cardName, phone: number };
    const { card } = await upstream.cards.createVirtualCard(order, { ...asCaller, timeoutMs: TIMEOUT_MS });
    return { cardId: present(card, 'card').id };
  },
});
