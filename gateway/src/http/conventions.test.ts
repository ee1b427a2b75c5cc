import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { CodedError } from '@florin/rpc/errors';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { BODY_LIMIT_BYTES } from '../config.ts';
import { allRoutes } from '../routes/index.ts';
import { CARD_ID, JWE, THUMBPRINT, WALLET } from '../testing/fake-records.ts';
import { startTestGateway, type TestGateway } from '../testing/start-gateway.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterEach(() => gateway.fakes.reset());
afterAll(() => gateway.close());

const CREDIT = { cardId: CARD_ID, amount: '1', currency: 'EUR', merchant: {} };

const simple = (error: string) => ({ success: false, error });
const validation = { kind: 'validation', success: false, error: { name: 'ValidationError', message: expect.any(String) } };

/** Sends raw bytes and reads the response until the connection closes. */
const sendRaw = (bytes: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(gateway.app.url).port), '127.0.0.1', () => socket.write(bytes));
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk.toString();
    });
    socket.on('error', reject);
    socket.on('close', () => resolve(text));
  });

describe('paths and methods', () => {
  it.each(['GET /nothing', 'POST /nothing', 'POST /user/', 'GET /USER', 'GET //elsewhere.example/', 'GET /foo%zz', 'GET /user/account/x'])(
    'returns 404 to %s',
    async (target) => {
      expect(await gateway.ask(target)).toMatchObject({ status: 404, body: simple('NOT_FOUND') });
    },
  );

  it.each([
    ['/', '/docs'],
    ['/docs/', '/docs'],
    ['/user/account/?x=1', '/user/account?x=1'],
  ])('leads from %s to %s', async (path, target) => {
    const { status, headers } = await gateway.ask(`GET ${path}`);
    expect([302, 308]).toContain(status);
    const location = headers.get('location') ?? '';
    expect(location).toMatch(/^(?:\.\.\/)?[^/]/);
    expect(new URL(location, new URL(gateway.app.url + path)).href).toBe(gateway.app.url + target);
  });

  it.each([
    ['PATCH /user', 'POST, GET, HEAD, DELETE'],
    ['PUT /phone', 'PATCH'],
    ['GET /auth/siwe', 'POST'],
    ['OPTIONS /cards', 'GET, HEAD'],
    ['POST /openapi.json', 'GET, HEAD'],
    ['POST /docs', 'GET, HEAD'],
  ])('returns 405 to %s', async (target, allow) => {
    const answer = await gateway.ask(target);
    expect(answer).toMatchObject({ status: 405, body: simple('METHOD_NOT_ALLOWED') });
    expect(answer.headers.get('allow')).toBe(allow);
  });

  it('responds to HEAD without a body', async () => {
    expect(await gateway.ask('HEAD /health/live')).toMatchObject({ status: 200, text: '' });
  });
});

