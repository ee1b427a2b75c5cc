import { z } from 'zod';
import { defineRoute } from '../../http/define-route.ts';
import { term, toTerm } from '../../schemas/terms.ts';

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
