import { waitFor } from '@florin/rpc/testing';
import { pause } from '@florin/rpc/time';
import { afterEach, describe, expect, it } from 'vitest';
import { around, createMemoryStores } from '../testing/memory-stores.ts';
import {
  accounts,
  available,
  closeJournals,
  codeOf,
  createDoor,
  followNext,
  kinds,
  openNext,
  sound,
  transfer,
} from '../testing/next-journal.ts';
import { LostRaceError } from './writer-state.ts';

afterEach(closeJournals);

const WRITES = /insert|save|claim|put|finish|remove/;

describe('a successor', () => {
  it('writes nothing while it follows, and begins with all that the owner has written', async () => {
    const stores = createMemoryStores();
    const owner = await openNext(stores);
    await owner.append([...accounts('a'), ...accounts('b')]);
    await owner.settle();
    const written: string[] = [];
    const read = { pages: 0 };
    const successor = followNext(
      around(stores, (call, run) => {
        if (WRITES.test(call)) written.push(call);
        if (call === 'pages.versions') read.pages += 1;
        return run();
      }),
    );
    await successor.warm;
    const payments = Array.from({ length: 30 }, () => transfer('a', 'b', 1n));
    for (const payment of payments) await owner.append([payment]);
    expect(written).toEqual([]);
    await owner.seal();
    expect(await owner.ended).toBe('closed');
    const journal = await successor.begin();
    expect(written[0]).toBe('checkpoints.claim');
    expect([await available(journal, 'a'), await available(journal, 'b')]).toEqual([70n, 130n]);
    expect(kinds(await journal.append(payments))).toEqual(['exists']);
    expect(kinds(await journal.append([transfer('a', 'b', 70n)]))).toEqual(['created']);
    expect(read.pages).toBe(1);
    await owner.close();
    await journal.flush();
    await journal.close();
    expect(await available(await openNext(stores), 'b')).toBe(200n);
    await sound(stores);
  });

  it('ends the term of an owner that goes on', async () => {
    const stores = createMemoryStores();
    const owner = await openNext(stores);
    await owner.append(accounts('a'));
    const successor = followNext(stores);
    await successor.warm;
    const journal = await successor.begin();
    expect(await codeOf(owner.append([transfer('a', 'fees', 40n)]))).toBe('SERVICE_UNAVAILABLE');
    expect(await owner.ended).toBe('lost');
    expect(await available(journal, 'a')).toBe(100n);
    await sound(stores);
  });

  it('does not begin on balances that were stored again since it has read them', async () => {
    const stores = createMemoryStores();
    const owner = await openNext(stores);
    await owner.append(accounts('a'));
    const successor = followNext(stores);
    await successor.warm;
    await owner.flush();
    await expect(successor.begin()).rejects.toThrow(LostRaceError);
    expect(await available(await openNext(stores), 'a')).toBe(100n);
    await sound(stores);
  });

  it('begins after an owner that has prepared for it and ends without having handed over', async () => {
    const stores = createMemoryStores();
    const owner = await openNext(stores);
    await owner.append(accounts('a'));
    await owner.settle();
    const successor = followNext(stores);
    await successor.warm;
    await owner.append([transfer('a', 'fees', 40n)]);
    await owner.close();
    const journal = await successor.begin();
    expect(await available(journal, 'a')).toBe(60n);
    await sound(stores);
  });

  it('begins with all that the owner has written when the owner ends before it is warm', async () => {
    const stores = createMemoryStores();
    const owner = await openNext(stores, { runEntries: 1000 });
    await owner.append(accounts('a', 'b'));
    const payments = Array.from({ length: 5 }, () => transfer('a', 'b', 1n));
    for (const payment of payments) await owner.append([payment]);
    await owner.settle();
    const door = createDoor();
    door.shut();
    let read = 0;
    const after: typeof stores.blocks.after = async function* (shard, n) {
      for await (const block of stores.blocks.after(shard, n)) {
        read += 1;
        if (read > 3) await door.pass();
        yield block;
      }
    };
    const successor = followNext({ ...stores, blocks: { ...stores.blocks, after } });
    await waitFor('some blocks', async () => (read > 3 ? true : undefined));
    await owner.close();
    const beginning = successor.begin();
    door.open();
    const journal = await beginning;
    expect(kinds(await journal.append(payments))).toEqual(['exists']);
    expect(await available(journal, 'b')).toBe(105n);
    await journal.flush();
    await sound(stores);
  });

  it('becomes warm although the owner writes more meanwhile than it may hold in memory', async () => {
    const stores = createMemoryStores();
    const owner = await openNext(stores, { runEntries: 100_000 });
    await owner.append(accounts('a'));
    const door = createDoor();
    door.shut();
    const successor = followNext(
      around(stores, async (call, run) => {
        const result = await run();
        if (call === 'blocks.last') await door.pass();
        return result;
      }),
      { storePatienceMs: 120_000 },
    );
    for (let call = 0; call < 32; call += 1) {
      await owner.append(Array.from({ length: 5000 }, () => transfer('settlement', 'a', 1n)));
    }
    const isStored = async (): Promise<boolean> =>
      (await stores.checkpoints.load('0')).projected === owner.tail().n && (await stores.runs.heads('0')).length > 0;
    while (!(await isStored())) await pause(20);
    door.open();
    await successor.warm;
    await successor.close();
  }, 120_000);

  it.each([true, false])('leaves an owner that goes on, which stores its balances again (told so: %s)', async (told) => {
    const stores = createMemoryStores();
    const owner = await openNext(stores);
    await owner.append(accounts('a'));
    await owner.settle();
    await owner.append([transfer('a', 'fees', 40n)]);
    if (told) owner.resume();
    await owner.append(Array.from({ length: 10 }, () => transfer('a', 'fees', 1n)));
    await owner.projected();
    await owner.close();
    const [{ paged }, heads] = [await stores.checkpoints.load('0'), await stores.runs.heads('0')];
    expect([paged?.n === owner.tail().n, (heads.at(-1)?.to ?? 0) >= owner.tail().n]).toEqual([told, told]);
    expect(await available(await openNext(stores), 'a')).toBe(50n);
    await sound(stores);
  });

  it('sees what the owner has projected', async () => {
    const stores = createMemoryStores();
    const owner = await openNext(stores);
    const successor = followNext(stores);
    await successor.warm;
    await owner.append(accounts('a'));
    await owner.projected();
    await waitFor('the checkpoint', async () => ((await stores.checkpoints.load('0')).projected === owner.tail().n ? true : undefined));
    await owner.seal();
    const journal = await successor.begin();
    expect(await journal.projected()).toBe(true);
    await sound(stores);
  });
});
