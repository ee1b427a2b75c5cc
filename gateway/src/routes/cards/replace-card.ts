import { cardAction } from './card-action.ts';

export const replaceCard = cardAction({
  operationId: 'replaceCard',
  action: 'replace',
  summary: 'Replace a lost or stolen card',
  description:
    'Issues a card with a new number and returns it. It does not count toward the limit of five. A repeat returns the same card. The session must be younger than five minutes; otherwise sign in again.',
  errors: ['REAUTHENTICATION_REQUIRED', 'ACCOUNT_NOT_ACTIVE', 'CARD_LIMIT_REACHED', 'CARD_ORDER_LIMIT_REACHED', 'CARD_ISSUING_FAILED'],
  call: (cards, request, options) => cards.replaceCard(request, options),
});
