import { readFile } from 'node:fs/promises';
import { migrate } from '@florin/data/migrations';
import { openStore, type Store } from '@florin/data/store';
import { quietLogger } from '@florin/rpc/testing';
import { mongo } from 'mongoose';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { as, type Clients, createWorld, signIn, type World } from '../testing/world.ts';
import { SCHEMA } from './schema.ts';

/** A database that release 0.1.0 wrote, with the keys that it needs: one person who has registered and has a session. */
type Fixture = {
  writtenAt: string;
  environment: Record<'IDENTITY_MASTER_KEYS' | 'FIELD_KEYS' | 'FIELD_HASH_KEY', string>;
  privateKey: `0x${string}`;
  userId: string;
  refreshToken: string;
  email: string;
  documents: Record<string, object[]>;
};

let fixture: Fixture;
let world: World;
let store: Store;
let clients: Clients;
beforeAll(async () => {
  const file = new URL('../testing/fixtures/identity-schema-1.json', import.meta.url);
  fixture = JSON.parse(await readFile(file, 'utf8')) as Fixture;
  world = await createWorld(fixture.environment);
  const { MONGODB_URI: uri = '', MONGODB_DATABASE: database = '' } = world.env;
  store = await openStore({ uri, database, poolSize: 4, logger: quietLogger });
  for (const [name, documents] of Object.entries(fixture.documents)) {
    await store.connection.collection(name).insertMany(documents.map((document) => mongo.BSON.EJSON.deserialize(document)));
  }
  const now = () => new Date(Date.parse(fixture.writtenAt) + 60_000);
  clients = world.clientsOf((await world.start({ runtime: { now } })).url);
});
afterAll(async () => {
  await store?.close();
  await world?.close();
});

const keysWithoutTime = () => store.connection.collection('signing_keys').countDocuments({ signsFrom: { $exists: false } });
const runMigration = () => migrate({ connection: store.connection, schema: SCHEMA, report: () => undefined });

describe('a database of the previous release', () => {
  it('is served before, during and after its migration', async () => {
    expect(await keysWithoutTime()).toBe(1);
    const before = await clients.auth.refreshSession({ refreshToken: fixture.refreshToken });
    const [, , during] = await Promise.all([runMigration(), runMigration(), signIn(clients, privateKeyToAccount(fixture.privateKey))]);
    expect(await keysWithoutTime()).toBe(0);
    expect(await runMigration()).toBe(SCHEMA.version);
    const after = await clients.auth.refreshSession({ refreshToken: before.tokens?.refreshToken ?? '' });
    for (const tokens of [before.tokens, during, after.tokens]) {
      const { user } = await clients.users.getCurrentUser({}, as(tokens?.accessToken ?? ''));
      expect(user).toMatchObject({ id: fixture.userId, email: fixture.email });
    }
  });
});
