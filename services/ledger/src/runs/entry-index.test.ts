import { quietLogger } from '@florin/rpc/testing';
import { afterEach, describe, expect, it } from 'vitest';
import { accountActivated, accountOpened } from '../domain/account-change.ts';
import { entriesOf } from '../domain/block.ts';
import { decodeEntry } from '../domain/entry.ts';
import { entryKey } from '../domain/keys.ts';
import { transferOrdered } from '../domain/transfer-order.ts';
import { type Journal, openJournal } from '../journal/journal.ts';
import { verifyShard } from '../testing/audit-memory.ts';
import { around, type Call, createMemoryStores, type MemoryStores } from '../testing/memory-stores.ts';
import { createDoor } from '../testing/next-journal.ts';
import { createEntryIndex } from './entry-index.ts';
import { recentBlock } from './recent-block.ts';

const SHARD = '0';
const [FIRST, SECOND] = ['a', 'b'];
const PAYMENTS = 60;

let terms = 0;
let now = Date.UTC(2026, 0, 1);
const living: Journal[] = [];
afterEach(async () => {
  await Promise.all(living.splice(0).map((journal) => journal.close()));
});

const open = async (stores: MemoryStores, runEntries = 6): Promise<Journal> => {
  terms += 1;
  const journal = await openJournal({
    shard: SHARD,
    epoch: terms,
    ...stores,
    runtime: { now: () => new Date(now) },
    monotonicMs: () => now,
    logger: quietLogger,
    maxBlockEntries: 4,
    maxQueue: 1000,
    runEntries,
    runsPerMerge: 3,
    maxAccounts: 10,
    refreshMs: 3_600_000,
    projectionWaitMs: 2000,
  });
  living.push(journal);
  return journal;
};

const createStores = () => createMemoryStores(() => new Date(now));
const intent = (id: string, amount = 1n, token = 'EURe') =>
  transferOrdered({ id, accountId: FIRST, transfers: [{ debit: 'settlement', credit: `${FIRST}/available`, token, amount }] });

/** Entries in many blocks, a second apart. */
const fill = async (journal: Journal, from = 0): Promise<void> => {
  if (from === 0) await journal.append([FIRST, SECOND].flatMap((id) => [accountOpened(id), accountActivated(id)]));
  for (let index = from; index < from + PAYMENTS; index += 1) {
    now += 1000;
    await journal.append([intent(`payment${index}`)]);
  }
};

const idsOf = async (journal: Journal, query: Parameters<Journal['entries']>[1], account = FIRST): Promise<string[]> =>
  (await journal.entries(account, query)).map(({ line }) => decodeEntry(line).id);

/** Waits until a state of the background work is reached. */
const until = async (isReached: () => Promise<boolean>): Promise<void> => {
  while (!(await isReached())) await new Promise((resolve) => setImmediate(resolve));
};
const levels = async (stores: MemoryStores): Promise<number[]> => (await stores.runs.heads(SHARD)).map(({ level }) => level);
const expected = (count: number): string[] => Array.from({ length: count }, (_, index) => `payment${count - 1 - index}`);

