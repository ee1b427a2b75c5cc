import { CodedError } from '@florin/rpc/errors';
import type { Runtime } from '@florin/rpc/runtime';
import type { AccountsClient } from '../clients/accounts.ts';
import type { MovementsClient } from '../clients/movements.ts';
import type { WatchException } from '../domain/exception.ts';
import type { ExceptionStore } from '../store/exceptions.ts';
import type { ChainWatch } from '../watching/chain-watch.ts';

/** Everything that the handlers work with. */
export type Dependencies = {
  watches: readonly Pick<ChainWatch, 'status'>[];
  exceptions: ExceptionStore;
  movements: MovementsClient;
  accounts: AccountsClient;
  runtime: Runtime;
};

/** @throws CodedError EXCEPTION_NOT_FOUND */
export const requireException = (exception: WatchException | undefined): WatchException => {
  if (exception === undefined) throw new CodedError('EXCEPTION_NOT_FOUND');
  return exception;
};
