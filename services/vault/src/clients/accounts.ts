import { AccountService } from '@florin/proto/ledger/v1/account_service';
import { onBehalfOf, type RpcChannel } from '@florin/rpc/client';
import { CodedError } from '@florin/rpc/errors';
import { type Address, getAddress, isAddress } from 'viem';

const TIMEOUT_MS = 2000;

/** The chain of an account, and its Safe there. */
export type AccountChain = {
  /** EIP-155. */
  chainId: number;
  safeAddress?: Address;
  /** Address of the wallet that the Safe was created for, in lower case. */
  safeOwner?: string;
};

/** The ledger's accounts. */
export type AccountsClient = {
  /**
   * The chain of the account of the user who owns the token.
   * @throws CodedError ACCOUNT_NOT_FOUND, UNAUTHORIZED, SERVICE_UNAVAILABLE, UPSTREAM_TIMEOUT
   */
  chainOf: (call: { token: string; requestId: string }) => Promise<AccountChain>;
};

export const createAccountsClient = (channel: RpcChannel): AccountsClient => {
  const client = channel.client(AccountService);
  return {
    chainOf: async (call) => {
      const response = client.getCurrentAccount({}, { ...onBehalfOf(call), timeoutMs: TIMEOUT_MS });
      const { account } = await response;
      if (account === undefined) throw new CodedError('ACCOUNT_NOT_FOUND');
      const { chainId, safeAddress, safeOwnerAddress } = account;
      return {
        chainId,
        ...(isAddress(safeAddress) ? { safeAddress: getAddress(safeAddress) } : {}),
        ...(isAddress(safeOwnerAddress) ? { safeOwner: safeOwnerAddress.toLowerCase() } : {}),
      };
    },
  };
};
