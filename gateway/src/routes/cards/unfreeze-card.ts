import { cardAction } from './card-action.ts';

export const unfreezeCard = cardAction({
  operationId: 'unfreezeCard',
  action: 'unfreeze',
  summary: 'Unfreeze a card',
  description: "Lifts the caller's freeze. A freeze by the issuer cannot be lifted.",
  errors: ['FROZEN_BY_ISSUER'],
  call: (cards, request, options) => cards.unfreezeCard(request, options),
});
