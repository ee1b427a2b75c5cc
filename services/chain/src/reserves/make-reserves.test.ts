import { generateKeyPairSync, hash, randomUUID } from 'node:crypto';
import type { Hex } from '@florin/evm/hex';
import { RESERVES_FORMAT, reservesText } from '@florin/evm/reserves';
import { predictSafeAddress } from '@florin/evm/safe';
import { createSigningKey } from '@florin/rpc/signing-key';
import { type Address, getAddress } from 'viem';
import { describe, expect, it } from 'vitest';
import type { ReservesFile } from '../store/reserves.ts';
import { createFakeChain, createFakeNode, fakeAddress } from '../testing/fake-chain.ts';
import { makeReserves } from './make-reserves.ts';

const TOKEN = fakeAddress('EURe');
const PLATFORM = getAddress(fakeAddress('platform'));
const OWED = '["owed"]\n';
const HEAD = '{"head":{}}';
const KEY = createSigningKey(generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' }) as Parameters<typeof createSigningKey>[0]);
/** The end of a file, by a ledger that knows this format. */
const endOf = (linesHash: string, format: string = RESERVES_FORMAT): string => {
  const signature = KEY.sign(reservesText(linesHash, [HEAD]).replace(RESERVES_FORMAT, format));
  return `${HEAD}\n${JSON.stringify(['signature', KEY.id, KEY.publicKey.x, signature])}\n`;
};

/** A chain on which `people` Safes hold 1, 2, 3 … and a ledger that needs some looks for its snapshot. */
const createScene = ({
  people = 3,
  looks = 0,
  still = true,
  amount,
  format,
}: {
  people?: number;
  looks?: number;
  still?: boolean;
  amount?: bigint;
  format?: string;
} = {}) => {
  const chain = createFakeChain();
  const ids = Array.from({ length: people }, () => randomUUID() as string).sort();
  const owners = ids.map((id) => getAddress(fakeAddress(`owner of ${id}`)));
  // Every other one is shared with the platform from birth.
  const safes = ids.map(
    (id, index) => predictSafeAddress(id, [owners[index] as Address, ...(index % 2 === 0 ? [PLATFORM] : [])]).toLowerCase() as Hex,
  );
  const events = safes.slice(0, 3).map((to, index) => ({ contract: TOKEN, from: fakeAddress('shop'), to, amount: BigInt(index + 1) }));
  chain.mine([chain.transaction(events)]);
  const { number, hash: blockHash } = chain.newest();
  chain.mine([chain.transaction([{ contract: TOKEN, from: fakeAddress('shop'), to: safes[0] as Hex, amount: 1000n }])]);
  const stored = new Map<number, string>();
  const firsts: (string | undefined)[] = [];
  const files: ReservesFile[] = [];
  const signed: [number, string][] = [];
  let asked = 0;
  let waits = 0;
  let snapshots = 0;
  const accounts = safes.map((safe, index) => ({
    id: ids[index] ?? '',
    chainId: index === 1 ? 1 : 100,
    safe,
    owner: owners[index] as Address,
  }));
  const make = (closed: () => boolean = () => false) =>
    makeReserves(
      {
        chainId: 100,
        node: amount === undefined ? createFakeNode(chain) : { balances: async (_hash, holdings) => holdings.map(() => amount) },
        platforms: [getAddress(fakeAddress('former platform')), PLATFORM],
        treasuriesOn: async () => [getAddress(fakeAddress('shop'))],
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
          snapshot: async () => {
            snapshots += 1;
            return [{ shard: '0', block: 7n }];
          },
          owed: async (_block, cursor) => {
            asked += 1;
            if (asked <= looks) return undefined;
            return cursor === '' ? { text: OWED, nextCursor: '64.0' } : { text: '', nextCursor: '' };
          },
          sign: async (chainId, linesHash, blocks) => {
            if (blocks.length > 0) signed.push([chainId, linesHash]);
            return endOf(linesHash, format);
          },
        },
        store: {
          savePart: async (_file, part, text, first) => {
            stored.set(part, text);
            firsts.push(first);
          },
          save: async (file) => void files.push(file),
          prune: async () => undefined,
        },
        runtime: { now: () => new Date(waits), newId: () => 'attempt' },
        wait: async () => {
          waits += 1;
        },
      },
      closed,
    );
  return {
    make,
    stored,
    firsts,
    files,
    signed,
    asked: () => asked,
    waits: () => waits,
    snapshots: () => snapshots,
    number,
    blockHash,
    safes,
    ids,
    owners,
    accounts,
  };
};

