import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { RotateSigningKeyRequest } from '@florin/proto/identity/v1/key_service';
import { serviceMethod } from '@florin/rpc/server';
import type { Dependencies } from './dependencies.ts';

export const rotateSigningKey = ({ rotateKey }: Dependencies) =>
  serviceMethod(async (_request: RotateSigningKeyRequest, { caller, logger }) => {
    const { kid, signsFrom } = await rotateKey();
    logger.info({ kid, signsFrom, by: caller.name }, 'signing key rotated');
    return { kid, signsFrom: timestampFromDate(signsFrom) };
  });
