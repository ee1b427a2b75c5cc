import { createHash } from 'node:crypto';
import type { Hex } from '@florin/evm/hex';
import type { AccountsClient } from '../clients/accounts.ts';
import type { ReservesClient } from '../clients/reserves.ts';
import type { ChainNode } from '../ports/chain-node.ts';
import type { ReservesFile, ReservesStore } from '../store/reserves.ts';
import type { ChainWatch } from '../watching/chain-watch.ts';

/** Accounts whose balances are read together. */
const PAGE_ACCOUNTS = 100;

/** Characters of a part, all of them ASCII. */
const PART_CHARACTERS = 128 * 1024;

/** Files of a chain that stay published. */
const KEPT = 30;

/** Looks for the snapshot, a pause apart, until the file is given up. */
const LOOKS = 600;

export type ReservesParts = {
  chainId: number;
  /** All nodes of the chain as one (`agree`). */
  node: Pick<ChainNode, 'balances'>;
  /** Symbols of the watched tokens by contract. */
  symbols: ReadonlyMap<Hex, string>;
  watch: Pick<ChainWatch, 'whileStill'>;
  accounts: Pick<AccountsClient, 'page'>;
  ledger: ReservesClient;
  store: Pick<ReservesStore, 'savePart' | 'save' | 'prune'>;
  now: () => Date;
  /** Passes the time between two looks for the ledger's snapshot. */
  wait: () => Promise<void>;
};

/** Collects lines into parts, and hashes them. */
const createPartWriter = (save: (part: number, text: string) => Promise<void>) => {
  const hash = createHash('sha256');
  let [part, text] = [0, ''];
  const flush = async (): Promise<void> => {
    await save(part, text);
    [part, text] = [part + 1, ''];
  };
  const add = async (lines: string): Promise<void> => {
    if (text.length > 0 && text.length + lines.length > PART_CHARACTERS) await flush();
    text += lines;
    hash.update(lines);
  };
  return {
    /** Adds one line or more, at most a part together. */
    add,
    /** SHA-256 of what was added until now, in hex. */
    digest: (): string => hash.copy().digest('hex'),
    /** @returns the number of parts */
    end: async (): Promise<number> => {
      await flush();
      return part;
    },
  };
};

/**
 * Makes a proof of reserves: what all Safes of a chain hold at the cursor's block, and what the ledger owed when everything up to that block was booked
 * and nothing after it. The format is described in the ledger's `heads/reserves.ts`.
 * @returns the published file; undefined while the watching waits or is halted, or when the ledger made no snapshot in time
 * @throws CodedError RESERVES_NOT_AVAILABLE (the ledger signs nothing), SNAPSHOT_IN_PROGRESS, SERVICE_UNAVAILABLE, UPSTREAM_TIMEOUT; Error when a node
 * fails or the nodes disagree
 */
export const makeReserves = async (parts: ReservesParts, closed: () => boolean): Promise<ReservesFile | undefined> => {
  const { chainId, node, symbols, watch, accounts, ledger, store, now, wait } = parts;
  const still = await watch.whileStill(ledger.snapshot);
  if (still === undefined) return undefined;
  // The time of what the file says, not that of its end: the next one is due an interval after it.
  const createdAt = now();
  const { number: blockNumber, hash: blockHash } = still.cursor;
  const writer = createPartWriter((part, text) => store.savePart({ chainId, blockNumber }, part, text));
  const tokens = [...symbols].map(([contract, symbol]) => [symbol, contract.toLowerCase()]);
  await writer.add(`${JSON.stringify(['florin-reserves-1', chainId, blockNumber, blockHash, tokens])}\n`);

  let cursor = '';
  do {
    const page = await accounts.page(cursor, PAGE_ACCOUNTS);
    const own = page.accounts.filter((account) => account.chainId === chainId);
    const holdings = own.flatMap(({ safe }) => [...symbols].map(([contract, symbol]) => ({ contract, symbol, holder: safe })));
    const balances = await node.balances(blockHash, holdings);
    for (const [index, { holder, symbol }] of holdings.entries()) {
      const amount = balances[index] ?? 0n;
      if (amount > 0n) await writer.add(`${JSON.stringify([holder, symbol, amount.toString()])}\n`);
    }
    cursor = page.nextCursor;
    if (closed()) return undefined;
  } while (cursor !== '');

  const holdingsHash = writer.digest();
  for (let look = 0; look < LOOKS && !closed(); look += 1) {
    const end = await ledger.sign(holdingsHash, still.result);
    if (end === undefined) {
      await wait();
      continue;
    }
    await writer.add(end);
    const file = { chainId, blockNumber, blockHash, createdAt, parts: await writer.end() };
    await store.save(file);
    await store.prune(chainId, KEPT);
    return file;
  }
  return undefined;
};
