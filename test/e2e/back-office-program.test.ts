import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Trends } from '@florin/back-office/contract';
import { EVENTS_SCOPES } from '@florin/proto/events/v1/scopes';
import { WebhookEndpointService } from '@florin/proto/events/v1/webhook_endpoint_service';
import { AdjustmentService } from '@florin/proto/ledger/v1/adjustment_service';
import { LEDGER_SCOPES } from '@florin/proto/ledger/v1/scopes';
import { createServiceTokenSource, serviceKeySchema } from '@florin/rpc/auth';
import { createRpcChannel, type RpcChannel } from '@florin/rpc/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BackOfficeInProcess, type Operator, startBackOffice } from '../support/back-office.ts';
import { connectCardNetwork } from '../support/card-network.ts';
import { openOperatorChannel } from '../support/operator-channel.ts';
import { type PlatformInProcess, startPlatformInProcess } from '../support/platform-in-process.ts';
import { createCard, decide, type Person, raiseChallenge, registerPerson } from '../support/story.ts';

/** Enough on a machine with other work. */
const LONG_MS = 120_000;
const POLL = { timeout: 30_000, interval: 100 };
const REASON = 'a fee was charged twice by mistake';
const ONE = `1${'0'.repeat(18)}`;

let platform: PlatformInProcess;
let office: BackOfficeInProcess;
let channel: RpcChannel;
let receiver: Server;
let received = 0;
let person: Person;

beforeAll(async () => {
  platform = await startPlatformInProcess({ APPROVAL_ABOVE: JSON.stringify({ EURe: ONE }) }, { events: {} });
  office = await startBackOffice(platform);
  const serviceToken = createServiceTokenSource({
    key: serviceKeySchema.parse(platform.operatorKey),
    audience: 'events',
    scopes: [EVENTS_SCOPES.manageWebhooks],
  });
  channel = createRpcChannel({ baseUrl: platform.urls['EVENTS_URL'] ?? '', serviceToken });
  receiver = createServer((request, response) => {
    received += 1;
    request.resume();
    response.writeHead(204).end();
  });
  // The server ends no idle connection: a delivery that meets its end fails, and is repeated by a clock that tests move.
  receiver.keepAliveTimeout = 0;
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  person = await registerPerson(platform.api);
}, LONG_MS);
afterAll(async () => {
  await channel?.close();
  await office?.close();
  await platform?.close();
  receiver?.close();
});

const act = (operator: Operator, path: string, body: object, key: string = randomUUID()) =>
  operator.ask(`POST /api/${path}`, { headers: { 'idempotency-key': key }, body: { reason: REASON, ...body } });

describe('the overview', () => {
  it('counts people and cards, and shows money, orders and the health of services', async () => {
    const viewer = await office.operator('viewer');
    const cardId = await createCard(platform.api, person.token);
    const frozenId = await createCard(platform.api, person.token);
    await platform.api.as(person.token).cards.freezeCard({ cardId: frozenId });
    await platform.api.as(person.token).sandbox.createDeposit({ token: 'EURe', amount: ONE });
    expect(cardId).not.toBe(frozenId);
    const { status, body } = await viewer.ask('GET /api/overview');
    expect(status).toBe(200);
    expect(body).toMatchObject({
      people: { registeredLastDay: expect.any(Number), registeredLastWeek: expect.any(Number) },
      cards: { active: 1, frozen: 1 },
      money: expect.arrayContaining([{ account: 'chain', balance: { token: 'EURe', amount: `-${ONE}`, decimals: 18, currency: 'EUR' } }]),
      unavailable: [],
    });
    expect((body['people'] as { registeredLastDay: number }).registeredLastDay).toBeGreaterThanOrEqual(1);
    expect(body['services']).toEqual(
      expect.arrayContaining(['identity', 'card', 'ledger', 'threeds', 'events'].map((name) => ({ name, status: expect.any(String) }))),
    );
    expect(JSON.stringify(body)).not.toContain(person.email);
  });

  it('names what cannot be read, and shows the rest', async () => {
    const lame = await startBackOffice(platform, { CARD_URL: 'http://127.0.0.1:9', MONGODB_DATABASE: `lame_${randomUUID().slice(0, 8)}` });
    const { body } = await (await lame.operator('viewer')).ask('GET /api/overview');
    expect(body).toMatchObject({
      cards: { active: 0, frozen: 0 },
      unavailable: ['cards'],
    });
    expect(body['services']).toContainEqual({ name: 'card', status: 'unreachable' });
    await lame.close();
  });
});

