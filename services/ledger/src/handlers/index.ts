import { AccountService } from '@florin/proto/ledger/v1/account_service';
import { AdjustmentService } from '@florin/proto/ledger/v1/adjustment_service';
import { BalanceService } from '@florin/proto/ledger/v1/balance_service';
import { EntryService } from '@florin/proto/ledger/v1/entry_service';
import { HoldService } from '@florin/proto/ledger/v1/hold_service';
import { InstanceService } from '@florin/proto/ledger/v1/instance_service';
import { JournalService } from '@florin/proto/ledger/v1/journal_service';
import { MovementService } from '@florin/proto/ledger/v1/movement_service';
import { StatementService } from '@florin/proto/ledger/v1/statement_service';
import { implement, type ServiceImplementation } from '@florin/rpc/server';
import { servePersonalData } from '../personal-data/personal-data.ts';
import { activateAccount } from './activate-account.ts';
import { approveAdjustment } from './approve-adjustment.ts';
import { batchGetAccounts } from './batch-get-accounts.ts';
import { blockAccount } from './block-account.ts';
import { closeAccount } from './close-account.ts';
import { confirmSafe } from './confirm-safe.ts';
import { createAdjustment } from './create-adjustment.ts';
import { createEntries } from './create-entries.ts';
import { createWithdrawal } from './create-withdrawal.ts';
import { decreaseHold } from './decrease-hold.ts';
import type { Dependencies } from './dependencies.ts';
import { extendHold } from './extend-hold.ts';
import { findAccountsBySafe } from './find-accounts-by-safe.ts';
import { findDeposits } from './find-deposits.ts';
import { findWithdrawals } from './find-withdrawals.ts';
import { getAccount } from './get-account.ts';
import { getAccountBalances } from './get-account-balances.ts';
import { getAdjustment } from './get-adjustment.ts';
import { getAssets } from './get-assets.ts';
import { getBalanceAt } from './get-balance-at.ts';
import { getBalances } from './get-balances.ts';
import { getCurrentAccount } from './get-current-account.ts';
import { getDeposit } from './get-deposit.ts';
import { getEntry } from './get-entry.ts';
import { getHold } from './get-hold.ts';
import { getSystemBalances } from './get-system-balances.ts';
import { getWithdrawal } from './get-withdrawal.ts';
import { haltChain, resumeChain } from './halt-chain.ts';
import { increaseHold } from './increase-hold.ts';
import { listAccounts } from './list-accounts.ts';
import { listAdjustments } from './list-adjustments.ts';
import { listDeposits } from './list-deposits.ts';
import { listHeads } from './list-heads.ts';
import { listStatement } from './list-statement.ts';
import { listTokens } from './list-tokens.ts';
import { listTransfers } from './list-transfers.ts';
import { listWithdrawals } from './list-withdrawals.ts';
import { openAccount } from './open-account.ts';
import { postHold } from './post-hold.ts';
import { proveInstance } from './prove-instance.ts';
import { recordDeposit } from './record-deposit.ts';
import { rejectAdjustment } from './reject-adjustment.ts';
import { resolveDeposit } from './resolve-deposit.ts';
import { reverseDeposit } from './reverse-deposit.ts';
import { reverseEntry } from './reverse-entry.ts';
import { revokeSafe, revokeSafeOwner } from './revoke-safe.ts';
import { screenWithdrawal } from './screen-withdrawal.ts';
import { createSnapshot, getCurrentLiability, listLiabilities, signReserves } from './sign-reserves.ts';
import { unblockAccount } from './unblock-account.ts';
import { updateWithdrawal } from './update-withdrawal.ts';
import { voidHold } from './void-hold.ts';
import { watchEntries } from './watch-entries.ts';

/** The contracts that this service serves. */
export const implementations = (dependencies: Dependencies): ServiceImplementation[] => [
  implement(AccountService, {
    openAccount: openAccount(dependencies),
    activateAccount: activateAccount(dependencies),
    confirmSafe: confirmSafe(dependencies),
    revokeSafe: revokeSafe(dependencies),
    revokeSafeOwner: revokeSafeOwner(dependencies),
    blockAccount: blockAccount(dependencies),
    unblockAccount: unblockAccount(dependencies),
    haltChain: haltChain(dependencies),
    resumeChain: resumeChain(dependencies),
    closeAccount: closeAccount(dependencies),
    getAccount: getAccount(dependencies),
    batchGetAccounts: batchGetAccounts(dependencies),
    findAccountsBySafe: findAccountsBySafe(dependencies),
    listAccounts: listAccounts(dependencies),
    getCurrentAccount: getCurrentAccount(dependencies),
  }),
  implement(AdjustmentService, {
    createAdjustment: createAdjustment(dependencies),
    approveAdjustment: approveAdjustment(dependencies),
    rejectAdjustment: rejectAdjustment(dependencies),
    getAdjustment: getAdjustment(dependencies),
    listAdjustments: listAdjustments(dependencies),
  }),
  implement(BalanceService, {
    getBalances: getBalances(dependencies),
    getAccountBalances: getAccountBalances(dependencies),
    getSystemBalances: getSystemBalances(dependencies),
    listTokens: listTokens(dependencies),
    getAssets: getAssets(dependencies),
    getBalanceAt: getBalanceAt(dependencies),
  }),
  implement(EntryService, {
    createEntries: createEntries(dependencies),
    reverseEntry: reverseEntry(dependencies),
    getEntry: getEntry(dependencies),
    listTransfers: listTransfers(dependencies),
    watchEntries: watchEntries(dependencies),
  }),
  implement(HoldService, {
    increaseHold: increaseHold(dependencies),
    decreaseHold: decreaseHold(dependencies),
    extendHold: extendHold(dependencies),
    postHold: postHold(dependencies),
    voidHold: voidHold(dependencies),
    getHold: getHold(dependencies),
  }),
  implement(MovementService, {
    recordDeposit: recordDeposit(dependencies),
    resolveDeposit: resolveDeposit(dependencies),
    reverseDeposit: reverseDeposit(dependencies),
    findDeposits: findDeposits(dependencies),
    findWithdrawals: findWithdrawals(dependencies),
    getDeposit: getDeposit(dependencies),
    getWithdrawal: getWithdrawal(dependencies),
    createWithdrawal: createWithdrawal(dependencies),
    updateWithdrawal: updateWithdrawal(dependencies),
    screenWithdrawal: screenWithdrawal(dependencies),
    listDeposits: listDeposits(dependencies),
    listWithdrawals: listWithdrawals(dependencies),
  }),
  implement(StatementService, { listStatement: listStatement(dependencies) }),
  implement(InstanceService, { proveInstance: proveInstance(dependencies) }),
  implement(JournalService, {
    listHeads: listHeads(dependencies),
    createSnapshot: createSnapshot(dependencies),
    listLiabilities: listLiabilities(dependencies),
    signReserves: signReserves(dependencies),
    getCurrentLiability: getCurrentLiability(dependencies),
  }),
  servePersonalData(dependencies),
];
