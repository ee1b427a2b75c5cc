import { AccountService } from '@florin/proto/ledger/v1/account_service';
import { serviceMethod } from '@florin/rpc/server';
import { changeAccount, closed } from './account-change.ts';
import type { Dependencies } from './dependencies.ts';
import { ownedMethod } from './owned-method.ts';

/** Ends an account in which the user has no money. */
export const closeAccount = (dependencies: Dependencies) =>
  ownedMethod(
    dependencies.shards,
    AccountService.method.closeAccount,
    serviceMethod,
    (request) => request,
    ({ accountId }, journal) => changeAccount(dependencies, journal, closed(dependencies, accountId)),
  );
