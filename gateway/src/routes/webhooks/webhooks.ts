import { CodedError } from '@florin/rpc/errors';
import { z } from 'zod';
import type { Upstream } from '../../clients/upstream.ts';
import { defineRoute, type RouteCall } from '../../http/define-route.ts';
import { someOf } from '../../schemas/at-least-one.ts';
import { requireKnownTypes } from '../../schemas/event.ts';
import { done, id } from '../../schemas/fields.ts';
import { pageQuery, pagination, toPageRequest } from '../../schemas/page.ts';
import {
  changedWebhookSettings,
  createdEndpoint,
  endpointParams,
  newWebhookSettings,
  toWebhookAttempt,
  toWebhookEndpoint,
  toWireSettings,
  webhookAttempt,
  webhookEndpoint,
  webhookSecret,
  webhookSettings,
} from '../../schemas/webhook.ts';

/** The endpoints of partners. @throws CodedError SERVICE_UNAVAILABLE where no events service is configured */
const webhooksOf = ({ webhooks }: Upstream): NonNullable<Upstream['webhooks']> => {
  if (webhooks === undefined) throw new CodedError('SERVICE_UNAVAILABLE', { message: 'no events service is configured' });
  return webhooks;
};

export const createWebhookEndpoint = defineRoute({
  operationId: 'createWebhookEndpoint',
  method: 'post',
  path: '/webhook-endpoints',
  tag: 'Webhooks',
  summary: 'Create a webhook endpoint',
  description:
    'Creates an endpoint to which the events of the partner are delivered, and returns its secret, which no other operation returns. Needs the scope `webhooks.manage`. A partner can have 20.',
  policy: 'partner',
  body: newWebhookSettings.extend({
    secret: webhookSecret.optional(),
    after: z.string().max(64).optional().meta({ description: 'Cursor after which deliveries begin. Without it: with the next event.' }),
  }),
  answers: { 200: createdEndpoint },
  errors: [
    'WEBHOOK_URL_FORBIDDEN',
    'WEBHOOK_SECRET_INVALID',
    'WEBHOOK_ENDPOINT_LIMIT_REACHED',
    'EVENT_TYPE_UNKNOWN',
    'CURSOR_INVALID',
    'CURSOR_AHEAD',
    'EVENTS_ARCHIVED',
  ],
  handler: async ({ body: { contactEmail = '', secret: brought = '', after = '', ...body } }, { upstream, asCaller, requestKey }) => {
    requireKnownTypes(body.types);
    const request = { ...body, contactEmail, secret: brought, after, requestId: requestKey };
    const { endpoint, secret } = await webhooksOf(upstream).createWebhookEndpoint(request, asCaller);
    return { ...toWebhookEndpoint(endpoint), secret };
  },
});

export const listWebhookEndpoints = defineRoute({
  operationId: 'listWebhookEndpoints',
  method: 'get',
  path: '/webhook-endpoints',
  tag: 'Webhooks',
  summary: 'List webhook endpoints',
  description: 'Returns all endpoints of the partner, oldest first. Needs the scope `webhooks.read`.',
  policy: 'partner',
  answers: { 200: z.object({ data: z.array(webhookEndpoint) }) },
  errors: [],
  handler: async (_input, { upstream, asCaller }) => ({
    data: (await webhooksOf(upstream).listWebhookEndpoints({}, asCaller)).endpoints.map(toWebhookEndpoint),
  }),
});

export const getWebhookEndpoint = defineRoute({
  operationId: 'getWebhookEndpoint',
  method: 'get',
  path: '/webhook-endpoints/{endpointId}',
  tag: 'Webhooks',
  summary: 'Get a webhook endpoint',
  description: 'Needs the scope `webhooks.read`.',
  policy: 'partner',
  params: endpointParams,
  answers: { 200: webhookEndpoint },
  errors: ['WEBHOOK_ENDPOINT_NOT_FOUND'],
  handler: async ({ params }, { upstream, asCaller }) =>
    toWebhookEndpoint((await webhooksOf(upstream).getWebhookEndpoint(params, asCaller)).endpoint),
});

const NEW_FILTER = 'A new filter applies to events that have not been read for the endpoint yet. Needs the scope `webhooks.manage`.';

const changing = {
  path: '/webhook-endpoints/{endpointId}',
  tag: 'Webhooks',
  policy: 'partner',
  params: endpointParams,
  answers: { 200: webhookEndpoint },
  errors: ['WEBHOOK_ENDPOINT_NOT_FOUND', 'WEBHOOK_URL_FORBIDDEN', 'EVENT_TYPE_UNKNOWN'],
} as const;

type Changing = { params: { endpointId: string }; body: z.output<typeof changedWebhookSettings> };

const change = async ({ params, body }: Changing, { upstream, asCaller }: RouteCall<'partner'>) => {
  requireKnownTypes(body.types ?? []);
  return toWebhookEndpoint((await webhooksOf(upstream).updateWebhookEndpoint({ ...params, ...toWireSettings(body) }, asCaller)).endpoint);
};

