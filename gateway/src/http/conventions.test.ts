import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { CodedError } from '@florin/rpc/errors';
import { createLogger } from '@florin/rpc/observe';
import { waitFor } from '@florin/rpc/testing';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { BODY_LIMIT_BYTES } from '../config.ts';
import { USER_ID } from '../testing/fake-answers.ts';
import { askAt, startTestGateway, type TestGateway } from '../testing/start-gateway.ts';

let gateway: TestGateway;
const lines: string[] = [];

beforeAll(async () => {
  const logger = createLogger('gateway', 'debug', { write: (line: string) => lines.push(line) });
  gateway = await startTestGateway({ overrides: { logger } });
});
afterEach(() => gateway.fakes.reset());
afterAll(() => gateway.close());

const simple = (error: string) => ({ success: false, error });
const validation = { kind: 'validation', success: false, error: { name: 'ValidationError', message: expect.any(String) } };

/** Sends bytes as they are and reads the answer until the connection ends. */
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
  it.each(['GET /nothing', 'POST /nothing', 'GET /user/', 'GET /USER', 'GET /', 'GET /foo%zz', 'GET /user/account/x'])(
    '404: %s',
    async (target) => {
      expect(await gateway.ask(target)).toMatchObject({ status: 404, body: simple('NOT_FOUND') });
    },
  );

  it.each([
    ['DELETE /user', 'POST, GET, HEAD'],
    ['PUT /phone', 'PATCH'],
    ['GET /auth/siwe', 'POST'],
    ['OPTIONS /cards', 'GET, HEAD'],
    ['POST /openapi.json', 'GET, HEAD'],
    ['POST /docs', 'GET, HEAD'],
  ])('405: %s', async (target, allow) => {
    const answer = await gateway.ask(target);
    expect(answer).toMatchObject({ status: 405, body: simple('METHOD_NOT_ALLOWED') });
    expect(answer.headers.get('allow')).toBe(allow);
  });

  it('answers HEAD without a body', async () => {
    expect(await gateway.ask('HEAD /health/live')).toMatchObject({ status: 200, text: '' });
  });
});

describe('bodies', () => {
  const post = (options: Parameters<TestGateway['ask']>[1]) =>
    gateway.ask('POST /email-verification', { token: gateway.walletToken, ...options });

  it.each(['{', '{"email":}', 'null x', "{'email': 1}"])('400: %s', async (rawBody) => {
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
  ])('422: %s', async (rawBody) => {
    expect(await post({ rawBody })).toMatchObject({ status: 422, body: validation });
    expect(gateway.fakes.calls).toEqual([]);
  });

  it('422: no body at all', async () => {
    expect(await post({})).toMatchObject({ status: 422, body: validation });
  });

  it('413 over 64 KiB, 200 at 64 KiB', async () => {
    const start = '{"email":"ann@example.org","x":"';
    const exact = `${start}${'x'.repeat(BODY_LIMIT_BYTES - start.length - 2)}"}`;
    expect(await post({ rawBody: exact })).toMatchObject({ status: 200 });
    expect(await post({ rawBody: `${exact} ` })).toMatchObject({ status: 413, body: simple('PAYLOAD_TOO_LARGE') });
  });

  it.each([
    [{ 'content-type': 'text/plain' }, '{}'],
    [{ 'content-type': 'application/x-www-form-urlencoded' }, 'email=a'],
    [{ 'content-type': 'application/json; charset=iso-8859-1' }, '{}'],
    [{ 'content-type': 'application/json', 'content-encoding': 'gzip' }, new Uint8Array(gzipSync('{}'))],
    [{ 'content-type': 'application/json', 'content-encoding': 'nonsense' }, '{}'],
  ])('415: %j', async (headers, rawBody) => {
    expect(await post({ headers: headers as Record<string, string>, rawBody })).toMatchObject({
      status: 415,
      body: simple('UNSUPPORTED_MEDIA_TYPE'),
    });
  });

  it('ignores fields that it does not know', async () => {
    expect(await post({ body: { email: 'ann@example.org', admin: true } })).toMatchObject({ status: 200 });
  });

  it('names every wrong field and never the value', async () => {
    const answer = await gateway.ask('POST /user', { token: gateway.walletToken, body: { email: 'hunter2', otp: 77777, shareToken: '' } });
    expect(answer.text).toMatch(/email: .*; otp: .*; shareToken: /);
    expect(answer.text).not.toMatch(/hunter2|77777/);
  });

  it('passes on what a service finds wrong, in the validation shape', async () => {
    gateway.fakes.stub('sendEmailCode', () => {
      throw new CodedError('VALIDATION_FAILED', { message: 'email: has no mail server' });
    });
    expect(await post({ body: { email: 'ann@example.org' } })).toMatchObject({
      status: 422,
      body: { ...validation, error: { name: 'ValidationError', message: 'email: has no mail server' } },
    });
  });
});