describe('the counts of queues', () => {
  it('are read of the services, each queue for itself', async () => {
    const viewer = await office.operator('viewer');
    const held = await registerPerson(platform.api);
    await platform.api.call('POST', '/sandbox/deposits', { token: held.token, body: { token: 'EURe', amount: ONE, kyt: 'hold' } });
    const read = async () => {
      platform.clock.advanceSeconds(10);
      return (await viewer.ask('GET /api/queues')).body;
    };
    await expect
      .poll(read, POLL)
      .toMatchObject({ queues: expect.arrayContaining([expect.objectContaining({ queue: 'deposits', count: 1 })]), unavailable: [] });
  });
});

describe('the trends', () => {
  type Trend = Pick<Trends, 'signUps' | 'payments'>;

  it('count sign-ups by day, payments by reason, and approvals by what became of them', async () => {
    const viewer = await office.operator('viewer');
    const own = await registerPerson(platform.api);
    const cardId = await createCard(platform.api, own.token);
    await platform.api.as(own.token).sandbox.createDeposit({ token: 'EURe', amount: `100${'0'.repeat(18)}` });
    const network = connectCardNetwork(platform.urls['CARD_URL'] ?? '', platform.operatorKey);
    const read = async (days: number) => (await viewer.ask(`GET /api/overview/trends?days=${days}`)).body;
    const before = await read(7);
    expect(before).toMatchObject({ payments: { approved: 0, declined: [] }, challenges: { approved: 0, open: 0 }, unavailable: [] });
    try {
      await network.payment(cardId).authorize(1250);
      await network.payment(cardId).authorize(1_000_000);
    } finally {
      await network.close();
    }
    await decide(platform.api, own, await raiseChallenge(platform.api, own.token, cardId), 'decline');
    const after = await read(7);
    expect(after).toMatchObject({
      payments: { approved: 1, declined: [{ reason: expect.stringMatching(/^[a-z_]+$/), count: 1 }] },
      challenges: { approved: 0, declined: 1, open: 0 },
    });
    const { signUps, payments } = after as unknown as Trend;
    expect([payments.currency, payments.decimals, payments.volumes.length]).toEqual(['EUR', 2, 7]);
    expect(payments.volumes.at(-1)).toMatchObject({ day: signUps.at(-1)?.day, approved: 1, amount: '1250', declined: 1 });
    expect(signUps).toHaveLength(7);
    expect(signUps.map(({ day }) => day)).toEqual([...new Set(signUps.map(({ day }) => day))].sort());
    expect(signUps.reduce((sum, { count }) => sum + count, 0)).toBeGreaterThan(0);
    expect(((await read(30)) as unknown as Trend).signUps).toHaveLength(30);
    for (const days of ['', '?days=8', '?days=7&more=1']) {
      expect(await viewer.ask(`GET /api/overview/trends${days}`)).toMatchObject({ status: 422 });
    }
  });

  it('name what cannot be read, and show the rest', async () => {
    const lame = await startBackOffice(platform, { CARD_URL: 'http://127.0.0.1:9', MONGODB_DATABASE: `lame_${randomUUID().slice(0, 8)}` });
    const { body } = await (await lame.operator('viewer')).ask('GET /api/overview/trends?days=7');
    expect(body).toMatchObject({ payments: { approved: 0, declined: [] }, unavailable: ['payments'] });
    await lame.close();
  });
});

