import { timestampDate } from '@bufbuild/protobuf/wkt';
import { UserService } from '@florin/proto/identity/v1/user_service';
import { onBehalfOf, type RpcChannel } from '@florin/rpc/client';

const TIMEOUT_MS = 2000;

/** The wallets of identity's users. */
export type WalletsClient = {
  /**
   * The addresses that may approve for the user who owns the token at `now`, in lower case: not those of wallets that were added a short time
   * ago. Never cached: a removed wallet must not open a card a minute later.
   * @throws CodedError UNAUTHORIZED, SERVICE_UNAVAILABLE, UPSTREAM_TIMEOUT
   */
  approving: (call: { token: string; requestId: string }, now: Date) => Promise<ReadonlySet<string>>;
};

export const createWalletsClient = (channel: RpcChannel): WalletsClient => {
  const client = channel.client(UserService);
  return {
    approving: async (call, now) => {
      const response = client.getCurrentUser({}, { ...onBehalfOf(call), timeoutMs: TIMEOUT_MS });
      const { user } = await response;
      const approving = user?.wallets.filter(({ approvesFrom }) => approvesFrom !== undefined && timestampDate(approvesFrom) <= now);
      return new Set(approving?.map(({ address }) => address.toLowerCase()));
    },
  };
};
