import { createClient } from '@connectrpc/connect';
import { createGrpcTransport } from '@connectrpc/connect-node';
import { CardService } from '@florin/proto/card/v1/card_service';
import { CARD_SCOPES } from '@florin/proto/card/v1/scopes';
import { ConfigError, type Environment, loadConfig, serviceShape } from '@florin/rpc/config';
import { fromWire } from '@florin/rpc/errors';
import type { Logger } from '@florin/rpc/observe';
import type { App } from '@florin/rpc/process';
import { serviceMethod } from '@florin/rpc/server';
import { createTestAuthority, createTestCa, implementPart, quietLogger, testContract, waitFor } from '@florin/rpc/testing';
import { testPort } from '@florin/rpc/testing/test-port';
import { mongo } from 'mongoose';
import { afterEach, describe, expect, it } from 'vitest';
import { auditShape } from '../audit/index.ts';
import { FIRST_SCHEMA } from '../migrations/index.ts';
import { DATABASE_RECORDS, openStore, storeShape } from '../store/index.ts';
import { startRedisRelay, testEngines, testEnvironment } from '../testing/index.ts';
import { type Core, type ServiceParts, startService } from './index.ts';

const SCOPES = [CARD_SCOPES.readCards];
const authority = await createTestAuthority({ card: [], threeds: SCOPES });
const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

/** Keeps the text of warnings and errors. */
const createTestLogger = () => {
  const lines: string[] = [];
  const take = (first: unknown, second?: unknown): void => void lines.push(String(second ?? first));
  const logger: Logger = Object.create(quietLogger, { warn: { value: take }, error: { value: take } });
  return { logger, lines };
};

const start = (
  more: Environment,
  logger = quietLogger,
  build: (core: Core) => Promise<ServiceParts['implementations']> = async () => [],
) => {
  const config = loadConfig({ ...serviceShape, ...storeShape, ...auditShape }, testEnvironment('card', authority, more));
  const started = startService({ name: 'card', schema: FIRST_SCHEMA }, config, { userKeys: authority.userKeys, logger }, async (core) => {
    return { implementations: await build(core), userTokens: { keys: authority.userKeys, revocations: async () => [] } };
  });
  closers.push(() =>
    started.then(
      (app: App) => app.close(),
      () => undefined,
    ),
  );
  return started;
};

const probe = async (port: number, name: string): Promise<unknown[]> => {
  const response = await fetch(`http://127.0.0.1:${port}/health/${name}`);
  return [response.status, await response.json()];
};

/** A relay to an engine that is away, and what a service needs to use it. */
const away = async (engine: 'mongodb' | 'redis') => {
  const { mongodbUri, redisUrl } = testEngines();
  // It relays any TCP connection.
  const relay = await startRedisRelay(engine === 'mongodb' ? mongodbUri : redisUrl);
  closers.push(relay.close);
  await relay.cut();
  const { search } = new URL(mongodbUri);
  const env: Environment =
    engine === 'mongodb' ? { MONGODB_URI: `${relay.url.replace('redis:', 'mongodb:')}/${search}` } : { REDIS_URL: relay.url };
  return { relay, env };
};

