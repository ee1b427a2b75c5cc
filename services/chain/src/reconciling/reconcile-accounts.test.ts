import type { Hex } from '@florin/evm/hex';
import { describe, expect, it } from 'vitest';
import { inLedgerOf, unbookedOf, unseenOf } from '../domain/balance-difference.ts';
import type { SafeTransfer } from '../domain/transfer.ts';
import { agree } from '../ports/agree.ts';
import { createFakeChain, createFakeNode, fakeAddress } from '../testing/fake-chain.ts';
import { createReconciler } from './reconcile-accounts.ts';

const TOKEN = fakeAddress('EURe');
const SYMBOLS = new Map<Hex, string>([[TOKEN, 'EURe']]);
const ALICE = { id: 'alice', chainId: 100, safe: fakeAddress('alice') };
const BOB = { id: 'bob', chainId: 100, safe: fakeAddress('bob') };

/** A chain on which alice has received 50, all of it seen and booked. */
const setUp = () => {
  const chain = createFakeChain();
  const event = { contract: TOKEN, from: fakeAddress('shop'), to: ALICE.safe, amount: 50n };
  const transaction = chain.transaction([event]);
  chain.mine([transaction]);
  chain.finalize();
  const { number, hash } = chain.newest();
  const seen: SafeTransfer[] = [
    {
      chainId: 100,
      txHash: transaction.hash,
      logIndex: 0,
      direction: 'in',
      accountId: 'alice',
      counterparty: event.from,
      token: 'EURe',
      amount: 50n,
      blockNumber: number,
      blockHash: hash,
    },
  ];
  const refused: SafeTransfer[] = [];
  const others = { refused: 0n, nettings: 0, netted: 0n, settling: 0n, held: 0n, incoming: 0n };
  const totals = new Map([['alice', { booked: 50n, elsewhere: 0n }]]);
  const upTo = (list: readonly SafeTransfer[]) => async (_chainId: number, ids: readonly string[], block: number) =>
    list.filter(({ accountId, blockNumber }) => ids.includes(accountId) && blockNumber <= block);
  let looks = 0;
  let between = (): void => undefined;
  const reconcile = (node = agree([createFakeNode(chain), createFakeNode(chain)])) =>
    createReconciler({
      chainId: 100,
      node,
      symbols: SYMBOLS,
      cursors: { find: async () => ({ chainId: 100, number, hash }) },
      entries: {
        totals: async (id) => {
          const own = totals.get(id);
          return new Map(own === undefined ? [] : [['EURe', { ...own, ...others }]]);
        },
      },
      transfers: { ofAccounts: upTo(seen) },
      exceptions: { refusedOf: upTo(refused) },
      wait: async () => {
        looks += 1;
        between();
      },
    }).reconcile([ALICE, BOB]);
  return {
    chain,
    seen,
    refused,
    totals,
    reconcile,
    looks: () => looks,
    whileWaiting: (change: () => void) => {
      between = change;
    },
  };
};

describe('reconciling accounts', () => {
  it('finds no difference when chain, watcher and ledger agree', async () => {
    const { chain, reconcile, looks } = setUp();
    expect(await reconcile()).toEqual({ blockNumber: 1, blockHash: chain.newest().hash, differences: [] });
    expect(looks()).toBe(0);
  });

  it('counts what was spent in the ledger as still in the Safe', async () => {
    const { totals, reconcile } = setUp();
    totals.set('alice', { booked: 50n, elsewhere: 30n });
    expect((await reconcile())?.differences).toEqual([]);
  });

  it('names a balance that changed without an event, with account, token, amount and block', async () => {
    const { chain, reconcile } = setUp();
    chain.changeSilently(TOKEN, ALICE.safe, -7n);
    const [difference, ...others] = (await reconcile())?.differences ?? [];
    expect(others).toEqual([]);
    expect(difference).toMatchObject({ accountId: 'alice', token: 'EURe', chainId: 100, blockNumber: 1, onChain: 43n, seen: 50n });
    expect(difference && [unseenOf(difference), unbookedOf(difference)]).toEqual([-7n, 0n]);
  });

  it('names an account that holds what nobody has seen, with an empty ledger', async () => {
    const { chain, reconcile } = setUp();
    chain.changeSilently(TOKEN, BOB.safe, 3n);
    expect((await reconcile())?.differences).toMatchObject([{ accountId: 'bob', onChain: 3n, seen: 0n, booked: 0n }]);
  });

  it('names a transfer that the ledger has not booked, and one that it has booked without a transfer', async () => {
    const { totals, reconcile } = setUp();
    totals.set('alice', { booked: 40n, elsewhere: 15n });
    totals.set('bob', { booked: 2n, elsewhere: 0n });
    const differences = (await reconcile())?.differences ?? [];
    expect(differences.map((one) => [one.accountId, unseenOf(one), unbookedOf(one), inLedgerOf(one)])).toEqual([
      ['alice', 0n, 10n, 25n],
      ['bob', 0n, -2n, 2n],
    ]);
  });

  it('explains a transfer that the ledger has refused', async () => {
    const { seen, refused, totals, reconcile } = setUp();
    totals.delete('alice');
    refused.push(...seen);
    expect((await reconcile())?.differences).toEqual([]);
  });

  it('looks again at what is under way, and finds no difference once it has arrived', async () => {
    const { totals, reconcile, whileWaiting, looks } = setUp();
    totals.set('alice', { booked: 70n, elsewhere: 0n });
    whileWaiting(() => totals.set('alice', { booked: 50n, elsewhere: 0n }));
    expect((await reconcile())?.differences).toEqual([]);
    expect(looks()).toBe(1);
  });

  it.each([
    ['lies', { lies: () => true }],
    ['does not know the block', { lag: () => 1 }],
    ['does not respond', { fails: () => true }],
  ])('rejects when one of two nodes %s', async (_name, trouble) => {
    const { chain, reconcile } = setUp();
    await expect(reconcile(agree([createFakeNode(chain), createFakeNode(chain, trouble)]))).rejects.toThrow();
  });
});
