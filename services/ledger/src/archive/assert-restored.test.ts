import type { Head } from '@florin/evm/reserves';
import { afterEach, describe, expect, it } from 'vitest';
import { createMemoryStores } from '../testing/memory-stores.ts';
import { accounts, closeJournals, openNext, SHARD, transfer } from '../testing/next-journal.ts';
import { assertRestored, type RestoreChecks, RestoreError } from './assert-restored.ts';

afterEach(closeJournals);

/** A ledger that runs, and what a start beside it reads. The ledger goes on by a block, and stores everything, after one of the reads. */
const startBeside = async (pausesAfter: number) => {
  const stores = createMemoryStores();
  const journal = await openNext(stores);
  await journal.append(accounts('a'));
  let head: Pick<Head, 'n' | 'hash'> | undefined;
  let reads = 0;
  const goOn = async (): Promise<void> => {
    await journal.append([transfer('settlement', 'a', 1n)]);
    await journal.flush();
    await journal.projected();
    await stores.checkpoints.saveProjected(SHARD, journal.tail().n);
    head = journal.tail();
  };
  await goOn();
  const read = async <T>(work: () => Promise<T>): Promise<T> => {
    const found = await work();
    reads += 1;
    if (reads === pausesAfter) await goOn();
    return found;
  };
  const checks: RestoreChecks = {
    shards: [SHARD],
    blocks: {
      last: () => read(() => stores.blocks.last(SHARD)),
      find: (shard, n) => read(() => stores.blocks.find(shard, n)),
    },
    checkpoints: { load: () => read(() => stores.checkpoints.load(SHARD)) },
    pages: {
      asOfAfter: (shard, n) => read(async () => (await stores.pages.versions(shard)).find(({ asOf }) => asOf > n)?.asOf),
    },
    newestHead: () => read(async () => head as Head | undefined),
    importPending: async () => false,
  };
  return { checks, stores, read: () => reads };
};

describe('a start beside a ledger that runs', () => {
  it.each([1, 2, 3, 4, 5])('takes the database for a consistent one although the ledger goes on after read %i', async (pausesAfter) => {
    const { checks, read } = await startBeside(pausesAfter);
    await assertRestored(checks);
    expect(read()).toBeGreaterThanOrEqual(pausesAfter);
  });

  it('rejects a database whose blocks are older than its pages', async () => {
    const { checks, stores } = await startBeside(0);
    const last = await stores.blocks.last(SHARD);
    const load = async () => ({ epoch: 1, projected: 0 });
    const older: RestoreChecks = {
      ...checks,
      blocks: { ...checks.blocks, last: async () => last - 1 },
      checkpoints: { load },
      newestHead: async () => undefined,
    };
    await expect(assertRestored(older)).rejects.toThrow(RestoreError);
  });
});
