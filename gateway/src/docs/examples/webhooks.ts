import { CARD_ID, DONE, ENDPOINT_ID, type Example, TIME } from './example.ts';

const SETTINGS = {
  url: 'https://hooks.acme.com/florin',
  types: ['card.*', 'payment.cleared'],
  description: 'Books',
  dataVersion: 2,
  contactEmail: 'ops@acme.com',
};

const ENDPOINT = {
  id: ENDPOINT_ID,
  ...SETTINGS,
  status: 'enabled',
  createdAt: TIME,
  delivery: { cursor: 'acme:1042', parkedSubjects: 0, lastSuccessAt: TIME },
};

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

const ATTEMPT = {
  id: '01890a5d-ac96-774b-bcce-b302099a8021',
  eventId: CARD_ID,
  eventType: 'payment.cleared',
  sequence: 1042,
  number: 1,
  at: TIME,
  durationMs: 48,
  status: 503,
  answer: 'Service Unavailable',
};

const KEY = {
  kty: 'OKP',
  crv: 'Ed25519',
  x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
  kid: 'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k',
  use: 'sig',
  alg: 'EdDSA',
};

export const WEBHOOK_EXAMPLES: Readonly<Record<string, Example>> = {
  createWebhookEndpoint: { request: SETTINGS, response: { ...ENDPOINT, secret: SECRET } },
  listWebhookEndpoints: { response: { data: [ENDPOINT] } },
  getWebhookEndpoint: { response: ENDPOINT },
  setWebhookEndpoint: { request: SETTINGS, response: ENDPOINT },
  updateWebhookEndpoint: { request: { types: SETTINGS.types }, response: ENDPOINT },
  deleteWebhookEndpoint: { response: DONE },
  rotateWebhookSecret: { request: {}, response: { ...ENDPOINT, previousSecretExpiresAt: TIME, secret: SECRET } },
  enableWebhookEndpoint: { response: ENDPOINT },
  disableWebhookEndpoint: { response: { ...ENDPOINT, status: 'disabled', disabledReason: 'requested' } },
  replayWebhookEvents: { request: { after: 'acme:1000' }, response: ENDPOINT },
  redeliverWebhookEvent: { request: { sequence: 1042 }, response: { ...DONE, eventId: CARD_ID } },
  sendTestWebhookEvent: { response: { ...DONE, eventId: CARD_ID } },
  listWebhookAttempts: { response: { data: [ATTEMPT], pagination: { nextCursor: null, hasNext: false } } },
  listWebhookKeys: { response: { keys: [KEY] } },
};
