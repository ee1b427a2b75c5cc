import { CARD_ID, DONE, type Example, LAST_PAGE, MOVEMENT_ID, SIGNATURE, TIME, typedData, WALLET } from './example.ts';

const KEY = {
  kty: 'EC',
  crv: 'P-256',
  x: 'MKBCTNIcKUSDii11ySs3526iDZ8AiTo7Tu6KPAqv7D4',
  y: '4Etl6SRW2YiLUrN5vfvVHuhp7x8PxltmWWlbbM4IFyM',
};
const THUMBPRINT = 'cn-I_WNMClehiVp51i_0VpOENW1upEerA8sEam5hn-s';
const JWE =
  'eyJhbGciOiJFQ0RILUVTIiwiZW5jIjoiQTI1NkdDTSJ9..48V1_ALb6US04U3b.5eym8TW_c8SuK0ltJ3rpYIzOeDQz7TALvtu6UG9oMo4v.XFBoMYUZodetZdvTiFvSkQ';

/** Examples of the operations that the vault serves, by operation id. */
export const CARD_DATA_EXAMPLES: Readonly<Record<string, Example>> = {
  listVaultKeys: { response: { keys: [{ ...KEY, kid: THUMBPRINT, use: 'enc', alg: 'ECDH-ES' }] } },
  createCardDataChallenge: {
    response: typedData(
      'Florin Card Data',
      `SHOW the number and security code of this card\nCard: **** 4242\nCard ID: ${CARD_ID}\nApp key: ${THUMBPRINT}\nExpires: ${TIME}`,
    ),
  },
  revealCardData: { request: { action: 'view-details', signature: SIGNATURE, key: KEY }, response: { jwe: JWE } },
  setPin: { request: { jwe: JWE, signature: SIGNATURE }, response: DONE },
  listCardDataAccess: {
    response: {
      data: [{ id: MOVEMENT_ID, cardId: CARD_ID, last4: '4242', action: 'view-details', wallet: WALLET, thumbprint: THUMBPRINT, at: TIME }],
      pagination: LAST_PAGE,
    },
  },
};
