import { AccountService } from '@florin/proto/ledger/v1/account_service';
import { BalanceService } from '@florin/proto/ledger/v1/balance_service';
import { EntryService } from '@florin/proto/ledger/v1/entry_service';
import { JournalService } from '@florin/proto/ledger/v1/journal_service';
import { MovementService } from '@florin/proto/ledger/v1/movement_service';
import { StatementService } from '@florin/proto/ledger/v1/statement_service';
import { implement, type ServiceImplementation } from '@florin/rpc/server';
import { activateAccount } from './activate-account.ts';
import { blockAccount } from './block-account.ts';
import { closeAccount } from './close-account.ts';
import { createEntries } from './create-entries.ts';
import { createWithdrawal } from './create-withdrawal.ts';
import type { Dependencies } from './dependencies.ts';
import { getAccount } from './get-account.ts';
import { getBalances } from './get-balances.ts';
import { getCurrentAccount } from './get-current-account.ts';
import { getEntry } from './get-entry.ts';
import { listDeposits } from './list-deposits.ts';
import { listStatement } from './list-statement.ts';
import { listTransfers } from './list-transfers.ts';
import { listWithdrawals } from './list-withdrawals.ts';
import { openAccount } from './open-account.ts';
import { postHold } from './post-hold.ts';
import { recordDeposit } from './record-deposit.ts';
import { resolveDeposit } from './resolve-deposit.ts';
import { unblockAccount } from './unblock-account.ts';
import { updateWithdrawal } from './update-withdrawal.ts';
import { verifyJournal } from './verify-journal.ts';
import { voidHold } from './void-hold.ts';

/** The contracts that this service serves. */
export const implementations = (dependencies: Dependencies): ServiceImplementation[] => [
  implement(AccountService, {
    openAccount: openAccount(dependencies),
    activateAccount: activateAccount(dependencies),
    blockAccount: blockAccount(dependencies),
    unblockAccount: unblockAccount(dependencies),
    closeAccount: closeAccount(dependencies),
    getAccount: getAccount(dependencies),
    getCurrentAccount: getCurrentAccount(dependencies),
  }),
  implement(BalanceService, { getBalances: getBalances(dependencies) }),
  implement(EntryService, {
    createEntries: createEntries(dependencies),
    postHold: postHold(dependencies),
    voidHold: voidHold(dependencies),
    getEntry: getEntry(dependencies),
    listTransfers: listTransfers(dependencies),
  }),
  implement(MovementService, {
    recordDeposit: recordDeposit(dependencies),
    resolveDeposit: resolveDeposit(dependencies),
    createWithdrawal: createWithdrawal(dependencies),
    updateWithdrawal: updateWithdrawal(dependencies),
    listDeposits: listDeposits(dependencies),
    listWithdrawals: listWithdrawals(dependencies),
  }),
  implement(StatementService, { listStatement: listStatement(dependencies) }),
  implement(JournalService, { verifyJournal: verifyJournal(dependencies) }),
];
