import { z } from 'zod';
import { defineRoute } from '../../http/define-route.ts';
import { email, id, oneTimeCode } from '../../schemas/fields.ts';
import { opaque } from '../../schemas/text.ts';
import { secondsUntil } from '../../schemas/token-pair.ts';

/** Registration calls the KYC provider and then the ledger, each with a deadline of its own. */
const TIMEOUT_MS = 15_000;

export const registerUser = defineRoute({
  operationId: 'registerUser',
  method: 'post',
  path: '/user',
  tag: 'User',
  summary: 'Register User',
  description:
    'Creates a user with a wallet token and a one-time password of `POST /email-verification`. Returns a user token for later requests. The session continues: the refresh token of the sign-in stays valid and now yields user tokens, and the wallet token of the sign-in keeps working where a wallet token suffices.',
  policy: 'wallet',
  rateLimit: 'auth',
  ignoresUnknownFields: true,
  body: z.object({
    email,
    otp: oneTimeCode.meta({ description: 'One-time password received by e-mail' }),
    shareToken: opaque(4096).optional().meta({ description: 'Share token for reusable KYC' }),
  }),
  answers: {
    200: z
      .object({
        userId: id,
        accessToken: z.string().meta({ description: 'JWT access token: a user token' }),
        expiresIn: z
          .int()
          .min(0)
          .meta({ description: 'Seconds until the access token expires; the refresh token of the sign-in yields the next one' }),
      })
      .meta({ id: 'Registration' }),
  },
  errors: [
    'INVALID_OTP',
    'OTP_EXPIRED',
    'OTP_ATTEMPTS_EXCEEDED',
    'USER_ALREADY_EXISTS',
    'USER_REGISTRATION_IN_PROGRESS',
    'PROFILE_CREATION_FAILED',
  ],
  handler: async ({ body: { email: address, otp, shareToken = '' } }, { upstream, asCaller, now }) => {
    const { userId, accessToken, accessExpiresAt } = await upstream.users.registerUser(
      { email: address, otp, shareToken },
      { ...asCaller, timeoutMs: TIMEOUT_MS },
    );
    return { userId, accessToken, expiresIn: secondsUntil(accessExpiresAt, now()) };
  },
});
