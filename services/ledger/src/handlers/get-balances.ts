import { CodedError } from '@florin/kit/errors';
import { userMethod } from '@florin/kit/rpc';
import type { GetBalancesRequest } from '@florin/proto/ledger/v1/balance_service';
import type { AccountState } from '../domain/account-state.ts';
import { balanceRows, type CurrencyRow, type TokenRow } from '../domain/balance-rows.ts';
import type { Dependencies } from './dependencies.ts';
import { type AccountFacts, createRecentAccounts } from './recent-accounts.ts';

const toWireTokenRow = ({ token, decimals, spendable, nonSpendable, processingDeposits, maxInstantWithdraw }: TokenRow) => ({
  token,
  decimals,
  spendable: spendable.toString(),
  nonSpendable: nonSpendable.toString(),
  processingDeposits: processingDeposits.toString(),
  maxInstantWithdraw: maxInstantWithdraw.toString(),
});

const toWireRow = ({ currency, decimals, spendable, nonSpendable, processingDeposits, processingWithdrawals, tokens }: CurrencyRow) => ({
  currency,
  decimals,
  spendable: spendable.toString(),
  nonSpendable: nonSpendable.toString(),
  processingDeposits: processingDeposits.toString(),
  processingWithdrawals: processingWithdrawals.toString(),
  tokens: tokens.map(toWireTokenRow),
});

/**
 * Balances are those of the journal's last durable block, all of one and the same.
 * @throws CodedError ACCOUNT_NOT_FOUND
 */
export const getBalances = ({ accounts, assets, shards, runtime }: Dependencies) => {
  const recent = createRecentAccounts(accounts.findByUser, runtime.now);
  const read = async (userId: string): Promise<{ account: AccountFacts; state: AccountState }> => {
    const account = await recent.find(userId);
    const state = account && (await shards.journalOf(account.id).account(account.id));
    // Without a state its opener was killed before the journal learned of it, and repeats.
    if (account === undefined || state === undefined) throw new CodedError('ACCOUNT_NOT_FOUND');
    return { account, state };
  };
  return userMethod(async (_request: GetBalancesRequest, { caller: { userId } }) => {
    let found = await read(userId);
    if (found.state.status === 'closed') {
      recent.forget(userId);
      found = await read(userId);
    }
    return { currencies: balanceRows(assets, found.account, found.state).map(toWireRow) };
  });
};
