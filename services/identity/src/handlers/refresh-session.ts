import type { RefreshSessionRequest } from '@florin/proto/identity/v1/auth_service';
import { IDENTITY_SCOPES } from '@florin/proto/identity/v1/scopes';
import { serviceMethod } from '@florin/rpc/server';
import type { Dependencies } from './dependencies.ts';
import { toWireTokenPair } from './to-wire.ts';

/**
 * A malformed token is refused as an unknown one is: its form is nobody's business.
 * @throws CodedError INVALID_REFRESH_TOKEN, REFRESH_TOKEN_REUSED
 */
export const refreshSession = ({ sessions }: Pick<Dependencies, 'sessions'>) =>
  serviceMethod(IDENTITY_SCOPES.signIn, async ({ refreshToken }: RefreshSessionRequest) => ({
    tokens: toWireTokenPair(await sessions.refresh(refreshToken)),
  }));
