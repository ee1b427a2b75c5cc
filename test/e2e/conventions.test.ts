import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { decodeJwt, SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectCode, expectValidation } from '../support/expect-answer.ts';
import { type PlatformInProcess, startPlatformInProcess } from '../support/platform-in-process.ts';
import { type Person, registerPerson } from '../support/story.ts';

let platform: PlatformInProcess;
let person: Person;
beforeAll(async () => {
  platform = await startPlatformInProcess();
  person = await registerPerson(platform.api);
});
afterAll(() => platform?.close());

const HEADER = { alg: 'EdDSA', typ: 'at+jwt' };
const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

describe('tokens', () => {
  const forged = async (name: string): Promise<string> => {
    const claims = decodeJwt(person.token);
    const foreign = generateKeyPairSync('ed25519').privateKey;
    const [header, , signature] = person.token.split('.');
    const sign = (payload: object, key = foreign) => new SignJWT({ ...payload }).setProtectedHeader({ ...HEADER, kid: '1' }).sign(key);
    switch (name) {
      case 'alg none':
        return `${encode({ alg: 'none', typ: 'at+jwt' })}.${encode(claims)}.`;
      case 'wrong key':
        return sign(claims);
      case 'HMAC with a known secret':
        return new SignJWT(claims).setProtectedHeader({ alg: 'HS256', typ: 'at+jwt' }).sign(new TextEncoder().encode('x'.repeat(32)));
      case 'changed payload':
        return `${header}.${encode({ ...claims, uid: randomUUID() })}.${signature}`;
      default:
        return name;
    }
  };

  it.each(['alg none', 'wrong key', 'HMAC with a known secret', 'changed payload', 'garbage', 'a.b.c', ''])('reject: %s', async (name) => {
    const answer = await platform.api.request('GET', '/user', { headers: { authorization: `Bearer ${await forged(name)}` } });
    expectCode(answer, 401, 'UNAUTHORIZED');
    expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer/);
  });

  it('reject an expired token', async () => {
    const other = await registerPerson(platform.api);
    platform.clock.advanceSeconds(901);
    expectCode(await platform.api.request('GET', '/user', { token: other.token }), 401, 'UNAUTHORIZED');
    person = await registerPerson(platform.api);
  });
});

describe('error shapes', () => {
  it('are 404 for unknown routes and 405 with Allow for unknown methods', async () => {
    expectCode(await platform.api.request('GET', '/nowhere'), 404, 'NOT_FOUND');
    const answer = await platform.api.request('DELETE', '/user/account');
    expectCode(answer, 405, 'METHOD_NOT_ALLOWED');
    expect(answer.headers.get('allow')).toContain('GET');
  });

  it('are 400 for unparsable bodies, 413 for oversized ones and 415 for other media types; nothing is stored', async () => {
    const post = (rawBody: string, headers: Record<string, string> = {}) =>
      platform.api.request('POST', '/cards/virtual', { token: person.token, rawBody, headers });
    expectCode(await post('{"cardName":'), 400, 'MALFORMED_BODY');
    expectCode(await post(JSON.stringify({ cardName: 'x', filler: 'x'.repeat(70_000) })), 413, 'PAYLOAD_TOO_LARGE');
    expectCode(await post('<card/>', { 'content-type': 'application/xml' }), 415, 'UNSUPPORTED_MEDIA_TYPE');
    for (const body of ['[]', '"text"', '5', 'null']) expectValidation(await post(body), 'body');
    expect((await platform.api.as(person.token).cards.listCards()).data).toEqual([]);
  });

  it('reveal no internals', async () => {
    for (const { body, status } of platform.answers.filter((answer) => answer.status >= 400)) {
      expect(JSON.stringify(body), String(status)).not.toMatch(/ at .*\.ts|node_modules|mongo|redis|ECONN|stack/i);
    }
  });
});

describe('headers', () => {
  it('pass on a valid request id and replace an invalid one', async () => {
    const requestWithId = (id: string) => platform.api.request('GET', '/user', { token: person.token, headers: { 'x-request-id': id } });
    expect((await requestWithId('abc-123')).headers.get('x-request-id')).toBe('abc-123');
    expect((await requestWithId('a b{}')).headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('forbid caching of responses that require a token', async () => {
    const answer = await platform.api.request('GET', '/user', { token: person.token });
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.headers.get('x-powered-by')).toBeNull();
  });
});

describe('health', () => {
  it('reports live and ready', async () => {
    expect((await platform.api.request('GET', '/health/live')).status).toBe(200);
    expect((await platform.api.request('GET', '/health/ready')).status).toBe(200);
  });
});

describe('GET /openapi.json', () => {
  it('describes the ten specified operations and those that the demo uses', () => {
    expect(platform.document).toMatchObject({ openapi: '3.1.0', info: { title: 'User Service' } });
    const operations = Object.entries(platform.document.paths).flatMap(([path, item]) =>
      Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(operations).toEqual(
      expect.arrayContaining([
        'GET /3ds/challenges/{challengeId}',
        'POST /3ds/challenges/{challengeId}/decision',
        'POST /3ds/challenges/{challengeId}/decision-challenge',
        'POST /user',
        'PATCH /phone',
        'POST /cards/virtual',
        'GET /user/account',
        'GET /user/balances/v2',
        'GET /user/deposits',
        'GET /user/withdrawals',
        'GET /auth/siwe/{address}',
        'POST /auth/siwe',
        'POST /auth/refresh',
        'GET /.well-known/jwks.json',
        'POST /email-verification',
        'POST /phone/verification',
        'GET /user',
        'GET /cards',
        'GET /health/live',
        'GET /health/ready',
        'GET /sandbox/outbox',
        'POST /sandbox/deposits',
        'POST /sandbox/withdrawals',
        'POST /sandbox/3ds/challenges',
      ]),
    );
  });

  it('has been checked against every response above', () => {
    expect(platform.seen.get('GET /user 200')).toBeGreaterThan(0);
    expect(platform.seen.get('GET /user 401')).toBeGreaterThan(0);
  });
});
