import type { WalletCaller } from '@florin/rpc/auth';
import { CodedError } from '@florin/rpc/errors';
import type { Runtime } from '@florin/rpc/runtime';
import type { Sessions } from './sessions.ts';

const MAX_SIGN_IN_AGE_MS = 5 * 60_000;

/**
 * Requires that the caller signed in within the last five minutes, because an access token may be stolen (step-up authentication, RFC 9470).
 * @throws CodedError REAUTHENTICATION_REQUIRED
 */
export type RequireRecentSignIn = (caller: Pick<WalletCaller, 'sessionId'>) => Promise<void>;

export const createRequireRecentSignIn =
  (sessions: Pick<Sessions, 'find'>, { now }: Pick<Runtime, 'now'>): RequireRecentSignIn =>
  async ({ sessionId }) => {
    const session = await sessions.find(sessionId);
    const age = now().getTime() - (session?.createdAt.getTime() ?? 0);
    if (age > MAX_SIGN_IN_AGE_MS) throw new CodedError('REAUTHENTICATION_REQUIRED');
  };
