import type { RefreshSessionRequest } from '@florin/proto/identity/v1/auth_service';
import { IDENTITY_SCOPES } from '@florin/proto/identity/v1/scopes';
import { serviceMethod } from '@florin/rpc/server';
import type { Dependencies } from './dependencies.ts';
import { toWireTokenPair } from './to-wire.ts';

/**
 * Rejects a malformed token like an unknown one, so that the error reveals nothing about the format.
 * @throws CodedError INVALID_REFRESH_TOKEN, REFRESH_TOKEN_REUSED
 */
export const refreshSession = ({ sessions }: Dependencies) =>
  serviceMethod(IDENTITY_SCOPES.signIn, async ({ refreshToken }: RefreshSessionRequest) => ({
    tokens: toWireTokenPair(await sessions.refresh(refreshToken)),
  }));
