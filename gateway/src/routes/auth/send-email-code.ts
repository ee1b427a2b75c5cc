import { z } from 'zod';
import { defineRoute } from '../../http/define-route.ts';
import { DONE, done, email } from '../../schemas/fields.ts';

/** A mail server may take its time to accept a mail. */
const TIMEOUT_MS = 15_000;

export const sendEmailCode = defineRoute({
  operationId: 'sendEmailCode',
  method: 'post',
  path: '/email-verification',
  tag: 'Auth',
  summary: 'Mail a one-time password',
  description: 'For POST /user. The answer is the same whether the address is known or not.',
  policy: 'wallet',
  rateLimit: 'auth',
  body: z.object({ email }),
  answers: { 200: done },
  errors: [],
  handler: async ({ body }, { upstream, asCaller }) => {
    await upstream.verification.sendEmailCode({ email: body.email }, { ...asCaller, timeoutMs: TIMEOUT_MS });
    return DONE;
  },
});
