import { z } from 'zod';
import { defineRoute } from '../../http/define-route.ts';
import { addressInput } from '../../schemas/fields.ts';

export const createSiweMessage = defineRoute({
  operationId: 'createSiweMessage',
  method: 'get',
  path: '/auth/siwe/{address}',
  tag: 'Auth',
  summary: 'Create a sign-in message',
  description:
    'Returns an EIP-4361 message with a single-use nonce that is valid for ten minutes. Sign it unchanged with `personal_sign` (EIP-191).',
  policy: 'public',
  rateLimit: 'auth',
  params: z.object({ address: addressInput }),
  query: z.object({
    domain: z
      .string()
      .min(1)
      .max(255)
      .meta({ description: 'Authority (RFC 3986) of the app that requests the sign-in; it must belong to a partner' }),
    uri: z.string().min(1).max(2048).meta({ description: 'URI that the sign-in is for; its host must be the domain' }),
  }),
  answers: { 200: z.object({ message: z.string() }) },
  errors: ['DOMAIN_NOT_ALLOWED'],
  handler: async ({ params: { address }, query: { domain, uri } }, { upstream, asGateway }) => {
    const { message } = await asGateway((options) => upstream.auth.createSiweMessage({ address, domain, uri }, options));
    return { message };
  },
});
