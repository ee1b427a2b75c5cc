import { IDENTITY_SCOPES } from '@florin/proto/identity/v1/scopes';
import type { VerifyPhoneCodeRequest } from '@florin/proto/identity/v1/verification_service';
import { CodedError } from '@florin/rpc/errors';
import { oneTimeCodeSchema, uuidSchema } from '@florin/rpc/fields';
import { parseRequest, serviceMethod } from '@florin/rpc/server';
import { z } from 'zod';
import type { Dependencies } from './dependencies.ts';

const requestSchema = z.object({ userId: uuidSchema, code: oneTimeCodeSchema, verificationId: uuidSchema });

const REJECTION = { invalid: 'INVALID_CODE', expired: 'CODE_EXPIRED', exhausted: 'CODE_ATTEMPTS_EXCEEDED' } as const;

/** @throws CodedError INVALID_CODE, CODE_EXPIRED, CODE_ATTEMPTS_EXCEEDED, VALIDATION_FAILED */
export const verifyPhoneCode = ({ codes }: Dependencies) =>
  serviceMethod(IDENTITY_SCOPES.verifyPhones, async (request: VerifyPhoneCodeRequest) => {
    const { userId, code, verificationId } = parseRequest(requestSchema, request);
    const checked = await codes.check({ purpose: 'phone', userId }, code, verificationId);
    if (checked.outcome !== 'valid') throw new CodedError(REJECTION[checked.outcome]);
    return { phone: checked.recipient };
  });
