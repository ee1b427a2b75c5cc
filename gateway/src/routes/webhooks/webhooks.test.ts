import { EVENTS_SCOPES } from '@florin/proto/events/v1/scopes';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { CARD_ID } from '../../testing/fake-records.ts';
import { startTestGateway, type TestGateway } from '../../testing/start-gateway.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterEach(() => gateway.fakes.reset());
afterAll(() => gateway.close());

const ID = '01890a5d-ac96-774b-bcce-b302099a8020';
const ENDPOINT = `/webhook-endpoints/${ID}`;
const NEW = { url: 'https://hooks.acme.com/', types: ['card.*'], secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' };

const ask = (target: string, body?: unknown, headers: Record<string, string> = {}) =>
  gateway.ask(target, { token: gateway.partnerToken, body, headers });

describe('webhook endpoints', () => {
  it('are created by a server of the partner, with a secret', async () => {
    const answer = await ask('POST /webhook-endpoints', NEW);
    expect(answer).toMatchObject({ status: 200, body: { status: 'enabled', secret: NEW.secret, delivery: { parkedSubjects: 1 } } });
    expect(gateway.callOf('createWebhookEndpoint')).toMatchObject({
      token: gateway.partnerToken,
      request: { ...NEW, partnerId: '', after: '', contactEmail: '' },
    });
    expect((await ask(`GET ${ENDPOINT}`)).body).not.toHaveProperty('secret');
  });

  it('are created once by repeats with the same Idempotency-Key', async () => {
    const headers = { 'idempotency-key': 'key-of-an-endpoint' };
    const first = await ask('POST /webhook-endpoints', NEW, headers);
    expect(await ask('POST /webhook-endpoints', NEW, headers)).toMatchObject({ status: 200, body: first.body });
    expect(gateway.fakes.calls.filter(({ rpc }) => rpc === 'createWebhookEndpoint')).toHaveLength(1);
    const other = await ask('POST /webhook-endpoints', { ...NEW, types: [] }, headers);
    expect(other).toMatchObject({ status: 422, body: { error: 'IDEMPOTENCY_KEY_REUSED' } });
  });

  it('are not shown to another server of the partner, which knows the Idempotency-Key, without the scope', async () => {
    const headers = { 'idempotency-key': 'key-of-a-colleague' };
    expect(await ask('POST /webhook-endpoints', NEW, headers)).toMatchObject({ status: 200 });
    const token = await gateway.authority.serviceToken('acme-reader', 'events', [EVENTS_SCOPES.readWebhooks]);
    expect(await gateway.ask('POST /webhook-endpoints', { token, body: NEW, headers })).toMatchObject({ status: 403 });
  });

  it('are replaced with all settings, and changed in some', async () => {
    const all = { url: NEW.url, types: [], description: '', contactEmail: null };
    expect(await ask(`PUT ${ENDPOINT}`, all)).toMatchObject({ status: 200, body: { types: ['payment.*'] } });
    expect(gateway.callOf('updateWebhookEndpoint')?.request).toMatchObject({
      ...all,
      contactEmail: '',
      changed: ['url', 'types', 'description', 'contact_email'],
    });
    gateway.fakes.reset();
    expect(await ask(`PATCH ${ENDPOINT}`, { types: ['card.*'], contactEmail: null })).toMatchObject({ status: 200 });
    expect(gateway.callOf('updateWebhookEndpoint')?.request).toMatchObject({
      endpointId: ID,
      types: ['card.*'],
      contactEmail: '',
      changed: ['types', 'contact_email'],
    });
  });

  it.each([
    ['PUT', { url: NEW.url }, 'types: is required; description: is required; contactEmail: is required'],
    ['PUT', { ...NEW, description: '', contactEmail: null }, 'secret: is unknown'],
    ['PATCH', {}, 'body: must have at least one field'],
    ['PATCH', { typs: [] }, 'typs: is unknown, did you mean types?'],
    [
      'PATCH',
      { types: ['card.*', 'payment.clered', 'watch.halted', 'transfer.*', 'zzz'] },
      'types.1: is not in the catalogue of events, did you mean payment.cleared?; types.2: is not in the catalogue of events; types.3: is not in the catalogue of events; types.4: is not in the catalogue of events',
    ],
  ])('are not changed by %s %j', async (method, body, message) => {
    expect(await ask(`${method} ${ENDPOINT}`, body)).toMatchObject({ status: 422, body: { error: { message } } });
    expect(gateway.fakes.calls).toEqual([]);
  });

  it('have attempts, page by page', async () => {
    expect(await ask(`GET ${ENDPOINT}/attempts?sequence=5&limit=2&cursor=${ID}`)).toMatchObject({
      status: 200,
      body: { data: [{ sequence: 5, number: 1, status: 500, answer: 'no', durationMs: 12 }], pagination: { hasNext: true } },
    });
    expect(gateway.callOf('listWebhookAttempts')?.request).toMatchObject({ endpointId: ID, sequence: 5n, limit: 2, cursor: ID });
  });

  it('deliver an event again, and name it', async () => {
    expect(await ask(`POST ${ENDPOINT}/redeliver`, { sequence: 5 })).toMatchObject({
      status: 200,
      body: { success: true, eventId: CARD_ID },
    });
    expect(gateway.callOf('redeliverWebhookEvent')?.request).toMatchObject({ endpointId: ID, sequence: 5n, eventId: '' });
    gateway.fakes.reset();
    expect(await ask(`POST ${ENDPOINT}/redeliver`, { eventId: CARD_ID })).toMatchObject({ status: 200, body: { eventId: CARD_ID } });
    expect(gateway.callOf('redeliverWebhookEvent')?.request).toMatchObject({ endpointId: ID, sequence: 0n, eventId: CARD_ID });
    gateway.refuse('redeliverWebhookEvent', 'EVENT_NOT_FOUND');
    const unknown = await ask(`POST ${ENDPOINT}/redeliver`, { eventId: CARD_ID, sequence: 5 });
    expect(unknown).toMatchObject({ status: 404, body: { error: 'EVENT_NOT_FOUND' } });
    expect(await ask(`GET ${ENDPOINT}/attempts?eventId=${CARD_ID}`)).toMatchObject({ status: 200 });
    expect(gateway.callOf('listWebhookAttempts')?.request).toMatchObject({ sequence: 0n, eventId: CARD_ID });
  });

  it.each([
    ['WEBHOOK_URL_FORBIDDEN', 400],
    ['WEBHOOK_SECRET_INVALID', 400],
    ['EVENT_TYPE_UNKNOWN', 400],
    ['CURSOR_INVALID', 400],
    ['CURSOR_AHEAD', 409],
    ['WEBHOOK_ENDPOINT_LIMIT_REACHED', 409],
    ['EVENTS_ARCHIVED', 410],
    ['FORBIDDEN', 403],
  ] as const)('respond to %s with %d', async (code, status) => {
    gateway.refuse('createWebhookEndpoint', code);
    expect(await ask('POST /webhook-endpoints', NEW)).toMatchObject({ status, body: { success: false, error: code } });
  });

  it.each([
    ['WEBHOOK_ENDPOINT_NOT_FOUND', 404],
    ['WEBHOOK_ENDPOINT_DISABLED', 409],
    ['WEBHOOK_ORDER_LIMIT_REACHED', 429],
  ] as const)('respond to an order with %s as %d', async (code, status) => {
    gateway.refuse('sendTestWebhookEvent', code);
    gateway.refuse('redeliverWebhookEvent', code);
    expect(await ask(`POST ${ENDPOINT}/test`)).toMatchObject({ status, body: { error: code } });
    expect(await ask(`POST ${ENDPOINT}/redeliver`, { sequence: 5 })).toMatchObject({ status, body: { error: code } });
  });

  it.each([
    ['POST /webhook-endpoints', {}],
    ['POST /webhook-endpoints', { ...NEW, types: 'card.*' }],
    ['POST /webhook-endpoints', { ...NEW, contactEmail: 'nobody' }],
    ['POST /webhook-endpoints', { ...NEW, description: 'x'.repeat(201) }],
    ['PUT /webhook-endpoints/none', NEW],
    [`POST ${ENDPOINT}/redeliver`, { sequence: 0 }],
    [`POST ${ENDPOINT}/redeliver`, {}],
    [`POST ${ENDPOINT}/redeliver`, { sequence: 1.5 }],
    [`POST ${ENDPOINT}/replay`, { after: 7 }],
    [`GET ${ENDPOINT}/attempts?sequence=0`, undefined],
  ])('reject %s with %j', async (target, body) => {
    expect(await ask(target, body)).toMatchObject({ status: 422, body: { kind: 'validation' } });
    expect(gateway.fakes.calls).toEqual([]);
  });

  it('are not for people, nor for servers without the scope', async () => {
    const { authority } = gateway;
    const reader = await authority.serviceToken('acme-server', 'events', [EVENTS_SCOPES.readWebhooks]);
    expect(await gateway.ask('POST /webhook-endpoints', { token: gateway.userToken, body: NEW })).toMatchObject({
      status: 403,
      body: { error: 'WRONG_TOKEN_KIND' },
    });
    expect(await gateway.ask('POST /webhook-endpoints', { token: reader, body: NEW })).toMatchObject({ status: 403 });
    expect(await gateway.ask('GET /webhook-endpoints', { token: reader })).toMatchObject({ status: 200 });
  });

  it('are verified with keys that anyone can fetch', async () => {
    const answer = await gateway.ask('GET /.well-known/webhooks/jwks.json');
    expect(answer).toMatchObject({ status: 200, body: { keys: [{ kty: 'OKP', crv: 'Ed25519', alg: 'EdDSA', use: 'sig' }] } });
    expect(answer.headers.get('cache-control')).toBe('public, max-age=300');
  });
});
