import { once } from 'node:events';
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { signServiceToken } from '@florin/rpc/auth';
import { CodedError } from '@florin/rpc/errors';
import { openEventStream, waitFor } from '@florin/rpc/testing';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startTestGateway, type TestGateway } from '../../testing/start-gateway.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterEach(() => gateway.fakes.reset());
afterAll(() => gateway.close());

const X = '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo';
const ID = 'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k';
const NEW = { name: 'books', jwk: { kty: 'OKP', crv: 'Ed25519', x: X } };
const ask = (target: string, body?: unknown) => gateway.ask(target, { token: gateway.partnerToken, body });

describe('keys of a partner', () => {
  it('are registered for whoever has a bootstrap token, in the name of the gateway', async () => {
    const answer = await gateway.ask('POST /partners', { body: { bootstrapToken: 'fbt_1', ...NEW } });
    expect(answer).toMatchObject({ status: 200, body: { clientId: ID, partnerId: 'acme', scopes: ['events.read', 'keys.manage'] } });
    const request = { bootstrapToken: 'fbt_1', key: { name: 'books', x: X } };
    expect(gateway.callOf('redeemPartnerInvitation')).toMatchObject({ request, caller: { name: 'gateway' } });
  });

  it('are registered for whoever asks in a sandbox, and elsewhere there is no such path', async () => {
    const answer = await gateway.ask('POST /sandbox/partners', { body: NEW });
    expect(answer).toMatchObject({ status: 200, body: { clientId: ID, expiresAt: '2026-01-31T12:00:00.123Z' } });
    const outside = await startTestGateway({ env: { SANDBOX: 'false' } });
    try {
      expect(await outside.ask('POST /sandbox/partners', { body: NEW })).toMatchObject({ status: 404, body: { error: 'NOT_FOUND' } });
    } finally {
      await outside.close();
    }
  });

  it('are registered, listed and revoked with the token of another key', async () => {
    expect(await ask('POST /partner/keys', { ...NEW, scopes: ['events.read'] })).toMatchObject({ status: 200, body: { clientId: ID } });
    const { request, token } = gateway.callOf('createPartnerClient') ?? {};
    expect([request, token]).toMatchObject([
      { partnerId: '', key: { name: 'books', x: X }, scopes: ['events.read'] },
      gateway.partnerToken,
    ]);
    expect(await ask('GET /partner/keys')).toMatchObject({ status: 200, body: { data: [{ clientId: ID, name: 'books-server' }] } });
    expect(await ask(`DELETE /partner/keys/${ID}`)).toMatchObject({ status: 200, body: { success: true } });
    expect(gateway.callOf('revokePartnerClient')?.request).toMatchObject({ clientId: ID, partnerId: '' });
  });

  it('say which key of the partner registered them, and nothing of who did at the platform', async () => {
    const client = { clientId: ID, partnerId: 'acme', name: 'n', x: X, scopes: [], createdAt: { seconds: 1n, nanos: 0 } };
    gateway.fakes.stub('listPartnerClients', () => ({
      clients: [
        { ...client, registeredBy: ID },
        { ...client, registeredBy: 'operator-ann' },
      ],
    }));
    const [own, other] = ((await ask('GET /partner/keys')).body as { data: object[] }).data;
    expect(own).toHaveProperty('registeredBy', ID);
    expect(other).not.toHaveProperty('registeredBy');
  });

  it.each([
    ['jwk.d: is unknown', { ...NEW, jwk: { ...NEW.jwk, d: X } }],
    ['jwk.x: must be 32 bytes in base64url', { ...NEW, jwk: { ...NEW.jwk, x: `${X}A` } }],
    ['jwk.crv', { ...NEW, jwk: { ...NEW.jwk, crv: 'P-256' } }],
    ['name', { ...NEW, name: '' }],
  ])('are rejected: %s', async (problem, body) => {
    expect(JSON.stringify((await ask('POST /partner/keys', body)).body)).toContain(problem);
    expect(gateway.callOf('createPartnerClient')).toBeUndefined();
  });

  it.each([
    ['PARTNER_KEY_IN_USE', 409],
    ['PARTNER_KEY_LIMIT_REACHED', 409],
    ['FORBIDDEN', 403],
  ] as const)('respond to %s with %d', async (code, status) => {
    gateway.refuse('createPartnerClient', code);
    expect(await ask('POST /partner/keys', NEW)).toMatchObject({ status, body: { error: code } });
  });

  it('respond to a bootstrap token that is not valid with 403, and to an unknown key with 404', async () => {
    gateway.refuse('redeemPartnerInvitation', 'BOOTSTRAP_TOKEN_INVALID');
    const first = await gateway.ask('POST /partners', { body: { bootstrapToken: 'x', ...NEW } });
    expect(first).toMatchObject({ status: 403, body: { error: 'BOOTSTRAP_TOKEN_INVALID' } });
    gateway.refuse('revokePartnerClient', 'PARTNER_KEY_NOT_FOUND');
    expect(await ask(`DELETE /partner/keys/${ID}`)).toMatchObject({ status: 404, body: { error: 'PARTNER_KEY_NOT_FOUND' } });
  });
});

describe('a token of a registered key', () => {
  it('is accepted while identity knows the key', async () => {
    const key = { ...gateway.authority.serviceKey('gateway'), kid: ID };
    const token = await signServiceToken({ key, audience: 'events', scopes: ['events.read'] });
    const client = { clientId: ID, partnerId: 'acme', name: 'n', x: key.x, scopes: ['events.read'] };
    gateway.fakes.stub('getPartnerClient', () => {
      throw new CodedError('PARTNER_KEY_NOT_FOUND');
    });
    const rejected = await gateway.ask('GET /events', { token });
    expect(rejected).toMatchObject({ status: 401, body: { error: 'UNAUTHORIZED' } });
    gateway.fakes.stub('getPartnerClient', () => ({ client }));
    // The operation is for people, which a token that is not valid does not learn.
    await expect
      .poll(async () => (await gateway.ask('GET /user', { token })).body, { timeout: 20_000 })
      .toMatchObject({ error: 'WRONG_TOKEN_KIND' });
    expect(gateway.callOf('getPartnerClient')?.request).toMatchObject({ clientId: ID });
  });
});

describe('a stream of a partner', () => {
  it('ends with the key whose token reads it, before the token does', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'florin-trust-'));
    const file = join(directory, 'trust.json');
    const write = async (clients: readonly object[]) => {
      await writeFile(`${file}.new`, JSON.stringify({ clients }));
      await rename(`${file}.new`, file);
    };
    const { clients } = gateway.authority.trust;
    await write(clients);
    gateway.fakes.stub('watchEvents', async function* (_request: unknown, { signal }: { signal: AbortSignal }) {
      yield { events: [], cursor: 'acme:7', checkpoint: { timestamp: { seconds: 1n, nanos: 0 }, sequence: 7n, previousSequence: 5n } };
      await once(signal, 'abort');
    });
    const other = await gateway.another({ SERVICE_TRUST: undefined, SERVICE_TRUST_FILE: file });
    try {
      const stream = await openEventStream(`${other.url}/events/stream`, gateway.partnerToken);
      await stream.until('the checkpoint', ({ event }) => event === 'checkpoint');
      await write(clients.filter(({ name }) => name !== 'acme-server'));
      await waitFor('the end', async () => (stream.ended() ? true : undefined));
      expect(stream.events.at(-1)).toMatchObject({ event: 'end' });
    } finally {
      await other.close();
      await rm(directory, { recursive: true });
    }
  });
});