describe('an order that moves money', () => {
  it('is booked at once when it is small, waits for a second operator when it is not, and is made once', async () => {
    const finance = await office.operator('finance', 'support');
    await finance.ask(`POST /api/people/${person.userId}/access`, { body: { reason: REASON } });
    const { body } = await finance.ask(`GET /api/people/${person.userId}`);
    const { id: accountId } = body['account'] as { id: string };
    const transfers = (amount: string) => ({ transfers: [{ debit: 'settlement', credit: accountId, token: 'EURe', amount }] });
    const key = randomUUID();
    const allowance = async () => {
      const { body: left } = await finance.ask(`GET /api/money/allowance?debit=settlement&credit=${accountId}`);
      return BigInt((left['amounts'] as Record<string, string>)['EURe'] ?? '');
    };
    const before = await allowance();
    const small = await act(finance, 'adjustments', transfers('1000'), key);
    expect(await allowance()).toBe(before - 1000n);
    expect(small).toMatchObject({ status: 200, body: { status: 'booked' } });
    expect((await act(finance, 'adjustments', transfers('1000'), key)).body).toEqual(small.body);
    const large = await act(finance, 'adjustments', transfers(`1${'0'.repeat(24)}`));
    expect(large).toMatchObject({ status: 200, body: { status: 'pending' } });
    expect((await act(finance, `adjustments/${large.body['actionId']}/approve`, {})).body).toMatchObject({ error: 'SELF_APPROVAL' });
    const second = await office.operator('finance');
    expect((await act(second, `adjustments/${large.body['actionId']}/approve`, {})).body).toMatchObject({ status: 'booked' });
  });

  it('is not approved by an account that is tied to the one that ordered it: a transfer, or a deposit that is taken back', async () => {
    const boss = await office.operator('finance', 'admin');
    const email = `colleague-${randomUUID()}@example.org`;
    const { body: invited } = await boss.ask('POST /api/operators/invitations', { body: { email, roles: ['finance'], reason: REASON } });
    const admin = await office.operator('admin');
    const { body: links } = await admin.ask('GET /api/operators/invitations');
    const { id } = (links['invitations'] as { id: string; email: string }[]).find((link) => link.email === email) ?? { id: '' };
    expect((await act(admin, `operators/invitations/${id}/approve`, {})).status).toBe(200);
    const tied = await office.enrol(String(invited['url']));
    const third = await office.operator('finance');
    const { txHash } = await platform.api.as(person.token).sandbox.createDeposit({ token: 'EURe', amount: `5${'0'.repeat(18)}` });
    const { data: deposits } = await platform.api.as(person.token).userMovements.listDeposits();
    const depositId = deposits.find((deposit) => deposit.txHash === txHash)?.id ?? '';
    const { id: accountId } = await platform.api.call<{ id: string }>('GET', '/user/account', { token: person.token });
    const transfers = [{ debit: 'settlement', credit: accountId, token: 'EURe', amount: `5${'0'.repeat(18)}` }];
    const changes = [
      { case: 'transfers' as const, value: { transfers } },
      { case: 'depositReversal' as const, value: { depositId } },
    ];
    const scopes = [LEDGER_SCOPES.writeAdjustments];
    const ledger = openOperatorChannel(platform, { audience: 'ledger', baseUrl: platform.urls['LEDGER_URL'], scopes });
    try {
      for (const change of changes) {
        for (const [orders, approves] of [
          [boss, tied],
          [tied, boss],
        ] as const) {
          const adjustmentId = randomUUID();
          const metadata = { actor: `operator:${orders.id}`, reason: REASON };
          await ledger.client(AdjustmentService).createAdjustment({ adjustmentId, change, metadata });
          expect(await act(approves, `adjustments/${adjustmentId}/approve`, {})).toMatchObject({
            status: 403,
            body: { error: 'SELF_APPROVAL', details: { tie: 'invitation' } },
          });
          const end = orders === boss ? 'reject' : 'approve';
          const status = orders === boss ? 'rejected' : 'booked';
          expect((await act(third, `adjustments/${adjustmentId}/${end}`, {})).body).toMatchObject({ status });
        }
      }
    } finally {
      await ledger.close();
    }
  });

  it('can name tokens and system accounts', async () => {
    const { body } = await (await office.operator('finance')).ask('GET /api/money/tokens');
    expect(body['tokens']).toContainEqual({
      token: 'EURe',
      decimals: 18,
      currency: 'EUR',
      approvalAbove: expect.stringMatching(/^\d+$/),
      approvalWindowHours: 24,
    });
    expect(body['systemAccounts']).toEqual(expect.arrayContaining(['chain', 'debt', 'settlement']));
  });
});

