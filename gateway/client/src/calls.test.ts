import { describe, expect, expectTypeOf, it } from 'vitest';
import { type ClientOptions, createClient, FlorinError, isFlorinError } from './index.ts';
import { type Behave, failure, inTurn, json, scriptedFetch } from './testing.ts';

const open = (behave: Behave, options: Partial<ClientOptions> = {}) => {
  const { fetch, seen } = scriptedFetch(behave);
  return { client: createClient({ url: 'http://gateway/', token: 'token', retryPauseMs: 1, fetch, ...options }), seen };
};

const CREATED = { cardId: '01890a5d-ac96-774b-bcce-b302099a8002' };
const down: Behave = () => {
  throw new TypeError('fetch failed');
};
const created: Behave = () => json(200, CREATED);

describe('a call', () => {
  it('sends the token, an id and a key, and returns the body', async () => {
    const { client, seen } = open(created);
    expect(await client.cards.createVirtualCard({ cardName: 'Everyday' })).toEqual(CREATED);
    expect(seen).toMatchObject([{ method: 'POST', url: 'http://gateway/cards/virtual', body: { cardName: 'Everyday' } }]);
    const headers = Object.fromEntries(seen[0]?.headers ?? []);
    expect(headers).toMatchObject({ authorization: 'Bearer token', 'content-type': 'application/json' });
    expect(headers['x-request-id']).toMatch(/^[0-9a-f]{32}$/);
    expect(headers['idempotency-key']).toMatch(/^[0-9a-f]{32}$/);
  });

  it('without a caller sends neither token nor key', async () => {
    const { client, seen } = open(() => json(200, { terms: [] }));
    await client.terms.listTerms();
    expect(seen[0]?.headers.has('authorization')).toBe(false);
    expect(seen[0]?.headers.has('idempotency-key')).toBe(false);
  });

  it('keeps its key and id over its attempts, and takes others for the next call', async () => {
    const { client, seen } = open(inTurn(down, () => failure(503, 'SERVICE_UNAVAILABLE'), created));
    await client.cards.createVirtualCard({ cardName: 'Everyday' });
    await client.cards.createVirtualCard({ cardName: 'Everyday' });
    const keys = seen.map(({ headers }) => headers.get('idempotency-key'));
    expect(keys).toHaveLength(4);
    expect(new Set(keys.slice(0, 3)).size).toBe(1);
    expect(keys[3]).not.toBe(keys[0]);
    expect(new Set(seen.map(({ headers }) => headers.get('x-request-id'))).size).toBe(2);
  });

  it('sends the key that it is given', async () => {
    const { client, seen } = open(created);
    await client.cards.createVirtualCard({ cardName: 'Everyday' }, { idempotencyKey: 'mine' });
    expect(seen[0]?.headers.get('idempotency-key')).toBe('mine');
  });

  it('rejects an input that would change the path, without a request', async () => {
    const { client, seen } = open(created);
    await expect(client.cards.freezeCard({ cardId: '..' })).rejects.toBeInstanceOf(TypeError);
    expect(seen).toEqual([]);
  });
});

describe('an error', () => {
  it('has the code, status and request of the response', async () => {
    const { client } = open(() => failure(422, 'PHONE_REQUIRED', { 'x-request-id': 'r-1' }));
    const outcome = await client.cards.createVirtualCard({ cardName: 'Everyday' }).result();
    if (outcome.ok) expect.fail('the call succeeded');
    expect(outcome.error).toMatchObject({
      code: 'PHONE_REQUIRED',
      status: 422,
      requestId: 'r-1',
      operation: 'cards.createVirtualCard',
      fields: {},
    });
    expectTypeOf(outcome.error.code).extract<'PHONE_REQUIRED' | 'NETWORK_ERROR'>().toEqualTypeOf<'PHONE_REQUIRED' | 'NETWORK_ERROR'>();
    expectTypeOf(outcome.error.code).extract<'INVALID_OTP'>().toBeNever();
  });

  it.each([
    [
      {
        'www-authenticate':
          'Bearer error="insufficient_scope", error_description="the scope webhooks.read is missing", scope="webhooks.read"',
      },
      'the scope webhooks.read is missing',
    ],
    [{ link: '</errors#X>; rel="help"; title="must begin with https://"' }, 'must begin with https://'],
  ])('says why, as the headers %j do', async (headers, reason) => {
    const { client } = open(() => failure(403, 'FORBIDDEN', headers as Record<string, string>));
    const outcome = await client.cards.createVirtualCard({ cardName: 'Everyday' }).result();
    expect(outcome).toMatchObject({ ok: false, error: { code: 'FORBIDDEN', message: expect.stringContaining(`(${reason})`), fields: {} } });
  });

  it('of a validation names the fields', async () => {
    const message = 'cardName: must not be empty; phone: must be a phone number in E.164 format';
    const { client } = open(() => json(422, { kind: 'validation', success: false, error: { name: 'ValidationError', message } }));
    const error = await client.cards.createVirtualCard({ cardName: '' }).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({
      code: 'VALIDATION_FAILED',
      fields: { cardName: 'must not be empty', phone: 'must be a phone number in E.164 format' },
    });
  });

  it.each([
    ['a page', () => new Response('<html>', { status: 200 }), { code: 'UNEXPECTED_RESPONSE', status: 200 }],
    ['an error page', () => new Response('<html>', { status: 500 }), { code: 'UNEXPECTED_RESPONSE', status: 500 }],
    ['a lost connection', down, { code: 'NETWORK_ERROR', status: 0 }],
  ] as const)('of %s has a code of the client, and the id that was sent', async (_name, behave, expected) => {
    const { client, seen } = open(behave, { retries: 0 });
    const error: unknown = await client.user.getUser().catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ ...expected, requestId: seen[0]?.headers.get('x-request-id') });
  });

  it('is recognized by its code', () => {
    const error = new FlorinError('CARD_NOT_FOUND', { status: 404, requestId: 'r', operation: 'cards.getCard' });
    expect([isFlorinError(error), isFlorinError(error, 'CARD_NOT_FOUND'), isFlorinError(error, 'INVALID_OTP')]).toEqual([
      true,
      true,
      false,
    ]);
    expect(isFlorinError(new TypeError())).toBe(false);
  });
});

