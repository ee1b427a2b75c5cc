import { EVENT_TYPES, eventTypeOf, isEventType } from '@florin/proto/events/v1/event-types';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { event } from '../schemas/event.ts';
import { eventData } from '../schemas/event-data.ts';
import { startTestGateway, type TestGateway } from '../testing/start-gateway.ts';
import { eventOfType } from './examples/event-of-type.ts';

type Webhook = {
  post: {
    summary: string;
    operationId: string;
    tags: string[];
    parameters: { name: string }[];
    requestBody: { content: { 'application/json': { schema: object; example: object } } };
  };
};
type Document = { tags: { name: string }[]; webhooks: Record<string, Webhook> };

const TYPES = Object.keys(EVENT_TYPES).filter(isEventType);
const DELIVERED = TYPES.filter((type) => !eventTypeOf(type).internal);

let gateway: TestGateway;
let document: Document;
let ajv: Ajv2020;
beforeAll(async () => {
  gateway = await startTestGateway();
  document = (await gateway.ask('GET /openapi.json')).body as Document;
  ajv = new Ajv2020({ strict: false, allErrors: true });
  (formats as unknown as (ajv: Ajv2020) => void)(ajv);
  ajv.addSchema({ $id: 'openapi', ...document });
});
afterAll(() => gateway.close());

describe('the webhooks of the document', () => {
  it('are the types of the catalogue that concern partners', () => {
    expect(Object.keys(document.webhooks)).toEqual([...DELIVERED, 'webhook.test', 'checkpoint']);
  });

  it('have the headers of Standard Webhooks', () => {
    for (const { post } of Object.values(document.webhooks)) {
      const names = post.parameters.map(({ name }) => name);
      expect(names).toEqual(['webhook-id', 'webhook-timestamp', 'webhook-signature']);
    }
  });

  it('have names of their own, and a tag that no operation has', () => {
    const ids = Object.values(document.webhooks).map(({ post }) => post.operationId);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.filter((id) => !/^deliver[A-Z][A-Za-z]+$/.test(id))).toEqual([]);
    const tags = new Set(document.tags.map(({ name }) => name));
    expect(Object.values(document.webhooks).flatMap(({ post }) => post.tags.filter((tag) => tags.has(tag)))).toEqual([]);
  });

  it.each(DELIVERED)('have an example of %s that its schema accepts, and no other type has', (type) => {
    const { schema, example } = document.webhooks[type]?.post.requestBody.content['application/json'] ?? expect.fail('no webhook');
    const validate = ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"openapi#/')) as object);
    expect(validate(example), ajv.errorsText(validate.errors)).toBe(true);
    expect(validate({ ...example, type: 'user.imagined' })).toBe(false);
    expect(validate({ ...example, data: 'settled' })).toBe(false);
    expect(validate({ ...example, endpointId: undefined })).toBe(false);
    const [field] = Object.keys(eventTypeOf(type).fields);
    expect(validate({ ...example, data: { [field ?? '']: { not: 'a value' } } })).toBe(false);
  });
});

describe('the deliveries that are not in the feed', () => {
  it.each(['webhook.test', 'checkpoint'])('have an example of %s that its schema accepts', (type) => {
    const { schema, example } = document.webhooks[type]?.post.requestBody.content['application/json'] ?? expect.fail('no webhook');
    const validate = ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"openapi#/')) as object);
    expect(validate(example), ajv.errorsText(validate.errors)).toBe(true);
    expect(validate({ ...example, endpointId: undefined })).toBe(false);
    expect(validate({ ...example, sequence: type === 'checkpoint' ? '1' : 1 })).toBe(false);
  });
});

describe('the examples of events', () => {
  it.each(TYPES)('show every field of %s, in the form of the catalogue', (type) => {
    const example = eventOfType(type);
    expect(event.safeParse(example).error).toBeUndefined();
    expect(eventData(type).safeParse(example.data).error).toBeUndefined();
    // Of some fields, not every example of the kind has a value.
    const fields = Object.keys(eventTypeOf(type).fields).filter(
      (field) => !['decision', 'reason', 'relatedPaymentId', 'acquirerReference'].includes(field),
    );
    expect(Object.keys(example.data)).toEqual(expect.arrayContaining(fields));
  });
});
