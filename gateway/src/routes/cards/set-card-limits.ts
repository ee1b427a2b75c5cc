import { CodedError } from '@florin/rpc/errors';
import { z } from 'zod';
import { defineRoute, type RouteCall } from '../../http/define-route.ts';
import { APPROVAL_ERRORS, APPROVAL_STATUS, APPROVAL_TIMEOUT_MS, approvalQuery } from '../../schemas/approval.ts';
import { id } from '../../schemas/fields.ts';
import { cardLimits, changedCardLimits, newCardLimits, toCardLimits, toWireNewLimits } from '../../schemas/spending.ts';

const RAISING =
  'To raise a limit, the session must be younger than five minutes, otherwise sign in again, and a wallet signs the typed data of `POST /cards/{cardId}/limits/challenge`. Lower limits need neither.';

const shared = {
  path: '/cards/{cardId}/limits',
  tag: 'Cards',
  policy: 'user',
  params: z.object({ cardId: id }),
  query: approvalQuery,
  answers: { 200: cardLimits },
  errors: ['CARD_NOT_FOUND', 'CARD_STATE_CONFLICT', ...APPROVAL_ERRORS, 'LIMIT_ABOVE_PROGRAM'],
  statusOf: APPROVAL_STATUS,
} as const;

type NewLimits = { cardId: string; body: z.output<typeof changedCardLimits> };

/** Requires that limits are in the currency that the card is billed in. @throws CodedError VALIDATION_FAILED, CARD_NOT_FOUND */
export const requireBillingCurrency = async ({ cardId, body }: NewLimits, { upstream, asCaller }: RouteCall<'user'>): Promise<void> => {
  const current = await upstream.cardPayments.getCardLimits({ cardId }, asCaller);
  for (const [name, given] of Object.entries(body)) {
    if (given && given.currency !== current.limits?.currency) {
      throw new CodedError('VALIDATION_FAILED', { message: `${name}.currency: must be the currency that the card is billed in` });
    }
  }
};

type Changing = { params: { cardId: string }; query: { approval?: string | undefined }; body: z.output<typeof changedCardLimits> };

const change = async ({ params: { cardId }, query: { approval = '' }, body }: Changing, call: RouteCall<'user'>) => {
  await requireBillingCurrency({ cardId, body }, call);
  const { upstream, asCaller } = call;
  const request = { cardId, approval, ...toWireNewLimits(body) };
  return toCardLimits((await upstream.cardPayments.setCardLimits(request, { ...asCaller, timeoutMs: APPROVAL_TIMEOUT_MS })).limits);
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
