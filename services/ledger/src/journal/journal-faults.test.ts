import { quietLogger, waitFor } from '@florin/rpc/testing';
import { pause } from '@florin/rpc/time';
import { afterEach, describe, expect, it } from 'vitest';
import { accountActivated, accountOpened } from '../domain/account-change.ts';
import { balanceOf } from '../domain/account-state.ts';
import { DEFAULT_ASSETS, type Token } from '../domain/assets.ts';
import { depositSeen } from '../domain/deposit.ts';
import type { Intent } from '../domain/draft-block.ts';
import { userAccount } from '../domain/ledger-account.ts';
import { transferOrdered } from '../domain/transfer-order.ts';
import { verifyShard } from '../testing/audit-memory.ts';
import { around, createMemoryStores, type MemoryStores } from '../testing/memory-stores.ts';
import { type Journal, type JournalOptions, openJournal } from './journal.ts';

const SHARD = '0';
const [EURE] = DEFAULT_ASSETS.tokens as [Token];

let living: Journal[] = [];
afterEach(async () => {
  await Promise.all(living.map((journal) => journal.close()));
  living = [];
});

const open = async (stores: MemoryStores, more: Partial<JournalOptions> = {}): Promise<Journal> => {
  const journal = await openJournal({
    shard: SHARD,
    epoch: 1,
    ...stores,
    runtime: { now: () => new Date(), randomInt: () => 0 },
    logger: quietLogger,
    maxBlockEntries: 1000,
    maxQueue: 100_000,
    maxAccounts: 1,
    refreshMs: 3_600_000,
    projectionWaitMs: 2000,
    ...more,
  });
  living.push(journal);
  return journal;
};

let ids = 0;
const nextId = (): string => {
  ids += 1;
  return `id${ids}`;
};
const transfer = (debit: string, credit: string, amount: bigint): Intent => {
  const side = (name: string) => (name.length === 1 ? userAccount(name, 'available') : name);
  const transfers = [{ debit: side(debit), credit: side(credit), token: EURE.symbol, amount }];
  return transferOrdered({ id: nextId(), accountId: debit.length === 1 ? debit : credit, transfers });
};
/** Accounts that may pay, and what `settlement` gives them. */
const accounts = (...names: string[]): Intent[] =>
  names.flatMap((name) => [accountOpened(name), accountActivated(name), transfer('settlement', name, 100n)]);
const kinds = (outcomes: readonly { kind: string }[]): string[] => [...new Set(outcomes.map(({ kind }) => kind))];
const available = async (journal: Journal, name: string): Promise<bigint> => {
  const state = await journal.account(name);
  return state === undefined ? -1n : balanceOf(state, EURE.symbol, 'available');
};
const sound = async (stores: MemoryStores): Promise<void> => {
  expect((await verifyShard({ shard: SHARD, ...stores })).bad).toBeUndefined();
};

/** A door that a test shuts and opens. */
const createDoor = () => {
  let release = (): void => undefined;
  let opened: Promise<void> = Promise.resolve();
  return {
    shut: () => {
      opened = new Promise((resolve) => {
        release = resolve;
      });
    },
    open: () => release(),
    pass: () => opened,
  };
};

describe('a writer of an earlier term', () => {
  it('brings nothing about any more that a later one has refused', async () => {
    const stores = createMemoryStores();
    const door = createDoor();
    const first = await open(around(stores, (call, run) => (call === 'blocks.insert' ? door.pass().then(run) : run())));
    await first.append([accountOpened('a'), accountActivated('a')]);
    const payment = transfer('a', 'fees', 10n);
    door.shut();
    // Together they would come right: the payment is judged against what the refund on its way will leave.
    const late = [first.append([transfer('settlement', 'a', 10n)]), pause(20).then(() => first.append([payment]))].map((call) =>
      call.then(
        () => 'written',
        (error: { code?: unknown }) => error.code,
      ),
    );
    await pause(60);
    const second = await open(stores, { epoch: 2 });
    expect(await second.append([payment])).toEqual([{ kind: 'refused', code: 'INSUFFICIENT_FUNDS' }]);
    door.open();
    expect(await Promise.all(late)).toEqual(['SERVICE_UNAVAILABLE', 'SERVICE_UNAVAILABLE']);
    expect(first.deposed()).toBe(true);
    expect(second.deposed()).toBe(false);
    expect(await second.append([payment])).toEqual([{ kind: 'refused', code: 'INSUFFICIENT_FUNDS' }]);
    expect(await available(second, 'a')).toBe(0n);
    await sound(stores);
  });
});

