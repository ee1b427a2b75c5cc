import type { RegisterUserRequest } from '@florin/proto/identity/v1/user_service';
import { CodedError } from '@florin/rpc/errors';
import { unlessEmpty } from '@florin/rpc/fields';
import { parseRequest, walletMethod } from '@florin/rpc/server';
import { z } from 'zod';
import { emailKeyOf, emailSchema } from '../domain/email.ts';
import { walletKeyOf } from '../domain/user.ts';
import type { Dependencies } from './dependencies.ts';

const requestSchema = z.object({
  email: emailSchema,
  // Whatever is no code of ours is a wrong one.
  otp: z.string().min(1).max(64),
  shareToken: unlessEmpty(z.string().max(4096)),
});

type Parts = Pick<Dependencies, 'codes' | 'lock' | 'isRegistered' | 'register' | 'issueAccessToken'>;

/**
 * The code stays usable until the user exists, so that a failure on the way can be repeated with it. That an e-mail is
 * taken is told only to who has proven it.
 * @throws CodedError INVALID_OTP, OTP_EXPIRED, USER_ALREADY_EXISTS, USER_REGISTRATION_IN_PROGRESS, PROFILE_CREATION_FAILED, VALIDATION_FAILED
 */
export const registerUser = ({ codes, lock, isRegistered, register, issueAccessToken }: Parts) =>
  walletMethod(async (request: RegisterUserRequest, { caller, requestId, logger }) => {
    const { email, otp, shareToken } = parseRequest(requestSchema, request);
    if (caller.userId !== undefined) throw new CodedError('USER_ALREADY_EXISTS');
    const { wallet, partnerId, sessionId } = caller;
    const emailKey = emailKeyOf(email);
    const slot = { purpose: 'email', partnerId, wallet: walletKeyOf(wallet), emailKey } as const;

    return lock(wallet, logger, async () => {
      // Before the code: it was used up by the call that registered the wallet.
      if (await isRegistered(wallet)) throw new CodedError('USER_ALREADY_EXISTS');
      const checked = await codes.check(slot, otp);
      if (checked.outcome !== 'valid') throw new CodedError(checked.outcome === 'expired' ? 'OTP_EXPIRED' : 'INVALID_OTP');

      const userId = await register({ wallet, partnerId, email, emailKey, shareToken, requestId });
      // The user exists: a code that cannot be used up now expires by itself, and registers nobody.
      await codes.consume(slot, checked.id).catch((err: unknown) => logger.warn({ err }, 'code was not used up'));
      const { token } = await issueAccessToken({ wallet, sessionId, partnerId, userId });
      return { userId, accessToken: token };
    });
  });
