import { cardAction } from './card-action.ts';

export const unfreezeCard = cardAction({
  operationId: 'unfreezeCard',
  action: 'unfreeze',
  summary: 'Unfreeze a card',
  description:
    "Lifts the caller's freeze. A freeze by the issuer cannot be lifted. The session must be younger than five minutes; otherwise sign in again.",
  errors: ['REAUTHENTICATION_REQUIRED', 'FROZEN_BY_ISSUER'],
  call: (cards, request, options) => cards.unfreezeCard(request, options),
});
