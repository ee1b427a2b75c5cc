import { AccountService } from '@florin/proto/ledger/v1/account_service';
import { LEDGER_SCOPES } from '@florin/proto/ledger/v1/scopes';
import { changeAccount, closed, readChange } from './account-change.ts';
import type { Dependencies } from './dependencies.ts';
import { ownedMethod, withScope } from './owned-method.ts';

/** Ends an account in which the user has no money. */
export const closeAccount = (dependencies: Dependencies) =>
  ownedMethod(
    dependencies.shards,
    AccountService.method.closeAccount,
    withScope(LEDGER_SCOPES.writeAccounts),
    readChange,
    ({ accountId }, journal) => changeAccount(dependencies, journal, closed(dependencies, accountId)),
  );
