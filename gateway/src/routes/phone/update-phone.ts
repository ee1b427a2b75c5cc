import { z } from 'zod';
import { defineRoute } from '../../http/define-route.ts';
import { DONE, done, oneTimeCode, phone } from '../../schemas/fields.ts';

export const updatePhone = defineRoute({
  operationId: 'updatePhone',
  method: 'patch',
  path: '/phone',
  tag: 'Phone',
  summary: 'Update Phone Number',
  description: "Sets the phone number on the caller's cardholder record, which must exist: it is never created here.",
  policy: 'user',
  body: z
    .object({
      phone: phone.optional(),
      code: oneTimeCode.optional().meta({ description: 'Out of POST /phone/verification' }),
    })
    .refine((body) => body.phone !== undefined || body.code !== undefined, { path: ['phone'], message: 'phone or code is required' }),
  answers: { 200: done },
  errors: ['CARDHOLDER_NOT_FOUND', 'CODE_REQUIRED', 'INVALID_CODE', 'CODE_EXPIRED'],
  handler: async ({ body: { phone: number = '', code = '' } }, { upstream, asCaller, requestKey }) => {
    await upstream.cards.updatePhone({ phone: number, code, requestId: requestKey }, asCaller);
    return DONE;
  },
});