describe('bodies', () => {
  const post = (options: Parameters<TestGateway['ask']>[1]) =>
    gateway.ask('POST /email-verification', { token: gateway.walletToken, ...options });

  it.each(['{', '{"email":}', 'null x', "{'email': 1}"])('returns 400 to %s', async (rawBody) => {
    expect(await post({ rawBody })).toMatchObject({ status: 400, body: simple('MALFORMED_BODY') });
  });

  it.each([
    '[]',
    '"text"',
    '5',
    'null',
    '{}',
    '{"email":5}',
    '{"email":"no"}',
    '{"email":["a@example.org"]}',
    '{"__proto__":{"email":"a@example.org"}}',
  ])('returns 422 to %s', async (rawBody) => {
    expect(await post({ rawBody })).toMatchObject({ status: 422, body: validation });
    expect(gateway.fakes.calls).toEqual([]);
  });

  it.each([
    ['an invalid byte', [0xff]],
    ['an overlong encoding', [0xc0, 0xaf]],
    ['a surrogate', [0xed, 0xa0, 0x80]],
    ['a truncated sequence', [0xe2, 0x82]],
  ])('returns 400 to invalid UTF-8: %s', async (_name, bytes) => {
    const rawBody = new Uint8Array(Buffer.concat([Buffer.from('{"email":"ann@example.org","x":"'), Buffer.from(bytes), Buffer.from('"}')]));
    expect(await post({ rawBody })).toMatchObject({ status: 400, body: simple('MALFORMED_BODY') });
    expect(gateway.fakes.calls).toEqual([]);
  });

  it('accepts UTF-8 beyond ASCII, and a byte order mark', async () => {
    const rawBody = '\ufeff{"cardName":"Café €"}';
    expect(await gateway.ask('POST /cards/virtual', { token: gateway.userToken, rawBody })).toMatchObject({ status: 200 });
  });

  it('returns 422 to a missing body', async () => {
    expect(await post({})).toMatchObject({ status: 422, body: validation });
  });

  it('returns 413 to a body over 64 KiB, and accepts one of 64 KiB', async () => {
    const exact = `{"email":"ann@example.org"}`.padEnd(BODY_LIMIT_BYTES);
    expect(await post({ rawBody: exact })).toMatchObject({ status: 200 });
    expect(await post({ rawBody: `${exact} ` })).toMatchObject({ status: 413, body: simple('PAYLOAD_TOO_LARGE') });
  });

  it.each([
    [{ 'content-type': '' }, '{}'],
    [{ 'content-type': 'text/plain' }, '{}'],
    [{ 'content-type': 'application/x-www-form-urlencoded' }, 'email=a'],
    [{ 'content-type': 'application/json; charset=iso-8859-1' }, '{}'],
    [{ 'content-type': 'application/json', 'content-encoding': 'gzip' }, new Uint8Array(gzipSync('{}'))],
    [{ 'content-type': 'application/json', 'content-encoding': 'nonsense' }, '{}'],
  ])('returns 415 to %j', async (headers, rawBody) => {
    const answer = await post({ headers: headers as Record<string, string>, rawBody });
    const compressed = 'content-encoding' in headers;
    expect(answer).toMatchObject({ status: 415, body: simple(compressed ? 'UNSUPPORTED_CONTENT_ENCODING' : 'UNSUPPORTED_MEDIA_TYPE') });
    expect(answer.headers.get('accept-encoding')).toBe(compressed ? 'identity' : null);
    expect(answer.headers.get('accept')).toBe(compressed ? null : 'application/json; charset=utf-8');
  });

  it('names every invalid field without its value', async () => {
    const answer = await gateway.ask('POST /user', { token: gateway.walletToken, body: { email: 'hunter2', otp: 77777, shareToken: '' } });
    expect(answer.text).toMatch(/email: .*; otp: .*; shareToken: /);
    expect(answer.text).not.toMatch(/hunter2|77777/);
  });

  it.each([
    ['GET /cards?limit=x', undefined, 'limit: must be a number'],
    ['GET /cards?limit=1.5', undefined, 'limit: must be an integer'],
    ['GET /cards?limit=0', undefined, 'limit: must be at least 1'],
    ['GET /cards?limit=101', undefined, 'limit: must be at most 100'],
    ['GET /cards?status=melted', undefined, 'status: must be one of active, frozen, lost, stolen, cancelled, expired'],
    [`GET /cards?cursor=${'x'.repeat(65)}`, undefined, 'cursor: must have at most 64 characters'],
    ['DELETE /auth/sessions/x', undefined, 'id: must be a UUID'],
    ['POST /cards/virtual', {}, 'cardName: is required'],
    ['POST /cards/virtual', { cardName: 5 }, 'cardName: must be a string'],
    ['POST /user/terms', { terms: [] }, 'terms: must not be empty'],
    ['POST /user/terms', { terms: [{ type: 'a' }] }, 'terms.0.version: is required'],
  ])('explains %s %j', async (target, body, message) => {
    const answer = await gateway.asUser(target, body);
    expect(answer).toMatchObject({ status: 422, body: { error: { message } } });
  });

  it('returns the field names of a service in the caller’s form', async () => {
    gateway.refuse('listCards', 'VALIDATION_FAILED', 'page.cursor: is not valid; card_name: is too long');
    const answer = await gateway.asUser('GET /cards?cursor=x');
    expect(answer.body).toMatchObject({ error: { message: 'cursor: is not valid; cardName: is too long' } });
  });

  it.each([
    [
      'PATCH',
      `/cards/${CARD_ID}/controls`,
      'setCardControls',
      { atm: true },
      'controls.countries.allow[0]: is unknown',
      'countries.allow.0: is unknown',
    ],
    [
      'POST',
      '/sandbox/credits',
      'credit',
      CREDIT,
      'event.card_id: is unknown; amount.amount: is too large',
      'cardId: is unknown; amount: is too large',
    ],
    ['POST', '/sandbox/credits', 'credit', CREDIT, 'merchant.category_code: is unknown', 'merchant.categoryCode: is unknown'],
  ])('returns the field names of %s %s as its request has them', async (method, path, rpc, body, problem, message) => {
    gateway.refuse(rpc, 'VALIDATION_FAILED', problem);
    expect((await gateway.asUser(`${method} ${path}`, body)).body).toMatchObject({ error: { message } });
  });

  it('returns the validation errors of a service in the validation shape', async () => {
    gateway.refuse('sendEmailCode', 'VALIDATION_FAILED', 'email: must have a mail server');
    expect(await post({ body: { email: 'ann@example.org' } })).toMatchObject({
      status: 422,
      body: { ...validation, error: { name: 'ValidationError', message: 'email: must have a mail server' } },
    });
  });
});

