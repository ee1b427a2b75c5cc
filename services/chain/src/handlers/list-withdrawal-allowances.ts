import type { ListWithdrawalAllowancesRequest } from '@florin/proto/chain/v1/withdrawal_service';
import { userMethod } from '@florin/rpc/server';
import type { Dependencies } from './dependencies.ts';
import { requireOwnSafe } from './own-safe.ts';

/** The amounts that the caller may still withdraw. */
export const listWithdrawalAllowances = ({ keeper, accounts }: Dependencies) =>
  userMethod(async (_request: ListWithdrawalAllowancesRequest, { caller: { userId } }) => {
    const { account, withdrawals } = await requireOwnSafe({ keeper, accounts }, userId);
    const found = await withdrawals.allowances(account.id);
    return { allowances: found.map(({ token, amount }) => ({ token, amount: amount.toString() })) };
  });
