import { WebhookEndpointStatus } from '@florin/proto/events/v1/webhook_endpoint';
import { CARD_ID, OTHER_ID, time } from './fake-records.ts';

const endpoint = {
  id: CARD_ID,
  partnerId: 'acme',
  url: 'https://hooks.acme.com/florin',
  types: ['payment.*'],
  description: 'Books',
  dataVersion: 2,
  contactEmail: 'ops@acme.com',
  status: WebhookEndpointStatus.ENABLED,
  createdAt: time,
  previousSecretExpiresAt: time,
  delivery: { cursor: 'acme:7', parkedSubjects: 1, failingSince: time, lastSuccessAt: time },
};

const attempt = {
  id: OTHER_ID,
  eventId: CARD_ID,
  eventType: 'payment.cleared',
  sequence: 5n,
  number: 1,
  at: time,
  durationMs: 12,
  status: 500,
  failure: '',
  answer: 'no',
};

const one = () => ({ endpoint });
const withSecret = () => ({ endpoint, secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' });
const done = () => ({});

const key = { kty: 'OKP', crv: 'Ed25519', x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo', kid: 'kid', use: 'sig', alg: 'EdDSA' };

/** The events service's responses about webhook endpoints. */
export const fakeWebhooks = {
  createWebhookEndpoint: withSecret,
  getWebhookEndpoint: one,
  listWebhookEndpoints: () => ({ endpoints: [endpoint] }),
  updateWebhookEndpoint: one,
  deleteWebhookEndpoint: done,
  rotateWebhookSecret: withSecret,
  enableWebhookEndpoint: one,
  disableWebhookEndpoint: one,
  replayWebhookEvents: one,
  redeliverWebhookEvent: () => ({ eventId: CARD_ID }),
  sendTestWebhookEvent: done,
  listWebhookAttempts: () => ({ attempts: [attempt], nextCursor: OTHER_ID }),
  listWebhookKeys: () => ({ jwksJson: JSON.stringify({ keys: [key] }) }),
};
