import { type Account, AccountStatus } from '@florin/proto/ledger/v1/account';
import { AccountService } from '@florin/proto/ledger/v1/account_service';
import { createBatchedLookups, type RpcChannel } from '@florin/rpc/client';
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
  find: (accountId: string) => Promise<AccountFacts | undefined>;
};

const factsOf = ({ userId, chainId, status, safeAddress, safeOwnerAddress }: Account): AccountFacts => ({
  userId,
  chainId,
  active: status === AccountStatus.ACTIVE,
  ...(isAddress(safeAddress) ? { safeAddress: getAddress(safeAddress) } : {}),
  ...(isAddress(safeOwnerAddress) ? { safeOwner: safeOwnerAddress.toLowerCase() } : {}),
});

export const createAccountsClient = (channel: RpcChannel): AccountsClient => {
  const client = channel.client(AccountService);
  return {
    find: createBatchedLookups(TIMEOUT_MS, async (ids, options) => {
      const { accounts } = await client.batchGetAccounts({ accountIds: [...ids] }, options);
      return new Map(accounts.map((account) => [account.id, factsOf(account)]));
    }),
  };
};
