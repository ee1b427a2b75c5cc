import type { VerifyPhoneCodeRequest } from '@florin/proto/identity/v1/verification_service';
import { CodedError } from '@florin/rpc/errors';
import { serviceMethod } from '@florin/rpc/server';
import type { Dependencies } from './dependencies.ts';

const REJECTION = { invalid: 'INVALID_CODE', expired: 'CODE_EXPIRED', exhausted: 'CODE_ATTEMPTS_EXCEEDED' } as const;

export const verifyPhoneCode = ({ codes }: Dependencies) =>
  serviceMethod(async (request: VerifyPhoneCodeRequest) => {
    const { userId, code, verificationId } = request;
    const checked = await codes.check({ purpose: 'phone', userId }, code, verificationId);
    if (checked.outcome !== 'valid') throw new CodedError(REJECTION[checked.outcome]);
    return { phone: checked.recipient };
  });
