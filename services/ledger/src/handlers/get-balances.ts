import type { MessageInitShape } from '@bufbuild/protobuf';
import { BalanceService, type GetBalancesRequest, type GetBalancesResponseSchema } from '@florin/proto/ledger/v1/balance_service';
import { CodedError } from '@florin/rpc/errors';
import { userOfCall, userOrServiceMethod } from '@florin/rpc/server';
import { balanceRows } from '../domain/balance-rows.ts';
import type { Dependencies } from './dependencies.ts';
import { type AccountFacts, createRecentAccounts } from './recent-accounts.ts';
import { toWireRow } from './to-wire-balances.ts';

/**
 * Balances are those of the journal's last durable block, all of one and the same.
 * @throws CodedError ACCOUNT_NOT_FOUND
 */
export const getBalances = ({ accounts, assets, shards, runtime }: Dependencies) => {
  const recent = createRecentAccounts(accounts.findByUser, runtime.now);
  const rpc = BalanceService.method.getBalances;
  return userOrServiceMethod(async (request: GetBalancesRequest, call) => {
    const userId = userOfCall(request, call.caller);
    const answer = (account: AccountFacts): Promise<MessageInitShape<typeof GetBalancesResponseSchema>> =>
      shards.atOwner(account.id, { rpc, request, call }, async (journal) => {
        const state = await journal.account(account.id);
        // Without a state, opening it was interrupted before it reached the journal; the caller that opens it repeats.
        if (state === undefined) throw new CodedError('ACCOUNT_NOT_FOUND');
        if (state.status === 'closed') {
          recent.forget(userId);
          const newest = await recent.find(userId);
          if (newest !== undefined && newest.id !== account.id) return answer(newest);
        }
        return { currencies: balanceRows(assets, account, state).map(toWireRow) };
      });
    const account = await recent.find(userId);
    if (account === undefined) throw new CodedError('ACCOUNT_NOT_FOUND');
    return answer(account);
  });
};
