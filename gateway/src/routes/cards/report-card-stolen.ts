import { cardAction } from './card-action.ts';

export const reportCardStolen = cardAction({
  operationId: 'reportCardStolen',
  action: 'stolen',
  summary: 'Report a card stolen',
  description: 'Ends the card. It can be replaced.',
  errors: [],
  call: (cards, request, options) => cards.reportCardStolen(request, options),
});
