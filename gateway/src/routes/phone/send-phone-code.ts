import { z } from 'zod';
import { defineRoute } from '../../http/define-route.ts';
import { DONE, done, phone } from '../../schemas/fields.ts';

export const sendPhoneCode = defineRoute({
  operationId: 'sendPhoneCode',
  method: 'post',
  path: '/phone/verification',
  tag: 'Phone',
  summary: 'Send a phone code',
  description:
    'Sends a six-digit code for `PATCH /phone` by SMS. The code is valid for five minutes and stops working after five wrong attempts. A new code can be requested after 30 seconds; one code to another number, which corrects the first, is sent at once. A number can get five codes per hour.',
  policy: 'user',
  rateLimit: 'auth',
  body: z.object({ phone }),
  answers: { 200: done },
  errors: ['PHONE_COUNTRY_NOT_ALLOWED', 'RESEND_TOO_SOON'],
  handler: async ({ body }, { upstream, asCaller, peer: { ip } }) => {
    await upstream.verification.sendPhoneCode({ phone: body.phone, ip }, asCaller);
    return DONE;
  },
});
