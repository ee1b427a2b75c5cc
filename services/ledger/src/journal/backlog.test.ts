import { pause } from '@florin/rpc/time';
import { afterEach, describe, expect, it } from 'vitest';
import { userAccount } from '../domain/ledger-account.ts';
import { transferOrdered } from '../domain/transfer-order.ts';
import { around, createMemoryStores } from '../testing/memory-stores.ts';
import {
  accounts,
  available,
  closeJournals,
  codeOf,
  createDoor,
  kinds,
  nextId,
  openNext,
  SHARD,
  transfer,
} from '../testing/next-journal.ts';

afterEach(closeJournals);

describe('what waits', () => {
  it('becomes blocks that the engine can store, for any number of concurrent transfers', async () => {
    const stores = createMemoryStores();
    const door = createDoor();
    const journal = await openNext(
      around(stores, (call, run) => (call === 'blocks.insert' ? door.pass().then(run) : run())),
      {
        maxBlockEntries: 10_000,
      },
    );
    await journal.append(accounts('a'));
    door.shut();
    const amount = 10n ** 59n;
    const transfers = Array.from({ length: 100 }, () => ({
      debit: 'settlement',
      credit: userAccount('a', 'available'),
      token: 'EURe',
      amount,
    }));
    const calls = Array.from({ length: 24 }, () =>
      journal.append(Array.from({ length: 100 }, () => transferOrdered({ id: nextId(), accountId: 'a', transfers }))),
    );
    await pause(100);
    door.open();
    for (const outcomes of await Promise.all(calls)) expect(kinds(outcomes)).toEqual(['created']);
    for await (const { body } of stores.blocks.after(SHARD, 0)) {
      expect(body.length).toBeLessThan(16 * 1024 * 1024);
    }
    await journal.projected();
  });

  it('leaves no trace when it is refused', async () => {
    const stores = createMemoryStores();
    const journal = await openNext(stores);
    await journal.append(accounts('a'));
    const { n } = journal.tail();
    const refusals = async (): Promise<void> => {
      for (let round = 0; round < 500; round += 1) {
        const [outcome] = await journal.append([transfer('a', 'fees', 101n)]);
        if (outcome?.kind !== 'refused') throw new Error('not refused');
      }
    };
    await Promise.all([refusals(), refusals()]);
    expect(journal.tail().n).toBe(n);
    expect(await available(journal, 'a')).toBe(100n);
  });

  it('makes the journal unhealthy once callers are rejected because the projections have fallen behind', async () => {
    const stores = createMemoryStores();
    let isAway = true;
    const journal = await openNext(
      around(stores, (call, run) => (isAway && call === 'projections.save' ? Promise.reject(new Error('engine is away')) : run())),
      { maxBlockEntries: 10_000 },
    );
    await journal.append(accounts('a'));
    const few = () => Array.from({ length: 5000 }, () => transfer('settlement', 'a', 1n));
    for (let round = 0; round < 10; round += 1) await journal.append(few());
    await journal.health();
    expect(await codeOf(journal.append(few()))).toBe('SERVICE_UNAVAILABLE');
    await expect(journal.health()).rejects.toThrow('projections');
    isAway = false;
    expect(await journal.projected().then(() => journal.append([transfer('a', 'fees', 1n)]))).toMatchObject([{ kind: 'created' }]);
    await journal.health();
  });
});

describe('the checkpoint', () => {
  it('is followed by a number of blocks until it is stored anew', async () => {
    const journal = await openNext(createMemoryStores());
    await journal.flush();
    expect(journal.sinceCheckpoint()).toBe(0);
    await journal.append(accounts('a'));
    expect(journal.sinceCheckpoint()).toBe(1);
    await journal.flush();
    expect(journal.sinceCheckpoint()).toBe(0);
  });
});