describe('unparsable requests', () => {
  it.each([
    ['not HTTP', 'hello\r\n\r\n', '400', 'MALFORMED_BODY'],
    ['headers that are too large', `GET / HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`, '413', 'PAYLOAD_TOO_LARGE'],
    [
      'two Content-Length headers',
      'POST /user HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n',
      '400',
      'MALFORMED_BODY',
    ],
    ['no host', 'GET /health/live HTTP/1.1\r\n\r\n', '400', 'MALFORMED_BODY'],
  ])('are rejected: %s', async (_name, bytes, status, code) => {
    const answer = await sendRaw(bytes);
    expect(answer).toContain(`HTTP/1.1 ${status} `);
    expect(answer).toMatch(/X-Request-Id: [0-9a-f-]{36}\r\n/);
    expect(answer).toContain(`Link: </errors#${code}>; rel="help"\r\n`);
    expect(answer).toContain(JSON.stringify(simple(code)));
  });

  it('do not include unknown expectations', async () => {
    const answer = await sendRaw('GET /health/live HTTP/1.1\r\nHost: a\r\nExpect: wonders\r\nConnection: close\r\n\r\n');
    expect(answer).toContain('HTTP/1.1 200 OK');
  });
});

describe('headers', () => {
  it('keep a well-formed request id, pass it to services, and replace any other', async () => {
    const answer = await gateway.ask('GET /cards', { token: gateway.userToken, headers: { 'x-request-id': 'req-1' } });
    expect(answer.headers.get('x-request-id')).toBe('req-1');
    expect(gateway.fakes.calls[0]?.requestId).toBe('req-1');
    for (const target of ['GET /cards', 'GET /nothing', 'PUT /phone']) {
      const other = await gateway.ask(target, { headers: { 'x-request-id': 'no spaces, please' } });
      expect(other.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    }
  });

  it('keep responses out of caches and reveal nothing about the server', async () => {
    const { headers } = await gateway.ask('GET /cards', { token: gateway.userToken });
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('etag')).toBeNull();
    expect(headers.get('x-powered-by')).toBeNull();
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('content-security-policy')).toContain("default-src 'none'");
  });
});

