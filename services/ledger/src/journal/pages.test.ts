import { waitFor } from '@florin/rpc/testing';
import { pause } from '@florin/rpc/time';
import { afterEach, describe, expect, it } from 'vitest';
import { accountOpened } from '../domain/account-change.ts';
import { userAccount } from '../domain/ledger-account.ts';
import { pageBits } from '../domain/placement.ts';
import { transferOrdered } from '../domain/transfer-order.ts';
import { around, createMemoryStores, type MemoryStores } from '../testing/memory-stores.ts';
import {
  accounts,
  available,
  closeJournals,
  createDoor,
  EURE,
  kinds,
  nextId,
  openNext,
  SHARD,
  sound,
  transfer,
} from '../testing/next-journal.ts';

afterEach(closeJournals);

describe('a balance page', () => {
  it('that is being stored is not evicted, and not read as it was before', async () => {
    const stores = createMemoryStores();
    const door = createDoor();
    let saves = 0;
    const journal = await openNext(
      around(stores, (call, run) => {
        if (call !== 'pages.save') return run();
        saves += 1;
        return door.pass().then(run);
      }),
    );
    await journal.append(accounts('a', 'b', 'c', 'd'));
    await journal.flush();
    await journal.append([transfer('a', 'fees', 60n)]);
    door.shut();
    const before = saves;
    const flushing = journal.flush();
    await waitFor('the write', async () => (saves > before ? true : undefined));
    // Memory is for one account: reading others would evict the ones before.
    for (const name of ['x', 'b', 'c', 'd', 'b']) expect(await available(journal, name)).toBe(name === 'x' ? -1n : 100n);
    expect(await available(journal, 'a')).toBe(40n);
    expect(await journal.append([transfer('a', 'fees', 60n)])).toMatchObject([{ kind: 'refused', code: 'INSUFFICIENT_FUNDS' }]);
    door.open();
    await flushing;
    await journal.projected();
    await sound(stores);
  });

  it('that could not be stored is stored by the next flush', async () => {
    const stores = createMemoryStores();
    let down = true;
    const journal = await openNext(
      around(stores, (call, run) => (down && call === 'pages.save' ? Promise.reject(new Error('away')) : run())),
    );
    await journal.append(accounts('a', 'b'));
    await expect(journal.flush()).rejects.toThrow('away');
    expect((await stores.checkpoints.load(SHARD)).paged?.n ?? 0).toBeLessThan(journal.tail().n);
    down = false;
    await journal.flush();
    expect((await stores.checkpoints.load(SHARD)).paged?.n).toBe(journal.tail().n);
    await sound(stores);
  });

  it('is correct under concurrent reads, payments, flushes and evictions', async () => {
    const stores = createMemoryStores();
    const names = Array.from('abcdefgh');
    // Calls end late and in any order, as an engine's do.
    let turn = 0;
    const late = around(stores, async (_call, run) => {
      turn += 1;
      await pause(turn % 3);
      return run();
    });
    const journal = await openNext(late);
    await journal.append(accounts(...names));
    const work = Array.from({ length: 240 }, async (_, index) => {
      const [from, to] = [names[index % 8] ?? '', names[(index * 3 + 1) % 8] ?? ''];
      await pause(index);
      if (index % 11 === 0) await journal.flush();
      if (index % 5 === 0) await journal.account(to);
      return from === to ? [] : journal.append([transfer(from, to, 60n)]);
    });
    expect(kinds((await Promise.all(work)).flat())).toEqual(expect.arrayContaining(['created', 'refused']));
    await journal.flush();
    await journal.projected();
    await sound(stores);
    const next = await openNext(stores);
    let sum = 0n;
    for (const name of names) {
      expect(await available(next, name)).toBe(await available(journal, name));
      sum += await available(next, name);
    }
    expect(sum).toBe(800n);
  });

  it('is split as accounts come, and only the pages that have changed are written', async () => {
    const stores = createMemoryStores();
    let written = 0;
    const counting: MemoryStores = {
      ...stores,
      pages: {
        ...stores.pages,
        save: (shard, versions) => {
          written += versions.length;
          return stores.pages.save(shard, versions);
        },
      },
    };
    const journal = await openNext(counting, { maxAccounts: 500, maxBlockEntries: 10_000 });
    const names = Array.from({ length: 5000 }, (_, index) => `account-${index}`);
    const give = (name: string) => {
      const transfers = [{ debit: 'settlement', credit: userAccount(name, 'available'), token: EURE.symbol, amount: 7n }];
      return transferOrdered({ id: nextId(), accountId: name, transfers });
    };
    for (let start = 0; start < names.length; start += 1000) {
      await journal.append(names.slice(start, start + 1000).map(accountOpened));
      await journal.append(names.slice(start, start + 1000).map(give));
      await journal.flush();
    }
    written = 0;
    await journal.append([give('account-17')]);
    await journal.flush();
    // Its page and that of the system accounts.
    expect(written).toBe(2);
    await journal.projected();
    await sound(stores);
    const next = await openNext(stores, { maxAccounts: 500 });
    for (const name of names) expect(await available(next, name)).toBe(name === 'account-17' ? 14n : 7n);
    const sizes: number[] = [];
    for await (const { page, text } of stores.pages.all(SHARD)) {
      if (page.startsWith(`${pageBits(names.length)}.`)) sizes.push((JSON.parse(text) as unknown[]).length);
    }
    expect(Math.max(...sizes)).toBeLessThan(150);
  });
});
