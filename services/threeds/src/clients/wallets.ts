import { timestampDate } from '@bufbuild/protobuf/wkt';
import { UserService } from '@florin/proto/identity/v1/user_service';
import { onlyKnownCodes, type RpcChannel, undefinedOn, withinRequest } from '@florin/rpc/client';

/** Includes retries. Part of the service's time budget, see README (Deadlines). */
const TIMEOUT_MS = 1500;

/** A wallet of a user. Before `approvesFrom`, the end of its cooling time, it may decline payments but not approve them. */
export type SigningWallet = { approvesFrom: Date };

/** The wallets of identity's users. */
export type WalletsClient = {
  /**
   * The wallets that may sign for a user now, by address in lower case; empty for an unknown user. Never cached: a removed wallet must not
   * sign a payment a minute later.
   * @throws CodedError SERVICE_UNAVAILABLE, UPSTREAM_TIMEOUT
   */
  ofUser: (userId: string, call: { requestId: string }) => Promise<ReadonlyMap<string, SigningWallet>>;
};

export const createWalletsClient = (channel: RpcChannel): WalletsClient => {
  const client = channel.client(UserService);
  return {
    ofUser: async (userId, call) => {
      const options = { ...withinRequest(call), timeoutMs: TIMEOUT_MS };
      const response = onlyKnownCodes(client.getUser({ userId }, options), ['USER_NOT_FOUND']);
      const user = (await undefinedOn('USER_NOT_FOUND', response))?.user;
      return new Map(
        user?.wallets.map(({ address, approvesFrom }) => [
          address.toLowerCase(),
          // Without the field it has no cooling time.
          { approvesFrom: approvesFrom === undefined ? new Date(0) : timestampDate(approvesFrom) },
        ]),
      );
    },
  };
};
