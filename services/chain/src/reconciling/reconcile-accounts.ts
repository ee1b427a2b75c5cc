import type { Hex } from '@florin/evm/hex';
import type { Amount } from '@florin/rpc/money';
import type { ListedAccount } from '../clients/accounts.ts';
import type { LedgerEntriesClient } from '../clients/ledger-entries.ts';
import { type AccountBalance, type BalanceDifference, differs } from '../domain/balance-difference.ts';
import type { SafeTransfer } from '../domain/transfer.ts';
import type { ChainNode } from '../ports/chain-node.ts';
import type { Cursor, CursorStore } from '../store/cursors.ts';
import type { ExceptionStore } from '../store/exceptions.ts';
import type { TransferStore } from '../store/transfers.ts';

/**
 * Looks at accounts that seem to differ. The ledger may have booked transfers of blocks after the cursor already: what is under way agrees when it is
 * looked at again, what is wrong does not.
 */
const LOOKS = 4;

export type ReconcilerParts = {
  chainId: number;
  /** All nodes of the chain as one (`agree`). */
  node: Pick<ChainNode, 'balances'>;
  /** Symbols of the watched tokens by contract. */
  symbols: ReadonlyMap<Hex, string>;
  cursors: Pick<CursorStore, 'find'>;
  entries: Pick<LedgerEntriesClient, 'totals'>;
  transfers: Pick<TransferStore, 'ofAccounts'>;
  exceptions: Pick<ExceptionStore, 'refusedOf'>;
  /** Passes the time between two looks. */
  wait: () => Promise<void>;
};

export type Reconciled = { blockNumber: number; blockHash: Hex; differences: BalanceDifference[] };

export type Reconciler = {
  chainId: number;
  /**
   * Compares the balances of accounts of this chain with the books, as of the cursor's block. All nodes must give the same balances.
   * @returns undefined before the watching has begun
   * @throws CodedError SERVICE_UNAVAILABLE, UPSTREAM_TIMEOUT; Error when a node fails or the nodes disagree
   */
  reconcile: (accounts: readonly Omit<ListedAccount, 'owner'>[]) => Promise<Reconciled | undefined>;
};

const keyOf = (accountId: string, token: string): string => `${accountId}/${token}`;

/** Sums of transfers, by account and token. */
const sumOf = (transfers: readonly Pick<SafeTransfer, 'accountId' | 'token' | 'direction' | 'amount'>[]): ReadonlyMap<string, Amount> => {
  const sums = new Map<string, Amount>();
  for (const { accountId, token, direction, amount } of transfers) {
    const key = keyOf(accountId, token);
    sums.set(key, (sums.get(key) ?? 0n) + (direction === 'in' ? amount : -amount));
  }
  return sums;
};

export const createReconciler = (parts: ReconcilerParts): Reconciler => {
  const { chainId, node, symbols, cursors, entries, transfers, exceptions, wait } = parts;

  const balancesOf = async (accounts: readonly Omit<ListedAccount, 'owner'>[], { number, hash }: Cursor): Promise<AccountBalance[]> => {
    const ids = accounts.map(({ id }) => id);
    const rows = accounts.flatMap(({ id, safe }) =>
      [...symbols].map(([contract, token]) => ({ accountId: id, token, contract, holder: safe })),
    );
    const onChain = await node.balances(hash, rows);
    const seen = sumOf(await transfers.ofAccounts(chainId, ids, number));
    const refused = sumOf(await exceptions.refusedOf(chainId, ids, number));
    const totals = new Map(await Promise.all(ids.map(async (id) => [id, await entries.totals(id)] as const)));
    return rows.map(({ accountId, token }, index) => ({
      accountId,
      token,
      onChain: onChain[index] ?? 0n,
      seen: seen.get(keyOf(accountId, token)) ?? 0n,
      refused: refused.get(keyOf(accountId, token)) ?? 0n,
      ...(totals.get(accountId)?.get(token) ?? { booked: 0n, elsewhere: 0n }),
    }));
  };

  return {
    chainId,
    reconcile: async (accounts) => {
      let suspects = accounts;
      for (let look = 1; ; look += 1) {
        const cursor = await cursors.find(chainId);
        if (cursor === undefined) return undefined;
        const { number: blockNumber, hash: blockHash } = cursor;
        const found = suspects.length === 0 ? [] : (await balancesOf(suspects, cursor)).filter(differs);
        if (found.length === 0 || look === LOOKS) {
          return { blockNumber, blockHash, differences: found.map((difference) => ({ ...difference, chainId, blockNumber })) };
        }
        const ids = new Set(found.map(({ accountId }) => accountId));
        suspects = suspects.filter(({ id }) => ids.has(id));
        await wait();
      }
    },
  };
};
