import { AccountStatus } from '@florin/proto/ledger/v1/account';
import { AccountService } from '@florin/proto/ledger/v1/account_service';
import { onBehalfOf, onlyKnownCodes, type RpcChannel, undefinedOn } from '@florin/rpc/client';

const TIMEOUT_MS = 2000;

/** Port to the ledger's accounts. */
export type Accounts = {
  /**
   * Id of the account of the user whose token it is, undefined when there is none or it is not active.
   * @throws CodedError UNAUTHORIZED (the token ran out meanwhile), SERVICE_UNAVAILABLE, UPSTREAM_TIMEOUT
   */
  findActiveAccount: (call: { token: string; requestId: string }) => Promise<string | undefined>;
};

export const createAccounts = (channel: RpcChannel): Accounts => {
  const client = channel.client(AccountService);
  return {
    findActiveAccount: async (call) => {
      const answer = client.getCurrentAccount({}, { ...onBehalfOf(call), timeoutMs: TIMEOUT_MS });
      const account = (await undefinedOn('ACCOUNT_NOT_FOUND', onlyKnownCodes(answer, ['ACCOUNT_NOT_FOUND', 'UNAUTHORIZED'])))?.account;
      return account?.status === AccountStatus.ACTIVE ? account.id : undefined;
    },
  };
};
