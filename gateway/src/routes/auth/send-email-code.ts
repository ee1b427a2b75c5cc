import { z } from 'zod';
import { defineRoute } from '../../http/define-route.ts';
import { DONE, done, email } from '../../schemas/fields.ts';

/** A mail server may take several seconds to accept a message. */
const TIMEOUT_MS = 15_000;

export const sendEmailCode = defineRoute({
  operationId: 'sendEmailCode',
  method: 'post',
  path: '/email-verification',
  tag: 'Auth',
  summary: 'Send an e-mail code',
  description:
    'Sends a one-time password for `POST /user` by e-mail. The response does not reveal whether the address is registered. The code is valid for five minutes and stops working after five wrong attempts. A new code can be requested after 30 seconds, and an address can get five codes per hour.',
  policy: 'wallet',
  rateLimit: 'auth',
  body: z.object({ email }),
  answers: { 200: done },
  errors: ['RESEND_TOO_SOON'],
  handler: async ({ body }, { upstream, asCaller, peer: { ip } }) => {
    await upstream.verification.sendEmailCode({ email: body.email, ip }, { ...asCaller, timeoutMs: TIMEOUT_MS });
    return DONE;
  },
});