describe('what Node itself cannot read', () => {
  it.each([
    ['no HTTP at all', 'hello\r\n\r\n', '400', 'MALFORMED_BODY'],
    ['endless headers', `GET / HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`, '413', 'PAYLOAD_TOO_LARGE'],
    ['two lengths', 'POST /user HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n', '400', 'MALFORMED_BODY'],
    ['no host', 'GET /health/live HTTP/1.1\r\n\r\n', '400', 'MALFORMED_BODY'],
  ])('%s', async (_name, bytes, status, code) => {
    const answer = await sendRaw(bytes);
    expect(answer).toContain(`HTTP/1.1 ${status} `);
    expect(answer).toMatch(/X-Request-Id: [0-9a-f-]{36}\r\n/);
    expect(answer).toContain(JSON.stringify(simple(code)));
  });

  it('takes no notice of unknown expectations', async () => {
    const answer = await sendRaw('GET /health/live HTTP/1.1\r\nHost: a\r\nExpect: wonders\r\nConnection: close\r\n\r\n');
    expect(answer).toContain('HTTP/1.1 200 OK');
  });
});

describe('headers', () => {
  it('takes over a sane request id, hands it to services, and makes one otherwise', async () => {
    const answer = await gateway.ask('GET /cards', { token: gateway.userToken, headers: { 'x-request-id': 'req-1' } });
    expect(answer.headers.get('x-request-id')).toBe('req-1');
    expect(gateway.fakes.calls[0]?.requestId).toBe('req-1');
    for (const target of ['GET /cards', 'GET /nothing', 'PUT /phone']) {
      const other = await gateway.ask(target, { headers: { 'x-request-id': 'no spaces, please' } });
      expect(other.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    }
  });

  it('keeps answers out of caches and says nothing about itself', async () => {
    const { headers } = await gateway.ask('GET /cards', { token: gateway.userToken });
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('etag')).toBeNull();
    expect(headers.get('x-powered-by')).toBeNull();
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('content-security-policy')).toContain("default-src 'none'");
  });
});

