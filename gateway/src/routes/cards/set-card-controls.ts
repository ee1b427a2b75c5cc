import { z } from 'zod';
import { defineRoute, type RouteCall } from '../../http/define-route.ts';
import { APPROVAL_ERRORS, APPROVAL_STATUS, APPROVAL_TIMEOUT_MS, approvalQuery } from '../../schemas/approval.ts';
import { id } from '../../schemas/fields.ts';
import { cardControls, changedCardControls, toControls, toWireControls } from '../../schemas/spending.ts';

const OPENING =
  'To permit what was not permitted, the session must be younger than five minutes, otherwise sign in again, and a wallet signs the typed data of `POST /cards/{cardId}/controls/challenge`. Closing needs neither.';

const shared = {
  path: '/cards/{cardId}/controls',
  tag: 'Cards',
  policy: 'user',
  params: z.object({ cardId: id }),
  query: approvalQuery,
  answers: { 200: cardControls },
  errors: ['CARD_NOT_FOUND', ...APPROVAL_ERRORS],
  statusOf: APPROVAL_STATUS,
} as const;

type Changing = { params: { cardId: string }; query: { approval?: string | undefined }; body: z.output<typeof changedCardControls> };

const change = async ({ params: { cardId }, query: { approval = '' }, body }: Changing, { upstream, asCaller }: RouteCall<'user'>) => {
  const request = { cardId, approval, ...toWireControls(body) };
  return toControls((await upstream.cardPayments.setCardControls(request, { ...asCaller, timeoutMs: APPROVAL_TIMEOUT_MS })).controls);
};

export const setCardControls = defineRoute({
  ...shared,
  operationId: 'setCardControls',
  method: 'put',
  summary: 'Set the controls of a card',
  description: `Replaces all that the cardholder permits. A list of allowed values, when it is not empty, excludes all others; denied values prevail. ${OPENING}`,
  body: cardControls,
  handler: change,
});

export const updateCardControls = defineRoute({
  ...shared,
  operationId: 'updateCardControls',
  method: 'patch',
  summary: 'Change controls of a card',
  description: `Changes the given controls, each side of a list by itself, and keeps the others. ${OPENING}`,
  body: changedCardControls,
  handler: change,
});