describe('deliveries of events', () => {
  it('are shown without what is secret, and ordered again once', async () => {
    const { port } = receiver.address() as AddressInfo;
    const url = `http://127.0.0.1:${port}/secret-path`;
    const webhooks = channel.client(WebhookEndpointService);
    const { endpoint } = await webhooks.createWebhookEndpoint({ requestId: randomUUID(), partnerId: 'florin', url });
    const support = await office.operator('support');
    const base = 'partners/florin/endpoints';
    const listed = await support.ask(`GET /api/${base}`);
    expect(listed.body['endpoints']).toMatchObject([{ id: endpoint?.id, url: `http://127.0.0.1:${port}`, status: 'enabled' }]);
    await registerPerson(platform.api);
    const attempts = async (query = '') => {
      const { body } = await support.ask(`GET /api/${base}/${endpoint?.id}/attempts${query}`);
      return (body['attempts'] ?? []) as { sequence: string; httpStatus: number }[];
    };
    await expect.poll(async () => (await attempts()).length, POLL).toBeGreaterThan(0);
    const [{ sequence } = { sequence: '' }] = await attempts();
    const before = (await attempts(`?sequence=${sequence}`)).length;
    const key = randomUUID();
    const order = () => act(support, `${base}/${endpoint?.id}/redeliver`, { sequence }, key);
    expect(await order()).toMatchObject({ status: 200, body: { status: 'ordered' } });
    expect(await order()).toMatchObject({ status: 200 });
    await expect.poll(async () => (await attempts(`?sequence=${sequence}`)).length, POLL).toBe(before + 1);
    expect(received).toBeGreaterThan(1);
    const untilNow = received;
    const replay = (after: string, idempotencyKey: string = randomUUID()) =>
      act(support, `${base}/${endpoint?.id}/replay`, { after }, idempotencyKey);
    const replayKey = randomUUID();
    expect(await replay('', replayKey)).toMatchObject({ status: 200, body: { status: 'ordered' } });
    expect(await replay('', replayKey)).toMatchObject({ status: 200 });
    await expect.poll(() => received, POLL).toBeGreaterThan(untilNow);
    expect(await replay('no cursor')).toMatchObject({ body: { error: 'CURSOR_INVALID' } });
    expect(await act(support, `${base}/${randomUUID()}/redeliver`, { sequence })).toMatchObject({ status: 404 });
    expect(await act(support, `${base}/x/redeliver`, { sequence })).toMatchObject({ status: 422 });
  });
});

