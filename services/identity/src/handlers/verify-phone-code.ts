import { IDENTITY_SCOPES } from '@florin/proto/identity/v1/scopes';
import type { VerifyPhoneCodeRequest } from '@florin/proto/identity/v1/verification_service';
import { CodedError } from '@florin/rpc/errors';
import { uuidSchema } from '@florin/rpc/fields';
import { parseRequest, serviceMethod } from '@florin/rpc/server';
import { z } from 'zod';
import type { Dependencies } from './dependencies.ts';

const requestSchema = z.object({ userId: uuidSchema, code: z.string().min(1).max(64), verificationId: uuidSchema });

/** @throws CodedError INVALID_CODE, CODE_EXPIRED, VALIDATION_FAILED */
export const verifyPhoneCode = ({ codes }: Pick<Dependencies, 'codes'>) =>
  serviceMethod(IDENTITY_SCOPES.verifyPhones, async (request: VerifyPhoneCodeRequest) => {
    const { userId, code, verificationId } = parseRequest(requestSchema, request);
    const checked = await codes.check({ purpose: 'phone', userId }, code, verificationId);
    if (checked.outcome !== 'valid') throw new CodedError(checked.outcome === 'expired' ? 'CODE_EXPIRED' : 'INVALID_CODE');
    return { phone: checked.recipient };
  });
