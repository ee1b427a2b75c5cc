import { UserService } from '@florin/proto/identity/v1/user_service';
import { onlyKnownCodes, type RpcChannel, undefinedOn, withinRequest } from '@florin/rpc/client';

/** Includes retries. Part of the service's time budget, see README (Deadlines). */
const TIMEOUT_MS = 1500;

/** The wallets of identity's users. */
export type WalletsClient = {
  /**
   * The addresses that may sign for a user now, in lower case; empty for an unknown user. Never cached: a removed wallet must not
   * sign a payment a minute later.
   * @throws CodedError SERVICE_UNAVAILABLE, UPSTREAM_TIMEOUT
   */
  ofUser: (userId: string, call: { requestId: string }) => Promise<ReadonlySet<string>>;
};

export const createWalletsClient = (channel: RpcChannel): WalletsClient => {
  const client = channel.client(UserService);
  return {
    ofUser: async (userId, call) => {
      const options = { ...withinRequest(call), timeoutMs: TIMEOUT_MS };
      const response = onlyKnownCodes(client.getUser({ userId }, options), ['USER_NOT_FOUND']);
      const user = (await undefinedOn('USER_NOT_FOUND', response))?.user;
      return new Set(user?.wallets.map(({ address }) => address.toLowerCase()));
    },
  };
};
