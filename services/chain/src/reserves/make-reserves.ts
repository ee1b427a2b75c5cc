import { createHash } from 'node:crypto';
import type { Hex } from '@florin/evm/hex';
import { RESERVES_FORMAT, requireEnd } from '@florin/evm/reserves';
import { predictSafeAddress } from '@florin/evm/safe';
import type { Runtime } from '@florin/rpc/runtime';
import type { Address } from 'viem';
import type { AccountsClient, ListedAccount } from '../clients/accounts.ts';
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

/** SHA-256 of a file without lines. */
const NOTHING_HASH = createHash('sha256').digest('hex');

export type ReservesParts = {
  chainId: number;
  /** All nodes of the chain as one (`agree`). */
  node: Pick<ChainNode, 'balances'>;
  /** Symbols of the watched tokens by contract. */
  symbols: ReadonlyMap<Hex, string>;
  watch: Pick<ChainWatch, 'whileStill'>;
  accounts: Pick<AccountsClient, 'page'>;
  /** Second owners that Safes may have been made with (EIP-55). */
  platforms: readonly Address[];
  /** Treasuries that collect what was spent on a chain, and former ones that Safes still let collect (EIP-55). */
  treasuriesOn: (chainId: number) => Promise<readonly Address[]>;
  ledger: ReservesClient;
  store: Pick<ReservesStore, 'savePart' | 'save' | 'prune'>;
  runtime: Pick<Runtime, 'now' | 'newId'>;
  /** Passes the time between two looks for the ledger's snapshot. */
  wait: () => Promise<void>;
};

/** Collects lines into parts, and hashes them. */
const createPartWriter = (save: (part: number, text: string, first: string | undefined) => Promise<void>) => {
  const hash = createHash('sha256');
  let [part, text] = [0, ''];
  let first: string | undefined;
  const flush = async (): Promise<void> => {
    await save(part, text, first);
    [part, text] = [part + 1, ''];
    first = undefined;
  };
  const add = async (lines: string, accountId?: string): Promise<void> => {
    if (text.length > 0 && text.length + lines.length > PART_CHARACTERS) await flush();
    first ??= accountId;
    text += lines;
    hash.update(lines);
  };
  return {
    /** Adds one line or more, at most a part together. @param accountId of the line of a Safe */
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

/** The owners in the initializer of a Safe, from which its address follows; undefined when they are not known. */
const ownersOf = ({ id, owner, safe }: ListedAccount, platforms: readonly Address[]): Address[] | undefined =>
  [[owner], ...platforms.map((platform) => [owner, platform])].find((owners) => predictSafeAddress(id, owners).toLowerCase() === safe);

/**
 * Makes a proof of reserves: what all Safes of a chain hold at the cursor's block, and what the ledger owed when everything up to that block was booked
 * and nothing after it. The format is described in `@florin/evm/reserves`.
 * @returns the published file; undefined while the watching waits or is halted, or when the ledger made no snapshot in time
 * @throws CodedError RESERVES_NOT_AVAILABLE (the ledger signs nothing), SNAPSHOT_IN_PROGRESS, SERVICE_UNAVAILABLE, UPSTREAM_TIMEOUT; Error when a node
 * fails, the nodes disagree, the second owner of a Safe is not configured, or the ledger signs another format
 */
export const makeReserves = async (parts: ReservesParts, closed: () => boolean): Promise<ReservesFile | undefined> => {
  const { chainId, node, symbols, watch, accounts, platforms, treasuriesOn, ledger, store, runtime, wait } = parts;
  // Before the ledger counts a snapshot as the published one. It may still be replaced by another release until the end.
  const probe = await ledger.sign(chainId, NOTHING_HASH, []);
  if (probe !== undefined) requireEnd(NOTHING_HASH, probe);
  const still = await watch.whileStill(ledger.snapshot);
  if (still === undefined) return undefined;
  // The time of what the file says, not that of its end: the next one is due an interval after it.
  const createdAt = runtime.now();
  const { number: blockNumber, hash: blockHash } = still.cursor;
  // A text that was begun as of the same block, and not finished, has other times and balances of the ledger: nothing of the two is mixed.
  const text = { chainId, blockNumber, attempt: runtime.newId() };
  const writer = createPartWriter((part, lines, first) => store.savePart(text, part, lines, first));
  const tokens = [...symbols].map(([contract, symbol]) => [symbol, contract.toLowerCase()]);
  await writer.add(`${JSON.stringify([RESERVES_FORMAT, chainId, blockNumber, blockHash, createdAt.toISOString(), tokens])}\n`);

  /** Returns the holders' balances, without zeros. */
  const balancesOf = async (holders: readonly Hex[]): Promise<[symbol: string, amount: string][][]> => {
    const rows = holders.flatMap((holder) => [...symbols].map(([contract, symbol]) => ({ contract, symbol, holder })));
    const balances = await node.balances(blockHash, rows);
    return holders.map((_, holder) =>
      [...symbols.values()].flatMap((symbol, index): [string, string][] => {
        const amount = balances[holder * symbols.size + index] ?? 0n;
        return amount > 0n ? [[symbol, amount.toString()]] : [];
      }),
    );
  };

  let cursor = '';
  do {
    const page = await accounts.page(cursor, PAGE_ACCOUNTS);
    const own = page.accounts.filter((account) => account.chainId === chainId);
    const held = await balancesOf(own.map(({ safe }) => safe));
    for (const [index, account] of own.entries()) {
      const amounts = held[index] ?? [];
      if (amounts.length === 0) continue;
      const owners = ownersOf(account, platforms)?.map((owner) => owner.toLowerCase());
      if (owners === undefined) throw new Error(`the second owner of the Safe of account ${account.id} is not configured`);
      await writer.add(`${JSON.stringify(['safe', account.id, account.safe, owners, amounts])}\n`, account.id);
    }
    cursor = page.nextCursor;
    if (closed()) return undefined;
  } while (cursor !== '');
  const lower = (await treasuriesOn(chainId)).map((treasury) => treasury.toLowerCase() as Hex);
  const ofTreasuries = await balancesOf(lower);
  for (const [index, treasury] of lower.entries()) {
    const amounts = ofTreasuries[index] ?? [];
    if (amounts.length > 0) await writer.add(`${JSON.stringify(['treasury', treasury, amounts])}\n`);
  }

  /** Repeats what the ledger can answer once the snapshot is made. */
  const whenMade = async <T>(ask: () => Promise<T | undefined>): Promise<T | undefined> => {
    for (let look = 0; look < LOOKS && !closed(); look += 1) {
      const found = await ask();
      if (found !== undefined) return found;
      await wait();
    }
    return undefined;
  };
  for (const block of still.result) {
    let next = '';
    do {
      const page = await whenMade(() => ledger.owed(block, next));
      if (page === undefined) return undefined;
      if (page.text !== '') await writer.add(page.text);
      next = page.nextCursor;
    } while (next !== '');
  }
  const linesHash = writer.digest();
  const end = await whenMade(() => ledger.sign(chainId, linesHash, still.result));
  if (end === undefined) return undefined;
  requireEnd(linesHash, end);
  await writer.add(end);
  const file = { ...text, blockHash, createdAt, parts: await writer.end() };
  await store.save(file);
  await store.prune(chainId, KEPT);
  return file;
};
