import { PARTNER_SCOPES } from '@florin/proto/events/v1/scopes';
import { waitFor } from '@florin/rpc/testing';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { askAt, startTestGateway, type TestGateway } from '../testing/start-gateway.ts';
import { KEPT_REQUESTS, membersOf } from './partner-requests.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterEach(() => gateway.fakes.reset());
afterAll(() => gateway.close());

type Recorded = { requestId: string; path: string; clientId?: string; status: number; error?: string; members: object[] };

const ask = (target: string, body?: unknown, id = crypto.randomUUID()) =>
  gateway.ask(target, { token: gateway.partnerToken, body, headers: { 'x-request-id': id } });
const list = async () => ((await ask('GET /partner/requests')).body as { data: Recorded[] }).data;
/** The record of a request, which nobody waits for. */
const recordOf = (id: string) => waitFor(`the record of ${id}`, async () => (await list()).find(({ requestId }) => requestId === id));

describe('the members of a body', () => {
  it('are named with their types, without a value', () => {
    const body = { url: 'https://secret', types: ['a', 'b'], jwk: { kty: 'OKP', extra: null }, n: 1, ok: true };
    expect(membersOf(body).map(({ name, type }) => `${name}: ${type}`)).toEqual([
      'url: string',
      'types: array',
      'types[]: string',
      'jwk: object',
      'jwk.kty: string',
      'jwk.extra: null',
      'n: number',
      'ok: boolean',
    ]);
  });

  it('are not named where their names may be values', () => {
    const names = ['4111111111111111', 'ann@example.org', 'a b', '', 'x'.repeat(41), 'pin4812'];
    expect(membersOf(Object.fromEntries(names.map((name) => [name, 1])))).toEqual(names.map(() => ({ name: '?', type: 'number' })));
  });

  it('are at most fifty, and not deep', () => {
    expect(
      membersOf(Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`m${'a'.repeat(n % 30)}${'b'.repeat(n / 30)}`, 1]))),
    ).toHaveLength(50);
    let deep: unknown = 1;
    for (let n = 0; n < 1000; n += 1) deep = { a: deep };
    expect(membersOf(deep)).toHaveLength(5);
    for (const none of [undefined, null, 'text', 1, []]) expect(membersOf(none)).toEqual([]);
  });
});

describe('requests of a partner', () => {
  it('are listed with their form and result, and no value of them', async () => {
    const [good, bad, refused] = [crypto.randomUUID(), crypto.randomUUID(), crypto.randomUUID()];
    expect((await ask('POST /webhook-endpoints', { url: 'https://example.org/secret-path' }, good)).status).toBe(200);
    expect((await ask('POST /webhook-endpoints', { url: 7, types: ['secret-type'] }, bad)).status).toBe(422);
    gateway.refuse('listPartnerClients', 'FORBIDDEN');
    expect((await ask('GET /partner/keys', undefined, refused)).status).toBe(403);
    expect(await recordOf(good)).toMatchObject({
      method: 'POST',
      path: '/webhook-endpoints',
      clientId: 'acme-server',
      status: 200,
      members: [{ name: 'url', type: 'string' }],
    });
    const members = ['url', 'types', 'types[]'].map((name, index) => ({ name, type: ['number', 'array', 'string'][index] }));
    expect(await recordOf(bad)).toMatchObject({ status: 422, error: 'VALIDATION_FAILED', members });
    expect(await recordOf(refused)).toMatchObject({ path: '/partner/keys', status: 403, error: 'FORBIDDEN', members: [] });
    expect(JSON.stringify(await list())).not.toMatch(/secret-path|secret-type|example\.org/);
  });

  it('are those of all its servers, in a sandbox of the same one only, and of no app', async () => {
    const outside = await gateway.another({ SANDBOX: 'false' });
    const other = await gateway.authority.serviceToken('acme-reader', 'events', PARTNER_SCOPES);
    const idsAt = async (url: string, sent: string): Promise<string[]> => {
      for (const token of [gateway.userToken, gateway.partnerToken])
        await askAt(url, 'GET /user', { token, headers: { 'x-request-id': crypto.randomUUID() } });
      await askAt(url, 'GET /partner/keys', { token: other, headers: { 'x-request-id': sent } });
      const listFor = async (token: string) => ((await askAt(url, 'GET /partner/requests', { token })).body as { data: Recorded[] }).data;
      await waitFor('the record', async () => (await listFor(other)).find(({ requestId }) => requestId === sent));
      expect((await listFor(other)).every(({ clientId }) => clientId !== undefined)).toBe(true);
      return (await listFor(gateway.partnerToken)).map(({ requestId }) => requestId);
    };
    const [here, there] = [crypto.randomUUID(), crypto.randomUUID()];
    expect(await idsAt(gateway.app.url, here)).not.toContain(here);
    expect(await idsAt(outside.url, there)).toContain(there);
  });

  it('are not those of another partner, and are listed with the scope only', async () => {
    const id = crypto.randomUUID();
    await gateway.ask('GET /user', { token: gateway.userToken, headers: { 'x-request-id': id } });
    const own = crypto.randomUUID();
    await ask('GET /partner/keys', undefined, own);
    await recordOf(own);
    expect((await list()).map(({ requestId }) => requestId)).not.toContain(id);
    const token = await gateway.authority.serviceToken('acme-server', 'events', ['events.read']);
    const answer = await gateway.ask('GET /partner/requests', { token });
    expect(answer).toMatchObject({ status: 403, body: { error: 'FORBIDDEN' } });
    expect(answer.headers.get('www-authenticate')).toContain('scope="webhooks.read"');
  });

  it(`are at most ${KEPT_REQUESTS}, and the last hundred are listed`, async () => {
    const ids = Array.from({ length: KEPT_REQUESTS + 20 }, () => crypto.randomUUID());
    for (const id of ids) await ask('GET /partner/requests', undefined, id);
    await recordOf(ids.at(-1) ?? '');
    expect(await list()).toHaveLength(100);
  });
});
