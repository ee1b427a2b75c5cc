import { pause } from '@florin/rpc/time';
import { afterEach, describe, expect, it } from 'vitest';
import { accountActivated, accountOpened } from '../domain/account-change.ts';
import { around, createMemoryStores, type MemoryStores } from '../testing/memory-stores.ts';
import { accounts, available, closeJournals, codeOf, createDoor, openNext, SHARD, sound, transfer } from '../testing/next-journal.ts';
import type { Journal } from './journal.ts';
import { LostRaceError } from './writer-state.ts';

afterEach(closeJournals);

describe('a writer of an earlier term', () => {
  it('cannot append an entry that a later writer rejected', async () => {
    const stores = createMemoryStores();
    const door = createDoor();
    const first = await openNext(around(stores, (call, run) => (call === 'blocks.insert' ? door.pass().then(run) : run())));
    await first.append([accountOpened('a'), accountActivated('a')]);
    const payment = transfer('a', 'fees', 10n);
    door.shut();
    // Together they would be accepted: the payment is judged against what the refund under way will leave.
    const late = [first.append([transfer('settlement', 'a', 10n)]), pause(20).then(() => first.append([payment]))].map(codeOf);
    await pause(60);
    const second = await openNext(stores);
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
    const first = await openNext(stores);
    await first.append(accounts('a'));
    const second = await openNext(stores);
    expect(await codeOf(first.append([transfer('a', 'fees', 40n)]))).toBe('SERVICE_UNAVAILABLE');
    expect(await first.ended).toBe('lost');
    expect(await codeOf(first.append([transfer('a', 'fees', 40n)]))).toBe('SERVICE_UNAVAILABLE');
    expect(await available(second, 'a')).toBe(100n);
    await sound(stores);
  });

  it('learns of a later term by checking the tail', async () => {
    const stores = createMemoryStores();
    const first = await openNext(stores);
    await first.append(accounts('a'));
    await first.assertTail();
    await openNext(stores);
    expect(await codeOf(first.assertTail())).toBe('SERVICE_UNAVAILABLE');
    expect(await first.ended).toBe('lost');
    await expect(first.health()).rejects.toThrow(LostRaceError);
  });

  it('refuses nothing by old balances', async () => {
    const stores = createMemoryStores();
    const first = await openNext(stores);
    await first.append(accounts('a'));
    const second = await openNext(stores);
    await second.append([transfer('settlement', 'a', 10n)]);
    expect(await codeOf(first.append([transfer('a', 'fees', 110n)]))).toBe('SERVICE_UNAVAILABLE');
    expect(await first.ended).toBe('lost');
  });

  it.each([
    ['below that of the last block', 2, 3],
    ['that of the last block', 3, 3],
  ])('does not open for a term %s', async (_name, term, written) => {
    const stores = createMemoryStores();
    const later = await openNext(stores, { epoch: written });
    const payment = transfer('a', 'fees', 10n);
    await later.append([accountOpened('a'), accountActivated('a')]);
    expect(await later.append([payment])).toEqual([{ kind: 'refused', code: 'INSUFFICIENT_FUNDS' }]);
    await later.append([transfer('settlement', 'a', 10n)]);
    await expect(openNext(stores, { epoch: term })).rejects.toThrow(LostRaceError);
    // The checkpoints may have been dropped, and the claim with them.
    const { blocks } = stores;
    await expect(openNext({ ...createMemoryStores(), blocks }, { epoch: term })).rejects.toThrow(LostRaceError);
    await later.health();
    expect(await available(later, 'a')).toBe(10n);
  });

  it('whose opening took longer than that of a later one does not open', async () => {
    const stores = createMemoryStores();
    const door = createDoor();
    door.shut();
    const slow = expect(
      openNext(around(stores, (call, run) => (call === 'blocks.insert' ? door.pass().then(run) : run()))),
    ).rejects.toThrow(LostRaceError);
    await pause(20);
    const later = await openNext(stores);
    await later.append(accounts('a'));
    door.open();
    await slow;
    expect(await available(later, 'a')).toBe(100n);
    await sound(stores);
  });

  it('does not move the checkpoint after a later one has claimed it', async () => {
    const stores = createMemoryStores();
    const first = await openNext(stores);
    await first.append(accounts('a'));
    const second = await openNext(stores);
    await expect(first.flush()).rejects.toThrow(LostRaceError);
    expect((await stores.checkpoints.load(SHARD)).paged?.n).not.toBe(first.tail().n);
    await second.append([transfer('a', 'fees', 40n)]);
    await second.flush();
    await second.close();
    expect(await available(await openNext(stores), 'a')).toBe(60n);
    await sound(stores);
  });

  it.each<[string, (stores: MemoryStores, epoch: number) => Promise<unknown>, (journal: Journal) => Promise<unknown>]>([
    ['the checkpoint', (stores, epoch) => stores.checkpoints.claim(SHARD, epoch), (journal) => journal.flush()],
    [
      'a run of entries',
      (stores, epoch) => stores.runs.claim(SHARD, { level: 0, from: 1, to: 99, epoch }),
      (journal) => journal.append(Array.from({ length: 10 }, () => transfer('settlement', 'a', 1n))),
    ],
  ])('ends when a later one has claimed %s, although that one never began', async (_name, claim, write) => {
    const stores = createMemoryStores();
    const first = await openNext(stores);
    await first.append([accountOpened('a'), accountActivated('a')]);
    const later = 1_000_000_000;
    await claim(stores, later);
    await codeOf(write(first));
    expect(await first.ended).toBe('lost');
    await expect(first.health()).rejects.toThrow(LostRaceError);
    await first.close();
    const second = await openNext(stores, { epoch: later + 1 });
    await second.append(accounts('b'));
    await second.flush();
    expect((await stores.checkpoints.load(SHARD)).paged?.n).toBe(second.tail().n);
    await sound(stores);
  });
});

describe('a writer that loses a race', () => {
  it('judges nothing of what waits once more, so that no order is inverted', async () => {
    const stores = createMemoryStores();
    const [insert, lookUp] = [createDoor(), createDoor()];
    const journal = await openNext(
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
    const successor = await openNext(stores);
    insert.open();
    lookUp.open();
    expect(await Promise.all(calls)).toEqual(calls.map(() => 'SERVICE_UNAVAILABLE'));
    await journal.close();
    expect(await available(successor, 'a')).toBe(0n);
    expect(successor.tail().n).toBe(3);
    await sound(stores);
  });
});

describe('a writer that gives up', () => {
  it('writes nothing that rests on what it gave up', async () => {
    const stores = createMemoryStores();
    let closing = false;
    let down = false;
    const journal = await openNext(
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
    expect(await available(await openNext(stores), 'b')).toBe(100n);
  });

  it('stops although the engine hangs', async () => {
    const stores = createMemoryStores();
    let hangs = false;
    const journal = await openNext(
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
    const journal = await openNext({
      ...stores,
      blocks: {
        ...stores.blocks,
        findProven: (shard, n) => (down ? Promise.reject(new Error('engine is away')) : stores.blocks.findProven(shard, n)),
      },
    });
    down = true;
    const checking = expect(journal.assertTail()).rejects.toThrow('engine is away');
    await journal.close();
    await checking;
  });
});
