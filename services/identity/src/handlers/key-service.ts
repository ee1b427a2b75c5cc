import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { KeyService, type RevokeSigningKeyRequest, type RotateSigningKeyRequest } from '@florin/proto/identity/v1/key_service';
import { implement, type ServiceImplementation, serviceMethod } from '@florin/rpc/server';
import type { Dependencies } from './dependencies.ts';

const rotateSigningKey = ({ rotateKey }: Dependencies) =>
  serviceMethod(async (_request: RotateSigningKeyRequest, { caller, logger }) => {
    const { kid, signsFrom } = await rotateKey();
    logger.info({ kid, signsFrom, by: caller.name }, 'signing key rotated');
    return { kid, signsFrom: timestampFromDate(signsFrom) };
  });

const revokeSigningKey = ({ revokeKey }: Dependencies) =>
  serviceMethod(async (request: RevokeSigningKeyRequest, { caller, logger }) => {
    const { kid } = request;
    const signer = await revokeKey(kid);
    logger.warn({ kid, signer: signer.kid, by: caller.name }, 'signing key revoked');
    return { signingKid: signer.kid };
  });

/** Implementation of the contract `KeyService`. */
export const keyService = (dependencies: Dependencies): ServiceImplementation =>
  implement(KeyService, { rotateSigningKey: rotateSigningKey(dependencies), revokeSigningKey: revokeSigningKey(dependencies) });
