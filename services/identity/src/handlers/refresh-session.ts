import type { RefreshSessionRequest } from '@florin/proto/identity/v1/auth_service';
import { serviceMethod } from '@florin/rpc/server';
import type { Dependencies } from './dependencies.ts';
import { toWireTokenPair } from './to-wire.ts';

/** Rejects a malformed token like an unknown one, so that the error reveals nothing about the format. */
export const refreshSession = ({ sessions }: Dependencies) =>
  serviceMethod(async (request: RefreshSessionRequest) => {
    const { refreshToken, dpopJkt } = request;
    return { tokens: toWireTokenPair(await sessions.refresh(refreshToken, dpopJkt === '' ? undefined : dpopJkt)) };
  });
