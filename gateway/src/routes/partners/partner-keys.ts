import { z } from 'zod';
import { defineRoute } from '../../http/define-route.ts';
import { DONE, done } from '../../schemas/fields.ts';
import { clientId, newPartnerKey, partnerKey, partnerScopes, toPartnerKey } from '../../schemas/partner.ts';
import { opaque } from '../../schemas/text.ts';

const REGISTERING = ['PARTNER_KEY_IN_USE', 'PARTNER_KEY_LIMIT_REACHED'] as const;

export const createPartner = defineRoute({
  operationId: 'createPartner',
  method: 'post',
  path: '/partners',
  tag: 'Partners',
  summary: 'Register the first key',
  description:
    'Registers the first key of a partner, with a bootstrap token that the operator of the platform has issued and that can be used once. The key may sign tokens within two seconds. A repeat with the same token and key returns the same response.',
  policy: 'public',
  rateLimit: 'auth',
  body: z.object({ bootstrapToken: opaque(100).meta({ description: 'Secret; valid for seven days' }), ...newPartnerKey }),
  answers: { 200: partnerKey },
  errors: ['BOOTSTRAP_TOKEN_INVALID', ...REGISTERING],
  handler: async ({ body: { bootstrapToken, name, jwk } }, { upstream, asGateway }) => {
    const key = { name, x: jwk.x };
    const { client } = await asGateway((options) => upstream.partnerClients.redeemPartnerInvitation({ bootstrapToken, key }, options));
    return toPartnerKey(client);
  },
});

export const sandboxCreatePartner = defineRoute({
  operationId: 'sandboxCreatePartner',
  method: 'post',
  path: '/sandbox/partners',
  tag: 'Sandbox',
  summary: 'Become a partner',
  description:
    'Registers a key of a server of the partner to which apps on localhost belong, with all scopes, so that you read the events of your own test users and receive webhooks. Everybody in the sandbox who asks belongs to this partner. The key may sign tokens within two seconds, and ends after 30 days; asking again with it starts them anew.',
  policy: 'public',
  sandboxOnly: true,
  rateLimit: 'auth',
  body: z.object(newPartnerKey),
  answers: { 200: partnerKey },
  errors: [...REGISTERING],
  handler: async ({ body: { name, jwk } }, { upstream, asGateway }) => {
    const { client } = await asGateway((options) => upstream.sandbox.admitPartner({ key: { name, x: jwk.x } }, options));
    return toPartnerKey(client);
  },
});

export const listPartnerKeys = defineRoute({
  operationId: 'listPartnerKeys',
  method: 'get',
  path: '/partner/keys',
  tag: 'Partners',
  summary: 'List the keys',
  description:
    'Returns the keys of the partner that were registered here and may sign, oldest first. Those that the operator has registered for it are not among them. Needs the scope `keys.manage`.',
  policy: 'partner',
  answers: { 200: z.object({ data: z.array(partnerKey) }) },
  errors: [],
  handler: async (_input, { upstream, asCaller }) => {
    const { clients } = await upstream.partnerClients.listPartnerClients({}, asCaller);
    return { data: clients.map(toPartnerKey) };
  },
});

export const createPartnerKey = defineRoute({
  operationId: 'createPartnerKey',
  method: 'post',
  path: '/partner/keys',
  tag: 'Partners',
  summary: 'Register a key',
  description:
    'Registers a further key of the partner: for another server, or to replace one, which you revoke afterwards. A key that the partner has registered before is returned as it is, unless other scopes are asked for: they never change. Needs the scope `keys.manage`.',
  policy: 'partner',
  body: z.object({ ...newPartnerKey, scopes: partnerScopes }),
  answers: { 200: partnerKey },
  errors: [...REGISTERING],
  handler: async ({ body: { name, jwk, scopes = [] } }, { upstream, asCaller }) => {
    const { client } = await upstream.partnerClients.createPartnerClient({ key: { name, x: jwk.x }, scopes }, asCaller);
    return toPartnerKey(client);
  },
});

export const revokePartnerKey = defineRoute({
  operationId: 'revokePartnerKey',
  method: 'delete',
  path: '/partner/keys/{clientId}',
  tag: 'Partners',
  summary: 'Revoke a key',
  description:
    'Ends a key for ever, within two seconds, also for tokens that it signed before. A key may revoke itself. Needs the scope `keys.manage`.',
  policy: 'partner',
  params: z.object({ clientId }),
  answers: { 200: done },
  errors: ['PARTNER_KEY_NOT_FOUND'],
  handler: async ({ params }, { upstream, asCaller }) => {
    await upstream.partnerClients.revokePartnerClient(params, asCaller);
    return DONE;
  },
});