export const setWebhookEndpoint = defineRoute({
  ...changing,
  operationId: 'setWebhookEndpoint',
  method: 'put',
  summary: 'Set the settings of a webhook endpoint',
  description: `Replaces all that you have set. ${NEW_FILTER}`,
  body: webhookSettings,
  handler: change,
});

export const updateWebhookEndpoint = defineRoute({
  ...changing,
  operationId: 'updateWebhookEndpoint',
  method: 'patch',
  summary: 'Change settings of a webhook endpoint',
  description: `Changes the given settings and keeps the others. ${NEW_FILTER}`,
  body: changedWebhookSettings,
  handler: change,
});

export const deleteWebhookEndpoint = defineRoute({
  operationId: 'deleteWebhookEndpoint',
  method: 'delete',
  path: '/webhook-endpoints/{endpointId}',
  tag: 'Webhooks',
  summary: 'Delete a webhook endpoint',
  description: 'An endpoint that does not exist is deleted already. Needs the scope `webhooks.manage`.',
  policy: 'partner',
  params: endpointParams,
  answers: { 200: z.object({ success: z.literal(true) }) },
  errors: [],
  handler: async ({ params }, { upstream, asCaller }) => {
    await webhooksOf(upstream).deleteWebhookEndpoint(params, asCaller);
    return { success: true as const };
  },
});

export const rotateWebhookSecret = defineRoute({
  operationId: 'rotateWebhookSecret',
  method: 'post',
  path: '/webhook-endpoints/{endpointId}/rotate-secret',
  tag: 'Webhooks',
  summary: 'Replace the secret of a webhook endpoint',
  description: 'Returns the new secret. For 24 hours deliveries are signed with both. Needs the scope `webhooks.manage`.',
  policy: 'partner',
  params: endpointParams,
  body: z.object({ secret: webhookSecret.optional() }).default({}),
  answers: { 200: createdEndpoint },
  errors: ['WEBHOOK_ENDPOINT_NOT_FOUND', 'WEBHOOK_SECRET_INVALID'],
  handler: async ({ params, body }, { upstream, asCaller, requestKey }) => {
    const request = { ...params, secret: body.secret ?? '', requestId: requestKey };
    const { endpoint, secret } = await webhooksOf(upstream).rotateWebhookSecret(request, asCaller);
    return { ...toWebhookEndpoint(endpoint), secret };
  },
});

export const enableWebhookEndpoint = defineRoute({
  operationId: 'enableWebhookEndpoint',
  method: 'post',
  path: '/webhook-endpoints/{endpointId}/enable',
  tag: 'Webhooks',
  summary: 'Enable a webhook endpoint',
  description: 'Deliveries go on with the first event that was not delivered. Needs the scope `webhooks.manage`.',
  policy: 'partner',
  params: endpointParams,
  answers: { 200: webhookEndpoint },
  errors: ['WEBHOOK_ENDPOINT_NOT_FOUND'],
  handler: async ({ params }, { upstream, asCaller }) =>
    toWebhookEndpoint((await webhooksOf(upstream).enableWebhookEndpoint(params, asCaller)).endpoint),
});

export const disableWebhookEndpoint = defineRoute({
  operationId: 'disableWebhookEndpoint',
  method: 'post',
  path: '/webhook-endpoints/{endpointId}/disable',
  tag: 'Webhooks',
  summary: 'Disable a webhook endpoint',
  description: 'Nothing is delivered until it is enabled; its place in the feed is kept. Needs the scope `webhooks.manage`.',
  policy: 'partner',
  params: endpointParams,
  answers: { 200: webhookEndpoint },
  errors: ['WEBHOOK_ENDPOINT_NOT_FOUND'],
  handler: async ({ params }, { upstream, asCaller }) =>
    toWebhookEndpoint((await webhooksOf(upstream).disableWebhookEndpoint(params, asCaller)).endpoint),
});

export const replayWebhookEvents = defineRoute({
  operationId: 'replayWebhookEvents',
  method: 'post',
  path: '/webhook-endpoints/{endpointId}/replay',
  tag: 'Webhooks',
  summary: 'Deliver events again',
  description: 'Delivers everything after a cursor again, in order. Needs the scope `webhooks.manage`.',
  policy: 'partner',
  params: endpointParams,
  body: z
    .object({ after: z.string().max(64).optional().meta({ description: 'Cursor. Without it: from the oldest event that is kept.' }) })
    .default({}),
  answers: { 200: webhookEndpoint },
  errors: ['WEBHOOK_ENDPOINT_NOT_FOUND', 'WEBHOOK_ORDER_LIMIT_REACHED', 'CURSOR_INVALID', 'CURSOR_AHEAD', 'EVENTS_ARCHIVED'],
  handler: async ({ params, body }, { upstream, asCaller, requestKey }) => {
    const { endpoint } = await webhooksOf(upstream).replayWebhookEvents(
      { ...params, after: body.after ?? '', requestId: requestKey },
      asCaller,
    );
    return toWebhookEndpoint(endpoint);
  },
});

const ordered = done
  .extend({ eventId: id.meta({ description: 'Id of the event, which its attempt carries' }) })
  .meta({ id: 'WebhookOrder' });

