import { randomUUID } from 'node:crypto';
import { migrate } from '@florin/data/migrations';
import { openStore, type Store } from '@florin/data/store';
import { AuthenticationService } from '@florin/proto/threeds/v1/authentication_service';
import { Decision } from '@florin/proto/threeds/v1/challenge';
import { THREEDS_SCOPES } from '@florin/proto/threeds/v1/scopes';
import { createRpcChannel, type RpcChannel } from '@florin/rpc/client';
import { quietLogger } from '@florin/rpc/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createWorld, type Instance, type World } from '../testing/world.ts';
import { SCHEMA, USE_OF_SCHEMA_1 } from './schema.ts';

/** The approved amount. */
const APPROVED = 1999;

const PAYMENT = randomUUID();
const ANOTHER = randomUUID();

let world: World;
let instance: Instance;
let channel: RpcChannel;
let store: Store;
beforeAll(async () => {
  world = await createWorld();
  instance = await world.start();
  channel = createRpcChannel({ baseUrl: instance.url, timeoutMs: 20_000 });
  const { MONGODB_URI: uri = '', MONGODB_DATABASE: database = '' } = world.env;
  store = await openStore({ uri, database, poolSize: 2, logger: quietLogger });
});
afterAll(async () => {
  await channel?.close();
  await store?.close();
  await world?.close();
});

const challenges = () => store.connection.collection<{ _id: string }>('challenges');

/** Migrates the database as one from before there were schema versions. */
const runMigration = async (): Promise<number> => {
  await store.connection.collection<{ _id: string }>('database_records').deleteOne({ _id: 'schema' });
  return migrate({ connection: store.connection, schema: SCHEMA, contract: true, report: () => undefined });
};

/** An approval, used by a payment as releases before schema 2 recorded it. */
const usedBefore = async (requests: string[]) => {
  const { person, id: challengeId, user } = await world.raise(instance);
  await user.decide(challengeId, Decision.APPROVE, person.wallet);
  const consumedBy = { paymentId: PAYMENT, at: world.clock.now(), requests };
  await challenges().updateOne({ _id: challengeId }, { $set: { consumedBy } });
  const client = channel.client(AuthenticationService);
  const options = () => world.authority.asService('card', 'threeds', [THREEDS_SCOPES.consumeAuthentications]);
  const facts = { challengeId, cardId: person.cardId, currency: 'EUR', merchantId: 'M-1' };
  return {
    use: async (paymentId: string, requestId: string, amount: number, approvedBefore = 0, decidedRequestIds: string[] = []) =>
      client
        .consumeAuthentication(
          { ...facts, paymentId, requestId, amount: `${amount}`, approvedBefore: `${approvedBefore}`, decidedRequestIds },
          await options(),
        )
        .then(
          () => 'used',
          ({ code }: { code: string }) => code,
        ),
    release: async (paymentId: string, requestId: string) =>
      client.releaseAuthentication({ challengeId, paymentId, requestId }, await options()),
  };
};

const stages: [string, () => Promise<unknown>][] = [
  ['before its migration', async () => undefined],
  ['after its migration', runMigration],
];

describe.each(stages)('an approval that was used before schema 2, %s', (_stage, migrated) => {
  it('belongs to its payment, up to its amount together with what was decided', async () => {
    const { use } = await usedBefore(['authorization']);
    await migrated();
    expect(await use(ANOTHER, 'request', 1)).toBe('AUTHENTICATION_NOT_USABLE');
    expect(await use(PAYMENT, 'authorization', 1000)).toBe('used');
    expect(await use(PAYMENT, 'increment', 1000, 1000, ['authorization'])).toBe('AUTHENTICATION_NOT_USABLE');
    expect(await use(PAYMENT, 'increment', APPROVED - 1000, 1000, ['authorization'])).toBe('used');
  });

  it('is used up while what it was used for is undecided', async () => {
    const { use } = await usedBefore(['authorization']);
    await migrated();
    expect(await use(PAYMENT, 'increment', 1)).toBe('AUTHENTICATION_NOT_USABLE');
  });

  it('is given back', async () => {
    const { use, release } = await usedBefore(['authorization']);
    await migrated();
    await release(PAYMENT, 'authorization');
    expect(await use(ANOTHER, 'request', APPROVED)).toBe('used');
  });

  it('is free when it was given back before', async () => {
    const { use } = await usedBefore([]);
    await migrated();
    expect(await use(ANOTHER, 'request', APPROVED)).toBe('used');
  });
});

it('the migration leaves no use in the former shape, while approvals are used', async () => {
  const approvals = await Promise.all(Array.from({ length: 8 }, () => usedBefore(['authorization'])));
  const [results] = await Promise.all([
    Promise.all(approvals.map(({ use }) => use(PAYMENT, 'increment', 999, 1000, ['authorization']))),
    runMigration(),
  ]);
  expect(results).toEqual(approvals.map(() => 'used'));
  expect(await challenges().countDocuments(USE_OF_SCHEMA_1)).toBe(0);
});
