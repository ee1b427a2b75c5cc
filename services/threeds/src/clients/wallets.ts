import { UserService } from '@florin/proto/identity/v1/user_service';
import { onlyKnownCodes, type RpcChannel, undefinedOn, withinRequest } from '@florin/rpc/client';
import { INNER_CALL_TIMEOUT_MS } from './timeout.ts';

export type Wallets = {
  /**
   * The addresses that may sign for a user right now, lower case. Asked each time and never remembered: a wallet that was
   * taken away must not sign a payment a minute later. A user whom identity does not know has none.
   * @throws CodedError SERVICE_UNAVAILABLE, UPSTREAM_TIMEOUT
   */
  ofUser: (userId: string, call: { requestId: string }) => Promise<ReadonlySet<string>>;
};

export const createWallets = (channel: RpcChannel): Wallets => {
  const client = channel.client(UserService);
  return {
    ofUser: async (userId, call) => {
      const options = { ...withinRequest(call), timeoutMs: INNER_CALL_TIMEOUT_MS };
      const answer = onlyKnownCodes(client.getUser({ userId }, options), ['USER_NOT_FOUND']);
      const user = (await undefinedOn('USER_NOT_FOUND', answer))?.user;
      return new Set(user?.wallets.map(({ address }) => address.toLowerCase()));
    },
  };
};