const place = z.int().min(1).max(999_999_999_999_999);

export const redeliverWebhookEvent = defineRoute({
  operationId: 'redeliverWebhookEvent',
  method: 'post',
  path: '/webhook-endpoints/{endpointId}/redeliver',
  tag: 'Webhooks',
  summary: 'Deliver one event again',
  description:
    'Makes one attempt, which the list of attempts shows. The event is named by `eventId` or `sequence`; the filter does not matter. Needs the scope `webhooks.manage`.',
  policy: 'partner',
  params: endpointParams,
  body: someOf(
    z.object({
      eventId: id.meta({ description: 'Id of the event' }),
      sequence: place.meta({ description: 'Place of the event in the feed; `eventId` takes precedence' }),
    }),
  ),
  answers: { 200: ordered },
  errors: [
    'WEBHOOK_ENDPOINT_NOT_FOUND',
    'WEBHOOK_ENDPOINT_DISABLED',
    'WEBHOOK_ORDER_LIMIT_REACHED',
    'CURSOR_AHEAD',
    'EVENT_NOT_FOUND',
    'EVENTS_ARCHIVED',
  ],
  handler: async ({ params, body }, { upstream, asCaller, requestKey }) => {
    const { eventId: named = '', sequence = 0 } = body;
    const request = { ...params, eventId: named, sequence: BigInt(named === '' ? sequence : 0), requestId: requestKey };
    const { eventId } = await webhooksOf(upstream).redeliverWebhookEvent(request, asCaller);
    return { success: true as const, eventId };
  },
});

export const sendTestWebhookEvent = defineRoute({
  operationId: 'sendTestWebhookEvent',
  method: 'post',
  path: '/webhook-endpoints/{endpointId}/test',
  tag: 'Webhooks',
  summary: 'Send a test event',
  description:
    'Makes one attempt to deliver an event `webhook.test` that is in no feed: its sequence is 0. Needs the scope `webhooks.manage`.',
  policy: 'partner',
  params: endpointParams,
  answers: { 200: ordered },
  errors: ['WEBHOOK_ENDPOINT_NOT_FOUND', 'WEBHOOK_ENDPOINT_DISABLED', 'WEBHOOK_ORDER_LIMIT_REACHED'],
  handler: async ({ params }, { upstream, asCaller, requestKey }) => {
    await webhooksOf(upstream).sendTestWebhookEvent({ ...params, requestId: requestKey }, asCaller);
    return { success: true as const, eventId: requestKey };
  },
});

export const listWebhookAttempts = defineRoute({
  operationId: 'listWebhookAttempts',
  method: 'get',
  path: '/webhook-endpoints/{endpointId}/attempts',
  tag: 'Webhooks',
  summary: 'List attempts to deliver',
  description: 'Returns the attempts of the last days, newest first. Needs the scope `webhooks.read`.',
  policy: 'partner',
  params: endpointParams,
  query: pageQuery.extend({
    sequence: z
      .string()
      .regex(/^[1-9]\d{0,14}$/, 'must be the place of an event')
      .optional()
      .meta({ description: 'Only attempts to deliver the event in this place' }),
    eventId: id.optional().meta({ description: 'Only attempts to deliver the event with this id' }),
  }),
  answers: { 200: z.object({ data: z.array(webhookAttempt), pagination }) },
  errors: ['WEBHOOK_ENDPOINT_NOT_FOUND'],
  handler: async ({ params, query }, { upstream, asCaller }) => {
    const { sequence, eventId = '', ...page } = query;
    const request = { ...params, ...toPageRequest(page), sequence: BigInt(sequence ?? 0), eventId };
    const { attempts, nextCursor } = await webhooksOf(upstream).listWebhookAttempts(request, asCaller);
    const next = nextCursor === '' ? null : nextCursor;
    return { data: attempts.map(toWebhookAttempt), pagination: { nextCursor: next, hasNext: next !== null } };
  },
});

const FRESH_SECONDS = 300;

const webhookKeys = z.object({
  keys: z.array(
    z.object({
      kty: z.literal('OKP'),
      crv: z.literal('Ed25519'),
      x: z.string(),
      kid: z.string().meta({ description: 'Thumbprint (RFC 7638)' }),
      use: z.literal('sig'),
      alg: z.literal('EdDSA'),
    }),
  ),
});

export const listWebhookKeys = defineRoute({
  operationId: 'listWebhookKeys',
  method: 'get',
  path: '/.well-known/webhooks/jwks.json',
  tag: 'Webhooks',
  summary: 'Get the keys of webhooks',
  description:
    'Returns the public keys that verify the signatures `v1a` of deliveries, as a JSON Web Key Set (RFC 7517), the newest first. They sign nothing else: those of access tokens are another set.',
  policy: 'public',
  publicForSeconds: FRESH_SECONDS,
  answers: { 200: webhookKeys },
  errors: [],
  handler: async (_input, { upstream }) => webhookKeys.parse(JSON.parse((await webhooksOf(upstream).listWebhookKeys({})).jwksJson)),
});
