import { cardAction } from './card-action.ts';

export const reportCardLost = cardAction({
  operationId: 'reportCardLost',
  action: 'lost',
  summary: 'Report a card lost',
  description: 'Ends the card. It can be replaced.',
  errors: [],
  call: (cards, request, options) => cards.reportCardLost(request, options),
});
