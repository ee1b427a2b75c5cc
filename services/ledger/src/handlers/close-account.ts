import { AccountService } from '@florin/proto/ledger/v1/account_service';
import { LEDGER_SCOPES } from '@florin/proto/ledger/v1/scopes';
import { accountClosed } from '../domain/account-change.ts';
import { changeAccount, readChange } from './account-change.ts';
import type { Dependencies } from './dependencies.ts';
import { ownedMethod, withScope } from './owned-method.ts';

/** Ends an account whose balances are all zero. */
export const closeAccount = (dependencies: Dependencies) =>
  ownedMethod(
    dependencies.shards,
    AccountService.method.closeAccount,
    withScope(LEDGER_SCOPES.writeAccounts),
    readChange,
    ({ accountId }, journal) => changeAccount(dependencies, journal, { accountId, target: 'closed', intent: accountClosed(accountId) }),
  );
