import { AccountStatus } from '@florin/proto/ledger/v1/account';
import { AccountService } from '@florin/proto/ledger/v1/account_service';
import { onBehalfOf, type RpcChannel, undefinedOn } from '@florin/rpc/client';

const TIMEOUT_MS = 2000;

/** The ledger's accounts. */
export type AccountsClient = {
  /**
   * Id of the active account of the user who owns the token; undefined if the user has no account or it is not active.
   * @throws CodedError UNAUTHORIZED (the token has expired in the meantime), SERVICE_UNAVAILABLE, UPSTREAM_TIMEOUT
   */
  findActiveAccount: (call: { token: string; requestId: string }) => Promise<string | undefined>;
};

export const createAccountsClient = (channel: RpcChannel): AccountsClient => {
  const client = channel.client(AccountService);
  return {
    findActiveAccount: async (call) => {
      const response = client.getCurrentAccount({}, { ...onBehalfOf(call), timeoutMs: TIMEOUT_MS });
      const account = (await undefinedOn('ACCOUNT_NOT_FOUND', response))?.account;
      return account?.status === AccountStatus.ACTIVE ? account.id : undefined;
    },
  };
};
