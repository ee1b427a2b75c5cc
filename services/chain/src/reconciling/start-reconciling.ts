import type { Logger } from '@florin/rpc/observe';
import type { Runtime } from '@florin/rpc/runtime';
import { type Rounds, startRounds } from '@florin/rpc/time';
import type { AccountsClient } from '../clients/accounts.ts';
import type { DifferenceStore } from '../store/differences.ts';
import type { Reconciler } from './reconcile-accounts.ts';

/** Accounts that are compared together. */
const PAGE_ACCOUNTS = 100;

export type ReconcilingParts = {
  reconcilers: readonly Reconciler[];
  accounts: Pick<AccountsClient, 'page'>;
  differences: Pick<DifferenceStore, 'record' | 'countOpen'>;
  /** Highest number of accounts that are compared in a second, on average. */
  accountsPerSecond: number;
  runtime: Pick<Runtime, 'now'>;
  logger: Logger;
};

export type Reconciling = Rounds & {
  /** Differences that are open. */
  open: () => number;
  /** Seconds since all accounts had been compared; undefined before that. */
  sweepAgeSeconds: () => number | undefined;
};

/**
 * Compares all accounts with their chains, page after page, and begins again when it is through. A difference is recorded with an event, and once
 * more when it has changed or gone.
 */
export const startReconciling = (parts: ReconcilingParts): Reconciling => {
  const { reconcilers, accounts, differences, accountsPerSecond, runtime, logger } = parts;
  let cursor = '';
  let open = 0;
  let sweptAt: Date | undefined;

  const round = async (): Promise<void> => {
    const page = await accounts.page(cursor, PAGE_ACCOUNTS);
    for (const reconciler of reconcilers) {
      const own = page.accounts.filter(({ chainId }) => chainId === reconciler.chainId);
      const reconciled = own.length === 0 ? undefined : await reconciler.reconcile(own);
      if (reconciled === undefined) continue;
      for (const difference of await differences.record(own, reconciled)) {
        const { accountId, token, chainId, blockNumber } = difference;
        logger.error({ accountId, token, chainId, blockNumber }, 'a balance on the chain differs from the ledger');
      }
    }
    open = await differences.countOpen();
    cursor = page.nextCursor;
    if (cursor === '') sweptAt = runtime.now();
  };

  const intervalMs = Math.ceil((PAGE_ACCOUNTS / accountsPerSecond) * 1000);
  return {
    ...startRounds({ round, intervalMs, logger, failed: 'comparing balances with the chain failed, will retry' }),
    open: () => open,
    sweepAgeSeconds: () => (sweptAt === undefined ? undefined : (runtime.now().getTime() - sweptAt.getTime()) / 1000),
  };
};
