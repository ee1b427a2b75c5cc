import { timestampDate } from '@bufbuild/protobuf/wkt';
import type { User } from '@florin/proto/identity/v1/user';
import { UserService } from '@florin/proto/identity/v1/user_service';
import { createBatchedLookups, type RpcChannel } from '@florin/rpc/client';

/** Includes retries. Part of the service's time budget, see README (Deadlines). */
const TIMEOUT_MS = 1500;

/** A wallet of a user. Before `approvesFrom`, the end of its cooling time, it may decline payments but not approve them. */
export type SigningWallet = { approvesFrom: Date };

type SigningWallets = ReadonlyMap<string, SigningWallet>;

/** The wallets of identity's users. */
export type WalletsClient = {
  /**
   * The wallets that may sign for a user now, by address in lower case; empty for an unknown user. Never cached: a removed wallet must not
   * sign a payment a minute later.
   * @throws CodedError SERVICE_UNAVAILABLE, UPSTREAM_TIMEOUT
   */
  ofUser: (userId: string) => Promise<SigningWallets>;
};

const NONE: SigningWallets = new Map();

const signingWallets = ({ wallets }: User): SigningWallets =>
  new Map(
    wallets.map(({ address, approvesFrom }) => [
      address.toLowerCase(),
      // Without the field it has no cooling time.
      { approvesFrom: approvesFrom === undefined ? new Date(0) : timestampDate(approvesFrom) },
    ]),
  );

export const createWalletsClient = (channel: RpcChannel): WalletsClient => {
  const client = channel.client(UserService);
  const find = createBatchedLookups(TIMEOUT_MS, async (ids, options) => {
    const { users } = await client.batchGetUsers({ userIds: [...ids] }, options);
    return new Map(users.map((user) => [user.id, signingWallets(user)]));
  });
  return { ofUser: async (userId) => (await find(userId)) ?? NONE };
};
