import { gzipSync } from 'node:zlib';
import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import { CardService, GetCardRequestSchema, GetCardResponseSchema } from '@florin/proto/card/v1/card_service';
import fc from 'fast-check';
import { request } from 'undici';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAuthenticator, createServiceTokenVerifier, createUserTokenVerifier } from '../auth/index.ts';
import { CodedError, ERRORS, type ErrorCode } from '../errors/index.ts';
import { createTestAuthority, implementPart, quietLogger } from '../testing/index.ts';
import { testContract } from '../testing/test-contract.ts';
import { pause } from '../time.ts';
import { createStreamSlots, STREAM_LIMITS } from './call-slots.ts';
import { connectHandler, pathOf } from './connect-handler.ts';
import { type Listener, listen, serviceMethod } from './index.ts';
import { describeError } from './protocol-errors.ts';
import { unaryHandler } from './serve-unary.ts';

const SCOPE = 'card.cards.read';
const DESC = CardService.method.getCard;
const HELD_MS = 300;

const authority = await createTestAuthority({ threeds: [SCOPE], other: [] });
const authenticate = createAuthenticator({
  user: createUserTokenVerifier(authority.userKeys, () => new Date()),
  revoked: { check: () => undefined },
  service: createServiceTokenVerifier('card', authority.trust),
});

/** The card id of the request selects the outcome. */
const service = implementPart(testContract(CardService, { getCard: { access: 'service', scope: SCOPE } }), {
  getCard: serviceMethod(async ({ cardId }, { caller }) => {
    if (cardId in ERRORS) {
      throw new CodedError(cardId as ErrorCode, { message: 'Grüße', metadata: { fact: 'ü', retryAfterSeconds: '7' } });
    }
    if (cardId === 'fault') throw new Error('secret');
    if (cardId === 'large') return { card: { id: 'x'.repeat(300_000) } };
    if (cardId === 'too large') return { card: { id: 'x'.repeat(5_000_000) } };
    if (cardId === 'held') await pause(HELD_MS);
    return { card: { id: cardId, name: caller.name } };
  }),
});
const methods = service.unary({
  authenticate,
  logger: quietLogger,
  closing: new AbortController().signal,
  streams: createStreamSlots(STREAM_LIMITS),
  cutAfterMs: 5000,
  recordRefusal: async () => undefined,
});
const getCard = methods.find(({ desc }) => desc.name === 'GetCard') ?? expect.fail();

let ours: Listener;
let connects: Listener;
const tokens: Record<string, string | undefined> = {};
beforeAll(async () => {
  const reporting = { logger: quietLogger, describe: describeError };
  ours = await listen(unaryHandler(DESC, getCard.begin, reporting), { host: '127.0.0.1', port: 0 });
  const handler = connectHandler({ unary: methods, streams: [], register: () => undefined, documents: () => false, ...reporting });
  connects = await listen(handler, { host: '127.0.0.1', port: 0 });
  tokens['good'] = `Bearer ${await authority.serviceToken('threeds', 'card', [SCOPE])}`;
  tokens['scopeless'] = `Bearer ${await authority.serviceToken('other', 'card', [SCOPE])}`;
  tokens['garbage'] = 'Bearer a.b.c';
});
afterAll(() => Promise.all([ours.close(0), connects.close(0)]));

const encode = (cardId: string): Uint8Array => toBinary(GetCardRequestSchema, create(GetCardRequestSchema, { cardId }));

type Ask = { body: Uint8Array; headers?: Record<string, string> };

const IGNORED = new Set(['date', 'connection', 'keep-alive', 'transfer-encoding']);

/** Makes a call and returns all that a client can see of its response. */
const ask = async ({ url }: Listener, { body, headers = {} }: Ask) => {
  const response = await request(`${url}${pathOf(DESC)}`, {
    method: 'POST',
    body,
    headers: {
      'content-type': 'application/proto',
      'x-request-id': 'r-1',
      ...(tokens['good'] === undefined ? {} : { authorization: tokens['good'] }),
      ...headers,
    },
  });
  const bytes = Buffer.from(await response.body.arrayBuffer());
  const received = Object.fromEntries(Object.entries(response.headers).filter(([name]) => !IGNORED.has(name)));
  const isJson = received['content-type'] === 'application/json';
  return {
    status: response.statusCode,
    headers: received,
    body: isJson ? (JSON.parse(bytes.toString()) as unknown) : bytes.toString('latin1'),
  };
};

