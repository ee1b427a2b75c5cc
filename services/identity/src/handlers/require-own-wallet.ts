import type { UserCaller } from '@florin/rpc/auth';
import { CodedError } from '@florin/rpc/errors';
import type { User, Wallet } from '../domain/user.ts';
import { walletOf } from '../domain/wallet-rules.ts';
import type { Dependencies } from './dependencies.ts';
import { requireUser } from './require-user.ts';

/** Changing wallets requires a recent sign-in, because an access token may be stolen (step-up authentication, RFC 9470). */
const MAX_SIGN_IN_AGE_MS = 5 * 60_000;

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
 * The same for a caller whose session is usable and recent.
 * @throws CodedError UNAUTHORIZED, REAUTHENTICATION_REQUIRED, USER_NOT_FOUND
 */
export const requireRecentSignIn = async (
  { users, sessions, runtime }: Pick<Dependencies, 'users' | 'sessions' | 'runtime'>,
  caller: UserCaller,
): Promise<{ user: User; wallet: Wallet }> => {
  const session = await sessions.find(caller.sessionId);
  if (session === undefined || session.revokedAt != null) throw new CodedError('UNAUTHORIZED', { message: 'the session was revoked' });
  if (runtime.now().getTime() - session.createdAt.getTime() > MAX_SIGN_IN_AGE_MS) throw new CodedError('REAUTHENTICATION_REQUIRED');
  return requireOwnWallet({ users }, caller);
};
