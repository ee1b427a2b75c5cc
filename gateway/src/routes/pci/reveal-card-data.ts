import { z } from 'zod';
import { defineRoute } from '../../http/define-route.ts';
import { CARD_DATA_ACTIONS, jwe, receivingKey } from '../../schemas/card-data.ts';
import { fromWord, id, signature } from '../../schemas/fields.ts';

export const revealCardData = defineRoute({
  operationId: 'revealCardData',
  method: 'post',
  path: '/pci/cards/{cardId}/reveal',
  tag: 'PCI',
  summary: 'Show card data',
  description:
    'Returns the number, expiry and security code of a card (`pan`, `expMonth`, `expYear`, `cvv2`), or its PIN (`pin`), encrypted to the key whose thumbprint the wallet signed. At most ten reveals a day and card, unless the operator configured another number. Every one is in the access log.',
  policy: 'user',
  params: z.object({ cardId: id }),
  body: z.object({
    action: z.enum(['view-details', 'view-pin']),
    signature: signature.meta({ description: 'EIP-712 signature in hexadecimal with 0x' }),
    key: receivingKey,
  }),
  answers: { 200: z.object({ jwe }) },
  errors: [
    'CARD_NOT_FOUND',
    'CARD_NOT_REVEALABLE',
    'ACCOUNT_NOT_FOUND',
    'INVALID_SIGNATURE',
    'RECEIVING_KEY_INVALID',
    'PIN_NOT_SET',
    'CARD_DATA_LIMIT_REACHED',
  ],
  handler: async ({ params: { cardId }, body }, { upstream, asCaller }) => {
    const { kty, crv, x, y, d } = body.key;
    const request = {
      cardId,
      action: fromWord(CARD_DATA_ACTIONS, body.action),
      signature: body.signature,
      keyJson: JSON.stringify({ kty, crv, x, y, d }),
    };
    return { jwe: (await upstream.cardData.revealCardData(request, asCaller)).jwe };
  },
});
