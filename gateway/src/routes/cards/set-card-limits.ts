import { CodedError } from '@florin/rpc/errors';
import { z } from 'zod';
import { defineRoute, type RouteCall } from '../../http/define-route.ts';
import { id } from '../../schemas/fields.ts';
import { cardLimits, changedCardLimits, newCardLimits, toCardLimits, toWireNewLimits } from '../../schemas/spending.ts';

const RAISING = 'To raise a limit, the session must be younger than five minutes; otherwise sign in again.';

const shared = {
  path: '/cards/{cardId}/limits',
  tag: 'Cards',
  policy: 'user',
  params: z.object({ cardId: id }),
  answers: { 200: cardLimits },
  errors: ['REAUTHENTICATION_REQUIRED', 'CARD_NOT_FOUND', 'LIMIT_ABOVE_PROGRAM'],
} as const;

type Changing = { params: { cardId: string }; body: z.output<typeof changedCardLimits> };

const change = async ({ params: { cardId }, body }: Changing, { upstream, asCaller }: RouteCall<'user'>) => {
  const current = await upstream.cardPayments.getCardLimits({ cardId }, asCaller);
  for (const [name, given] of Object.entries(body)) {
    if (given && given.currency !== current.limits?.currency) {
      throw new CodedError('VALIDATION_FAILED', { message: `${name}.currency: must be the currency that the card is billed in` });
    }
  }
  return toCardLimits((await upstream.cardPayments.setCardLimits({ cardId, ...toWireNewLimits(body) }, asCaller)).limits);
};

export const setCardLimits = defineRoute({
  ...shared,
  operationId: 'setCardLimits',
  method: 'put',
  summary: 'Set the limits of a card',
  description: `Replaces all of the cardholder's limits; \`null\` leaves only that of the card program. ${RAISING}`,
  body: newCardLimits,
  handler: change,
});

export const updateCardLimits = defineRoute({
  ...shared,
  operationId: 'updateCardLimits',
  method: 'patch',
  summary: 'Change limits of a card',
  description: `Changes the given limits and keeps the others; \`null\` leaves only that of the card program. ${RAISING}`,
  body: changedCardLimits,
  handler: change,
});
