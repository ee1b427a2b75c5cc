import { openStore } from '@florin/data/store';
import { createSigningKey } from '@florin/rpc/signing-key';
import { quietLogger } from '@florin/rpc/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Source } from '../audit/source.ts';
import { EMPTY } from '../audit/verify-shard.ts';
import { WHOLE } from '../heads/account-tree.ts';
import { makeSnapshot } from '../heads/make-snapshot.ts';
import { ledgerEnvironment, newHeadKey } from '../testing/world.ts';
import { createSnapshotStore, type SnapshotStore } from './snapshots.ts';

const environment = ledgerEnvironment();
let store: Awaited<ReturnType<typeof openStore>>;
let snapshots: SnapshotStore;
beforeAll(async () => {
  store = await openStore({
    uri: environment['MONGODB_URI'] ?? '',
    database: environment['MONGODB_DATABASE'] ?? '',
    poolSize: 8,
    logger: quietLogger,
  });
  snapshots = createSnapshotStore(store.connection);
  await store.ready();
});
afterAll(async () => {
  await store.connection.dropDatabase();
  await store.close();
});

const key = createSigningKey(JSON.parse(newHeadKey()));
const make = (shard: string, target: SnapshotStore) => {
  const limits = { maxAccounts: 10, maxIds: 10 };
  const source = store.connection as unknown as Source;
  return makeSnapshot({
    source,
    shard,
    shards: [shard],
    last: 0,
    opening: EMPTY,
    snapshots: target,
    heads: { add: async () => {} },
    key,
    limits,
  });
};

describe('a snapshot', () => {
  it('does not exist without its parts, which a newer one has removed', async () => {
    const removedMeanwhile = {
      ...snapshots,
      save: async (...args: Parameters<SnapshotStore['save']>) => {
        await snapshots.dropBefore('slow', 1);
        return snapshots.save(...args);
      },
    };
    await expect(make('slow', removedMeanwhile)).rejects.toThrow('a newer one exists');
    expect(await snapshots.newest('slow')).toBeUndefined();
    await make('slow', snapshots);
    expect(await snapshots.newest('slow')).toMatchObject({ n: 0 });
  });

  it('stays once the journal begins after it, or the journal does not begin after it', async () => {
    const outcomes = new Set<boolean>();
    for (let round = 0; round < 30; round += 1) {
      const shard = `round-${round}`;
      await snapshots.savePart(shard, 1, {
        ...WHOLE,
        lines: [['a', 'active', [], []]],
        safes: [''],
        roots: Buffer.alloc(32),
        owed: Buffer.alloc(32),
      });
      await snapshots.save({ shard, n: 1, hash: '', at: new Date(), root: '', accounts: 1 });
      const removing = snapshots.dropBefore(shard, 2);
      if (round % 3 === 0) await removing;
      const isMarked = await snapshots.markArchive(shard, 1);
      await removing;
      outcomes.add(isMarked);
      expect((await snapshots.archive(shard))?.n).toBe(isMarked ? 1 : undefined);
      expect(await Array.fromAsync(snapshots.accounts(shard, 1))).toHaveLength(isMarked ? 1 : 0);
      await snapshots.dropBefore(shard, 2);
      expect((await snapshots.archive(shard))?.n).toBe(isMarked ? 1 : undefined);
    }
    expect([...outcomes]).toContain(false);
  });

  it('is removed once the journal begins after a later one', async () => {
    for (const n of [1, 2, 3]) await snapshots.save({ shard: 'two', n, hash: '', at: new Date(), root: '', accounts: 0 });
    for (const n of [1, 2]) expect(await snapshots.markArchive('two', n)).toBe(true);
    await snapshots.dropBefore('two', 3);
    expect(await snapshots.find('two', 1)).toBeUndefined();
    expect(await snapshots.archive('two')).toMatchObject({ n: 2 });
  });
});
