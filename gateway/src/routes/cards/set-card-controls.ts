import { z } from 'zod';
import { defineRoute } from '../../http/define-route.ts';
import { id } from '../../schemas/fields.ts';
import { cardControls, toControls, toWireControls } from '../../schemas/spending.ts';

export const setCardControls = defineRoute({
  operationId: 'setCardControls',
  method: 'put',
  path: '/cards/{cardId}/controls',
  tag: 'Cards',
  summary: 'Set the controls of a card',
  description:
    'Replaces what the cardholder permits. A list of allowed values, when it is not empty, excludes all others; denied values prevail. To permit what was not permitted, the session must be younger than five minutes; otherwise sign in again.',
  policy: 'user',
  params: z.object({ cardId: id }),
  body: cardControls,
  answers: { 200: cardControls },
  errors: ['REAUTHENTICATION_REQUIRED', 'CARD_NOT_FOUND'],
  handler: async ({ params: { cardId }, body }, { upstream, asCaller }) =>
    toControls((await upstream.cardPayments.setCardControls({ cardId, controls: toWireControls(body) }, asCaller)).controls),
});
