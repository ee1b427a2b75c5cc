import { serviceMethod } from '@florin/kit/rpc';
import type { RefreshSessionRequest } from '@florin/proto/identity/v1/auth_service';
import type { Sessions } from '../sessions/sessions.ts';
import { toTokenPair } from './token-pair.ts';

/**
 * A malformed token is refused as an unknown one is: its form is nobody's business.
 * @throws CodedError INVALID_REFRESH_TOKEN, REFRESH_TOKEN_REUSED
 */
export const refreshSession = (sessions: Sessions) =>
  serviceMethod('identity.signin', async ({ refreshToken }: RefreshSessionRequest) => ({
    tokens: toTokenPair(await sessions.refresh(refreshToken)),
  }));
