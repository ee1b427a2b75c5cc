import { z } from 'zod';
import { defineRoute } from '../../http/define-route.ts';
import { cardName } from '../../schemas/card.ts';
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
    'Issues a virtual card for online payments. The first card creates the cardholder and requires a phone number; where the operator requires verified numbers it returns `PHONE_NOT_VERIFIED` until `PATCH /phone` has verified it (guide Cards). A user can have five live cards. For a further card the session must be younger than five minutes; otherwise sign in again.',
  policy: 'user',
  ignoresUnknownFields: true,
  body: z.object({
    cardName,
    phone: phone.optional().meta({ description: 'Phone number of the cardholder; required for the first card' }),
  }),
  answers: { 200: z.object({ cardId: id }) },
  errors: [
    'REAUTHENTICATION_REQUIRED',
    'PHONE_REQUIRED',
    'PHONE_NOT_VERIFIED',
    'CARD_LIMIT_REACHED',
    'CARD_ORDER_LIMIT_REACHED',
    'ACCOUNT_NOT_ACTIVE',
    'CARD_ISSUING_FAILED',
  ],
  handler: async ({ body: { cardName: name, phone: number = '' } }, { upstream, asCaller, requestKey }) => {
    const order = { requestId: requestKey, cardName: name, phone: number };
    const { card } = await upstream.cards.createVirtualCard(order, { ...asCaller, timeoutMs: TIMEOUT_MS });
    return { cardId: present(card, 'card').id };
  },
});
