import { z } from 'zod';
import { defineRoute } from '../../http/define-route.ts';
import { ACCESS_WORDS, CARD_DATA_ACTIONS, jwe, receivingKey, thumbprint } from '../../schemas/card-data.ts';
import { address, DONE, dateTime, done, fromWord, id, present, signature, toIso, toWord } from '../../schemas/fields.ts';
import { pageQuery, pagination, toPageRequest, toPagination } from '../../schemas/page.ts';
import { toTypedMessage, typedDataQuery, typedMessage } from '../../schemas/typed-message.ts';

const FRESH_SECONDS = 300;

const vaultKeys = z.object({
  keys: z.array(
    z.object({
      kty: z.literal('EC'),
      crv: z.literal('P-256'),
      x: z.string(),
      y: z.string(),
      kid: z.string().meta({ description: 'Thumbprint (RFC 7638)' }),
      use: z.literal('enc'),
      alg: z.literal('ECDH-ES'),
    }),
  ),
});

export const listVaultKeys = defineRoute({
  operationId: 'listVaultKeys',
  method: 'get',
  path: '/pci/keys',
  tag: 'PCI',
  summary: 'Get the keys of the vault',
  description:
    'Returns the public keys to which a new PIN is encrypted, as a JSON Web Key Set (RFC 7517), the newest first. The text that the wallet signs names the key: compare it.',
  policy: 'public',
  publicForSeconds: FRESH_SECONDS,
  answers: { 200: vaultKeys },
  errors: [],
  handler: async (_input, { upstream }) => vaultKeys.parse(JSON.parse((await upstream.cardData.listVaultKeys({})).jwksJson)),
});

export const createCardDataChallenge = defineRoute({
  operationId: 'createCardDataChallenge',
  method: 'get',
  path: '/pci/cards/{cardId}/challenge',
  tag: 'PCI',
  summary: 'Create the consent to sign for card data',
  description:
    "Returns EIP-712 typed data for one action on a card. Its text names the action, the card, the app's key and the expiry, five minutes later. A signature can be used once; the newest five challenges of a card can be used. A repeated or prefetched request makes one more challenge, in the place of the oldest of five, and changes nothing else.",
  policy: 'user',
  params: z.object({ cardId: id }),
  query: typedDataQuery.extend({
    action: z.enum(Object.values(CARD_DATA_ACTIONS)).meta({ description: 'Action that the signature allows' }),
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

const access = z
  .object({
    id,
    cardId: id,
    last4: z.string().regex(/^\d{4}$/),
    action: z.enum(Object.values(ACCESS_WORDS)).meta({ description: '`seal`: the data was encrypted for the card processor' }),
    wallet: address.optional().meta({ description: 'The wallet that signed; absent for `seal`' }),
    thumbprint,
    at: dateTime,
  })
  .meta({ id: 'CardDataAccess' });

export const listCardDataAccess = defineRoute({
  operationId: 'listCardDataAccess',
  method: 'get',
  path: '/pci/access-log',
  tag: 'PCI',
  summary: 'List uses of card data',
  description: "Returns when the data of the caller's cards was shown or changed, by which wallet and for which key, newest first.",
  policy: 'user',
  query: pageQuery.extend({ cardId: id.optional() }),
  answers: { 200: z.object({ data: z.array(access), pagination }) },
  errors: [],
  handler: async ({ query }, { upstream, asCaller }) => {
    const { accesses, page } = await upstream.cardData.listCardDataAccess(
      { page: toPageRequest(query), cardId: query.cardId ?? '' },
      asCaller,
    );
    const data = accesses.map(({ wallet, action, at, id: accessId, cardId, last4, thumbprint: key }) => ({
      id: accessId,
      cardId,
      last4,
      action: toWord(ACCESS_WORDS, action),
      ...(wallet === '' ? {} : { wallet }),
      thumbprint: key,
      at: toIso(at),
    }));
    return { data, pagination: toPagination(page) };
  },
});