describe('unknown names', () => {
  const rejection = (message: string) => ({
    status: 422,
    body: { kind: 'validation', success: false, error: { name: 'ValidationError', message } },
  });

  it.each([
    ['PATCH /cards/{id}/limits', { dayly: { amount: '6000', currency: 'EUR' } }, 'dayly: is unknown, did you mean daily?'],
    [
      'PATCH /cards/{id}/limits',
      { daily: { amount: '1', currency: 'EUR', curency: 'EUR' } },
      'daily.curency: is unknown, did you mean currency?',
    ],
    ['PATCH /cards/{id}/controls', { atmm: false, zzz: 1 }, 'atmm: is unknown, did you mean atm?; zzz: is unknown'],
    ['PATCH /cards/{id}/controls', { countries: { alow: ['DE'] } }, 'countries.alow: is unknown, did you mean allow?'],
    ['PATCH /cards/{id}/controls', { 'Amount: 1.00; ': 1 }, 'a field: is unknown'],
    ['POST /webhook-endpoints/{id}/rotate-secret', { secrets: 'x' }, 'secrets: is unknown, did you mean secret?'],
    ['GET /cards/transactions?stauts=declined', undefined, 'stauts: is unknown, did you mean status?'],
    ['GET /user/account?x=1', undefined, 'x: is unknown'],
    [
      'POST /sandbox/3ds/challenges',
      { cardId: CARD_ID, amount: '1', currency: 'EUR', merchant: { name: 'x' } },
      'merchant.name: is unknown',
    ],
  ])('are rejected in %s', async (target, body, message) => {
    const token = target.includes('webhook') ? gateway.partnerToken : gateway.userToken;
    expect(await gateway.ask(target.replace('{id}', CARD_ID), { token, body })).toMatchObject(rejection(message));
    expect(gateway.fakes.calls.filter(({ rpc }) => rpc !== 'watchAllChallenges')).toEqual([]);
  });

  it.each([
    [`POST /sandbox/3ds/challenges/${CARD_ID}/confirm`, { decision: 'decline' }, 'decision: is unknown'],
    [`POST /cards/${CARD_ID}/cancel`, { reason: 'lost', 'a b': 1 }, 'reason: is unknown; a field: is unknown'],
    [`POST /cards/${CARD_ID}/unfreeze`, { approval: '0xab' }, 'approval: must be in the query'],
    [`DELETE /auth/sessions/${CARD_ID}`, ['x'], 'body: must be empty'],
    [`POST /kyc/session`, 'x=1', 'body: must be empty'],
  ])('are rejected in the body of %s, which has none', async (target, sent, message) => {
    const body = typeof sent === 'string' ? { rawBody: sent, headers: { 'content-type': 'text/plain' } } : { body: sent };
    expect(await gateway.ask(target, { token: gateway.userToken, ...body })).toMatchObject(rejection(message));
    expect(gateway.fakes.calls.filter(({ rpc }) => rpc !== 'watchAllChallenges')).toEqual([]);
  });

  it('are not there in an empty body, nor in an empty object, of operations without a body', async () => {
    for (const { method, path, body, policy, tag, webhook } of allRoutes) {
      const takesNone = method !== 'get' && body === undefined && webhook === undefined && !path.startsWith('/auth/log');
      if (!takesNone) continue;
      const target = `${method.toUpperCase()} ${path
        .replace('{address}', WALLET)
        .replace(/\{(?:clientId|subscriptionId)\}/, THUMBPRINT)
        .replace(/\{[^}]+\}/g, CARD_ID)}`;
      const token = policy === 'partner' || tag === 'Webhooks' ? gateway.partnerToken : gateway.userToken;
      for (const rawBody of [undefined, '', '{}']) {
        const answer = await gateway.ask(target, { token, ...(rawBody === undefined ? {} : { rawBody }) });
        expect(answer.status, `${target} ${answer.text}`).not.toBe(422);
      }
      expect(await gateway.ask(target, { token, body: { zzz: 1 } })).toMatchObject(rejection('zzz: is unknown'));
    }
  });

  it.each([
    ['POST /user', { email: 'a@example.com', otp: '123456', more: 1 }],
    ['POST /cards/virtual', { cardName: 'Groceries', more: 1 }],
    ['PATCH /phone', { phone: '+4915112345678', more: 1 }],
    [`POST /3ds/challenges/${CARD_ID}/decision-challenge`, { decision: 'approve', more: 1 }],
  ])('are ignored in the body of %s, as specified', async (target, body) => {
    const token = target === 'POST /user' ? gateway.walletToken : gateway.userToken;
    expect(await gateway.ask(target, { token, body })).toMatchObject({ status: 200 });
  });
});

