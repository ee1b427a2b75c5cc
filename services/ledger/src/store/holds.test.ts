import { randomUUID } from 'node:crypto';
import { openStore, type Store } from '@florin/data/store';
import { testEngines } from '@florin/data/testing';
import { quietLogger } from '@florin/rpc/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createHolds, type Holds } from './holds.ts';

let store: Store;
let holds: Holds;
beforeAll(async () => {
  const { mongodbUri } = testEngines();
  store = await openStore({ uri: mongodbUri, database: `holds_${randomUUID()}`, poolSize: 4, logger: quietLogger });
  holds = createHolds(store.connection);
  await store.ready();
});
afterAll(async () => {
  await store.connection.dropDatabase();
  await store.close();
});

const at = (seconds: number): Date => new Date(seconds * 1000);
const expired = async (seconds: number) => (await holds.expired('0', at(seconds), 10)).map(({ holdId }) => holdId);

it('finds open holds by their latest expiry when changes are projected repeatedly and in any order', async () => {
  const opened = (holdId: string, seconds: number) => ({ kind: 'opened' as const, holdId, accountId: 'a', expiresAt: at(seconds) });
  const extended = (holdId: string, seconds: number) => ({ kind: 'extended' as const, holdId, expiresAt: at(seconds) });
  await holds.save('0', [opened('one', 10), opened('two', 10), extended('two', 20)]);
  expect(await expired(15)).toEqual(['one']);
  await holds.save('0', [extended('one', 30)]);
  await holds.save('0', [opened('one', 10), extended('one', 25)]);
  expect(await expired(29)).toEqual(['two']);
  expect(await expired(30)).toEqual(['two', 'one']);
  await holds.save('0', [extended('two', 40), { kind: 'ended', holdId: 'two' }, { kind: 'ended', holdId: 'one' }]);
  expect(await expired(50)).toEqual([]);
  await holds.save('0', [extended('two', 60)]);
  expect(await expired(70)).toEqual([]);
});
