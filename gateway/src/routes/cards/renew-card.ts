import { cardAction } from './card-action.ts';

export const renewCard = cardAction({
  operationId: 'renewCard',
  action: 'renew',
  summary: 'Renew a card',
  description: 'Extends the expiry by one term and keeps the number. Possible once per term, before the card expires.',
  errors: ['CARD_ISSUING_FAILED'],
  call: (cards, request, options) => cards.renewCard(request, options),
});
