import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { RotateSigningKeyRequest } from '@florin/proto/identity/v1/key_service';
import { IDENTITY_SCOPES } from '@florin/proto/identity/v1/scopes';
import { serviceMethod } from '@florin/rpc/server';
import type { Dependencies } from './dependencies.ts';

export const rotateSigningKey = ({ rotateKey }: Pick<Dependencies, 'rotateKey'>) =>
  serviceMethod(IDENTITY_SCOPES.rotateKeys, async (_request: RotateSigningKeyRequest, { caller, logger }) => {
    const { kid, signsFrom } = await rotateKey();
    logger.info({ kid, signsFrom, by: caller.name }, 'signing key rotated');
    return { kid, signsFrom: timestampFromDate(signsFrom) };
  });
