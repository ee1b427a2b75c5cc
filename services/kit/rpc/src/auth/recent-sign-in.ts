import { CodedError } from '../errors/index.ts';
import type { WalletCaller } from './caller.ts';

const MAX_SIGN_IN_AGE_MS = 5 * 60_000;

/**
 * Requires that the wallet signed in within the last five minutes, because an access token may be stolen (step-up authentication, RFC 9470).
 * Refreshing a session does not make its sign-in more recent.
 * @throws CodedError REAUTHENTICATION_REQUIRED
 */
export const requireRecentSignIn = ({ signedInAt }: Pick<WalletCaller, 'signedInAt'>, now: Date): void => {
  if (signedInAt === undefined || now.getTime() - signedInAt.getTime() > MAX_SIGN_IN_AGE_MS)
    throw new CodedError('REAUTHENTICATION_REQUIRED');
};
