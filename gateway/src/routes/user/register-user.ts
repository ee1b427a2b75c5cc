import { z } from 'zod';
import { defineRoute } from '../../http/define-route.ts';
import { email, id, oneTimeCode } from '../../schemas/fields.ts';

/** The saga asks the KYC provider and the ledger one after the other, each within its own deadline. */
const TIMEOUT_MS = 15_000;

export const registerUser = defineRoute({
  operationId: 'registerUser',
  method: 'post',
  path: '/user',
  tag: 'User',
  summary: 'Register User',
  description: 'Creates a user after e-mail OTP verification, with a wallet token. Returns a user token for later requests.',
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
