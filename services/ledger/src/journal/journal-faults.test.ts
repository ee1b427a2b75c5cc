import { DEFAULT_ASSETS, type Token } from '@florin/rpc/assets';
import { quietLogger, waitFor } from '@florin/rpc/testing';
import { pause } from '@florin/rpc/time';
import { afterEach, describe, expect, it } from 'vitest';
import { accountActivated, accountOpened } from '../domain/account-change.ts';
import { balanceOf } from '../domain/account-state.ts';
import { InvariantError } from '../domain/apply-entry.ts';
import type { Intent } from '../domain/draft-block.ts';
import { userAccount } from '../domain/ledger-account.ts';
import { pageBits } from '../domain/placement.ts';
import { transferOrdered } from '../domain/transfer-order.ts';
import { verifyShard } from '../testing/audit-memory.ts';
import { around, createMemoryStores, type MemoryStores } from '../testing/memory-stores.ts';
import { MAX_CLOCK_SKEW_MS } from './engine-clock.ts';
import { type Journal, type JournalOptions, openJournal } from './journal.ts';
import { ClockSkewError, LostRaceError } from './writer-state.ts';

const SHARD = '0';
const [EURE] = DEFAULT_ASSETS.tokens as [Token];

let terms = 0;
let living: Journal[] = [];
afterEach(async () => {
  await Promise.all(living.map((journal) => journal.close()));
  living = [];
});

/** Opens a journal for the next term of the stores, or for the one that is given. */
const open = async (stores: MemoryStores, more: Partial<JournalOptions> = {}): Promise<Journal> => {
  terms += 1;
  const journal = await openJournal({
    shard: SHARD,
    epoch: terms,
    ...stores,
    runtime: { now: () => new Date() },
    logger: quietLogger,
    maxBlockEntries: 1000,
    maxQueue: 100_000,
    runEntries: 5,
    runsPerMerge: 3,
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
const codeOf = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => 'no error',
    (error: { code?: unknown }) => error.code,
  );
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
  it('cannot append an entry that a later writer rejected', async () => {
    const stores = createMemoryStores();
    const door = createDoor();
    const first = await open(around(stores, (call, run) => (call === 'blocks.insert' ? door.pass().then(run) : run())));
    await first.append([accountOpened('a'), accountActivated('a')]);
    const payment = transfer('a', 'fees', 10n);
    door.shut();
    // Together they would be accepted: the payment is judged against what the refund under way will leave.
    const late = [first.append([transfer('settlement', 'a', 10n)]), pause(20).then(() => first.append([payment]))].map(codeOf);
    await pause(60);
    const second = await open(stores);
    expect(await second.append([payment])).toEqual([{ kind: 'refused', code: 'INSUFFICIENT_FUNDS' }]);
    door.open();
    expect(await Promise.all(late)).toEqual(['SERVICE_UNAVAILABLE', 'SERVICE_UNAVAILABLE']);
    expect(await first.ended).toBe('lost');
    expect(await second.append([payment])).toEqual([{ kind: 'refused', code: 'INSUFFICIENT_FUNDS' }]);
    await second.health();
    expect(await available(second, 'a')).toBe(0n);
    await sound(stores);
  });

  it('acknowledges nothing after a later term has begun, so that its successor is never stale', async () => {
    const stores = createMemoryStores();
    const first = await open(stores);
    await first.append(accounts('a'));
    const second = await open(stores);
    expect(await codeOf(first.append([transfer('a', 'fees', 40n)]))).toBe('SERVICE_UNAVAILABLE');
    expect(await first.ended).toBe('lost');
    expect(await codeOf(first.append([transfer('a', 'fees', 40n)]))).toBe('SERVICE_UNAVAILABLE');
    expect(await available(second, 'a')).toBe(100n);
    await sound(stores);
  });

  it('learns of a later term by checking the tail', async () => {
    const stores = createMemoryStores();
    const first = await open(stores);
    await first.append(accounts('a'));
    await first.assertTail();
    await open(stores);
    expect(await codeOf(first.assertTail())).toBe('SERVICE_UNAVAILABLE');
    expect(await first.ended).toBe('lost');
    await expect(first.health()).rejects.toThrow(LostRaceError);
  });

  it('refuses nothing by old balances', async () => {
    const stores = createMemoryStores();
    const first = await open(stores);
    await first.append(accounts('a'));
    const second = await open(stores);
    await second.append([transfer('settlement', 'a', 10n)]);
    expect(await codeOf(first.append([transfer('a', 'fees', 110n)]))).toBe('SERVICE_UNAVAILABLE');
    expect(await first.ended).toBe('lost');
  });

  it.each([
    ['below that of the last block', 2, 3],
    ['that of the last block', 3, 3],
  ])('does not open for a term %s', async (_name, term, written) => {
    const stores = createMemoryStores();
    const later = await open(stores, { epoch: written });
    const payment = transfer('a', 'fees', 10n);
    await later.append([accountOpened('a'), accountActivated('a')]);
    expect(await later.append([payment])).toEqual([{ kind: 'refused', code: 'INSUFFICIENT_FUNDS' }]);
    await later.append([transfer('settlement', 'a', 10n)]);
    await expect(open(stores, { epoch: term })).rejects.toThrow(LostRaceError);
    // The checkpoints may have been dropped, and the claim with them.
    const { blocks } = stores;
    await expect(open({ ...createMemoryStores(), blocks }, { epoch: term })).rejects.toThrow(LostRaceError);
    await later.health();
    expect(await available(later, 'a')).toBe(10n);
  });

  it('whose opening took longer than that of a later one does not open', async () => {
    const stores = createMemoryStores();
    const door = createDoor();
    door.shut();
    const slow = expect(open(around(stores, (call, run) => (call === 'blocks.insert' ? door.pass().then(run) : run())))).rejects.toThrow(
      LostRaceError,
    );
    await pause(20);
    const later = await open(stores);
    await later.append(accounts('a'));
    door.open();
    await slow;
    expect(await available(later, 'a')).toBe(100n);
    await sound(stores);
  });

  it('does not move the checkpoint after a later one has claimed it', async () => {
    const stores = createMemoryStores();
    const first = await open(stores);
    await first.append(accounts('a'));
    const second = await open(stores);
    await expect(first.flush()).rejects.toThrow(LostRaceError);
    expect((await stores.checkpoints.load(SHARD)).paged?.n).not.toBe(first.tail().n);
    await second.append([transfer('a', 'fees', 40n)]);
    await second.flush();
    await second.close();
    expect(await available(await open(stores), 'a')).toBe(60n);
    await sound(stores);
  });
});

