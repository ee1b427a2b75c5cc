import { z } from 'zod';
import { defineRoute } from '../../http/define-route.ts';
import { email, id, oneTimeCode } from '../../schemas/fields.ts';

/** Registration calls the KYC provider and then the ledger, each with a deadline of its own. */
const TIMEOUT_MS = 15_000;

export const registerUser = defineRoute({
  operationId: 'registerUser',
  method: 'post',
  path: '/user',
  tag: 'User',
  summary: 'Register User',
  description:
    'Creates a user with a wallet token and a one-time password of `POST /email-verification`. Returns a user token for later requests. The session continues: its refresh token now yields user tokens.',
  policy: 'wallet',
  rateLimit: 'auth',
  body: z.object({
    email,
    otp: oneTimeCode.meta({ description: 'One-time password received by e-mail' }),
    shareToken: z.string().min(1).max(4096).optional().meta({ description: 'Share token for reusable KYC' }),
  }),
  answers: { 200: z.object({ userId: id, accessToken: z.string() }) },
  errors: ['INVALID_OTP', 'OTP_EXPIRED', 'USER_ALREADY_EXISTS', 'USER_REGISTRATION_IN_PROGRESS', 'PROFILE_CREATION_FAILED'],
  handler: async ({ body: { email: address, otp, shareToken = '' } }, { upstream, asCaller }) => {
    const { userId, accessToken } = await upstream.users.registerUser(
      { email: address, otp, shareToken },
      { ...asCaller, timeoutMs: TIMEOUT_MS },
    );
    return { userId, accessToken };
  },
});