describe('an attempt is repeated', () => {
  it.each([
    ['lost', down],
    ['answered 502 by a proxy', () => new Response('', { status: 502 })],
    ['answered 503', () => failure(503, 'SERVICE_UNAVAILABLE')],
    ['answered 504', () => failure(504, 'UPSTREAM_TIMEOUT')],
    ['answered 429 with Retry-After', () => failure(429, 'RATE_LIMITED', { 'retry-after': '0' })],
    ['still running', () => failure(409, 'IDEMPOTENCY_IN_PROGRESS')],
  ] as const)('when it is %s', async (_name, behave) => {
    const { client, seen } = open(inTurn(behave, created));
    expect(await client.cards.createVirtualCard({ cardName: 'Everyday' })).toEqual(CREATED);
    expect(seen).toHaveLength(2);
  });

  it.each([
    ['500', 500, 'INTERNAL_ERROR', {}],
    ['a rejection', 409, 'CARD_LIMIT_REACHED', {}],
    ['429 without Retry-After', 429, 'RATE_LIMITED', {}],
    ['a long Retry-After', 429, 'RATE_LIMITED', { 'retry-after': '11' }],
    ['a long Retry-After of a call that is still running', 409, 'IDEMPOTENCY_IN_PROGRESS', { 'retry-after': '99999999' }],
  ] as const)('but not after %s', async (_name, status, code, headers) => {
    const { client, seen } = open(() => failure(status, code, headers));
    await expect(client.cards.createVirtualCard({ cardName: 'Everyday' })).rejects.toMatchObject({ code });
    expect(seen).toHaveLength(1);
  });

  it('at most as often as allowed', async () => {
    const { client, seen } = open(down);
    await expect(client.user.getUser()).rejects.toMatchObject({ code: 'NETWORK_ERROR' });
    expect(seen).toHaveLength(4);
  });

  it('only if the platform does not do the work twice: a sign-in has no key', async () => {
    const { client, seen } = open(down);
    await expect(client.auth.signIn({ message: 'm', signature: '0x' })).rejects.toMatchObject({ code: 'NETWORK_ERROR' });
    expect(seen).toHaveLength(1);
  });

  it('after its time is over', async () => {
    const silent: Behave = (_seen, { signal }) =>
      new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal.reason), { once: true }));
    const { client, seen } = open(silent, { timeoutMs: 5, retries: 1 });
    await expect(client.user.getUser()).rejects.toMatchObject({ code: 'TIMEOUT' });
    expect(seen).toHaveLength(2);
  });

  it('until the caller gives up', async () => {
    const controller = new AbortController();
    const { client, seen } = open(
      () => {
        controller.abort(new Error('enough'));
        return failure(503, 'SERVICE_UNAVAILABLE');
      },
      { retryPauseMs: 60_000 },
    );
    await expect(client.user.getUser({}, { signal: controller.signal })).rejects.toThrow('enough');
    await expect(client.user.getUser({}, { signal: controller.signal }).result()).rejects.toThrow('enough');
    expect(seen).toHaveLength(1);
  });
});

describe('a list', () => {
  const behave: Behave = ({ url }) => {
    const cursor = new URL(url).searchParams.get('cursor');
    if (cursor === null) return json(200, { data: [1, 2], pagination: { nextCursor: 'b', hasNext: true } });
    return json(200, { data: [3], pagination: { nextCursor: null, hasNext: false } });
  };

  it('is a page, and all its rows', async () => {
    const { client, seen } = open(behave);
    expect((await client.cards.listCards({ limit: 2 })).data).toEqual([1, 2]);
    expect(seen).toHaveLength(1);
    expect(await Array.fromAsync(client.cards.listCards({ limit: 2 }))).toEqual([1, 2, 3]);
    expect(seen.slice(1).map(({ url }) => url)).toEqual(['http://gateway/cards?limit=2', 'http://gateway/cards?limit=2&cursor=b']);
    expect(await Array.fromAsync(client.cards.listCards({}).pages(), ({ data }) => data.length)).toEqual([2, 1]);
  });

  it('of events goes on at the cursor', async () => {
    const { client } = open(({ url }) => json(200, { data: [url], cursor: 'acme:1', hasMore: !url.includes('after'), checkpoint: {} }));
    expect(await Array.fromAsync(client.events.listUserEvents())).toEqual([
      'http://gateway/user/events',
      'http://gateway/user/events?after=acme%3A1',
    ]);
  });

  it('as a table is text', async () => {
    const { client, seen } = open(() => new Response('date,amount\r\n'));
    expect(await client.userMovements.listStatementCsv({ from: '2026-01-01' })).toBe('date,amount\r\n');
    expect(seen[0]?.headers.get('accept')).toBe('text/csv');
  });
});
