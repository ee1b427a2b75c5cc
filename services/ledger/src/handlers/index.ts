import type { Methods } from '@florin/kit/rpc';
import type { AccountService } from '@florin/proto/ledger/v1/account_service';
import type { BalanceService } from '@florin/proto/ledger/v1/balance_service';
import type { JournalService } from '@florin/proto/ledger/v1/journal_service';
import type { MovementService } from '@florin/proto/ledger/v1/movement_service';
import { activateAccount } from './activate-account.ts';
import { closeAccount } from './close-account.ts';
import { createWithdrawal } from './create-withdrawal.ts';
import { getAccount } from './get-account.ts';
import { getBalances } from './get-balances.ts';
import { getCurrentAccount } from './get-current-account.ts';
import { listDeposits } from './list-deposits.ts';
import { listWithdrawals } from './list-withdrawals.ts';
import { openAccount } from './open-account.ts';
import type { Parts } from './parts.ts';
import { recordDeposit } from './record-deposit.ts';
import { resolveDeposit } from './resolve-deposit.ts';
import { updateWithdrawal } from './update-withdrawal.ts';
import { verify } from './verify-journal.ts';

export const accountMethods = (parts: Parts): Methods<typeof AccountService> => ({
  openAccount: openAccount(parts),
  activateAccount: activateAccount(parts),
  closeAccount: closeAccount(parts),
  getAccount: getAccount(parts),
  getCurrentAccount: getCurrentAccount(parts),
});

export const balanceMethods = (parts: Parts): Methods<typeof BalanceService> => ({ getBalances: getBalances(parts) });

export const movementMethods = (parts: Parts): Methods<typeof MovementService> => ({
  recordDeposit: recordDeposit(parts),
  resolveDeposit: resolveDeposit(parts),
  createWithdrawal: createWithdrawal(parts),
  updateWithdrawal: updateWithdrawal(parts),
  listDeposits: listDeposits(parts),
  listWithdrawals: listWithdrawals(parts),
});

export const journalMethods = (parts: Parts): Methods<typeof JournalService> => ({ verifyJournal: verify(parts) });
