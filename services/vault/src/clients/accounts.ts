import { AccountService } from '@florin/proto/ledger/v1/account_service';
import { onBehalfOf, onlyKnownCodes, type RpcChannel } from '@florin/rpc/client';
import { CodedError } from '@florin/rpc/errors';

const TIMEOUT_MS = 2000;

/** The ledger's accounts. */
export type AccountsClient = {
  /**
   * EIP-155 id of the chain of the account of the user who owns the token.
   * @throws CodedError ACCOUNT_NOT_FOUND, UNAUTHORIZED, SERVICE_UNAVAILABLE, UPSTREAM_TIMEOUT
   */
  chainOf: (call: { token: string; requestId: string }) => Promise<number>;
};

export const createAccountsClient = (channel: RpcChannel): AccountsClient => {
  const client = channel.client(AccountService);
  return {
    chainOf: async (call) => {
      const response = client.getCurrentAccount({}, { ...onBehalfOf(call), timeoutMs: TIMEOUT_MS });
      const { account } = await onlyKnownCodes(response, ['ACCOUNT_NOT_FOUND', 'UNAUTHORIZED']);
      if (account === undefined) throw new CodedError('ACCOUNT_NOT_FOUND');
      return account.chainId;
    },
  };
};