describe('the index of entries', () => {
  it('finds entries by id and by account in memory, in runs and in merged runs', async () => {
    const stores = createStores();
    const journal = await open(stores);
    await fill(journal);
    await until(async () => (await levels(stores)).includes(1));
    expect(await idsOf(journal, { limit: 1000 })).toEqual(expected(PAYMENTS));
    expect(await idsOf(journal, { limit: 1000 }, SECOND)).toEqual([]);
    for (const id of ['payment0', 'payment30', `payment${PAYMENTS - 1}`]) {
      expect(decodeEntry((await journal.entry(id, []))?.line ?? '').id).toBe(id);
    }
    expect(await journal.entry('never', [])).toBeUndefined();
    expect(await verifyShard({ shard: SHARD, ...stores })).toMatchObject({ bad: undefined });
  });

  it('pages by position, by time and by token', async () => {
    const stores = createStores();
    const journal = await open(stores);
    await fill(journal);
    await journal.append([intent('other', 1n, 'GBPe')]);
    await fill(journal, PAYMENTS);
    await until(async () => (await levels(stores)).includes(1));
    const all = await journal.entries(FIRST, { limit: 1000 });
    const paged: string[] = [];
    for (let before: number | undefined; ; ) {
      const rows = await journal.entries(FIRST, { limit: 7, before });
      paged.push(...rows.map(({ line }) => decodeEntry(line).id));
      before = rows.at(-1)?.position;
      if (rows.length < 7) break;
    }
    expect(paged).toEqual(all.map(({ line }) => decodeEntry(line).id));
    const [from, to] = [all[100]?.at, all[10]?.at];
    expect(await journal.entries(FIRST, { limit: 1000, from, to })).toEqual(
      all.filter(({ at }) => from !== undefined && to !== undefined && at >= from && at < to),
    );
    expect(await idsOf(journal, { limit: 1000, token: 'GBPe' })).toContain('other');
  });

  it('recognizes an id after any number of merges, with the same content and with another', async () => {
    const stores = createStores();
    await fill(await open(stores));
    const journal = await open(stores);
    await until(async () => (await levels(stores)).includes(1));
    const outcomes = await journal.append([intent('payment3'), intent('payment3', 2n), intent('payment55'), intent('fresh')]);
    expect(outcomes.map((outcome) => (outcome.kind === 'exists' ? outcome.same : outcome.kind))).toEqual([true, false, true, 'created']);
  });

  it('finds entries of archived blocks by their account', async () => {
    const stores = createStores();
    const journal = await open(stores);
    await fill(journal);
    await until(async () => (await levels(stores)).includes(1));
    let archived = 0;
    const find = async (shard: string, n: number) => (n <= archived ? undefined : stores.blocks.find(shard, n));
    const successor = await open({ ...stores, blocks: { ...stores.blocks, find } });
    archived = 10;
    expect(decodeEntry((await successor.entry('payment3', [FIRST]))?.line ?? '').id).toBe('payment3');
    const outcomes = await successor.append([intent('payment3'), intent('payment3', 2n)]);
    expect(outcomes.map((outcome) => outcome.kind === 'exists' && outcome.same)).toEqual([true, false]);
  });

  it('tells an entry of an archived block from a new one with the same key, about whichever accounts', async () => {
    // Their keys of 45 bits are equal.
    const [old, fresh] = ['payment-1549426', 'payment-5267698'];
    expect(entryKey(old)).toBe(entryKey(fresh));
    const stores = createStores();
    const journal = await open(stores);
    await fill(journal);
    await journal.append([intent(old)]);
    const last = journal.tail().n;
    await fill(journal, PAYMENTS);
    await until(async () => ((await stores.runs.heads(SHARD)).at(-1)?.to ?? 0) >= last);
    let archived = 0;
    const find = async (shard: string, n: number) => (n <= archived ? undefined : stores.blocks.find(shard, n));
    const successor = await open({ ...stores, blocks: { ...stores.blocks, find } });
    archived = last;
    const about = (id: string) =>
      transferOrdered({
        id,
        accountId: SECOND,
        transfers: [{ debit: 'settlement', credit: `${SECOND}/available`, token: 'EURe', amount: 1n }],
      });
    expect(await successor.entry(fresh, [SECOND])).toBeUndefined();
    expect(decodeEntry((await successor.entry(old, []))?.line ?? '').id).toBe(old);
    const outcomes = await successor.append([about(fresh), about(old), about(fresh)]);
    expect(outcomes.map((outcome) => (outcome.kind === 'exists' ? outcome.same : outcome.kind))).toEqual(['created', false, true]);
  });

  it('shows an entry once that another writer has put into a run while it is in memory', async () => {
    const stores = createStores();
    await fill(await open(stores));
    await until(async () => (await levels(stores)).length > 0);
    const index = createEntryIndex({ shard: SHARD, ...stores });
    for await (const block of stores.blocks.after(SHARD, 0)) index.push(recentBlock(block, entriesOf(block)));
    await index.runs.load();
    expect(index.runs.covered()).toBeGreaterThan(0);
    expect((await index.page(FIRST, { limit: 1000 })).map(({ line }) => decodeEntry(line).id)).toEqual(expected(PAYMENTS));
  });

  it.each<Call>(['runs.claim', 'runs.put', 'runs.finish', 'runs.remove'])('survives a kill at any %s', async (broken) => {
    const stores = createStores();
    let written = 0;
    for (let dies = 1; dies <= 8; dies += 1) {
      let calls = 0;
      const killed = around(stores, async (call, run) => {
        if (call === broken) calls += 1;
        // From then on nothing reaches the stores any more.
        if (calls >= dies && call.startsWith('runs.')) throw new Error('killed');
        return run();
      });
      const journal = await open(killed);
      await fill(journal, written);
      written += PAYMENTS;
      expect(await idsOf(await open(stores), { limit: 1000 })).toEqual(expected(written));
    }
    const journal = await open(stores);
    await until(async () => (await levels(stores)).filter((level) => level === 0).length < 3);
    expect(await idsOf(journal, { limit: 1000 })).toEqual(expected(written));
    expect((await journal.append([intent('payment1'), intent(`payment${written - 1}`)])).map(({ kind }) => kind)).toEqual([
      'exists',
      'exists',
    ]);
    expect(await verifyShard({ shard: SHARD, ...stores })).toMatchObject({ bad: undefined });
  });

  it.each<Call>(['runs.put', 'runs.finish'])('is completed in the same term after any failure of %s', async (broken) => {
    for (let fails = 1; fails <= 6; fails += 1) {
      const stores = createStores();
      let calls = 0;
      const failing = around(stores, async (call, run) => {
        if (call === broken) calls += 1;
        if (call === broken && calls === fails) throw new Error('the engine is away');
        return run();
      });
      const journal = await open(failing);
      // As often as the call needs to fail and to be repeated: how many runs are made for how many entries is not fixed.
      for (let from = 0; calls <= fails; from += PAYMENTS) {
        await fill(journal, from);
        // Stores in memory answer at once, and would leave the background work no turn.
        for (let turn = 0; turn < 100; turn += 1) await new Promise((resolve) => setImmediate(resolve));
      }
      await until(async () => (await levels(stores)).includes(1));
      await journal.close();
      expect(await verifyShard({ shard: SHARD, ...stores })).toMatchObject({ bad: undefined });
    }
  });

  it('has no gap when an owner that was replaced makes a run anew, at other borders, that was merged meanwhile', async () => {
    const stores = createStores();
    const door = createDoor();
    const slow = await open(
      around(stores, async (call, run) => (call === 'runs.claim' ? door.pass().then(run) : run())),
      20,
    );
    door.shut();
    await fill(slow);
    const successor = await open(stores);
    await until(async () => (await levels(stores)).includes(1));
    door.open();
    await slow.close();
    expect(await idsOf(await open(stores), { limit: 1000 })).toEqual(expected(PAYMENTS));
    expect(await idsOf(successor, { limit: 1000 })).toEqual(expected(PAYMENTS));
    expect(await verifyShard({ shard: SHARD, ...stores })).toMatchObject({ bad: undefined });
  });

  it('leaves a run to the writer of the later term', async () => {
    const stores = createStores();
    const door = Promise.withResolvers<void>();
    const slow = await open(around(stores, async (call, run) => (call === 'runs.finish' ? door.promise.then(run) : run())));
    await fill(slow);
    const successor = await open(stores);
    await until(async () => (await levels(stores)).includes(1));
    door.resolve();
    await slow.close();
    expect(await idsOf(successor, { limit: 1000 })).toEqual(expected(PAYMENTS));
    expect(await verifyShard({ shard: SHARD, ...stores })).toMatchObject({ bad: undefined });
  });
});