describe('a writer that learns of a later term while calls wait', () => {
  it('judges none of them', async () => {
    const stores = createMemoryStores();
    const door = createDoor();
    const first = await open({
      ...stores,
      blocks: {
        ...stores.blocks,
        after: async function* (shard, n) {
          yield* stores.blocks.after(shard, n);
          await door.pass();
        },
      },
    });
    await first.append(accounts('a'));
    const second = await open(stores, { epoch: 2 });
    await second.append([transfer('settlement', 'a', 1n)]);
    door.shut();
    const refreshing = first.refresh();
    await pause(20);
    const waiting = expect(first.append([transfer('a', 'fees', 5n)])).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    await pause(20);
    door.open();
    await refreshing;
    await waiting;
    await second.refresh();
    expect(await available(second, 'a')).toBe(101n);
    expect(second.tail().n).toBe(2);
    await sound(stores);
  });
});

describe('a writer that gives up', () => {
  it('writes nothing that rests on what it gave up', async () => {
    const stores = createMemoryStores();
    let closing = false;
    let down = false;
    const journal = await open(
      around(stores, (call, run) => {
        if (!down || !call.startsWith('blocks.')) return run();
        // The engine is back the moment after the first block is given up.
        if (closing && call === 'blocks.find') down = false;
        return Promise.reject(new Error('engine is away'));
      }),
    );
    await journal.append(accounts('a', 'b'));
    down = true;
    const first = journal.append([transfer('settlement', 'a', 50n)]);
    const codes = [first, journal.append([transfer('a', 'b', 150n)])].map((call) =>
      call.then(
        () => 'no error',
        (error: { code?: unknown }) => error.code,
      ),
    );
    await pause(50);
    closing = true;
    await journal.close();
    expect(await Promise.all(codes)).toEqual(['SERVICE_UNAVAILABLE', 'SERVICE_UNAVAILABLE']);
    await sound(stores);
    expect(await available(await open(stores), 'b')).toBe(100n);
  });

  it('stops although the engine hangs', async () => {
    const stores = createMemoryStores();
    let hangs = false;
    const journal = await open(
      around(stores, (_call, run) => (hangs ? new Promise(() => undefined) : run())),
      { storePatienceMs: 300 },
    );
    await journal.append(accounts('a'));
    hangs = true;
    const call = expect(journal.append([transfer('a', 'fees', 1n)])).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    const refreshing = journal.refresh().catch(() => undefined);
    await call;
    // Would time out here.
    await journal.close();
    await refreshing;
    await sound(stores);
  });

  it('stops although what it reads fails', async () => {
    const stores = createMemoryStores();
    let down = false;
    const journal = await open({
      ...stores,
      blocks: {
        ...stores.blocks,
        find: (shard, n) => (down ? Promise.reject(new Error('engine is away')) : stores.blocks.find(shard, n)),
        after: async function* (shard, n) {
          if (down) throw new Error('engine is away');
          yield* stores.blocks.after(shard, n);
        },
      },
    });
    down = true;
    const refreshing = expect(journal.refresh()).rejects.toThrow('engine is away');
    await journal.close();
    await refreshing;
  });
});

