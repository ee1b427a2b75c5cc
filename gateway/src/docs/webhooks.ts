import { EVENT_TYPES, eventTypeOf, isEventType } from '@florin/proto/events/v1/event-types';
import { z } from 'zod';
import type { ZodOpenApiPathsObject } from 'zod-openapi';
import { eventData } from '../schemas/event-data.ts';
import { eventOfType } from './examples/event-of-type.ts';
import { ENDPOINT_ID, TIME } from './examples/example.ts';

/** The body of a delivery that tries an endpoint. */
const testDelivery = {
  id: '01890a5d-ac96-774b-bcce-b302099a8021',
  type: 'webhook.test',
  timestamp: TIME,
  subject: `webhook_endpoint/${ENDPOINT_ID}`,
  sequence: 0,
  previousSequence: 0,
  subjectSequence: 0,
  endpointId: ENDPOINT_ID,
  data: {},
};

/** The body of a delivery that says where the feed ends. */
const checkpointDelivery = { type: 'checkpoint', timestamp: TIME, sequence: 1042, previousSequence: 1038, endpointId: ENDPOINT_ID };

const header = (name: string, description: string, pattern: string) => ({
  name,
  in: 'header' as const,
  required: true,
  description,
  schema: { type: 'string' as const, pattern },
});

/** The headers of a delivery (Standard Webhooks). Not components: generators drop those that only webhooks refer to. */
const HEADERS = [
  header('webhook-id', 'Id of the delivery; its repeats have the same one.', '^[\\x21-\\x2d\\x2f-\\x7e]+$'),
  header('webhook-timestamp', 'When the attempt began, in seconds since 1970.', '^[0-9]+$'),
  header(
    'webhook-signature',
    'Signatures of `<webhook-id>.<webhook-timestamp>.<body>`, separated by spaces: `v1,` and the base64 form of HMAC-SHA256 with a secret of the endpoint, `v1a,` and that of Ed25519 with a published key.',
    '^v1a?,',
  ),
];

const responses = {
  '2XX': { description: 'Received. Any other status, and none within the time limit, cause another attempt.' },
  '410': { description: 'Nobody receives here any more: the endpoint is disabled.' },
};

const EVENT = { $ref: '#/components/schemas/Event' };
const CHECKPOINT = { $ref: '#/components/schemas/EventCheckpoint' };

const endpointId = {
  type: 'string' as const,
  format: 'uuid',
  description: 'Endpoint that the delivery is for. Compare it with your own: the published keys sign the deliveries to all endpoints.',
};

/** Not a tag of the operations: generators of clients write a file for each tag, and those of the deliveries would replace the file of the calls. */
const TAG = 'Webhook Deliveries';

/** `payment.cleared` is `deliverPaymentCleared`. */
const operationIdOf = (type: string): string =>
  `deliver${type.replace(/(?:^|[._])([a-z])/g, (_match, letter: string) => letter.toUpperCase())}`;

/** A delivery of one type: what `base` has, its type and its endpoint. */
const delivery = (type: string, summary: string, base: object, properties: object, example: object) => {
  const required = ['type', 'endpointId', ...Object.keys(properties)];
  const of = { type: 'object' as const, properties: { type: { const: type }, endpointId, ...properties }, required };
  const requestBody = { required: true, content: { 'application/json': { schema: { allOf: [base, of] }, example } } };
  return { post: { operationId: operationIdOf(type), tags: [TAG], summary, security: [], parameters: HEADERS, requestBody, responses } };
};

/** The deliveries to endpoints: one entry per type of events that concerns a partner, from the catalogue, and those that are not events of the feed. */
export const createWebhooks = (): ZodOpenApiPathsObject => {
  const types = Object.keys(EVENT_TYPES).filter(isEventType);
  const events = Object.fromEntries(
    types.flatMap((type) => {
      const { description, internal } = eventTypeOf(type);
      if (internal) return [];
      const { $schema: _$schema, ...data } = z.toJSONSchema(eventData(type), { io: 'input' });
      const example = { ...eventOfType(type), endpointId: ENDPOINT_ID };
      return [[type, delivery(type, description, EVENT, { data }, example)]];
    }),
  );
  return {
    ...events,
    'webhook.test': delivery(
      'webhook.test',
      'A test event: its sequence is 0, because it is not in the feed',
      EVENT,
      { sequence: { const: 0 } },
      testDelivery,
    ),
    checkpoint: delivery(
      'checkpoint',
      'The place where the feed ends, to an endpoint that has everything',
      CHECKPOINT,
      {},
      checkpointDelivery,
    ),
  } as ZodOpenApiPathsObject;
};
