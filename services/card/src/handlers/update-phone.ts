import type { UpdatePhoneRequest } from '@florin/proto/card/v1/card_service';
import { CodedError } from '@florin/rpc/errors';
import { unlessEmpty, uuidSchema } from '@florin/rpc/fields';
import { phoneSchema } from '@florin/rpc/phone';
import { parseRequest, userMethod } from '@florin/rpc/server';
import { z } from 'zod';
import type { Dependencies } from './dependencies.ts';

/** Either a code with the id of its verification, or a bare number, or a code that must prove the number. */
const requestSchema = z
  .object({
    phone: unlessEmpty(phoneSchema),
    code: unlessEmpty(z.string().regex(/^\d{6}$/, 'must be six digits')),
    requestId: z.union([z.literal(''), uuidSchema], 'must be a UUID'),
  })
  .refine(({ phone, code }) => phone !== undefined || code !== undefined, { path: ['phone'], error: 'is required when there is no code' })
  .refine(({ code, requestId }) => code === undefined || requestId !== '', { path: ['requestId'], error: 'is required with a code' });

type Parts = Pick<Dependencies, 'cardholders' | 'phoneVerifier' | 'phoneVerification'>;

/**
 * Sets the number of the caller's cardholder, which must exist.
 * @throws CodedError CARDHOLDER_NOT_FOUND, VALIDATION_FAILED, CODE_REQUIRED, INVALID_CODE, CODE_EXPIRED
 */
export const updatePhone = ({ cardholders, phoneVerifier, phoneVerification }: Parts) =>
  userMethod(async (request: UpdatePhoneRequest, call) => {
    const { userId } = call.caller;
    const cardholder = await cardholders.find(userId);
    if (cardholder === undefined) throw new CodedError('CARDHOLDER_NOT_FOUND');
    const { phone, code, requestId } = parseRequest(requestSchema, request);

    if (code !== undefined) {
      const proven = await phoneVerifier.verifyCode({ userId, code, verificationId: requestId }, call);
      // The code proves another number than the caller means: as wrong as any other code.
      if (phone !== undefined && phone !== proven) throw new CodedError('INVALID_CODE');
      await cardholders.setPhone(cardholder, proven, true);
    } else if (phone !== undefined) {
      if (phoneVerification === 'required') throw new CodedError('CODE_REQUIRED');
      await cardholders.setPhone(cardholder, phone, false);
    }
    return {};
  });