describe('the start of a service', () => {
  it.each(['mongodb', 'redis'] as const)(
    'waits while %s is away, live and not ready, reports it once, and completes when it is back',
    async (engine) => {
      const { relay, env } = await away(engine);
      const { logger, lines } = createTestLogger();
      const port = await testPort();
      const started = start({ ...env, METRICS_PORT: String(port) }, logger);
      await waitFor('the process to wait', async () => (lines.length > 0 ? true : undefined));
      expect(await probe(port, 'ready')).toEqual([503, { status: 'starting', down: [engine] }]);
      expect(await probe(port, 'live')).toEqual([200, { status: 'ok' }]);
      expect(lines).toEqual([expect.stringMatching(new RegExp(`^waiting for ${engine}: .*ECONNREFUSED`))]);
      await relay.restore();
      await started;
      expect(await probe(port, 'ready')).toEqual([200, { status: 'ok', down: [] }]);
    },
  );

  it('begins again when an engine leaves during the start, and releases what the first attempt opened', async () => {
    let attempts = 0;
    const released: number[] = [];
    const started = start({}, quietLogger, async ({ defer }) => {
      attempts += 1;
      const attempt = attempts;
      defer(() => released.push(attempt));
      if (attempt === 1) throw new mongo.MongoNetworkError('connection closed');
      return [];
    });
    await started;
    expect([attempts, released]).toEqual([2, [1]]);
  });

  it('waits while the database is of a newer release, and says so', async () => {
    const { mongodbUri, database } = testEngines();
    const store = await openStore({ uri: mongodbUri, database, poolSize: 2, logger: quietLogger });
    closers.push(store.close);
    const records = store.connection.collection<{ _id: string }>(DATABASE_RECORDS);
    await records.insertOne({ _id: 'schema', version: 9, readableFrom: 9 } as never);
    const { logger, lines } = createTestLogger();
    const port = await testPort();
    const started = start({ MONGODB_DATABASE: database, METRICS_PORT: String(port) }, logger);
    await waitFor('the process to wait', async () => (lines.length > 0 ? true : undefined));
    expect(await probe(port, 'ready')).toEqual([503, { status: 'starting', down: ['schema'] }]);
    expect(lines).toEqual([
      expect.stringMatching(/^waiting for schema: the database needs a release that knows schema 9, and this one knows 1: /),
    ]);
    await records.deleteOne({ _id: 'schema' });
    await started;
  });

  it.each([
    ['a MongoDB URI that is none', { MONGODB_URI: 'mongodb://' }],
    ['an authority of MongoDB that cannot be read', { MONGODB_URI: 'mongodb://127.0.0.1:1/?tls=true&tlsCAFile=/nowhere.pem' }],
    ['a Redis URL that is none', { REDIS_URL: 'redis://[' }],
    ['wrong credentials of Redis', { REDIS_URL: testEngines().redisUrl.replace('redis://', 'redis://unknown:wrong@') }],
  ])('fails with a configuration error for %s', async (_what, env) => {
    await expect(start(env)).rejects.toThrow(ConfigError);
  });

  it('fails at once with any other error', async () => {
    await expect(
      start({}, quietLogger, async () => {
        throw new TypeError('a fault');
      }),
    ).rejects.toThrow(TypeError);
  });
});

describe('a service whose engine has a full disk', () => {
  it('says so once a call met it, and is ready again when the engine has taken a large document', async () => {
    const noSpace = new mongo.MongoServerError({ message: 'could not extend file: No space left on device', code: 4293 });
    const { logger, lines } = createTestLogger();
    const port = await testPort();
    const { url } = await start({ METRICS_PORT: String(port) }, logger, async () => [
      implementPart(
        testContract(CardService, {
          getCard: { access: 'service', scope: CARD_SCOPES.readCards, errors: ['CARD_NOT_FOUND'], subjects: ['card_id'] },
        }),
        {
          getCard: serviceMethod(({ cardId }) => {
            if (cardId === 'c-1') throw noSpace;
            return { card: { id: cardId } };
          }),
        },
      ),
    ]);
    expect(await probe(port, 'ready')).toEqual([200, { status: 'ok', down: [] }]);
    const cards = createClient(CardService, createGrpcTransport({ baseUrl: url }));
    const headers = { authorization: `Bearer ${await authority.serviceToken('threeds', 'card', SCOPES)}` };
    const error = await cards.getCard({ cardId: 'c-1' }, { headers }).catch(fromWire);
    expect(error).toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect(lines).toContain('MongoDB rejects writes, waiting until it accepts them: could not extend file: No space left on device');
    // The real engine has space.
    await waitFor('readiness', async () => ((await probe(port, 'ready'))[0] === 200 ? true : undefined));
  });
});

describe('a service with TLS', () => {
  it('is not ready while its certificate has expired, reports it, and is ready with the next one', async () => {
    const ca = await createTestCa();
    closers.push(ca.close);
    const expired = await ca.issue(['card'], { days: -1 });
    const valid = await ca.issue(['card']);
    const { logger, lines } = createTestLogger();
    const port = await testPort();
    await start({ ...expired, METRICS_PORT: String(port) }, logger);
    expect(await probe(port, 'ready')).toEqual([503, { status: 'unavailable', down: ['certificate'] }]);
    expect(lines).toEqual([expect.stringMatching(/^TLS_CERT: the certificate expired at /)]);
    await ca.replace(expired, valid);
    await waitFor('readiness', async () => ((await probe(port, 'ready'))[0] === 200 ? true : undefined));
  });
});
