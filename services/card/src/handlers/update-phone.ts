import type { UpdatePhoneRequest } from '@florin/proto/card/v1/card_service';
import { requireRecentSignIn } from '@florin/rpc/auth';
import { requireFields } from '@florin/rpc/contract';
import { CodedError } from '@florin/rpc/errors';
import { phoneProblem } from '@florin/rpc/phone';
import { userMethod } from '@florin/rpc/server';
import type { Cardholder } from '../domain/cardholder.ts';
import type { Dependencies } from './dependencies.ts';

type UserToken = { token: string; requestId: string };

/**
 * Sets the phone number of the caller's cardholder, which must exist: from a code with the id of its verification, from a bare number, or from a code that
 * must verify the given number. A code is used up only after a recent sign-in.
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
    const { phone, code, requestId } = request;
    const missing = code === '' ? 'is required without a code' : undefined;
    requireFields({
      phone: phone === '' ? missing : phoneProblem(phone),
      request_id: code !== '' && requestId === '' ? 'is required with a code' : undefined,
    });

    if (code !== '' || phone !== cardholder.phone) requireRecentSignIn(call.caller, runtime.now());
    if (code !== '') {
      const verified = await phoneVerifier.verifyCode({ userId, code, verificationId: requestId }, call);
      // A code that verifies a different number is as invalid as a wrong one.
      if (phone !== '' && phone !== verified) throw new CodedError('INVALID_CODE');
      await setPhone(cardholder, verified, true, call);
    } else {
      if (phoneVerification === 'required') throw new CodedError('CODE_REQUIRED');
      await setPhone(cardholder, phone, false, call);
    }
    return {};
  });
};
