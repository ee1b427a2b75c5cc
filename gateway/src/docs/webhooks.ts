import { EVENT_TYPES, eventTypeOf, isEventType } from '@florin/proto/events/v1/event-types';
import { z } from 'zod';
import type { ZodOpenApiComponentsObject, ZodOpenApiPathsObject } from 'zod-openapi';
import { eventData } from '../schemas/event-data.ts';
import { eventOfType } from './examples/event-of-type.ts';

const header = (name: string, description: string, pattern: string) => ({
  name,
  in: 'header' as const,
  required: true,
  description,
  schema: { type: 'string' as const, pattern },
});

/** The headers of a delivery (Standard Webhooks), as `components.parameters`. */
export const WEBHOOK_HEADERS = {
  WebhookId: header('webhook-id', 'Id of the delivery; its repeats have the same one.', '^[\\x21-\\x2d\\x2f-\\x7e]+$'),
  WebhookTimestamp: header('webhook-timestamp', 'When the attempt began, in seconds since 1970.', '^[0-9]+$'),
  WebhookSignature: header(
    'webhook-signature',
    'Signatures of `<webhook-id>.<webhook-timestamp>.<body>`, separated by spaces: `v1,` and the base64 form of HMAC-SHA256 with a secret of the endpoint, `v1a,` and that of Ed25519 with a published key.',
    '^v1a?,',
  ),
} satisfies ZodOpenApiComponentsObject['parameters'];

const parameters = Object.keys(WEBHOOK_HEADERS).map((name) => ({ $ref: `#/components/parameters/${name}` }));

const responses = {
  '2XX': { description: 'Received. Any other status, and none within the time limit, cause another attempt.' },
  '410': { description: 'Nobody receives here any more: the endpoint is disabled.' },
};

/** The deliveries to endpoints: one entry per type of events that concerns a partner, from the catalogue. */
export const createWebhooks = (): ZodOpenApiPathsObject => {
  const types = Object.keys(EVENT_TYPES).filter(isEventType);
  return Object.fromEntries(
    types.flatMap((type) => {
      const { description, internal } = eventTypeOf(type);
      if (internal) return [];
      const { $schema: _$schema, ...data } = z.toJSONSchema(eventData(type), { io: 'input' });
      const of = { type: 'object' as const, properties: { type: { const: type }, data }, required: ['type', 'data'] };
      const schema = { allOf: [{ $ref: '#/components/schemas/Event' }, of] };
      const requestBody = { required: true, content: { 'application/json': { schema, example: eventOfType(type) } } };
      return [[type, { post: { tags: ['Events'], summary: description, security: [], parameters, requestBody, responses } }]];
    }),
  ) as ZodOpenApiPathsObject;
};
