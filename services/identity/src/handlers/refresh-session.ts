import type { RefreshSessionRequest } from '@florin/proto/identity/v1/auth_service';
import { IDENTITY_SCOPES } from '@florin/proto/identity/v1/scopes';
import { parseRequest, serviceMethod } from '@florin/rpc/server';
import { z } from 'zod';
import type { Dependencies } from './dependencies.ts';
import { thumbprintField } from './fields.ts';
import { toWireTokenPair } from './to-wire.ts';

const requestSchema = z.object({ refreshToken: z.string(), dpopJkt: thumbprintField });

/**
 * Rejects a malformed token like an unknown one, so that the error reveals nothing about the format.
 * @throws CodedError INVALID_REFRESH_TOKEN, REFRESH_TOKEN_REUSED, INVALID_DPOP_PROOF, VALIDATION_FAILED
 */
export const refreshSession = ({ sessions }: Dependencies) =>
  serviceMethod(IDENTITY_SCOPES.signIn, async (request: RefreshSessionRequest) => {
    const { refreshToken, dpopJkt } = parseRequest(requestSchema, request);
    return { tokens: toWireTokenPair(await sessions.refresh(refreshToken, dpopJkt === '' ? undefined : dpopJkt)) };
  });