describe('a writer that loses a race', () => {
  it('judges nothing of what waits once more, so that no order is inverted', async () => {
    const stores = createMemoryStores();
    const [insert, lookUp] = [createDoor(), createDoor()];
    const journal = await open(
      around(stores, (call, run) => {
        if (call === 'blocks.insert') return insert.pass().then(run);
        return call === 'pages.find' ? lookUp.pass().then(run) : run();
      }),
    );
    await journal.append([accountOpened('a'), accountActivated('a')]);
    const payment = transfer('a', 'fees', 50n);
    insert.shut();
    const calls = [codeOf(journal.append([transfer('settlement', 'a', 1n)]))];
    await pause(20);
    calls.push(codeOf(journal.append([payment])));
    await pause(20);
    lookUp.shut();
    // Sent after the payment was refused in a draft: judged again in another order, the payment would be accepted.
    calls.push(codeOf(journal.append([transfer('settlement', 'a', 100n)])), codeOf(journal.append([payment])));
    await pause(20);
    const successor = await open(stores);
    insert.open();
    lookUp.open();
    expect(await Promise.all(calls)).toEqual(calls.map(() => 'SERVICE_UNAVAILABLE'));
    await journal.close();
    expect(await available(successor, 'a')).toBe(0n);
    expect(successor.tail().n).toBe(3);
    await sound(stores);
  });
});

describe('a stored journal', () => {
  it('is not opened when its balances are newer than its blocks, as after a restore that was not consistent', async () => {
    const stores = createMemoryStores();
    const journal = await open(stores);
    await journal.append([accountOpened('a'), accountActivated('a')]);
    for (let round = 0; round < 10; round += 1) await journal.append([transfer('settlement', 'a', 10n)]);
    await journal.close();
    const restored = createMemoryStores();
    for await (const block of stores.blocks.after(SHARD, 0)) if (block.n <= 3) await restored.blocks.insert(block);
    for await (const page of stores.pages.all(SHARD)) await restored.pages.save(SHARD, [page]);
    await expect(open(restored)).rejects.toThrow(InvariantError);
  });

  it('is not opened when its checkpoint is newer than its blocks', async () => {
    const stores = createMemoryStores();
    const journal = await open(stores);
    await journal.append(accounts('a'));
    await journal.close();
    await expect(open({ ...stores, blocks: createMemoryStores().blocks })).rejects.toThrow(InvariantError);
  });

  it('is opened when balances were stored without their checkpoint, and by the checkpoint that there is', async () => {
    const stores = createMemoryStores();
    const journal = await open(
      around(stores, (call, run) => (call === 'checkpoints.savePaged' && broken ? Promise.reject(new Error('killed')) : run())),
    );
    let broken = false;
    await journal.append(accounts('a', 'b'));
    await journal.flush();
    broken = true;
    for (let round = 0; round < 3; round += 1) {
      await journal.append([transfer('a', 'b', 10n)]);
      await journal.flush().catch(() => undefined);
    }
    const next = await open(stores);
    expect([await available(next, 'a'), await available(next, 'b')]).toEqual([70n, 130n]);
    expect(await next.append([transfer('a', 'b', 71n)])).toMatchObject([{ kind: 'refused' }]);
    await next.flush();
    await sound(stores);
  });

  it('that contradicts what is drafted ends the term', async () => {
    const stores = createMemoryStores();
    const journal = await open(stores);
    await journal.append(accounts('a'));
    const twice = { ...accountOpened('a'), id: 'again' };
    const proposal = {
      ...transfer('a', 'fees', 1n),
      id: twice.id,
      propose: () => ({
        id: twice.id,
        kind: 'transfer' as const,
        accountId: 'a',
        inputHash: '',
        transfers: [{ debit: 'a/pocket', credit: 'fees', token: 'EURe', amount: 1n }],
        data: {},
      }),
    };
    expect(await codeOf(journal.append([proposal]))).toBe('SERVICE_UNAVAILABLE');
    expect(await journal.ended).toBe('broken');
    await expect(journal.health()).rejects.toThrow(InvariantError);
    expect(await codeOf(journal.append([transfer('a', 'fees', 1n)]))).toBe('SERVICE_UNAVAILABLE');
    expect(await available(await open(stores), 'a')).toBe(100n);
    await sound(stores);
  });
});