describe('faults', () => {
  it('shows nothing of the inside when a service crashes', async () => {
    gateway.fakes.stub('listCards', () => {
      throw new Error('password is swordfish at 10.0.0.1');
    });
    const answer = await gateway.ask('GET /cards', { token: gateway.userToken });
    expect([answer.status, answer.text]).toEqual([500, '{"success":false,"error":"INTERNAL_ERROR"}']);
  });

  it('shows nothing of the inside when an answer makes no sense', async () => {
    gateway.fakes.stub('listCards', () => ({ cards: [{ id: 'x', status: 99 }] }));
    expect(await gateway.ask('GET /cards', { token: gateway.userToken })).toMatchObject({ status: 500, body: simple('INTERNAL_ERROR') });
  });

  it('refuses, while answers are validated, a code that the document does not name', async () => {
    gateway.fakes.stub('listCards', () => {
      throw new CodedError('INSUFFICIENT_FUNDS');
    });
    expect(await gateway.ask('GET /cards', { token: gateway.userToken })).toMatchObject({ status: 500 });
    const lenient = await gateway.another({ VALIDATE_ANSWERS: 'false' });
    expect(await askAt(lenient.url, 'GET /cards', { token: gateway.userToken })).toMatchObject({
      status: 409,
      body: simple('INSUFFICIENT_FUNDS'),
    });
    await lenient.close();
  });

  it('answers 504 when a service passes the deadline on', async () => {
    gateway.fakes.stub('listCards', () => {
      throw new CodedError('UPSTREAM_TIMEOUT');
    });
    expect(await gateway.ask('GET /cards', { token: gateway.userToken })).toMatchObject({ status: 504, body: simple('UPSTREAM_TIMEOUT') });
  });

  it('answers 503 when a service is gone, and says which one', async () => {
    const other = await startTestGateway();
    await other.fakes.stop('card');
    expect(await other.ask('GET /cards', { token: other.userToken })).toMatchObject({ status: 503, body: simple('SERVICE_UNAVAILABLE') });
    expect(await other.ask('GET /health/ready')).toMatchObject({ status: 503, body: { status: 'unavailable', down: ['card'] } });
    expect(await other.ask('GET /health/live')).toMatchObject({ status: 200 });
    await other.close();
  });
});

describe('hanging up', () => {
  it('ends a read at the service, but never a mutation', async () => {
    const seen: Record<string, AbortSignal> = {};
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    for (const rpc of ['listCards', 'createVirtualCard']) {
      gateway.fakes.stub(rpc, async (_request, { signal }) => {
        seen[rpc] = signal;
        await held;
        return {};
      });
    }
    const open = (method: string, path: string) => {
      const request = httpRequest(`${gateway.app.url}${path}`, {
        method,
        headers: { authorization: `Bearer ${gateway.userToken}`, 'content-type': 'application/json' },
      });
      request.on('error', () => undefined);
      request.end(method === 'POST' ? '{"cardName":"x"}' : undefined);
      return request;
    };
    const requests = [open('GET', '/cards'), open('POST', '/cards/virtual')];
    await waitFor('both calls', async () => (Object.keys(seen).length === 2 ? true : undefined));
    for (const request of requests) request.destroy();
    await waitFor('the end of the read', async () => (seen['listCards']?.aborted === true ? true : undefined));
    expect(seen['createVirtualCard']?.aborted).toBe(false);
    release();
    await waitFor('both lines', async () => (lines.filter((line) => line.includes('"aborted":true')).length === 2 ? true : undefined));
  });
});

describe('access log', () => {
  it('has the pattern, the user and the id, and neither query, body nor token', async () => {
    lines.length = 0;
    await gateway.ask('GET /sandbox/outbox?to=ann@example.org', { headers: { 'x-request-id': 'log-1' } });
    await gateway.ask('POST /email-verification', { token: gateway.userToken, body: { email: 'ann@example.org' } });
    const access = await waitFor('two lines', async () => {
      const found = lines.map((line) => JSON.parse(line) as Record<string, unknown>).filter(({ msg }) => msg === 'request');
      return found.length === 2 ? found : undefined;
    });
    expect(access[0]).toMatchObject({ method: 'GET', route: '/sandbox/outbox', status: 200, requestId: 'log-1', ms: expect.any(Number) });
    expect(access[1]).toMatchObject({ method: 'POST', route: '/email-verification', userId: USER_ID });
    expect(lines.join()).not.toMatch(/ann@|example\.org|eyJ/);
  });
});

describe('stop', () => {
  it('lets a running request end', async () => {
    const other = await gateway.another();
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    gateway.fakes.stub('listCards', async () => {
      await held;
      return { cards: [] };
    });
    const answer = askAt(other.url, 'GET /cards', { token: gateway.userToken });
    await waitFor('the call', async () => (gateway.fakes.calls.length > 0 ? true : undefined));
    const closed = other.close();
    release();
    expect(await answer).toMatchObject({ status: 200, body: { data: [] } });
    await closed;
    await expect(fetch(other.url)).rejects.toThrow();
  });
});
