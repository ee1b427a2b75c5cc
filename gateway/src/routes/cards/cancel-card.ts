import { cardAction } from './card-action.ts';

export const cancelCard = cardAction({
  operationId: 'cancelCard',
  action: 'cancel',
  summary: 'Cancel a card',
  description: 'Ends the card for good.',
  errors: [],
  call: (cards, request, options) => cards.cancelCard(request, options),
});