describe('a balance page', () => {
  it('that is on its way to the store is not forgotten, and not read as it was', async () => {
    const stores = createMemoryStores();
    const door = createDoor();
    let saves = 0;
    const journal = await open(
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
    // Memory is for one account: others are asked for, so that all that were there would go.
    for (const name of ['x', 'b', 'c', 'd', 'b']) expect(await available(journal, name)).toBe(name === 'x' ? -1n : 100n);
    expect(await available(journal, 'a')).toBe(40n);
    expect(await journal.append([transfer('a', 'fees', 60n)])).toMatchObject([{ kind: 'refused', code: 'INSUFFICIENT_FUNDS' }]);
    door.open();
    await flushing;
    await journal.projected();
    await sound(stores);
  });

  it('that could not be stored is stored the next time', async () => {
    const stores = createMemoryStores();
    let down = true;
    const journal = await open(around(stores, (call, run) => (down && call === 'pages.save' ? Promise.reject(new Error('away')) : run())));
    await journal.append(accounts('a', 'b'));
    await expect(journal.flush()).rejects.toThrow('away');
    expect((await stores.checkpoints.load(SHARD)).paged).toBeUndefined();
    down = false;
    await journal.flush();
    expect((await stores.checkpoints.load(SHARD)).paged?.n).toBe(journal.tail().n);
    await sound(stores);
  });

  it('of a writer that is ahead is no obstacle: whoever lags loses its number, reads on, and agrees', async () => {
    const stores = createMemoryStores();
    const ahead = await open(stores);
    await ahead.append(accounts('a', 'b', 'c'));
    const behind = await open(stores);
    // Stored, but projected nowhere yet: the lagging one knows only what the page says.
    await ahead.append([accountOpened('e'), transfer('a', 'b', 70n)]);
    await ahead.flush();
    const [opened, refused, paid] = await behind.append([accountOpened('e'), transfer('a', 'fees', 70n), transfer('b', 'c', 170n)]);
    expect(opened).toMatchObject({ kind: 'exists', same: true });
    expect(refused).toMatchObject({ kind: 'refused', code: 'INSUFFICIENT_FUNDS' });
    expect(paid?.kind).toBe('created');
    await behind.flush();
    expect(await ahead.append([transfer('c', 'a', 270n)])).toMatchObject([{ kind: 'created' }]);
    for (const journal of [ahead, behind]) {
      await journal.refresh();
      expect(await Promise.all(['a', 'b', 'c'].map((name) => available(journal, name)))).toEqual([300n, 0n, 0n]);
      await journal.flush();
      await journal.projected();
    }
    await sound(stores);
  });

  it('is right whoever reads, pays, flushes and forgets at the same time, on two writers', async () => {
    const stores = createMemoryStores();
    const names = Array.from('abcdefgh');
    // Answers come late and in any order, as an engine's do.
    let turn = 0;
    const late = around(stores, async (_call, run) => {
      turn += 1;
      await pause(turn % 3);
      return run();
    });
    const writers = [await open(late), await open(late)] as const;
    await writers[0].append(accounts(...names));
    const work = Array.from({ length: 240 }, async (_, index) => {
      const journal = writers[index % 2 === 0 ? 0 : 1];
      const [from, to] = [names[index % 8] ?? '', names[(index * 3 + 1) % 8] ?? ''];
      await pause(index);
      if (index % 11 === 0) await journal.flush();
      if (index % 5 === 0) await journal.account(to);
      return from === to ? [] : journal.append([transfer(from, to, 9n)]);
    });
    expect(kinds((await Promise.all(work)).flat())).toEqual(expect.arrayContaining(['created', 'refused']));
    let sum = 0n;
    await writers[1].refresh();
    for (const name of names) sum += await available(writers[1], name);
    expect(sum).toBe(800n);
    for (const journal of writers) await journal.flush();
    await writers[1].projected();
    await sound(stores);
  });
});

describe('what waits', () => {
  it('becomes blocks that the engine can store, however many transfers come at once', async () => {
    const stores = createMemoryStores();
    const door = createDoor();
    const journal = await open(
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
    for await (const { lines } of stores.blocks.after(SHARD, 0)) {
      expect(lines.reduce((sum, line) => sum + line.length + 1, 0)).toBeLessThan(16 * 1024 * 1024);
    }
    await journal.projected();
  });

  it('is refused again and again without a trace', async () => {
    const stores = createMemoryStores();
    const journal = await open(stores);
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

  it('learns of a contradiction by reading on, and answers no more', async () => {
    const stores = createMemoryStores();
    let tampered = false;
    const journal = await open({
      ...stores,
      blocks: {
        ...stores.blocks,
        after: async function* (shard, n) {
          for await (const block of stores.blocks.after(shard, n)) yield tampered ? { ...block, epoch: 7 } : block;
        },
      },
    });
    const other = await open(stores);
    await other.append(accounts('a'));
    tampered = true;
    await expect(journal.refresh()).rejects.toThrow('block 0:1');
    await expect(journal.health()).rejects.toThrow('block 0:1');
    await expect(journal.append([depositSeen({ chainId: 1, txHash: '0x', logIndex: 0 }, 'a', EURE, 1n)])).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
    });
  });
});
