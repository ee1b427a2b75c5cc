import { requireRecentSignIn, type WalletCaller } from '@florin/rpc/auth';
import { CodedError } from '@florin/rpc/errors';
import type { Runtime } from '@florin/rpc/runtime';
import type { Sessions } from './sessions.ts';

/**
 * Requires that the caller's session is usable and began within the last five minutes. The session of a token that is still accepted may have
 * ended.
 * @throws CodedError UNAUTHORIZED, REAUTHENTICATION_REQUIRED
 */
export type RequireRecentSignIn = (caller: Pick<WalletCaller, 'sessionId'>) => Promise<void>;

export const createRequireRecentSignIn =
  (sessions: Pick<Sessions, 'find'>, { now }: Pick<Runtime, 'now'>): RequireRecentSignIn =>
  async ({ sessionId }) => {
    const session = await sessions.find(sessionId);
    if (session === undefined || session.revokedAt != null) throw new CodedError('UNAUTHORIZED', { message: 'the session has ended' });
    requireRecentSignIn({ signedInAt: session.createdAt }, now());
  };