describe('making a proof of reserves', () => {
  it('lists what the Safes of the chain hold at the block of the cursor, and has all of it signed', async () => {
    const { make, stored, firsts, files, signed, waits, number, blockHash, safes, ids, owners } = createScene({ looks: 2 });
    expect(await make()).toEqual({ chainId: 100, blockNumber: number, blockHash, createdAt: new Date(0), parts: 1, attempt: 'attempt' });
    const lower = (index: number) => owners[index]?.toLowerCase();
    const lines = [
      ['florin-reserves-3', 100, number, blockHash, '1970-01-01T00:00:00.000Z', [['EURe', TOKEN]]],
      ['safe', ids[0], safes[0], [lower(0), PLATFORM.toLowerCase()], [['EURe', '1']]],
      ['safe', ids[2], safes[2], [lower(2), PLATFORM.toLowerCase()], [['EURe', '3']]],
    ]
      .map((line) => `${JSON.stringify(line)}\n`)
      .join('');
    expect(stored.get(0)).toBe(lines + OWED + endOf(hash('sha256', lines + OWED)));
    expect(firsts).toEqual([ids[0]]);
    expect(signed).toEqual([[100, hash('sha256', lines + OWED)]]);
    expect(waits()).toBe(2);
    expect(files).toHaveLength(1);
  });

  it('is stored in parts of whole lines, which are the file when they are joined', async () => {
    const { make, stored, firsts, signed } = createScene({ people: 1500, amount: 10n ** 70n });
    const file = await make();
    expect(file?.parts).toBeGreaterThan(1);
    expect(stored.size).toBe(file?.parts);
    for (const text of stored.values()) {
      expect(text.length).toBeLessThanOrEqual(128 * 1024);
      expect(text.endsWith('\n')).toBe(true);
    }
    const text = Array.from({ length: stored.size }, (_, part) => stored.get(part)).join('');
    const linesHash = hash('sha256', text.slice(0, text.indexOf(HEAD)));
    expect([linesHash, text.endsWith(endOf(linesHash))]).toEqual([signed[0]?.[1], true]);
    // The header, the Safes, a treasury, what is owed, a head, the signature, and the end of the last line.
    expect(text.split('\n')).toHaveLength(1 + 1499 + 5);
    // Where an account's line is found.
    for (const [part, first] of firsts.entries()) expect(stored.get(part)).toContain(`["safe","${first}",`);
  });

  it('publishes nothing while something is being booked, or when the process stops', async () => {
    const busy = createScene({ still: false });
    expect(await busy.make()).toBeUndefined();
    const stopping = createScene({ looks: 5 });
    expect(await stopping.make(() => stopping.asked() === 2)).toBeUndefined();
    expect([busy.files, stopping.files]).toEqual([[], []]);
  });

  it('is not published when the ledger is of a release that signs another format', async () => {
    const { make, files, snapshots } = createScene({ format: 'florin-reserves-2' });
    await expect(make()).rejects.toThrow('the signature does not fit the file');
    // The lines of the former file, which people are shown, stay as they are.
    expect([files, snapshots()]).toEqual([[], 0]);
  });

  it('is not published when the owners of a Safe are not known', async () => {
    const { make, accounts, files } = createScene();
    const [first] = accounts;
    if (first !== undefined) first.owner = PLATFORM;
    await expect(make()).rejects.toThrow('is not configured');
    expect(files).toEqual([]);
  });
});
