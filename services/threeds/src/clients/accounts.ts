import { AccountStatus } from '@florin/proto/ledger/v1/account';
import { AccountService } from '@florin/proto/ledger/v1/account_service';
import { onlyKnownCodes, type RpcChannel, undefinedOn, withinRequest } from '@florin/rpc/client';
import { getAddress, isAddress } from 'viem';

/** Includes retries. Part of the service's time budget, see README (Deadlines). */
const TIMEOUT_MS = 1500;

type AccountFacts = {
  userId: string;
  chainId: number;
  active: boolean;
  safeAddress?: string;
  /** Address of the wallet that the Safe was created for, in lower case. */
  safeOwner?: string;
};

/** The ledger's accounts. */
export type AccountsClient = {
  /**
   * @returns undefined if the account does not exist
   * @throws CodedError SERVICE_UNAVAILABLE, UPSTREAM_TIMEOUT
   */
  find: (accountId: string, call: { requestId: string }) => Promise<AccountFacts | undefined>;
};

export const createAccountsClient = (channel: RpcChannel): AccountsClient => {
  const client = channel.client(AccountService);
  return {
    find: async (accountId, call) => {
      const options = { ...withinRequest(call), timeoutMs: TIMEOUT_MS };
      const response = onlyKnownCodes(client.getAccount({ key: { case: 'accountId', value: accountId } }, options), ['ACCOUNT_NOT_FOUND']);
      const found = await undefinedOn('ACCOUNT_NOT_FOUND', response);
      if (found === undefined) return undefined;
      if (found.account === undefined) throw new Error('GetAccount returned no account');
      const { userId, chainId, status, safeAddress, safeOwnerAddress } = found.account;
      return {
        userId,
        chainId,
        active: status === AccountStatus.ACTIVE,
        ...(isAddress(safeAddress) ? { safeAddress: getAddress(safeAddress) } : {}),
        ...(isAddress(safeOwnerAddress) ? { safeOwner: safeOwnerAddress.toLowerCase() } : {}),
      };
    },
  };
};
