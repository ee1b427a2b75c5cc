import { z } from 'zod';
import { defineRoute } from '../../http/define-route.ts';
import { DONE, done } from '../../schemas/fields.ts';
import { opaque } from '../../schemas/text.ts';

const name = opaque(40);

export const acceptTerms = defineRoute({
  operationId: 'acceptTerms',
  method: 'post',
  path: '/user/terms',
  tag: 'Terms',
  summary: 'Accept terms',
  description:
    'Records that the caller accepts documents. Only current versions can be accepted. A repeated acceptance keeps the time of the first.',
  policy: 'user',
  body: z.object({
    terms: z
      .array(z.object({ type: name, version: name }))
      .min(1)
      .max(20),
  }),
  answers: { 200: done },
  errors: ['TERMS_VERSION_INVALID'],
  handler: async ({ body: { terms } }, { upstream, asCaller, peer }) => {
    await upstream.terms.acceptTerms({ terms, ip: peer.ip }, asCaller);
    return DONE;
  },
});
