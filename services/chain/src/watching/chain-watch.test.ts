import type { Hex } from '@florin/evm/hex';
import { describe, expect, it } from 'vitest';
import { agree } from '../ports/agree.ts';
import { createFakeChain, createFakeNode, type FakeChain, fakeAddress } from '../testing/fake-chain.ts';
import { createMemoryParts } from '../testing/memory-parts.ts';
import { readBlocks } from './read-blocks.ts';

const TOKEN = fakeAddress('EURe');
const OTHER_TOKEN = fakeAddress('another token');
const SYMBOLS = new Map<Hex, string>([[TOKEN, 'EURe']]);
const [ALICE, BOB, SHOP] = [fakeAddress('alice'), fakeAddress('bob'), fakeAddress('shop')];
const ACCOUNTS = new Map<Hex, string>([
  [ALICE, 'alice'],
  [BOB, 'bob'],
]);
const open = () => false;

const setUp = () => {
  const chain = createFakeChain();
  const parts = createMemoryParts(ACCOUNTS);
  const send = (from: Hex, to: Hex, amount: bigint, contract = TOKEN) => ({ contract, from, to, amount });
  return { chain, parts, send };
};

describe('watching a chain', () => {
  it('books transfers to and from Safes once their block is final', async () => {
    const { chain, parts, send } = setUp();
    const watch = parts.start(createFakeNode(chain), SYMBOLS);
    chain.mine([chain.transaction([undefined, send(SHOP, ALICE, 50n)]), chain.transaction([send(ALICE, BOB, 20n)])]);
    await watch.round(open);
    expect(parts.booked.size).toBe(0);
    expect(watch.status()).toMatchObject({ state: 'watching', finalized: 0 });

    chain.finalize();
    await watch.round(open);
    expect(parts.balance('alice', 'EURe')).toBe(30n);
    expect(parts.balance('bob', 'EURe')).toBe(20n);
    const booked = [...parts.booked.values()].map(({ accountId, logIndex, direction }) => `${accountId} ${logIndex} ${direction}`);
    expect(booked.sort()).toEqual(['alice 0 out', 'alice 1 in', 'bob 0 in']);
    expect(parts.cursor()).toMatchObject({ number: 1, hash: chain.newest().hash });
  });

  it('blocks an account whose money left without the platform, and reports it', async () => {
    const { chain, parts, send } = setUp();
    chain.mine([chain.transaction([send(SHOP, ALICE, 50n)]), chain.transaction([send(ALICE, SHOP, 20n)])]);
    chain.finalize();
    await parts.start(createFakeNode(chain), SYMBOLS).round(open);
    expect([...parts.blocked]).toEqual(['alice']);
    expect([...parts.exceptions.values()].map(({ kind }) => kind)).toEqual(['left']);
  });

  it('leaves an account alone that a person has unblocked, when the same blocks are booked again', async () => {
    const { chain, parts, send } = setUp();
    const watch = parts.start(createFakeNode(chain), SYMBOLS);
    await watch.round(open);
    const start = parts.cursor();
    chain.mine([chain.transaction([send(SHOP, ALICE, 50n)]), chain.transaction([send(ALICE, SHOP, 20n)])]);
    chain.finalize();
    await watch.round(open);
    parts.blocked.delete('alice');
    if (start !== undefined) parts.rewind(start);
    await watch.round(open);
    expect(parts.cursor()?.number).toBe(1);
    expect([...parts.blocked]).toEqual([]);
    expect(parts.balance('alice', 'EURe')).toBe(30n);
  });

  it('blocks an account whose money left in a transfer that the ledger refuses, once', async () => {
    const { chain, parts, send } = setUp();
    const watch = parts.start(createFakeNode(chain), SYMBOLS);
    await watch.round(open);
    const start = parts.cursor();
    chain.mine([chain.transaction([send(ALICE, SHOP, 20n)])]);
    chain.finalize();
    parts.refusals.set('alice', 'TOKEN_NOT_SUPPORTED');
    await watch.round(open);
    expect([...parts.blocked]).toEqual(['alice']);
    expect([...parts.exceptions.values()].map(({ kind }) => kind)).toEqual(['refused']);

    parts.blocked.delete('alice');
    if (start !== undefined) parts.rewind(start);
    await watch.round(open);
    expect([...parts.blocked]).toEqual([]);
  });

  it('catches up with a node that does not answer the whole of a large request', async () => {
    const { chain, parts, send } = setUp();
    for (let block = 1; block <= 300; block += 1) chain.mine([chain.transaction([send(SHOP, ALICE, 1n)])]);
    chain.finalize();
    const node = createFakeNode(chain);
    const headers: typeof node.headers = async (numbers) => {
      if (numbers.length > 20) throw new Error('too many requests');
      return node.headers(numbers);
    };
    const watch = parts.start({ ...node, headers }, SYMBOLS);
    for (let round = 0; round < 100; round += 1) await watch.round(open).catch(() => undefined);
    expect(parts.cursor()?.number).toBe(300);
    expect(parts.balance('alice', 'EURe')).toBe(300n);
  });

  it('reads no further blocks while very many transfers are in memory, and books all of them', async () => {
    const { chain, parts, send } = setUp();
    for (let n = 0; n < 20; n += 1) {
      const dust = Array.from({ length: 6000 }, () => send(SHOP, SHOP, 1n));
      chain.mine([chain.transaction([...dust, send(SHOP, ALICE, 1n)])]);
    }
    chain.finalize();
    const blocks = await readBlocks(createFakeNode(chain), [TOKEN], { from: 1, to: 20 });
    expect(blocks.length).toBeLessThan(20);
    expect(blocks.map(({ number }) => number)).toEqual(blocks.map((_block, index) => index + 1));
    await parts.start(createFakeNode(chain), SYMBOLS).round(open);
    expect(parts.cursor()?.number).toBe(20);
    expect(parts.balance('alice', 'EURe')).toBe(20n);
  });

  it('books every transfer once, whichever step fails while the next blocks are read ahead', { timeout: 60_000 }, async () => {
    let failing = 0;
    let steps = 0;
    const catchUp = async (fail: number): Promise<boolean> => {
      [failing, steps] = [fail, 0];
      const chain = createFakeChain();
      // More than are read together.
      for (let block = 1; block <= 600; block += 1) {
        chain.mine(block % 200 === 0 ? [chain.transaction([{ contract: TOKEN, from: SHOP, to: ALICE, amount: 1n }])] : []);
      }
      chain.finalize();
      const parts = createMemoryParts(ACCOUNTS, () => {
        steps += 1;
        if (steps === failing) throw new Error('killed');
      });
      // Each round by another process, as after a kill. Useless reads ahead may have failed, too.
      const round = () =>
        parts
          .start(createFakeNode(chain), SYMBOLS)
          .round(open)
          .then(
            () => true,
            () => false,
          );
      const failed = !(await round());
      if (failed) await round();
      expect(parts.cursor()?.number).toBe(600);
      expect(parts.balance('alice', 'EURe')).toBe(3n);
      expect(parts.transfers.size).toBe(3);
      return failed;
    };
    let failures = 0;
    await catchUp(0);
    const all = steps;
    for (let step = 1; step <= all; step += 1) failures += (await catchUp(step)) ? 1 : 0;
    expect(failures).toBeGreaterThan(20);
  });

  it('ignores amounts of zero, transfers to oneself, other tokens and strangers', async () => {
    const { chain, parts, send } = setUp();
    chain.mine([
      chain.transaction([send(SHOP, ALICE, 0n), send(ALICE, ALICE, 5n), send(SHOP, ALICE, 5n, OTHER_TOKEN), send(SHOP, SHOP, 5n)]),
    ]);
    chain.mine([chain.transaction([send(ALICE, SHOP, 0n)])]);
    chain.finalize();
    await parts.start(createFakeNode(chain), SYMBOLS).round(open);
    expect(parts.booked.size).toBe(0);
    expect(parts.blocked.size).toBe(0);
  });

  it('books a transaction once that a reorganization puts at another place in its block', async () => {
    const { chain, parts, send } = setUp();
    const watch = parts.start(createFakeNode(chain), SYMBOLS);
    await watch.round(open);
    const start = parts.cursor();
    const paid = chain.transaction([send(SHOP, ALICE, 50n)]);
    chain.mine([paid]);
    chain.finalize();
    await watch.round(open);

    chain.drop(1);
    chain.mine([chain.transaction([undefined, undefined]), paid]);
    if (start !== undefined) parts.rewind(start);
    await watch.round(open);
    expect(parts.balance('alice', 'EURe')).toBe(50n);
    expect(parts.booked.size).toBe(1);
  });

  it.each([
    ['at the booked height', 0],
    ['with newer final blocks', 3],
  ])('halts when a final block is replaced, %s, and books nothing more', async (_name, newer) => {
    const { chain, parts, send } = setUp();
    const watch = parts.start(createFakeNode(chain), SYMBOLS);
    chain.mine([chain.transaction([send(SHOP, ALICE, 50n)])]);
    chain.finalize();
    await watch.round(open);

    chain.drop(1);
    for (let n = 0; n <= newer; n += 1) chain.mine([chain.transaction([send(SHOP, BOB, 7n)])]);
    chain.finalize();
    await watch.round(open);
    await watch.round(open);
    expect(watch.status()).toMatchObject({ state: 'halted' });
    expect(parts.isHalted()).toBe(true);
    expect(await watch.whileStill(async () => 'still')).toBeUndefined();
    expect(parts.cursor()?.haltedAt).toBeInstanceOf(Date);
    expect(parts.balance('bob', 'EURe')).toBe(0n);
    // A restart does not forget it.
    const again = parts.start(createFakeNode(chain), SYMBOLS);
    await again.round(open);
    expect(again.status().state).toBe('halted');
  });

  it('lets nothing be spent at its start when another process halts the chain meanwhile', async () => {
    const { chain, parts, send } = setUp();
    const other = parts.start(createFakeNode(chain), SYMBOLS);
    chain.mine([chain.transaction([send(SHOP, ALICE, 50n)])]);
    chain.finalize();
    await other.round(open);
    const node = createFakeNode(chain);
    const header: typeof node.header = async (number) => {
      const found = await node.header(number);
      if (parts.isHalted()) return found;
      chain.drop(1);
      chain.mine([chain.transaction([send(SHOP, BOB, 7n)])]);
      chain.finalize();
      await other.round(open);
      expect(parts.isHalted()).toBe(true);
      return found;
    };
    const started = parts.start({ ...node, header }, SYMBOLS);
    await started.round(open);
    expect(parts.isHalted()).toBe(true);
    expect(started.status().state).toBe('halted');
  });

  describe('while blocks are read ahead', () => {
    const WINDOW = 256;

    /** Three windows of blocks with a transfer each. `happens` when the first of them is booked but for the moving of the cursor, and all are read. */
    const catchUp = async (happens: (scene: { chain: FakeChain; parts: ReturnType<typeof createMemoryParts> }) => void) => {
      const chain = createFakeChain();
      const pay = (): void => void chain.mine([chain.transaction([{ contract: TOKEN, from: SHOP, to: ALICE, amount: 1n }])]);
      for (let block = 1; block <= 3 * WINDOW; block += 1) pay();
      chain.finalize();
      const node = createFakeNode(chain);
      let happened = false;
      const parts = createMemoryParts(ACCOUNTS, () => {
        if (happened || parts.transfers.size < WINDOW) return;
        happened = true;
        // All was read: the header and the transfers of each block.
        expect(node.queries()).toBeGreaterThan(2 * 3 * WINDOW);
        happens({ chain, parts });
      });
      const watch = parts.start(node, SYMBOLS);
      return { watch, parts, round: () => watch.round(open) };
    };

    it('books none of those that have been replaced since, and halts', async () => {
      const { watch, parts, round } = await catchUp(({ chain }) => {
        chain.drop(3 * WINDOW);
        for (let block = 1; block <= 4 * WINDOW; block += 1) {
          chain.mine([chain.transaction([{ contract: TOKEN, from: SHOP, to: BOB, amount: 1n }])]);
        }
        chain.finalize();
      });
      await expect(round()).rejects.toThrow('has been replaced');
      expect(parts.booked.size).toBe(WINDOW);
      await round();
      expect(watch.status().state).toBe('halted');
      expect(parts.booked.size).toBe(WINDOW);
      expect(parts.isHalted()).toBe(true);
    });

    it('reads those again that have been replaced since, when none of the booked ones has', async () => {
      const { watch, parts, round } = await catchUp(({ chain }) => {
        chain.drop(WINDOW);
        for (let block = 1; block <= WINDOW; block += 1) {
          chain.mine([chain.transaction([{ contract: TOKEN, from: SHOP, to: BOB, amount: 1n }])]);
        }
        chain.finalize();
      });
      await expect(round()).rejects.toThrow('has been replaced');
      await round();
      expect(watch.status().state).toBe('watching');
      expect([parts.balance('alice', 'EURe'), parts.balance('bob', 'EURe')]).toEqual([BigInt(2 * WINDOW), BigInt(WINDOW)]);
    });

    it('books none of them when another process has halted the chain, and lets nothing be spent', async () => {
      const { watch, parts, round } = await catchUp(({ parts }) => {
        const cursor = parts.cursor() ?? expect.fail('it has begun');
        parts.rewind({ ...cursor, haltedAt: new Date() });
      });
      await round();
      expect(watch.status().state).toBe('halted');
      expect(parts.booked.size).toBe(WINDOW);
      expect(parts.isHalted()).toBe(true);
    });
  });

  it.each([
    ['lies about', { lies: () => true }],
    ['does not know', { lag: () => 1 }],
    ['does not respond about', { fails: () => true }],
  ])('books nothing of a block that one of two nodes %s', async (_name, trouble) => {
    const { chain, parts, send } = setUp();
    chain.mine([chain.transaction([send(SHOP, ALICE, 50n)])]);
    chain.finalize();
    const nodes = agree([createFakeNode(chain), createFakeNode(chain, trouble)]);
    const watch = parts.start(nodes, SYMBOLS);
    await watch.round(open).catch(() => undefined);
    expect(parts.booked.size).toBe(0);
    expect(parts.cursor()?.haltedAt).toBeUndefined();
  });

  it('rejects a node of another chain', async () => {
    const { chain, parts } = setUp();
    const watch = parts.start({ ...createFakeNode(chain), chainId: async () => 1 }, SYMBOLS);
    await expect(watch.round(open)).rejects.toThrow('chain 100 serves chain 1');
    expect(watch.status().state).toBe('waiting');
  });

  it('reads the receipt of a transaction once, however many transfers it makes', async () => {
    const { chain, parts, send } = setUp();
    const node = createFakeNode(chain);
    const watch = parts.start(node, SYMBOLS);
    await watch.round(open);
    const dust = (count: number) => chain.transaction(Array.from({ length: count }, () => send(SHOP, ALICE, 1n)));
    const costOf = async (count: number): Promise<number> => {
      chain.mine([dust(count)]);
      chain.finalize();
      const before = node.queries();
      await watch.round(open);
      return node.queries() - before;
    };
    expect(await costOf(500)).toBe(await costOf(1));
    expect(parts.balance('alice', 'EURe')).toBe(501n);
  });

  it('asks the nodes and the ledger as often with a million accounts as with a thousand', { timeout: 120_000 }, async () => {
    const cost = async (accounts: number) => {
      const safeOf = (index: number): Hex => `0x${index.toString(16).padStart(40, '0')}`;
      let steps = 0;
      const parts = createMemoryParts(new Map(Array.from({ length: accounts }, (_, index) => [safeOf(index), `account ${index}`])), () => {
        steps += 1;
      });
      const chain = createFakeChain();
      for (let block = 0; block < 100; block += 1) {
        const own = { contract: TOKEN, from: SHOP, to: safeOf(block), amount: 1n };
        chain.mine([chain.transaction([own]), chain.transaction([{ ...own, to: BOB }])]);
      }
      chain.finalize();
      const node = createFakeNode(chain);
      await parts.start(node, SYMBOLS).round(open);
      expect(parts.booked.size).toBe(100);
      return { steps, queries: node.queries() };
    };
    expect(await cost(1_000_000)).toEqual(await cost(1000));
  });

  it('lets others work while nothing is being booked, and only then', async () => {
    const { chain, parts, send } = setUp();
    const watch = parts.start(createFakeNode(chain), SYMBOLS);
    expect(await watch.whileStill(async () => 'still')).toBeUndefined();
    await watch.round(open);
    chain.mine([chain.transaction([send(SHOP, ALICE, 50n)])]);
    chain.finalize();
    const round = watch.round(open);
    const still = await watch.whileStill(async () => parts.booked.size);
    await round;
    // Before the step or after it, with the cursor that belongs to it.
    expect([still?.cursor.number, still?.result]).toEqual(still?.result === 0 ? [0, 0] : [1, 1]);
    expect(await watch.whileStill(async () => parts.booked.size)).toMatchObject({ cursor: { number: 1 }, result: 1 });
    const before = parts.cursor();
    expect(
      await watch.whileStill(async () => {
        // Another process books meanwhile.
        if (before !== undefined) parts.rewind({ ...before, hash: fakeAddress('another block') });
      }),
    ).toBeUndefined();
  });

  it('sends each node two queries per block, whatever the number of transfers of others', async () => {
    const costOf = async (strangers: number): Promise<number> => {
      const { chain, parts, send } = setUp();
      const node = createFakeNode(chain);
      for (let n = 0; n < 100; n += 1) {
        const others = Array.from({ length: strangers }, (_, index) => send(fakeAddress(`${n}.${index}`), SHOP, 1n));
        chain.mine([chain.transaction(others)]);
      }
      chain.finalize();
      await parts.start(node, SYMBOLS).round(open);
      expect(parts.cursor()?.number).toBe(100);
      return node.queries();
    };
    const cost = await costOf(0);
    expect(await costOf(50)).toBe(cost);
    // Besides: the chain, the newest final block, where to begin, the cursor's own block, and the last one again before it is booked.
    expect(cost).toBe(2 * 100 + 5);
  });
});
