import type { RevokeSigningKeyRequest } from '@florin/proto/identity/v1/key_service';
import { IDENTITY_SCOPES } from '@florin/proto/identity/v1/scopes';
import { parseRequest, serviceMethod } from '@florin/rpc/server';
import { z } from 'zod';
import type { Dependencies } from './dependencies.ts';

const requestSchema = z.object({ kid: z.string().regex(/^[A-Za-z0-9_-]{43}$/, 'must be an RFC 7638 thumbprint') });

/** @throws CodedError SIGNING_KEY_NOT_FOUND, VALIDATION_FAILED */
export const revokeSigningKey = ({ revokeKey }: Dependencies) =>
  serviceMethod(IDENTITY_SCOPES.revokeKeys, async (request: RevokeSigningKeyRequest, { caller, logger }) => {
    const { kid } = parseRequest(requestSchema, request);
    const signer = await revokeKey(kid);
    logger.warn({ kid, signer: signer.kid, by: caller.name }, 'signing key revoked');
    return { signingKid: signer.kid };
  });
