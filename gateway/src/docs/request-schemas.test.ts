import { scaled } from '@florin/rpc/testing/scaled';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { allRoutes } from '../routes/index.ts';
import { hostileOf, nearMissOf, type Resolve, type Schema, validOf } from '../testing/arbitraries.ts';
import { CARD_ID } from '../testing/fake-records.ts';
import { startTestGateway, type TestGateway } from '../testing/start-gateway.ts';

type Operation = {
  requestBody?: { content: Record<string, { schema: Schema }> };
  parameters?: { name: string; in: string; required?: boolean; schema: Schema }[];
};
type Document = { paths: Record<string, Record<string, Operation>>; components: { schemas: Record<string, Schema> } };

let gateway: TestGateway;
let document: Document;
beforeAll(async () => {
  gateway = await startTestGateway();
  // With the exact patterns, in the place of those that programs in other languages understand.
  const text = JSON.stringify((await gateway.ask('GET /openapi.json')).body);
  document = JSON.parse(text.replaceAll('"x-pattern":', '"pattern":')) as Document;
});
afterAll(() => gateway.close());

/** Makes predicates of the document's schemas. The document is read once for all of them. */
const openPredicates = ({
  validateFormats,
}: {
  validateFormats: boolean;
}): ((schema: Schema | undefined) => (value: unknown) => boolean) => {
  let ajv: Ajv2020 | undefined;
  return (schema) => {
    if (ajv === undefined) {
      ajv = new Ajv2020({ strict: false, validateFormats });
      if (validateFormats) (addFormats as unknown as (ajv: Ajv2020) => void)(ajv);
      ajv.addSchema({ ...document, $id: 'doc' });
    }
    return ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"doc#/')) as object);
  };
};
const predicateOf = openPredicates({ validateFormats: true });
const shapeOf = openPredicates({ validateFormats: false });

/** Returns true if the document accepts a body, in which formats are not checked. */
const accepts = (method: string, path: string, body: unknown): boolean =>
  shapeOf(document.paths[path]?.[method.toLowerCase()]?.requestBody?.content['application/json']?.schema)(body);

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

const resolve: Resolve = (reference) => document.components.schemas[reference.split('/').at(-1) ?? ''] ?? {};

const RUNS = scaled(200);

/** The document and the validator accept the same values, of generated ones that are valid, nearly valid and hostile. */
const expectAgreement = (name: string, schema: Schema, isAccepted: (value: unknown) => boolean) => {
  const isDocumented = predicateOf(schema);
  const seen = { accepted: 0, rejected: 0 };
  const values = fc.oneof(validOf(schema, resolve), nearMissOf(schema, resolve), hostileOf());
  const agree = (value: unknown) => {
    // A lone surrogate has no form in UTF-8, so it cannot be sent; JSON Schema cannot exclude it.
    fc.pre(JSON.stringify(value)?.match(/\\ud[89a-f]/i) == null);
    const documented = isDocumented(value);
    seen[documented ? 'accepted' : 'rejected'] += 1;
    expect([name, value, isAccepted(value)]).toEqual([name, value, documented]);
  };
  fc.assert(fc.property(values, agree), { numRuns: RUNS, seed: 20_260_101 });
  expect(seen.accepted, name).toBeGreaterThan(RUNS / 20);
  expect(seen.rejected, name).toBeGreaterThan(RUNS / 20);
};

describe('every schema of the document', () => {
  const withBody = allRoutes.filter(({ body }) => body !== undefined);
  const withParameters = allRoutes.filter(({ params, query }) => params !== undefined || query !== undefined);

  it.each(withBody.map((route) => [route.operationId, route] as const))(
    'is the validator of the body of %s',
    (name, { body, method, path }) => {
      const schema = document.paths[path]?.[method]?.requestBody?.content['application/json']?.schema ?? {};
      expectAgreement(name, schema, (value) => body?.safeParse(value).success === true);
    },
  );

  it.each(withParameters.map((route) => [route.operationId, route] as const))('is the validator of the parameters of %s', (name, route) => {
    const declared = { ...route.params?.shape, ...route.query?.shape } as Record<
      string,
      { safeParse: (value: unknown) => { success: boolean } }
    >;
    const parameters = (document.paths[route.path]?.[route.method]?.parameters ?? []).filter((one) => ['path', 'query'].includes(one.in));
    expect(parameters.map((one) => one.name).sort()).toEqual(Object.keys(declared).sort());
    for (const { name: field, schema } of parameters) {
      const isAccepted = (value: unknown) => declared[field]?.safeParse(value).success === true;
      // Only texts arrive: of a number its digits, which are the only texts that mean a number.
      const asSent =
        schema.type === 'integer' ? (value: unknown) => isAccepted(typeof value === 'number' ? String(value) : {}) : isAccepted;
      expectAgreement(`${name} ${field}`, schema, asSent);
    }
  });
});