describe('partners', () => {
  const newKey = () => String(generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' }).x);
  const scopes = ['events.read', 'webhooks.read'];
  type Keys = { name: string; clientId: string; scopes: string[]; registeredBy: string }[];

  it('have keys that administrators register, list and revoke, each order once', async () => {
    const admin = await office.operator('admin');
    const keys = async () => (await admin.ask('GET /api/partners/florin/keys')).body['keys'] as Keys;
    expect((await admin.ask('GET /api/partners')).body).toEqual({ partners: [{ id: 'florin', name: expect.any(String) }] });
    const [x, key] = [newKey(), randomUUID()];
    const register = (more: object = {}) => act(admin, 'partners/florin/keys', { name: 'acme-server', x, scopes, ...more }, key);
    expect(await register()).toMatchObject({ status: 200, body: { status: 'registered' } });
    expect(await register()).toMatchObject({ status: 200, body: { status: 'registered' } });
    expect(await register({ name: 'another' })).toMatchObject({ status: 422, body: { error: 'IDEMPOTENCY_KEY_REUSED' } });
    const registered = (await keys()).filter(({ name }) => name === 'acme-server');
    expect(registered).toMatchObject([{ scopes, registeredBy: 'back-office' }]);
    const other = { name: 'acme-server', x, scopes: ['events.read'] };
    expect(await act(admin, 'partners/florin/keys', other)).toMatchObject({ body: { error: 'PARTNER_KEY_IN_USE' } });
    for (const wrong of [{ x: 'short' }, { scopes: [] }, { scopes: ['ledger.entries.write'] }, { d: x }])
      expect(await act(admin, 'partners/florin/keys', { ...other, ...wrong }), JSON.stringify(wrong)).toMatchObject({ status: 422 });
    expect(await act(admin, 'partners/nobody/keys', other)).toMatchObject({ status: 422 });

    const revoke = (clientId = '') => act(admin, `partners/florin/keys/${clientId}/revoke`, {});
    for (let repeat = 0; repeat < 2; repeat += 1) expect(await revoke(registered[0]?.clientId)).toMatchObject({ status: 200 });
    expect((await keys()).map(({ name }) => name)).not.toContain('acme-server');
    expect(await revoke(newKey())).toMatchObject({ status: 404, body: { error: 'PARTNER_KEY_NOT_FOUND' } });
    expect(await revoke('acme-server')).toMatchObject({ status: 422 });
  });

  it('get a bootstrap token once, and register their key with it', async () => {
    const [admin, key] = [await office.operator('admin'), randomUUID()];
    const invite = () => act(admin, 'partners/florin/invitations', { scopes }, key);
    const { status, body } = await invite();
    expect([status, body['status']]).toEqual([200, 'invited']);
    expect((await invite()).body).toEqual({ actionId: body['actionId'], status: 'invited' });
    const named = { name: 'redeemed', jwk: { kty: 'OKP', crv: 'Ed25519', x: newKey() } };
    const redeemed = await platform.api.request('POST', '/partners', { body: { bootstrapToken: body['secret'], ...named } });
    expect(redeemed).toMatchObject({ status: 200, body: { scopes } });
  });

  it('have endpoints whose secret an administrator sees once', async () => {
    const admin = await office.operator('admin');
    const base = 'partners/florin/endpoints';
    const endpointsNow = async () =>
      (await admin.ask(`GET /api/${base}`)).body['endpoints'] as { id: string; status: string; types: string[] }[];
    const before = (await endpointsNow()).map(({ id }) => id);
    const { port } = receiver.address() as AddressInfo;
    const wanted = { url: `http://127.0.0.1:${port}/of-the-office`, types: ['card.*'], contactEmail: '' };
    const key = randomUUID();
    const created = await act(admin, base, wanted, key);
    expect(created).toMatchObject({ status: 200, body: { status: 'enabled', secret: expect.stringMatching(/^whsec_/) } });
    expect((await act(admin, base, wanted, key)).body).toEqual({ actionId: created.body['actionId'], status: 'enabled' });
    const [made, ...more] = (await endpointsNow()).filter(({ id }) => !before.includes(id));
    expect([made, more]).toMatchObject([{ status: 'enabled', types: ['card.*'] }, []]);

    const order = (what: string, operator = admin) => act(operator, `${base}/${made?.id}/${what}`, {});
    const rotated = await order('rotate-secret');
    expect(rotated).toMatchObject({ status: 200, body: { secret: expect.stringMatching(/^whsec_/) } });
    expect(rotated.body['secret']).not.toBe(created.body['secret']);
    expect(await order('disable')).toMatchObject({ status: 200, body: { status: 'disabled' } });
    const support = await office.operator('support');
    expect(await order('test', support)).toMatchObject({ status: 409, body: { error: 'WEBHOOK_ENDPOINT_DISABLED' } });
    expect(await order('enable')).toMatchObject({ status: 200, body: { status: 'enabled' } });
    expect(await order('test', support)).toMatchObject({ status: 200, body: { status: 'ordered' } });
    for (const what of ['rotate-secret', 'disable', 'enable', 'delete'])
      expect(await order(what, support), what).toMatchObject({ status: 403 });
    for (let repeat = 0; repeat < 2; repeat += 1) expect(await order('delete')).toMatchObject({ status: 200, body: { status: 'deleted' } });
    expect((await endpointsNow()).map(({ id }) => id)).toEqual(before);
  });

  it('are not changed without a confirmation by passkey', async () => {
    const admin = await office.operator('admin');
    platform.clock.advanceSeconds(301);
    const refused = { status: 403, body: { error: 'REAUTHENTICATION_REQUIRED' } };
    expect(await act(admin, 'partners/florin/invitations', { scopes })).toMatchObject(refused);
    expect(await admin.ask('GET /api/partners/florin/keys')).toMatchObject({ status: 200 });
  });
});
