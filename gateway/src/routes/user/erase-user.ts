import { z } from 'zod';
import { defineRoute } from '../../http/define-route.ts';
import { dateTime, toIso } from '../../schemas/fields.ts';

export const eraseUser = defineRoute({
  operationId: 'eraseUser',
  method: 'delete',
  path: '/user',
  tag: 'User',
  summary: 'Erase the user',
  description:
    'Erases the caller (GDPR, Art. 17): cancels the cards, closes the account, ends all sessions and erases the personal data. What the law requires to be kept stays under the id of the user. Requires a sign-in within the last five minutes, and an account without money, holds, open challenges and recent card payments. The token of the request is invalid afterwards; when the response is lost, a repeat gets 401.',
  policy: 'user',
  rateLimit: 'auth',
  answers: {
    200: z.object({
      success: z.literal(true),
      claimsReleasedAt: dateTime.meta({ description: 'Time from which the e-mail address and the wallets may register again' }),
    }),
  },
  errors: [
    'REAUTHENTICATION_REQUIRED',
    'USER_NOT_FOUND',
    'USER_HAS_BALANCE',
    'USER_HAS_OPEN_HOLDS',
    'USER_HAS_OPEN_CHALLENGES',
    'USER_HAS_OPEN_DISPUTES',
    'USER_HAS_RECENT_PAYMENTS',
    'USER_IS_BLOCKED',
  ],
  handler: async (_input, { upstream, asCaller }) => {
    const { claimsReleasedAt } = await upstream.erasure.eraseUser({}, asCaller);
    return { success: true as const, claimsReleasedAt: toIso(claimsReleasedAt) };
  },
});
