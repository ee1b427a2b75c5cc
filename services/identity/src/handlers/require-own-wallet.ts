import type { UserCaller } from '@florin/rpc/auth';
import { CodedError } from '@florin/rpc/errors';
import type { User, Wallet } from '../domain/user.ts';
import { walletOf } from '../domain/wallet-rules.ts';
import type { Dependencies } from './dependencies.ts';
import { requireUser } from './require-user.ts';

/** The user of the caller, and the wallet that the caller signed in with. The wallet may have been removed while the token is still accepted. */
export const requireOwnWallet = async (
  { users }: Pick<Dependencies, 'users'>,
  { userId, wallet: address }: Pick<UserCaller, 'userId' | 'wallet'>,
): Promise<{ user: User; wallet: Wallet }> => {
  const user = requireUser(await users.find(userId));
  const wallet = walletOf(user, address);
  if (wallet === undefined) throw new CodedError('UNAUTHORIZED', { message: 'the wallet of the token is not a wallet of the user' });
  return { user, wallet };
};

/**
 * The same for a caller who signed in recently, as changes of wallets require.
 * @throws CodedError UNAUTHORIZED, REAUTHENTICATION_REQUIRED, USER_NOT_FOUND
 */
export const requireRecentOwnWallet = async (
  { users, requireRecentSignIn }: Pick<Dependencies, 'users' | 'requireRecentSignIn'>,
  caller: UserCaller,
): Promise<{ user: User; wallet: Wallet }> => {
  await requireRecentSignIn(caller);
  return requireOwnWallet({ users }, caller);
};
