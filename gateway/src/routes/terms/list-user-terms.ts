import { z } from 'zod';
import { defineRoute } from '../../http/define-route.ts';
import { present, toIso } from '../../schemas/fields.ts';
import { toTerm, userTerm } from '../../schemas/terms.ts';

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
