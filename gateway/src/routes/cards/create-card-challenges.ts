import type { MessageInitShape } from '@bufbuild/protobuf';
import type { CreateCardChangeChallengeRequestSchema } from '@florin/proto/card/v1/payment_service';
import { z } from 'zod';
import { defineRoute, type RouteCall } from '../../http/define-route.ts';
import { id, present } from '../../schemas/fields.ts';
import { changedCardControls, changedCardLimits, toWireControls, toWireNewLimits } from '../../schemas/spending.ts';
import { toTypedMessage, typedDataQuery, typedMessage } from '../../schemas/typed-message.ts';
import { requireBillingCurrency } from './set-card-limits.ts';

const TYPED_DATA =
  'Returns EIP-712 typed data that names the change, the card, the user and the expiry ten minutes later. A wallet of the user whose cooling time is over signs it.';

const shared = {
  method: 'post',
  tag: 'Cards',
  policy: 'user',
  params: z.object({ cardId: id }),
  query: typedDataQuery,
  answers: { 200: typedMessage },
} as const;

type Change = NonNullable<MessageInitShape<typeof CreateCardChangeChallengeRequestSchema>['change']>;

const create = async (change: Change, withDomainType: boolean, { upstream, asCaller }: RouteCall<'user'>) => {
  const { typedData } = await upstream.cardPayments.createCardChangeChallenge({ change }, asCaller);
  return toTypedMessage(present(typedData, 'typed data'), withDomainType);
};

export const createCardLimitsChallenge = defineRoute({
  ...shared,
  operationId: 'createCardLimitsChallenge',
  path: '/cards/{cardId}/limits/challenge',
  summary: 'Create the approval of higher limits to sign',
  description: `${TYPED_DATA} The signature is the \`approval\` of \`PUT\` or \`PATCH /cards/{cardId}/limits\` with the same body, which a change that raises a limit needs.`,
  body: changedCardLimits,
  errors: ['CARD_NOT_FOUND', 'CARD_STATE_CONFLICT', 'LIMIT_ABOVE_PROGRAM'],
  handler: async ({ params: { cardId }, query, body }, call) => {
    await requireBillingCurrency({ cardId, body }, call);
    return create({ case: 'limits', value: { cardId, ...toWireNewLimits(body) } }, query.domainType === 'true', call);
  },
});

export const createCardControlsChallenge = defineRoute({
  ...shared,
  operationId: 'createCardControlsChallenge',
  path: '/cards/{cardId}/controls/challenge',
  summary: 'Create the approval of opened controls to sign',
  description: `${TYPED_DATA} The signature is the \`approval\` of \`PUT\` or \`PATCH /cards/{cardId}/controls\` with the same body, which a change that permits what was not permitted needs.`,
  body: changedCardControls,
  errors: ['CARD_NOT_FOUND', 'CARD_STATE_CONFLICT'],
  handler: async ({ params: { cardId }, query, body }, call) =>
    create({ case: 'controls', value: { cardId, ...toWireControls(body) } }, query.domainType === 'true', call),
});

export const createUnfreezeChallenge = defineRoute({
  ...shared,
  operationId: 'createUnfreezeChallenge',
  path: '/cards/{cardId}/unfreeze/challenge',
  summary: 'Create the approval of unfreezing to sign',
  description: `${TYPED_DATA} The signature is the \`approval\` of \`POST /cards/{cardId}/unfreeze\`.`,
  errors: ['CARD_NOT_FOUND', 'CARD_STATE_CONFLICT'],
  handler: async ({ params: { cardId }, query }, call) =>
    create({ case: 'unfreezeCardId', value: cardId }, query.domainType === 'true', call),
});
