import { z } from 'zod';
import { defineRoute } from '../../http/define-route.ts';
import { jwe } from '../../schemas/card-data.ts';
import { DONE, done, id, signature } from '../../schemas/fields.ts';

export const setPin = defineRoute({
  operationId: 'setPin',
  method: 'put',
  path: '/pci/cards/{cardId}/pin',
  tag: 'PCI',
  summary: 'Set the PIN of a card',
  description:
    "The JWE, encrypted to a key of `GET /pci/keys`, contains a compact JWS (ES256) by the app's key, with its public key in the header `jwk`, of `{pin, nonce}`: four digits, and the nonce of the typed data that the wallet signed.",
  policy: 'user',
  params: z.object({ cardId: id }),
  body: z.object({ jwe, signature: signature.meta({ description: 'EIP-712 signature in hexadecimal with 0x' }) }),
  answers: { 200: done },
  errors: [
    'CARD_NOT_FOUND',
    'CARD_NOT_REVEALABLE',
    'ACCOUNT_NOT_FOUND',
    'INVALID_SIGNATURE',
    'SEALED_MESSAGE_INVALID',
    'PIN_TOO_SIMPLE',
    'CARD_DATA_LIMIT_REACHED',
  ],
  handler: async ({ params: { cardId }, body }, { upstream, asCaller }) => {
    await upstream.cardData.setPin({ cardId, ...body }, asCaller);
    return DONE;
  },
});
