import { SiwePurpose } from '@florin/proto/identity/v1/auth_service';
import { z } from 'zod';
import { defineRoute } from '../../http/define-route.ts';
import { addressInput } from '../../schemas/fields.ts';

const PURPOSE = { sign_in: SiwePurpose.SIGN_IN, add_wallet: SiwePurpose.ADD_WALLET } as const;

export const createSiweMessage = defineRoute({
  operationId: 'createSiweMessage',
  method: 'get',
  path: '/auth/siwe/{address}',
  tag: 'Auth',
  summary: 'Create a message to sign',
  description:
    'Returns an EIP-4361 message with a single-use nonce that is valid for ten minutes. Sign it unchanged with `personal_sign` (EIP-191).',
  policy: 'public',
  rateLimit: 'auth',
  params: z.object({ address: addressInput }),
  query: z.object({
    domain: z
      .string()
      .regex(/^[A-Za-z0-9.-]{1,253}(?::\d{1,5})?$/, 'must be a host, or a host and a port')
      .meta({ description: 'Authority (RFC 3986) of the app that requests the sign-in; it must belong to a partner' }),
    uri: z
      .string()
      .max(2048)
      .regex(/^https?:\/\/[!#-;=?-[\]_a-z~]+$/, 'must be an http or https URI')
      .meta({ description: 'URI that the message is for; its host must be the domain' }),
    purpose: z
      .enum(['sign_in', 'add_wallet'])
      .default('sign_in')
      .meta({ description: 'What the message may be used for: `POST /auth/siwe` or `POST /user/wallets`' }),
  }),
  answers: { 200: z.object({ message: z.string() }) },
  errors: ['DOMAIN_NOT_ALLOWED'],
  handler: async ({ params: { address }, query: { domain, uri, purpose } }, { upstream, asGateway }) => {
    const { message } = await asGateway((options) =>
      upstream.auth.createSiweMessage({ address, domain, uri, purpose: PURPOSE[purpose] }, options),
    );
    return { message };
  },
});
