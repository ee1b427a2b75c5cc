import { AccountStatus } from '@florin/proto/ledger/v1/account';
import { AccountService } from '@florin/proto/ledger/v1/account_service';
import { onlyKnownCodes, type RpcChannel, undefinedOn, withinRequest } from '@florin/rpc/client';
import { getAddress, isAddress } from 'viem';
import { INNER_CALL_TIMEOUT_MS } from './timeout.ts';

export type AccountFacts = { userId: string; chainId: number; active: boolean; safeAddress?: string };

export type Accounts = {
  /**
   * @returns undefined when there is no such account
   * @throws CodedError SERVICE_UNAVAILABLE, UPSTREAM_TIMEOUT
   */
  find: (accountId: string, call: { requestId: string }) => Promise<AccountFacts | undefined>;
};

export const createAccounts = (channel: RpcChannel): Accounts => {
  const client = channel.client(AccountService);
  return {
    find: async (accountId, call) => {
      const options = { ...withinRequest(call), timeoutMs: INNER_CALL_TIMEOUT_MS };
      const answer = onlyKnownCodes(client.getAccount({ key: { case: 'accountId', value: accountId } }, options), ['ACCOUNT_NOT_FOUND']);
      const found = await undefinedOn('ACCOUNT_NOT_FOUND', answer);
      if (found === undefined) return undefined;
      if (found.account === undefined) throw new Error('the ledger service answered without an account');
      const { userId, chainId, status, safeAddress } = found.account;
      return {
        userId,
        chainId,
        active: status === AccountStatus.ACTIVE,
        ...(isAddress(safeAddress) ? { safeAddress: getAddress(safeAddress) } : {}),
      };
    },
  };
};
