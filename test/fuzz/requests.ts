import { hostileOf, nearMissOf, type Resolve, type Schema, validOf } from '@florin/gateway/testing/arbitraries';
import fc from 'fast-check';
import type { Operation, Parameter } from './operations.ts';

/** How far the values of a request are from the document. */
type Quality = 'valid' | 'near' | 'hostile';

export type Caller = 'user' | 'wallet' | 'nobody' | 'garbage';

/** In the place of a path parameter: an object that the caller has. */
export const OWN = '{own}';

/** A request to an operation, before the caller's ids and tokens are filled in. */
export type FuzzRequest = {
  operation: Operation;
  quality: Quality;
  caller: Caller;
  /** By name; a query parameter that is absent is left out. */
  parameters: Record<string, unknown>;
  /** Sent as JSON; undefined for none. */
  body: unknown;
  /** Sent unchanged instead of `body`. */
  rawBody?: Uint8Array | undefined;
  headers: Record<string, string>;
};

const generate = (schema: Schema, quality: Quality, resolve: Resolve): fc.Arbitrary<unknown> => {
  if (quality === 'valid') return validOf(schema, resolve);
  return quality === 'near' ? nearMissOf(schema, resolve) : hostileOf();
};

const parameterOf = (parameter: Parameter, quality: Quality, resolve: Resolve): fc.Arbitrary<unknown> => {
  const value = generate(parameter.schema, quality, resolve);
  if (parameter.in === 'path') return fc.oneof({ weight: 3, arbitrary: fc.constant<unknown>(OWN) }, { weight: 1, arbitrary: value });
  return parameter.required ? value : fc.option(value, { nil: undefined });
};

/** Bodies that are not JSON objects in UTF-8. */
const RAW_BODIES = [
  '',
  '{',
  '[]',
  'null',
  '"\\ud800"',
  '{"a":1,"a":2}',
  `${'['.repeat(5000)}`,
  '{"__proto__":{"admin":true}}',
  '\ufeff{}',
].map((text) => Buffer.from(text));

const HEADERS: readonly Record<string, string>[] = [
  { 'content-type': 'text/plain' },
  { 'content-type': 'application/json; charset=utf-16' },
  { 'content-encoding': 'gzip' },
  { accept: 'text/csv' },
  { accept: 'image/png' },
  { 'x-request-id': 'a b' },
  { 'last-event-id': 'garbage' },
  { 'x-forwarded-for': '1.2.3.4, garbage' },
  { origin: 'https://evil.example' },
];

const requestOf = (operation: Operation, quality: Quality, resolve: Resolve): fc.Arbitrary<FuzzRequest> =>
  fc.record({
    operation: fc.constant(operation),
    quality: fc.constant(quality),
    caller: fc.oneof(
      { weight: quality === 'valid' ? 30 : 10, arbitrary: fc.constant<Caller>('user') },
      { weight: 1, arbitrary: fc.constantFrom<Caller>('wallet', 'nobody', 'garbage') },
    ),
    parameters: fc.record(
      Object.fromEntries(
        operation.parameters.filter((one) => one.in !== 'header').map((one) => [one.name, parameterOf(one, quality, resolve)]),
      ),
    ),
    body: operation.body === undefined ? fc.constant(undefined) : generate(operation.body, quality, resolve),
    rawBody:
      quality === 'hostile' && operation.body !== undefined
        ? fc.option(fc.oneof(fc.constantFrom(...RAW_BODIES), fc.uint8Array({ maxLength: 200 })), { nil: undefined, freq: 3 })
        : fc.constant(undefined),
    headers: fc
      .tuple(
        quality === 'hostile' ? fc.option(fc.constantFrom(...HEADERS), { nil: {} }) : fc.constant({}),
        fc.option(fc.constantFrom('a', 'b', 'c', '\u00e9'.repeat(3), 'k'.repeat(256)), { nil: undefined, freq: 4 }),
      )
      .map(([headers, key]) => ({ ...headers, ...(key === undefined || operation.method === 'GET' ? {} : { 'idempotency-key': key }) })),
  });

/** Requests to an operation: valid, nearly valid and hostile ones. */
export const requestsOf = (operation: Operation, resolve: Resolve): fc.Arbitrary<FuzzRequest> =>
  fc.constantFrom<Quality>('valid', 'valid', 'near', 'near', 'hostile').chain((quality) => requestOf(operation, quality, resolve));
