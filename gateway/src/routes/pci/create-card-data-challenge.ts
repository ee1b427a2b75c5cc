import { z } from 'zod';
import { defineRoute } from '../../http/define-route.ts';
import { CARD_DATA_ACTIONS, thumbprint } from '../../schemas/card-data.ts';
import { fromWord, id, present } from '../../schemas/fields.ts';
import { toTypedMessage, typedDataQuery, typedMessage } from '../../schemas/typed-message.ts';

export const createCardDataChallenge = defineRoute({
  operationId: 'createCardDataChallenge',
  method: 'get',
  path: '/pci/cards/{cardId}/challenge',
  tag: 'PCI',
  summary: 'Create the consent to sign for card data',
  description:
    "Returns EIP-712 typed data for one action on a card. Its text names the action, the card, the app's key and the expiry, five minutes later. A signature can be used once; the newest five challenges of a card can be used.",
  policy: 'user',
  params: z.object({ cardId: id }),
  query: typedDataQuery.extend({
    action: z.enum(Object.values(CARD_DATA_ACTIONS)).meta({ description: 'What the signature will allow' }),
    thumbprint,
  }),
  answers: { 200: typedMessage },
  errors: ['CARD_NOT_FOUND', 'CARD_NOT_REVEALABLE', 'ACCOUNT_NOT_FOUND'],
  handler: async ({ params: { cardId }, query }, { upstream, asCaller }) => {
    const request = { cardId, action: fromWord(CARD_DATA_ACTIONS, query.action), thumbprint: query.thumbprint };
    const { typedData } = await upstream.cardData.createCardDataChallenge(request, asCaller);
    return toTypedMessage(present(typedData, 'typed data'), query.domainType === 'true');
  },
});
