import type { RevokeSigningKeyRequest } from '@florin/proto/identity/v1/key_service';
import { serviceMethod } from '@florin/rpc/server';
import type { Dependencies } from './dependencies.ts';

export const revokeSigningKey = ({ revokeKey }: Dependencies) =>
  serviceMethod(async (request: RevokeSigningKeyRequest, { caller, logger }) => {
    const { kid } = request;
    const signer = await revokeKey(kid);
    logger.warn({ kid, signer: signer.kid, by: caller.name }, 'signing key revoked');
    return { signingKid: signer.kid };
  });