describe('every error', () => {
  it.each([
    [{ reason: 'must begin with https://' }, 'must begin with https://'],
    [{ limit: '20', unheard: 'of' }, 'limit: 20'],
    [{ firstCursor: 'acme:5' }, 'firstCursor: acme:5'],
    [{ erasableFrom: '2026-12-24T00:00:00.000Z' }, 'erasableFrom: 2026-12-24T00:00:00.000Z'],
    [{ attemptsLeft: '0' }, 'attemptsLeft: 0'],
    [{ reason: 'a "quoted"\r\nline' }, undefined],
  ])('has the facts %j in the title of its link', async (metadata, title) => {
    gateway.fakes.stub('listWebhookEndpoints', () => {
      throw new CodedError('SERVICE_UNAVAILABLE', { metadata });
    });
    const { headers } = await gateway.ask('GET /webhook-endpoints', { token: gateway.partnerToken });
    const help = '</errors#SERVICE_UNAVAILABLE>; rel="help"';
    expect(headers.get('link')).toBe(title === undefined ? help : `${help}; title="${title}"`);
  });

  it('names the member of a sealed message that is wrong', async () => {
    gateway.fakes.stub('setPin', () => {
      throw new CodedError('SEALED_MESSAGE_INVALID', { metadata: { field: 'pin' } });
    });
    const { headers } = await gateway.asUser(`PUT /pci/cards/${CARD_ID}/pin`, { jwe: JWE, signature: '0xab' });
    expect(headers.get('link')).toBe('</errors#SEALED_MESSAGE_INVALID>; rel="help"; title="field: pin"');
  });

  it('names the limit that is above the maximum, and the maximum', async () => {
    gateway.fakes.stub('setCardLimits', () => {
      throw new CodedError('LIMIT_ABOVE_PROGRAM', { metadata: { field: 'perTransaction', limit: '500000' } });
    });
    const { headers } = await gateway.asUser(`PATCH /cards/${CARD_ID}/limits`, { perTransaction: { amount: '9000000', currency: 'EUR' } });
    expect(headers.get('link')).toBe('</errors#LIMIT_ABOVE_PROGRAM>; rel="help"; title="field: perTransaction; limit: 500000"');
  });

  it('states a time to wait only where a limit does', async () => {
    gateway.refuse('sendTestWebhookEvent', 'WEBHOOK_ORDER_LIMIT_REACHED');
    const { status, headers } = await gateway.ask(`POST /webhook-endpoints/${CARD_ID}/test`, { token: gateway.partnerToken });
    expect([status, headers.get('retry-after')]).toEqual([429, null]);
    expect(headers.get('ratelimit')).not.toContain('operation');
  });

  it('tells an object that does not exist from a path that does not', async () => {
    gateway.refuse('endSession', 'NOT_FOUND');
    const { status, headers } = await gateway.asUser(`DELETE /auth/sessions/${CARD_ID}`);
    expect([status, headers.get('link')]).toEqual([404, '</errors#NOT_FOUND>; rel="help"']);
  });

  it('links to its entry in the catalogue, which a browser reads as a page', async () => {
    const answer = await gateway.ask('GET /nothing');
    expect(answer.headers.get('link')).toBe('</errors#NOT_FOUND>; rel="help"; title="no operation has this path"');
    const page = await gateway.ask('GET /errors', { headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' } });
    expect([page.status, page.headers.get('location'), page.headers.get('vary')]).toEqual([
      302,
      'docs/errors',
      expect.stringContaining('Accept'),
    ]);
  });
});
