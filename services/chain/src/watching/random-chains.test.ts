import type { Hex } from '@florin/evm/hex';
import { seededRandom } from '@florin/rpc/testing/seeded-random';
import { describe, expect, it } from 'vitest';
import { agree } from '../ports/agree.ts';
import { createFakeChain, createFakeNode, type FakeTransaction, fakeAddress } from '../testing/fake-chain.ts';
import { createMemoryParts } from '../testing/memory-parts.ts';

const TOKENS = ['EURe', 'USDC.e'];
const SYMBOLS = new Map<Hex, string>(TOKENS.map((symbol) => [fakeAddress(symbol), symbol]));
const USERS = ['alice', 'bob', 'carol'];
const SAFES = new Map<Hex, string>(USERS.map((name) => [fakeAddress(name), name]));
const STRANGERS = ['shop', 'exchange'].map(fakeAddress);
const STEPS = 150;

const run = async (seed: number) => {
  const random = seededRandom(seed);
  const chance = (probability: number) => random() < probability;
  const below = (limit: number) => Math.floor(random() * limit);
  const pick = <T>(list: readonly T[]): T => list[below(list.length)] as T;
  const chain = createFakeChain();
  let rough = true;
  let kills = 0;
  const parts = createMemoryParts(SAFES, () => {
    if (!rough || !chance(0.02)) return;
    kills += 1;
    throw new Error('killed');
  });
  const trouble = () => ({ lag: () => (rough ? below(3) : 0), fails: () => rough && chance(0.02), lies: () => rough && chance(0.02) });
  const node = agree([createFakeNode(chain, trouble()), createFakeNode(chain, trouble())]);
  const addresses = [...SAFES.keys(), ...STRANGERS];
  const transaction = (): FakeTransaction =>
    chain.transaction(
      Array.from({ length: 1 + below(4) }, () =>
        chance(0.3)
          ? undefined
          : { contract: pick([...SYMBOLS.keys()]), from: pick(addresses), to: pick(addresses), amount: BigInt(below(1000)) },
      ),
    );

  let watch = parts.start(node, SYMBOLS);
  let waiting: FakeTransaction[] = [];
  let reorganizations = 0;
  for (let step = 0; step < STEPS; step += 1) {
    if (chance(0.25) && chain.newest().number > chain.finalized()) {
      reorganizations += 1;
      waiting.push(...chain.drop(1 + below(chain.newest().number - chain.finalized())));
    }
    // Transactions of dropped blocks come again later, in another order, or never.
    waiting = waiting.filter(() => chance(0.9));
    const again = waiting.filter(() => chance(0.5));
    waiting = waiting.filter((one) => !again.includes(one));
    chain.mine([...Array.from({ length: below(3) }, transaction), ...again.reverse()]);
    if (chance(0.5)) chain.finalize(Math.max(chain.finalized(), chain.newest().number - below(6)));
    await watch
      .round(() => false)
      .catch(() => {
        // As after a kill: nothing but the stores is left.
        watch = parts.start(node, SYMBOLS);
      });
  }
  rough = false;
  chain.finalize();
  watch = parts.start(node, SYMBOLS);
  await watch.round(() => false);
  return { chain, parts, watch, kills, reorganizations };
};

/** `balanceOf` at the cursor's block, from the chain itself. */
const balanceOnChain = (blocks: ReturnType<ReturnType<typeof createFakeChain>['blocks']>, safe: Hex, contract: Hex): bigint =>
  blocks
    .flatMap(({ transactions }) => transactions.flatMap(({ events }) => events))
    .reduce((sum, event) => {
      if (event?.contract !== contract) return sum;
      return sum + (event.to === safe ? event.amount : 0n) - (event.from === safe ? event.amount : 0n);
    }, 0n);

describe('watching under reorganizations, kills, and failing, lagging and lying nodes', () => {
  it.each(Array.from({ length: 20 }, (_, seed) => seed))('books what the chain shows, exactly (seed %i)', async (seed) => {
    const { chain, parts, watch, kills, reorganizations } = await run(seed);
    expect(watch.status()).toMatchObject({ state: 'watching', cursor: { number: chain.newest().number, hash: chain.newest().hash } });
    expect(kills).toBeGreaterThan(0);
    expect(reorganizations).toBeGreaterThan(0);
    for (const [safe, accountId] of SAFES) {
      for (const [contract, token] of SYMBOLS) {
        expect(parts.balance(accountId, token), `${accountId} ${token}`).toBe(balanceOnChain(chain.blocks(), safe, contract));
      }
    }
    expect([...parts.transfers.keys()].sort()).toEqual([...parts.booked.keys()].sort());
  });
});
