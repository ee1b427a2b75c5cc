import { z } from 'zod';
import { defineRoute } from '../../http/define-route.ts';
import { atLeastOne } from '../../schemas/at-least-one.ts';
import { DONE, done, phone, smsCode } from '../../schemas/fields.ts';

export const sendPhoneCode = defineRoute({
  operationId: 'sendPhoneCode',
  method: 'post',
  path: '/phone/verification',
  tag: 'Phone',
  summary: 'Send a phone code',
  description:
    'Sends a six-digit code for `PATCH /phone` by SMS, in English, German or French, as `Accept-Language` prefers. The code is valid for five minutes and stops working after five wrong attempts. A new code can be requested after 30 seconds; one code to another number, which corrects the first, is sent at once. A number can get five codes per hour.',
  policy: 'user',
  rateLimit: 'auth',
  body: z.object({ phone }),
  answers: { 200: done },
  errors: ['PHONE_COUNTRY_NOT_ALLOWED', 'RESEND_TOO_SOON'],
  handler: async ({ body }, { upstream, asCaller, peer: { ip }, language }) => {
    await upstream.verification.sendPhoneCode({ phone: body.phone, ip, language }, asCaller);
    return DONE;
  },
});

export const updatePhone = defineRoute({
  operationId: 'updatePhone',
  method: 'patch',
  path: '/phone',
  tag: 'Phone',
  summary: 'Update Phone Number',
  description:
    "Sets the phone number of the caller's cardholder, which must exist: issuing the first card creates it. `code` confirms the number that the code was sent to. The session must be younger than five minutes; otherwise sign in again.",
  policy: 'user',
  ignoresUnknownFields: true,
  body: z
    .object({
      phone: phone.optional(),
      code: smsCode.optional().meta({ description: 'Code sent by `POST /phone/verification`' }),
    })
    .refine((body) => body.phone !== undefined || body.code !== undefined, { path: ['phone'], message: 'phone or code is required' })
    .meta(atLeastOne('phone', 'code')),
  answers: { 200: done },
  errors: ['REAUTHENTICATION_REQUIRED', 'CARDHOLDER_NOT_FOUND', 'CODE_REQUIRED', 'INVALID_CODE', 'CODE_EXPIRED', 'CODE_ATTEMPTS_EXCEEDED'],
  handler: async ({ body: { phone: number = '', code = '' } }, { upstream, asCaller, requestKey }) => {
    await upstream.cards.updatePhone({ phone: number, code, requestId: requestKey }, asCaller);
    return DONE;
  },
});
