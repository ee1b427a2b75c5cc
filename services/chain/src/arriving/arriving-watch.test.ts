import type { Hex } from '@florin/evm/hex';
import { quietLogger } from '@florin/rpc/testing';
import { describe, expect, it } from 'vitest';
import { raiseLeaving } from '../alarming/raise-leaving.ts';
import type { WatchException } from '../domain/exception.ts';
import type { SafeTransfer } from '../domain/transfer.ts';
import type { Cursor } from '../store/cursors.ts';
import { createFakeChain, createFakeNode, fakeAddress } from '../testing/fake-chain.ts';
import { createArrivingWatch } from './arriving-watch.ts';

const TOKEN = fakeAddress('EURe');
const SAFE = fakeAddress('safe');
const STRANGER = fakeAddress('stranger');
const TREASURY = fakeAddress('treasury');

const createScene = () => {
  const chain = createFakeChain();
  const node = createFakeNode(chain);
  let cursor: Cursor = { chainId: 100, number: 0, hash: chain.newest().hash };
  let looks = 0;
  let fails = false;
  const left: SafeTransfer[] = [];
  const watch = createArrivingWatch({
    chainId: 100,
    node,
    symbols: new Map([[TOKEN, 'EURe']]),
    accounts: {
      findBySafes: async (_chainId, addresses) => {
        looks += 1;
        return new Map(addresses.flatMap((address): [Hex, string][] => (address === SAFE ? [[SAFE, 'a']] : [])));
      },
    },
    cursors: { find: async () => cursor },
    isTreasurys: async ({ counterparty }) => counterparty === TREASURY,
    onLeaving: async (transfer) => {
      if (fails) throw new Error('the ledger does not respond');
      left.push(transfer);
    },
  });
  const pay = (to: Hex, amount: bigint, from = STRANGER) => chain.transaction([{ contract: TOKEN, from, to, amount }]);
  return {
    chain,
    node,
    watch,
    left,
    fail: (does: boolean) => {
      fails = does;
    },
    pay,
    looks: () => looks,
    book: (number: number, haltedAt?: Date) => {
      cursor = { chainId: 100, number, hash: chain.blocks()[number]?.hash ?? '0x', ...(haltedAt && { haltedAt }) };
    },
    amounts: async () => {
      await watch.round();
      return watch.of('a').map(({ amount, blockNumber }) => [blockNumber, amount]);
    },
  };
};

describe('transfers that leave', () => {
  it('are told before they are final, at least once, and not those of strangers', async () => {
    const { chain, left, fail, watch, amounts } = createScene();
    const out = (from: Hex, amount: bigint) => chain.transaction([undefined, { contract: TOKEN, from, to: STRANGER, amount }]);
    chain.mine([out(SAFE, 0n), out(STRANGER, 4n), out(SAFE, 5n)]);
    fail(true);
    await expect(watch.round()).rejects.toThrow();
    fail(false);
    for (let times = 0; times < 2; times += 1) expect(await amounts()).toEqual([]);
    expect(left).toMatchObject([
      { direction: 'out', logIndex: 1, accountId: 'a', counterparty: STRANGER, token: 'EURe', amount: 5n, blockNumber: 1 },
    ]);
  });

  it('block the account at once unless the platform has sent or signed them, or the Collector has made them', async () => {
    const suspected: [string, number][] = [];
    const exceptions = new Map<string, WatchException>();
    const explains = { isOwn: false, isMovement: false, isSigned: false };
    const { chain, left, watch } = createScene();
    chain.mine([chain.transaction([{ contract: TOKEN, from: SAFE, to: STRANGER, amount: 5n }])]);
    await watch.round();
    const raise = (transfer = left[0]) =>
      raiseLeaving(
        {
          isOwn: async () => explains.isOwn,
          isMovement: async () => explains.isMovement,
          isSigned: async () => explains.isSigned,
          suspect: async (accountId, block) => void suspected.push([accountId, block]),
          exceptions: { find: async (id) => exceptions.get(id), open: async (one) => void exceptions.set(one.id, one) },
          now: () => new Date(),
          logger: quietLogger,
        },
        transfer ?? expect.fail('it was told'),
      );
    for (const reason of ['isOwn', 'isMovement', 'isSigned'] as const) {
      explains[reason] = true;
      await raise();
      explains[reason] = false;
    }
    expect([suspected, exceptions.size]).toEqual([[], 0]);
    for (let times = 0; times < 2; times += 1) await raise();
    expect(suspected).toEqual([['a', 1]]);
    expect([...exceptions.values()]).toMatchObject([{ kind: 'left', transfer: { accountId: 'a', amount: 5n } }]);
    // The inspection after the first block would have found nothing.
    const again = chain.drop(1);
    chain.mine();
    chain.mine(again);
    await watch.round();
    await raise(left.at(-1));
    expect(suspected).toEqual([
      ['a', 1],
      ['a', 2],
    ]);
  });
});

describe('transfers that arrive', () => {
  it('are shown, newest first, until they are booked', async () => {
    const { chain, pay, amounts, book } = createScene();
    // A refund that the treasury returns is in the balance already.
    chain.mine([pay(SAFE, 5n), pay(STRANGER, 7n), pay(SAFE, 0n), pay(SAFE, 8n, TREASURY)]);
    expect(await amounts()).toEqual([[1, 5n]]);
    chain.mine([pay(SAFE, 6n)]);
    chain.finalize(1);
    // Final, and not booked: the watching has not come to it.
    expect(await amounts()).toEqual([
      [2, 6n],
      [1, 5n],
    ]);
    book(1);
    expect(await amounts()).toEqual([[2, 6n]]);
    book(2);
    expect(await amounts()).toEqual([]);
  });

  it('are gone after a reorganization, or where the new branch has them', async () => {
    const { chain, pay, amounts } = createScene();
    chain.mine([pay(SAFE, 5n)]);
    const moved = pay(SAFE, 6n);
    chain.mine([moved]);
    expect(await amounts()).toHaveLength(2);
    chain.drop(2);
    chain.mine();
    chain.mine();
    chain.mine([moved]);
    expect(await amounts()).toEqual([[3, 6n]]);
    chain.drop(3);
    expect(await amounts()).toEqual([]);
  });

  it('are not shown while the chain is halted', async () => {
    const { chain, pay, amounts, book } = createScene();
    chain.mine([pay(SAFE, 5n)]);
    expect(await amounts()).toHaveLength(1);
    book(0, new Date(0));
    expect(await amounts()).toEqual([]);
  });

  it('cost nothing for blocks that are known, and stay bounded when the watching is far behind', async () => {
    const { chain, node, pay, amounts, looks } = createScene();
    for (let block = 0; block < 300; block += 1) chain.mine([pay(SAFE, 1n)]);
    expect(await amounts()).toHaveLength(100);
    expect(looks()).toBe(1);
    const [queries, found] = [node.queries(), looks()];
    expect(await amounts()).toHaveLength(100);
    // The number of the newest block and its header.
    expect(node.queries() - queries).toBe(2);
    expect(looks()).toBe(found);
  });
});
