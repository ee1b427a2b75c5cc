import { hash } from 'node:crypto';
import type { Hex } from '@florin/evm/hex';
import { describe, expect, it } from 'vitest';
import type { ReservesFile } from '../store/reserves.ts';
import { createFakeChain, createFakeNode, fakeAddress } from '../testing/fake-chain.ts';
import { makeReserves } from './make-reserves.ts';

const TOKEN = fakeAddress('EURe');
const END = '{"head":{}}\n["signature"]\n';

/** A chain on which `people` Safes hold 1, 2, 3 … and a ledger that needs some looks for its snapshot. */
const createScene = ({
  people = 3,
  looks = 0,
  still = true,
  amount,
}: {
  people?: number;
  looks?: number;
  still?: boolean;
  amount?: bigint;
} = {}) => {
  const chain = createFakeChain();
  const safes = Array.from({ length: people }, (_, index) => fakeAddress(`safe ${index}`));
  const events = safes.slice(0, 3).map((to, index) => ({ contract: TOKEN, from: fakeAddress('shop'), to, amount: BigInt(index + 1) }));
  chain.mine([chain.transaction(events)]);
  const { number, hash: blockHash } = chain.newest();
  chain.mine([chain.transaction([{ contract: TOKEN, from: fakeAddress('shop'), to: safes[0] as Hex, amount: 1000n }])]);
  const stored = new Map<number, string>();
  const files: ReservesFile[] = [];
  const signed: string[] = [];
  let waits = 0;
  const accounts = safes.map((safe, index) => ({ id: `account ${index}`, chainId: index === 1 ? 1 : 100, safe }));
  const make = (closed: () => boolean = () => false) =>
    makeReserves(
      {
        chainId: 100,
        node: amount === undefined ? createFakeNode(chain) : { balances: async (_hash, holdings) => holdings.map(() => amount) },
        symbols: new Map([[TOKEN, 'EURe']]),
        watch: {
          whileStill: async (work) => (still ? { cursor: { chainId: 100, number, hash: blockHash }, result: await work() } : undefined),
        },
        accounts: {
          page: async (cursor, limit) => {
            const from = Number(cursor);
            const next = from + limit;
            return { accounts: accounts.slice(from, next), nextCursor: next < accounts.length ? String(next) : '' };
          },
        },
        ledger: {
          snapshot: async () => [{ shard: '0', block: 7n }],
          sign: async (holdingsHash) => {
            signed.push(holdingsHash);
            return signed.length > looks ? END : undefined;
          },
        },
        store: {
          savePart: async (_file, part, text) => void stored.set(part, text),
          save: async (file) => void files.push(file),
          prune: async () => undefined,
        },
        now: () => new Date(waits),
        wait: async () => {
          waits += 1;
        },
      },
      closed,
    );
  return { make, stored, files, signed, waits: () => waits, number, blockHash, safes };
};

describe('making a proof of reserves', () => {
  it('lists what the Safes of the chain hold at the block of the cursor, and has all of it signed', async () => {
    const { make, stored, files, signed, waits, number, blockHash, safes } = createScene({ looks: 2 });
    expect(await make()).toEqual({ chainId: 100, blockNumber: number, blockHash, createdAt: new Date(0), parts: 1 });
    const holdings = [
      ['florin-reserves-1', 100, number, blockHash, [['EURe', TOKEN]]],
      [safes[0], 'EURe', '1'],
      [safes[2], 'EURe', '3'],
    ]
      .map((line) => `${JSON.stringify(line)}\n`)
      .join('');
    expect(stored.get(0)).toBe(holdings + END);
    expect(new Set(signed)).toEqual(new Set([hash('sha256', holdings)]));
    expect(waits()).toBe(2);
    expect(files).toHaveLength(1);
  });

  it('is stored in parts of whole lines, which are the file when they are joined', async () => {
    const { make, stored, signed } = createScene({ people: 1500, amount: 10n ** 70n });
    const file = await make();
    expect(file?.parts).toBeGreaterThan(1);
    expect(stored.size).toBe(file?.parts);
    for (const text of stored.values()) {
      expect(text.length).toBeLessThanOrEqual(128 * 1024);
      expect(text.endsWith('\n')).toBe(true);
    }
    const text = Array.from({ length: stored.size }, (_, part) => stored.get(part)).join('');
    expect(hash('sha256', text.slice(0, -END.length))).toBe(signed[0]);
    expect(text.split('\n')).toHaveLength(1 + 1499 + 3);
  });

  it('publishes nothing while something is being booked, or when the process stops', async () => {
    const busy = createScene({ still: false });
    expect(await busy.make()).toBeUndefined();
    const stopping = createScene({ looks: 5 });
    expect(await stopping.make(() => stopping.signed.length === 2)).toBeUndefined();
    expect([busy.files, stopping.files]).toEqual([[], []]);
  });
});
