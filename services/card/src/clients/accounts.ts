import { isCoded } from '@florin/kit/errors';
import { onBehalfOf, type RpcChannel } from '@florin/kit/rpc';
import { AccountStatus } from '@florin/proto/ledger/v1/account';
import { AccountService } from '@florin/proto/ledger/v1/account_service';
import { onlyExpected } from './expected-errors.ts';

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
      try {
        const { account } = await client.getCurrentAccount({}, { ...onBehalfOf(call), timeoutMs: TIMEOUT_MS });
        return account?.status === AccountStatus.ACTIVE ? account.id : undefined;
      } catch (error) {
        if (isCoded(error, 'ACCOUNT_NOT_FOUND')) return undefined;
        return onlyExpected(['UNAUTHORIZED', 'SERVICE_UNAVAILABLE', 'UPSTREAM_TIMEOUT'])(error);
      }
    },
  };
};
