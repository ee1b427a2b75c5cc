import { z } from 'zod';
import { defineRoute } from '../../http/define-route.ts';
import { DONE, done, present, toIso } from '../../schemas/fields.ts';
import { term, toTerm, userTerm } from '../../schemas/terms.ts';
import { opaque } from '../../schemas/text.ts';

export const listTerms = defineRoute({
  operationId: 'listTerms',
  method: 'get',
  path: '/terms',
  tag: 'Terms',
  summary: 'List terms',
  description: 'Returns the documents that users accept.',
  policy: 'public',
  publicForSeconds: 60,
  answers: { 200: z.object({ terms: z.array(term) }) },
  errors: [],
  handler: async (_input, { upstream, asGateway }) => {
    const { terms } = await asGateway((options) => upstream.terms.listTerms({}, options));
    return { terms: terms.map(toTerm) };
  },
});

export const listUserTerms = defineRoute({
  operationId: 'listUserTerms',
  method: 'get',
  path: '/user/terms',
  tag: 'Terms',
  summary: 'List accepted terms',
  description: 'Returns the documents with the versions that the caller has accepted.',
  policy: 'user',
  answers: { 200: z.object({ terms: z.array(userTerm) }) },
  errors: [],
  handler: async (_input, { upstream, asCaller }) => {
    const { terms } = await upstream.terms.listUserTerms({}, asCaller);
    return {
      terms: terms.map(({ term, accepted, acceptedVersion, acceptedAt }) => ({
        ...toTerm(present(term, 'document')),
        accepted,
        ...(acceptedVersion === '' ? {} : { acceptedVersion, acceptedAt: toIso(acceptedAt) }),
      })),
    };
  },
});

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
