import { cardAction } from './card-action.ts';

export const freezeCard = cardAction({
  operationId: 'freezeCard',
  action: 'freeze',
  summary: 'Freeze a card',
  description: 'The card declines payments until it is unfrozen. A frozen card is returned unchanged.',
  errors: [],
  call: (cards, request, options) => cards.freezeCard(request, options),
});