describe('a clock that disagrees with the engine', () => {
  const HOUR_MS = 3_600_000;

  it.each([
    ['ahead', HOUR_MS],
    ['behind', -HOUR_MS],
  ])('keeps a journal from being opened when it is %s', async (_name, offMs) => {
    const stores = createMemoryStores();
    await expect(open(stores, { runtime: { now: () => new Date(Date.now() + offMs) } })).rejects.toThrow(ClockSkewError);
    expect(await stores.blocks.last(SHARD)).toBe(0);
    await (await open(stores)).append(accounts('a'));
  });

  it.each([
    ['forward', HOUR_MS],
    ['back', -HOUR_MS],
  ])('ends a term when it jumps %s, before a block is sealed with it', async (_name, jumpMs) => {
    const stores = createMemoryStores();
    let offMs = 0;
    const journal = await open(stores, { runtime: { now: () => new Date(Date.now() + offMs) } });
    await journal.append(accounts('a'));
    offMs = jumpMs;
    expect(await codeOf(journal.append([transfer('a', 'fees', 1n)]))).toBe('SERVICE_UNAVAILABLE');
    expect(await journal.ended).toBe('skewed');
    await expect(journal.health()).rejects.toThrow(ClockSkewError);
    const next = await open(stores);
    expect(await next.append([transfer('a', 'fees', 1n)])).toMatchObject([{ kind: 'created' }]);
    for await (const { at } of stores.blocks.after(SHARD, 0)) expect(Math.abs(at.getTime() - Date.now())).toBeLessThan(60_000);
    await sound(stores);
  });

  it('does not matter within the bound: blocks are never older than those before them', async () => {
    const stores = createMemoryStores();
    const ahead = await open(stores, { runtime: { now: () => new Date(Date.now() + MAX_CLOCK_SKEW_MS / 2) } });
    await ahead.append(accounts('a'));
    const last = ahead.tail();
    const next = await open(stores);
    await next.append([transfer('a', 'fees', 1n)]);
    expect(next.tail().at).toEqual(last.at);
    await sound(stores);
  });

  it('in the past keeps a shard closed whose last block is of a time to come', async () => {
    const wrong = () => new Date(Date.now() + HOUR_MS);
    const stores = createMemoryStores(wrong);
    const journal = await open(stores, { runtime: { now: wrong } });
    await journal.append(accounts('a'));
    await journal.close();
    await expect(open({ ...stores, blocks: { ...stores.blocks, time: async () => new Date() } })).rejects.toThrow(ClockSkewError);
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
    const codes = [first, journal.append([transfer('a', 'b', 150n)])].map(codeOf);
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
    const checking = journal.assertTail().catch(() => undefined);
    await call;
    // Would time out here.
    await journal.close();
    await checking;
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
      },
    });
    down = true;
    const checking = expect(journal.assertTail()).rejects.toThrow('engine is away');
    await journal.close();
    await checking;
  });
});

describe('a balance page', () => {
  it('that is being stored is not evicted, and not read as it was before', async () => {
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
    const journal = await open(around(stores, (call, run) => (down && call === 'pages.save' ? Promise.reject(new Error('away')) : run())));
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
    const journal = await open(late);
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
    const next = await open(stores);
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
    const journal = await open(counting, { maxAccounts: 500, maxBlockEntries: 10_000 });
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
    const next = await open(stores, { maxAccounts: 500 });
    for (const name of names) expect(await available(next, name)).toBe(name === 'account-17' ? 14n : 7n);
    const sizes: number[] = [];
    for await (const { page, text } of stores.pages.all(SHARD)) {
      if (page.startsWith(`${pageBits(names.length)}.`)) sizes.push((JSON.parse(text) as unknown[]).length);
    }
    expect(Math.max(...sizes)).toBeLessThan(150);
  });
});

describe('what waits', () => {
  it('becomes blocks that the engine can store, for any number of concurrent transfers', async () => {
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

  it('leaves no trace when it is refused', async () => {
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
});
