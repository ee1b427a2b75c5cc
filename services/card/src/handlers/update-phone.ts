import type { UpdatePhoneRequest } from '@florin/proto/card/v1/card_service';
import { requireRecentSignIn } from '@florin/rpc/auth';
import { CodedError } from '@florin/rpc/errors';
import { oneTimeCodeSchema, unlessEmpty, uuidSchema } from '@florin/rpc/fields';
import { phoneSchema } from '@florin/rpc/phone';
import { parseRequest, userMethod } from '@florin/rpc/server';
import { z } from 'zod';
import type { Cardholder } from '../domain/cardholder.ts';
import type { Dependencies } from './dependencies.ts';

/** A code with the id of its verification, a bare number, or a code that must verify the given number. */
const requestSchema = z
  .object({
    phone: unlessEmpty(phoneSchema),
    code: unlessEmpty(oneTimeCodeSchema),
    requestId: z.union([z.literal(''), uuidSchema], 'must be a UUID'),
  })
  .refine(({ phone, code }) => phone !== undefined || code !== undefined, { path: ['phone'], error: 'is required without a code' })
  .refine(({ code, requestId }) => code === undefined || requestId !== '', { path: ['requestId'], error: 'is required with a code' });

type UserToken = { token: string; requestId: string };

/**
 * Sets the phone number of the caller's cardholder, which must exist. A code is used up only after a recent sign-in.
 * @throws CodedError CARDHOLDER_NOT_FOUND, REAUTHENTICATION_REQUIRED, VALIDATION_FAILED, CODE_REQUIRED, INVALID_CODE, CODE_EXPIRED, CODE_ATTEMPTS_EXCEEDED
 */
export const updatePhone = ({ cardholders, notices, phoneVerifier, phoneVerification, runtime }: Dependencies) => {
  const setPhone = async (cardholder: Cardholder, phone: string, verified: boolean, call: UserToken): Promise<void> => {
    if (phone !== cardholder.phone) await notices.tell({ id: runtime.newId(), kind: 'PHONE_CHANGING' }, call);
    await cardholders.setPhone(cardholder, phone, verified);
  };

  return userMethod(async (request: UpdatePhoneRequest, call) => {
    const { userId } = call.caller;
    const cardholder = await cardholders.find(userId);
    if (cardholder === undefined) throw new CodedError('CARDHOLDER_NOT_FOUND');
    const { phone, code, requestId } = parseRequest(requestSchema, request);

    if (code !== undefined || phone !== cardholder.phone) requireRecentSignIn(call.caller, runtime.now());
    if (code !== undefined) {
      const verified = await phoneVerifier.verifyCode({ userId, code, verificationId: requestId }, call);
      // A code that verifies a different number is as invalid as a wrong one.
      if (phone !== undefined && phone !== verified) throw new CodedError('INVALID_CODE');
      await setPhone(cardholder, verified, true, call);
    } else if (phone !== undefined) {
      if (phoneVerification === 'required') throw new CodedError('CODE_REQUIRED');
      await setPhone(cardholder, phone, false, call);
    }
    return {};
  });
};
