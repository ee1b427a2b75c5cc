import { startRedisRelay, testEngines } from '@florin/data/testing';
import { Health, HealthCheckResponse_ServingStatus as Status } from '@florin/proto/health/v1/health';
import { ChallengeStatus, Decision } from '@florin/proto/threeds/v1/challenge';
import { THREEDS_SCOPES } from '@florin/proto/threeds/v1/scopes';
import { createRpcChannel } from '@florin/rpc/client';
import { ConfigError, loadConfig } from '@florin/rpc/config';
import { CodedError, type ErrorCode } from '@florin/rpc/errors';
import { waitFor } from '@florin/rpc/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createApp } from './app.ts';
import { configShape } from './config.ts';
import { chooseAccessControlServer, grpcAccessControlServer, sandboxAccessControlServer } from './ports/access-control-server.ts';
import type { Calls } from './testing/calls.ts';
import type { Following } from './testing/watching.ts';
import { createWorld, type Instance, type Person, type World } from './testing/world.ts';

const { APPROVE } = Decision;
const SIGNATURE = `0x${'11'.repeat(65)}`;

let world: World;
let app: Instance;
let person: Person;
let id: string;

beforeAll(async () => {
  world = await createWorld();
  app = await world.start();
  person = world.newPerson();
  ({ id } = await app.acs.create(world.payment(person)));
});
afterAll(() => world.close());

/** Expects a stream to end without a message; rejects with its code. */
const firstOf = async <T>(stream: Following<T>): Promise<void> => {
  const code = await stream.untilEnd();
  expect(stream.messages).toEqual([]);
  throw new CodedError(code as ErrorCode);
};

