import { pause } from '@florin/rpc/time';
import { afterEach, describe, expect, it } from 'vitest';
import { accountActivated, accountOpened } from '../domain/account-change.ts';
import { InvariantError } from '../domain/apply-entry.ts';
import { around, type Call, createMemoryStores, type MemoryStores } from '../testing/memory-stores.ts';
import { accounts, available, closeJournals, codeOf, createDoor, openNext, SHARD, sound, transfer } from '../testing/next-journal.ts';
import { MAX_CLOCK_SKEW_MS } from './engine-clock.ts';
import { ClockSkewError, LostRaceError } from './writer-state.ts';

afterEach(closeJournals);

describe('a stored journal', () => {
  it('is not opened when its balances are newer than its blocks, as after a restore that was not consistent', async () => {
    const stores = createMemoryStores();
    const journal = await openNext(stores);
    await journal.append([accountOpened('a'), accountActivated('a')]);
    for (let round = 0; round < 10; round += 1) await journal.append([transfer('settlement', 'a', 10n)]);
    await journal.close();
    const restored = createMemoryStores();
    for await (const block of stores.blocks.after(SHARD, 0)) if (block.n <= 3) await restored.blocks.insert(block);
    for await (const page of stores.pages.all(SHARD)) await restored.pages.save(SHARD, [page]);
    await expect(openNext(restored)).rejects.toThrow(InvariantError);
  });

  it('is not opened when its checkpoint is newer than its blocks', async () => {
    const stores = createMemoryStores();
    const journal = await openNext(stores);
    await journal.append(accounts('a'));
    await journal.close();
    await expect(openNext({ ...stores, blocks: createMemoryStores().blocks })).rejects.toThrow(InvariantError);
  });

  it('is opened when balances were stored without their checkpoint, and by the checkpoint that there is', async () => {
    const stores = createMemoryStores();
    const journal = await openNext(
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
    const next = await openNext(stores);
    expect([await available(next, 'a'), await available(next, 'b')]).toEqual([70n, 130n]);
    expect(await next.append([transfer('a', 'b', 71n)])).toMatchObject([{ kind: 'refused' }]);
    await next.flush();
    await sound(stores);
  });

  it('that contradicts what is drafted ends the term', async () => {
    const stores = createMemoryStores();
    const journal = await openNext(stores);
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
    expect(await available(await openNext(stores), 'a')).toBe(100n);
    await sound(stores);
  });
});

describe('an opening while another writer has not noticed yet', () => {
  it.each<Call>(['checkpoints.claim', 'blocks.last', 'pages.versions', 'runs.heads'])(
    'succeeds although that one appends and stores balances and runs after %s',
    async (after) => {
      const stores = createMemoryStores();
      const other = await openNext(stores, { runEntries: 1 });
      await other.append(accounts('a'));
      await other.flush();
      let isDone = false;
      const goOn = async (): Promise<void> => {
        isDone = true;
        await other.append([transfer('a', 'fees', 1n)]);
        await other.flush().catch(() => undefined);
        const { n } = other.tail();
        while (!(await stores.runs.heads(SHARD)).some(({ to }) => to >= n)) await pause(1);
      };
      const next = await openNext(
        around(stores, async (call, run) => {
          const result = await run();
          if (call === after && !isDone) await goOn();
          return result;
        }),
      );
      expect(isDone).toBe(true);
      expect(await available(next, 'a')).toBe(99n);
      await sound(stores);
    },
  );
});

describe('an opening that fails', () => {
  /** A journal of some blocks, of which all after the first few are read once a door is open. */
  const createSlow = async () => {
    const stores = createMemoryStores();
    const journal = await openNext(stores, { runEntries: 1000 });
    await journal.append(accounts('a'));
    for (let round = 0; round < 9; round += 1) await journal.append([transfer('settlement', 'a', 1n)]);
    const door = createDoor();
    door.shut();
    let read = 0;
    const after: MemoryStores['blocks']['after'] = async function* (shard, n) {
      for await (const block of stores.blocks.after(shard, n)) {
        yield block;
        read += 1;
        if (read >= 4) await door.pass();
      }
    };
    return { stores: { ...stores, blocks: { ...stores.blocks, after } }, door, read: () => read };
  };

  it('reads no further blocks', async () => {
    const { stores, door, read } = await createSlow();
    const time = async (): Promise<Date> => {
      while (read() < 4) await pause(1);
      throw new Error('the connection dropped');
    };
    const opening = expect(openNext({ ...stores, blocks: { ...stores.blocks, time } })).rejects.toThrow('the connection dropped');
    while (read() < 4) await pause(1);
    await pause(20);
    door.open();
    await opening;
    await pause(50);
    expect(read()).toBe(4);
  });

  it('because a later term has claimed a run of entries reads no further blocks', async () => {
    const { stores, door, read } = await createSlow();
    const opening = expect(
      openNext(around(stores, (call, run) => (call === 'runs.claim' ? Promise.resolve(false) : run()))),
    ).rejects.toThrow(LostRaceError);
    await pause(100);
    door.open();
    await opening;
    expect(read()).toBe(4);
  });
});

describe('a clock that disagrees with the engine', () => {
  const HOUR_MS = 3_600_000;

  it.each([
    ['ahead', HOUR_MS],
    ['behind', -HOUR_MS],
  ])('keeps a journal from being opened when it is %s', async (_name, offMs) => {
    const stores = createMemoryStores();
    await expect(openNext(stores, { runtime: { now: () => new Date(Date.now() + offMs) } })).rejects.toThrow(ClockSkewError);
    expect(await stores.blocks.last(SHARD)).toBe(0);
    await (await openNext(stores)).append(accounts('a'));
  });

  it.each([
    ['forward', HOUR_MS],
    ['back', -HOUR_MS],
  ])('ends a term when it jumps %s, before a block is sealed with it', async (_name, jumpMs) => {
    const stores = createMemoryStores();
    let offMs = 0;
    const journal = await openNext(stores, { runtime: { now: () => new Date(Date.now() + offMs) } });
    await journal.append(accounts('a'));
    offMs = jumpMs;
    expect(await codeOf(journal.append([transfer('a', 'fees', 1n)]))).toBe('SERVICE_UNAVAILABLE');
    expect(await journal.ended).toBe('skewed');
    await expect(journal.health()).rejects.toThrow(ClockSkewError);
    const next = await openNext(stores);
    expect(await next.append([transfer('a', 'fees', 1n)])).toMatchObject([{ kind: 'created' }]);
    for await (const { at } of stores.blocks.after(SHARD, 0)) expect(Math.abs(at.getTime() - Date.now())).toBeLessThan(60_000);
    await sound(stores);
  });

  it.each([
    ['ahead', HOUR_MS],
    ['behind', -HOUR_MS],
  ])('ends a term in which nothing is written when it is %s, so that another instance serves the shard', async (_name, jumpMs) => {
    const stores = createMemoryStores();
    let offMs = 0;
    const journal = await openNext(stores, { runtime: { now: () => new Date(Date.now() + offMs) } });
    await journal.append(accounts('a'));
    offMs = jumpMs;
    // An instance whose clock is off takes its callers' tokens for expired, or for not valid yet: nobody asks it for anything.
    expect(await journal.ended).toBe('skewed');
    expect(await available(await openNext(stores), 'a')).toBe(100n);
    await sound(stores);
  });

  it('does not matter within the bound: blocks are never older than those before them', async () => {
    const stores = createMemoryStores();
    const ahead = await openNext(stores, { runtime: { now: () => new Date(Date.now() + MAX_CLOCK_SKEW_MS / 2) } });
    await ahead.append(accounts('a'));
    const last = ahead.tail();
    const next = await openNext(stores);
    await next.append([transfer('a', 'fees', 1n)]);
    expect(next.tail().at).toEqual(last.at);
    await sound(stores);
  });

  it('in the past keeps a shard closed whose last block is of a time to come', async () => {
    const wrong = () => new Date(Date.now() + HOUR_MS);
    const stores = createMemoryStores(wrong);
    const journal = await openNext(stores, { runtime: { now: wrong } });
    await journal.append(accounts('a'));
    await journal.close();
    await expect(openNext({ ...stores, blocks: { ...stores.blocks, time: async () => new Date() } })).rejects.toThrow(ClockSkewError);
  });
});
