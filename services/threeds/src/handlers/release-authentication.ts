import type { ReleaseAuthenticationRequest } from '@florin/proto/threeds/v1/authentication_service';
import { THREEDS_SCOPES } from '@florin/proto/threeds/v1/scopes';
import { uuidSchema } from '@florin/rpc/fields';
import { parseRequest, serviceMethod } from '@florin/rpc/server';
import { z } from 'zod';
import { requestIdSchema } from './consume-authentication.ts';
import type { Dependencies } from './dependencies.ts';

const requestSchema = z.object({ challengeId: uuidSchema, paymentId: uuidSchema, requestId: requestIdSchema });

/**
 * Gives back what a declined request has used up.
 * @throws CodedError VALIDATION_FAILED
 */
export const releaseAuthentication = ({ consumptions }: Dependencies) =>
  serviceMethod(THREEDS_SCOPES.consumeAuthentications, async (request: ReleaseAuthenticationRequest) => {
    const { challengeId, ...use } = parseRequest(requestSchema, request);
    await consumptions.release(challengeId, use);
    return {};
  });
