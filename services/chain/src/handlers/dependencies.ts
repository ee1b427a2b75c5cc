import type { Assets } from '@florin/rpc/assets';
import { CodedError } from '@florin/rpc/errors';
import type { Runtime } from '@florin/rpc/runtime';
import type { SafeKeeper } from '../accounts/safe-keeper.ts';
import type { ArrivingWatch } from '../arriving/arriving-watch.ts';
import type { AccountsClient } from '../clients/accounts.ts';
import type { LedgerEntriesClient } from '../clients/ledger-entries.ts';
import type { MovementsClient } from '../clients/movements.ts';
import type { WatchException } from '../domain/exception.ts';
import type { Reconciler } from '../reconciling/reconcile-accounts.ts';
import type { ResolveParts } from '../resolving/carry-out-resolution.ts';
import type { CursorStore } from '../store/cursors.ts';
import type { ExceptionStore } from '../store/exceptions.ts';
import type { ReservesStore } from '../store/reserves.ts';
import type { TransferStore } from '../store/transfers.ts';
import type { ChainWatch } from '../watching/chain-watch.ts';
import type { ServedChain } from '../watching/start-watches.ts';

/** Everything that the handlers work with. */
export type Dependencies = {
  watches: readonly Pick<ChainWatch, 'status'>[];
  exceptions: ExceptionStore;
  movements: MovementsClient;
  accounts: AccountsClient;
  arriving: readonly Pick<ArrivingWatch, 'chainId' | 'of'>[];
  /** Undefined without keys of the platform. */
  keeper: SafeKeeper | undefined;
  isTreasurys: ResolveParts['isTreasurys'];
  assets: Assets;
  entries: LedgerEntriesClient;
  reconcilers: readonly Reconciler[];
  chains: readonly ServedChain[];
  cursors: CursorStore;
  transfers: TransferStore;
  reserves: ReservesStore;
  runtime: Runtime;
};

/** @throws CodedError EXCEPTION_NOT_FOUND */
export const requireException = (exception: WatchException | undefined): WatchException => {
  if (exception === undefined) throw new CodedError('EXCEPTION_NOT_FOUND');
  return exception;
};