describe('policies', () => {
  const forUsers: [string, (calls: Calls) => Promise<unknown>][] = [
    ['IssueDecisionChallenge', (calls) => calls.issue(id, APPROVE)],
    ['SubmitDecision', (calls) => calls.submit(id, APPROVE, SIGNATURE)],
  ];
  const forWriters: [string, (calls: Calls) => Promise<unknown>][] = [
    ['CreateChallenge', (calls) => calls.create(world.payment(person))],
    ['AcknowledgeDecision', (calls) => calls.acknowledge(id)],
    ['CancelChallenge', (calls) => calls.cancel(id)],
  ];
  const forReaders: [string, (calls: Calls) => Promise<unknown>][] = [['WatchChallenge', (calls) => firstOf(calls.watch(id))]];
  const forBoth: [string, (calls: Calls) => Promise<unknown>][] = [['GetChallenge', (calls) => calls.get(id)]];
  const forFeeds: [string, (calls: Calls) => Promise<unknown>][] = [['WatchAllChallenges', (calls) => firstOf(calls.watchAll())]];

  it.each(forUsers)('%s is allowed for users only', async (_name, call) => {
    await expect(call(app.acs)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await expect(call(app.office)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await expect(call(app.wallet(person.wallet.address))).rejects.toMatchObject({ code: 'USER_NOT_REGISTERED' });
  });

  it('ListChallenges is allowed for users, and for services with the read scope that name a user', async () => {
    await expect(app.acs.list()).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await expect(app.office.list()).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
    await expect(app.wallet(person.wallet.address).list()).rejects.toMatchObject({ code: 'USER_NOT_REGISTERED' });
  });

  it.each(forWriters)('%s is allowed for services with the write scope only', async (_name, call) => {
    await expect(call(app.user(person))).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await expect(call(app.office)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await expect(call(app.service('office', [THREEDS_SCOPES.writeChallenges]))).rejects.toMatchObject({ code: 'FORBIDDEN' });
  });

  it.each(forFeeds)('%s is allowed for services with the watch scope only', async (_name, call) => {
    for (const caller of [app.user(person), app.acs, app.office]) await expect(call(caller)).rejects.toMatchObject({ code: 'FORBIDDEN' });
  });

  it.each(forReaders)('%s is allowed for services with the read scope only', async (_name, call) => {
    await expect(call(app.user(person))).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await expect(call(app.acs)).rejects.toMatchObject({ code: 'FORBIDDEN' });
  });

  it.each(forBoth)('%s is allowed for the owner and for services with the read scope', async (_name, call) => {
    await expect(call(app.acs)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await expect(call(app.wallet(person.wallet.address))).rejects.toMatchObject({ code: 'USER_NOT_REGISTERED' });
    await expect(call(app.user(world.newPerson()))).rejects.toMatchObject({ code: 'CHALLENGE_NOT_FOUND' });
    await expect(call(app.user(person))).resolves.toMatchObject({ id });
    await expect(call(app.office)).resolves.toMatchObject({ id });
  });

  it('GetReceipt is allowed for the owner and for services with the read scope', async () => {
    await expect(app.acs.receipt(id)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await expect(app.wallet(person.wallet.address).receipt(id)).rejects.toMatchObject({ code: 'USER_NOT_REGISTERED' });
    await expect(app.user(world.newPerson()).receipt(id)).rejects.toMatchObject({ code: 'CHALLENGE_NOT_FOUND' });
    for (const caller of [app.user(person), app.office])
      await expect(caller.receipt(id)).rejects.toMatchObject({ code: 'RECEIPT_NOT_FOUND' });
  });

  it('reject a call without a token', async () => {
    const paths = [
      'CreateChallenge',
      'GetChallenge',
      'ListChallenges',
      'IssueDecisionChallenge',
      'SubmitDecision',
      'AcknowledgeDecision',
      'CancelChallenge',
      'GetReceipt',
    ];
    for (const rpc of paths) {
      const response = await fetch(`${app.url}/florin.threeds.v1.ChallengeService/${rpc}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '{}',
      });
      expect([rpc, response.status]).toEqual([rpc, 401]);
    }
  });
});

describe('without Redis', () => {
  it('decisions are correct, the service stays healthy, and events arrive once Redis is back', async () => {
    const relay = await startRedisRelay(testEngines().redisUrl);
    // In a database of its own: no other instance may publish its events.
    const isolated = await createWorld();
    const lonely = await isolated.start({}, { REDIS_URL: relay.url });
    const own = isolated.newPerson();
    const { id: own1 } = await lonely.acs.create(isolated.payment(own));
    await relay.cut();

    const user = lonely.user(own);
    const [approved, refused] = await Promise.allSettled([
      user.decide(own1, Decision.APPROVE, own.wallet),
      user.decide(own1, Decision.DECLINE, own.wallet),
    ]);
    const { status, decision } = await lonely.office.get(own1);
    expect([ChallengeStatus.APPROVED, ChallengeStatus.DECLINED]).toContain(status);
    const lost = decision === Decision.APPROVE ? refused : approved;
    expect(lost).toMatchObject({ status: 'rejected', reason: { code: 'DECISION_ALREADY_MADE' } });
    const { id: own2 } = await lonely.acs.create(isolated.payment(own));
    expect((await user.decide(own2, Decision.APPROVE, own.wallet)).status).toBe(ChallengeStatus.APPROVED);
    expect((await isolated.stored(own2))?.outbox.map(({ type }) => type)).toEqual([
      'challenge.created',
      'challenge.decided',
      'challenge.approved',
    ]);
    const channel = createRpcChannel({ baseUrl: lonely.url });
    expect((await channel.client(Health).check({})).status).toBe(Status.SERVING);
    await channel.close();

    await relay.restore();
    await waitFor('events to be published', async () => ((await isolated.stored(own2))?.outbox.length === 0 ? true : undefined));
    await isolated.close();
    await relay.close();
  });
});

describe('configuration', () => {
  const config = (more: Record<string, string> = {}) => loadConfig(configShape, { ...world.env, ...more });

  it.each([
    ['true', undefined, 'sandbox'],
    ['true', 'grpc', 'grpc'],
    ['true', 'sandbox', 'sandbox'],
    ['false', undefined, 'grpc'],
    ['false', 'grpc', 'grpc'],
  ] as const)('SANDBOX=%s ACS=%s selects %s', (SANDBOX, ACS, kind) => {
    const servers = { sandbox: sandboxAccessControlServer, grpc: grpcAccessControlServer };
    expect(chooseAccessControlServer(config({ SANDBOX, ...(ACS === undefined ? {} : { ACS }) }))).toBe(servers[kind]);
  });

  it('rejects the sandbox access control server outside the sandbox', async () => {
    await expect(createApp(config({ SANDBOX: 'false', ACS: 'sandbox' }))).rejects.toThrow(ConfigError);
  });

  it.each([
    { ACS: 'none' },
    { ACK_TIMEOUT_SECONDS: '0' },
    { ACK_TIMEOUT_SECONDS: 'soon' },
    { SWEEP_INTERVAL_MS: '1' },
    { CARD_URL: 'card' },
    { IDENTITY_URL: '' },
    { LEDGER_URL: 'ftp://x' },
  ])('rejects %j, naming the variable', (more) => {
    const [name = ''] = Object.keys(more);
    expect(() => config(more as Record<string, string>)).toThrow(new RegExp(`^${name}:`));
  });

  it('defaults to its own database', () => {
    const { MONGODB_DATABASE: _given, ...env } = world.env;
    expect(loadConfig(configShape, env).MONGODB_DATABASE).toBe('florin_threeds');
  });
});
