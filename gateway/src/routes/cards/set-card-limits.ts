import { CodedError } from '@florin/rpc/errors';
import { z } from 'zod';
import { defineRoute } from '../../http/define-route.ts';
import { id } from '../../schemas/fields.ts';
import { cardLimits, newCardLimits, toCardLimits } from '../../schemas/spending.ts';

export const setCardLimits = defineRoute({
  operationId: 'setCardLimits',
  method: 'put',
  path: '/cards/{cardId}/limits',
  tag: 'Cards',
  summary: 'Set the limits of a card',
  description:
    "Replaces the cardholder's limits. One that is left out falls back to the limit of the card program. To raise one, the session must be younger than five minutes; otherwise sign in again.",
  policy: 'user',
  params: z.object({ cardId: id }),
  body: newCardLimits,
  answers: { 200: cardLimits },
  errors: ['REAUTHENTICATION_REQUIRED', 'CARD_NOT_FOUND', 'LIMIT_ABOVE_PROGRAM'],
  handler: async ({ params: { cardId }, body }, { upstream, asCaller }) => {
    const current = await upstream.cardPayments.getCardLimits({ cardId }, asCaller);
    for (const [name, given] of Object.entries(body)) {
      if (given !== undefined && given.currency !== current.limits?.currency) {
        throw new CodedError('VALIDATION_FAILED', { message: `${name}.currency: must be the currency that the card is billed in` });
      }
    }
    const textOf = (name: keyof typeof body): string => body[name]?.amount ?? '';
    const limits = {
      perTransaction: textOf('perTransaction'),
      daily: textOf('daily'),
      weekly: textOf('weekly'),
      monthly: textOf('monthly'),
      atm: textOf('atm'),
    };
    return toCardLimits((await upstream.cardPayments.setCardLimits({ cardId, limits }, asCaller)).limits);
  },
});
