import { z } from 'zod';
import { defineRoute } from '../../http/define-route.ts';
import { addressInput } from '../../schemas/fields.ts';

export const createSiweMessage = defineRoute({
  operationId: 'createSiweMessage',
  method: 'get',
  path: '/auth/siwe/{address}',
  tag: 'Auth',
  summary: 'Message to sign in with',
  description: 'EIP-4361 text with a single-use nonce that is valid for ten minutes. Sign it unchanged (personal_sign, EIP-191).',
  policy: 'public',
  rateLimit: 'auth',
  params: z.object({ address: addressInput }),
  query: z.object({
    domain: z.string().min(1).max(255).meta({ description: 'Authority of the app that asks (RFC 3986); belongs to a partner' }),
    uri: z.string().min(1).max(2048).meta({ description: 'Subject of the sign-in; its host is the domain' }),
  }),
  answers: { 200: z.object({ message: z.string() }) },
  errors: ['DOMAIN_NOT_ALLOWED'],
  handler: async ({ params: { address }, query: { domain, uri } }, { upstream, asGateway }) => {
    const { message } = await upstream.auth.createSiweMessage({ address, domain, uri }, asGateway);
    return { message };
  },
});
