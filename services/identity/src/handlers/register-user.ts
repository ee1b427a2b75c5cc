import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { RegisterUserRequest } from '@florin/proto/identity/v1/user_service';
import { CodedError } from '@florin/rpc/errors';
import { walletMethod } from '@florin/rpc/server';
import { emailKeyOf } from '../domain/email.ts';
import type { Dependencies } from './dependencies.ts';
import { readEmail } from './fields.ts';

const REJECTION = { invalid: 'INVALID_OTP', expired: 'OTP_EXPIRED', exhausted: 'OTP_ATTEMPTS_EXCEEDED' } as const;

/**
 * The code stays usable until the user exists, so that a failed call can be repeated with it. Only a caller who has proven an e-mail
 * address learns that it is taken.
 */
export const registerUser = ({ codes, lock, isRegistered, register, issueAccessToken }: Dependencies) =>
  walletMethod(async (request: RegisterUserRequest, { caller, requestId, logger }) => {
    const { otp } = request;
    const email = readEmail(request.email);
    const shareToken = request.shareToken || undefined;
    if (caller.userId !== undefined) throw new CodedError('USER_ALREADY_EXISTS');
    const { wallet, partnerId, sessionId, walletEpoch, signedInAt, jkt } = caller;
    const emailKey = emailKeyOf(email);
    const slot = { purpose: 'email', partnerId, wallet, emailKey } as const;

    return lock(wallet, logger, async () => {
      // Checked before the code, because the call that registered the wallet consumed it.
      if (await isRegistered(wallet)) throw new CodedError('USER_ALREADY_EXISTS');
      const checked = await codes.check(slot, otp);
      if (checked.outcome !== 'valid') throw new CodedError(REJECTION[checked.outcome]);

      const userId = await register({ wallet, partnerId, email, emailKey, shareToken, requestId });
      // The user exists, so the code is worthless. If consuming it fails, it expires.
      await codes.consume(slot, checked.id).catch((err: unknown) => logger.warn({ err }, 'consuming the code failed'));
      const { token, expiresAt } = await issueAccessToken({ wallet, sessionId, partnerId, userId, walletEpoch, signedInAt, jkt });
      return { userId, accessToken: token, accessExpiresAt: timestampFromDate(expiresAt) };
    });
  });
