import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CARD_ID } from '../testing/fake-records.ts';
import { startTestGateway, type TestGateway } from '../testing/start-gateway.ts';

type Operation = { requestBody: { content: Record<string, { schema: object }> }; parameters?: { name: string; schema: object }[] };
type Document = { paths: Record<string, Record<string, Operation>> };

let gateway: TestGateway;
let document: Document;
beforeAll(async () => {
  gateway = await startTestGateway();
  document = (await gateway.ask('GET /openapi.json')).body as Document;
});
afterAll(() => gateway.close());

/** Whether the document accepts a body. */
const accepts = (method: string, path: string, body: unknown): boolean => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema({ ...document, $id: 'doc' });
  const schema = document.paths[path]?.[method.toLowerCase()]?.requestBody.content['application/json']?.schema;
  return ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"doc#/')) as object)(body);
};

const payment = (merchant: object) => ({ cardId: CARD_ID, amount: '1', currency: 'EUR', merchant });

describe('the document and the validator', () => {
  it.each([
    ['PATCH', '/phone', {}, false],
    ['PATCH', '/phone', { code: '12345' }, false],
    ['PATCH', '/phone', { code: '123456' }, true],
    ['PATCH', '/phone', { phone: '+4915112345678' }, true],
    ['POST', '/sandbox/3ds/challenges', payment({ country: 'CHE' }), false],
    ['POST', '/sandbox/3ds/challenges', payment({ country: 'CH' }), true],
    ['POST', '/sandbox/3ds/challenges', payment({ categoryCode: '594' }), false],
    ['POST', '/sandbox/3ds/challenges', payment({ displayName: 'x'.repeat(41) }), false],
    ['POST', '/cards/virtual', { cardName: '' }, false],
    ['POST', '/cards/virtual', { cardName: 'x'.repeat(27) }, false],
    ['POST', '/cards/virtual', { cardName: 'x'.repeat(26) }, true],
    ['POST', '/user/terms', { terms: [] }, false],
    ['POST', '/auth/siwe', { message: 'm', signature: '0xabc' }, false],
  ])('agree on %s %s %j', async (method, path, body, valid) => {
    expect(accepts(method, path, body)).toBe(valid);
    const { status } = await gateway.asUser(`${method} ${path}`, body);
    expect(status).toBe(valid ? 200 : 422);
  });

  it('state the limits of paging', () => {
    const parameters = document.paths['/cards']?.['get']?.parameters ?? [];
    const schemaOf = (name: string) => parameters.find((parameter) => parameter.name === name)?.schema;
    expect(schemaOf('cursor')).toMatchObject({ type: 'string', maxLength: 64 });
    expect(schemaOf('limit')).toMatchObject({ type: 'integer', minimum: 1, maximum: 100, default: 50 });
  });
});
