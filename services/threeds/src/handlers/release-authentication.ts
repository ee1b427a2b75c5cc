import type { ReleaseAuthenticationRequest } from '@florin/proto/threeds/v1/authentication_service';
import { serviceMethod } from '@florin/rpc/server';
import type { Dependencies } from './dependencies.ts';

/** Gives back what a declined request has used up. */
export const releaseAuthentication = ({ consumptions }: Dependencies) =>
  serviceMethod(async ({ challengeId, paymentId, requestId }: ReleaseAuthenticationRequest) => {
    await consumptions.release(challengeId, { paymentId, requestId });
    return {};
  });