const expectSame = async (call: Ask) => {
  const [mine, theirs] = await Promise.all([ask(ours, call), ask(connects, call)]);
  expect(mine).toEqual(theirs);
  return mine;
};

describe('a binary unary call', () => {
  it('returns the message', async () => {
    const { status, headers, body } = await expectSame({ body: encode('c-1') });
    expect(status).toBe(200);
    expect(headers).toMatchObject({ 'content-type': 'application/proto', 'x-request-id': 'r-1' });
    const bytes = Buffer.from(String(body), 'latin1');
    expect(fromBinary(GetCardResponseSchema, bytes).card).toMatchObject({ id: 'c-1', name: 'threeds' });
  });

  it.each(Object.keys(ERRORS))('returns %s as Connect does', async (code) => {
    const { status, body } = await expectSame({ body: encode(code) });
    expect(status).toBeGreaterThanOrEqual(400);
    expect(JSON.stringify(body)).toContain(`"reason":"${code}"`);
  });

  it.each([
    ['a fault', { body: encode('fault') }, 500],
    ['a response that is too large', { body: encode('too large') }, 429],
    ['a large response that the caller accepts compressed', { body: encode('large'), headers: { 'accept-encoding': 'br, gzip' } }, 200],
    ['a large response', { body: encode('large') }, 200],
    ['a compressed request', { body: gzipSync(encode('c')), headers: { 'content-encoding': 'gzip' } }, 200],
    ['a compressed request for a large response', { body: gzipSync(encode('large')), headers: { 'content-encoding': 'gzip' } }, 200],
    ['a request that is not compressed as it says', { body: encode('c'), headers: { 'content-encoding': 'gzip' } }, 400],
    ['a request that inflates above the limit', { body: gzipSync(Buffer.alloc(16_000_000)), headers: { 'content-encoding': 'gzip' } }, 429],
    ['an unknown compression', { body: encode('c'), headers: { 'content-encoding': 'br' } }, 501],
    ['a body that is no message', { body: Buffer.from([0xff, 0xff]) }, 500],
    ['a deadline that is met', { body: encode('c'), headers: { 'connect-timeout-ms': '60000' } }, 200],
    ['a deadline that passes', { body: encode('held'), headers: { 'connect-timeout-ms': '20' } }, 504],
    ['a deadline of nothing', { body: encode('held'), headers: { 'connect-timeout-ms': '0' } }, 504],
    ['a malformed deadline', { body: encode('c'), headers: { 'connect-timeout-ms': '1s' } }, 400],
    ['a deadline above the maximum', { body: encode('c'), headers: { 'connect-timeout-ms': '60001' } }, 400],
    ['no token', { body: encode('c'), headers: { authorization: '' } }, 401],
  ] as const)('handles %s as Connect does', async (_what, call, status) => {
    expect((await expectSame(call)).status).toBe(status);
  });

  it('rejects a message above the limit', async () => {
    const call = { body: Buffer.alloc(1024 * 1024 + 1) };
    const [mine, theirs] = [await ask(ours, call), await ask(connects, call)];
    expect(mine.status).toBe(429);
    expect(mine.status).toBe(theirs.status);
    expect(mine.body).toMatchObject({ code: 'resource_exhausted' });
  });

  it('gives the same responses as Connect to arbitrary calls', async () => {
    const bodies = fc.oneof(
      fc.uint8Array({ maxLength: 64 }),
      fc.string({ maxLength: 20 }).map(encode),
      fc.constantFrom(...Object.keys(ERRORS)).map(encode),
      fc.string({ maxLength: 20 }).map((text) => gzipSync(encode(text))),
    );
    const headers = fc.record(
      {
        authorization: fc.constantFrom('good', 'scopeless', 'garbage').map((name) => tokens[name] ?? ''),
        'content-encoding': fc.constantFrom('gzip', 'identity', 'br', 'GZIP'),
        'accept-encoding': fc.constantFrom('gzip', 'br', 'br,gzip', 'identity', '*'),
        'connect-timeout-ms': fc.oneof(fc.integer({ min: 5000, max: 70_000 }).map(String), fc.constantFrom('', '-1', '1e3', '99999999999')),
        'connect-protocol-version': fc.constantFrom('1', '2', ''),
        'content-type': fc.constantFrom('application/proto', 'Application/Proto'),
      },
      { requiredKeys: [] },
    );
    await fc.assert(
      fc.asyncProperty(bodies, headers, async (body, given) => {
        await expectSame({ body, headers: given as Record<string, string> });
      }),
      { numRuns: 300 },
    );
  });
});
