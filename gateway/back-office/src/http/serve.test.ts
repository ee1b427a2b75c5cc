import { request } from 'node:http';
import { brotliCompressSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PERMISSIONS, permissionsOf, ROLES, STEP_UP_PERMISSIONS } from '../contract/index.ts';
import type { Dependencies } from '../routes/dependencies.ts';
import { endpointsOf } from '../routes/index.ts';
import { type BackOffice, createWorld, ORIGIN, type World } from '../testing/world.ts';
import { createPages } from './pages.ts';
import { createRequestLimits } from './request-limits.ts';

const SCRIPT = Buffer.from("document.title = 'Back office';\n".repeat(20));
const pages = createPages({
  page: '<!doctype html><title>Back office</title>',
  files: new Map([['assets/index-1a2b.js', { type: 'text/javascript; charset=utf-8', plain: SCRIPT, br: brotliCompressSync(SCRIPT) }]]),
});

let world: World;
let office: BackOffice;
beforeAll(async () => {
  world = await createWorld();
  office = await world.start({ pages });
});
afterAll(() => world.close());

/** Declarations only: nothing is called. */
const endpoints = endpointsOf({} as Dependencies);
const asId = (path: string): string => path.replace(/\{\w+\}/g, '01890a5d-ac96-774b-bcce-b302099a8057');

describe('every operation', () => {
  it('has one declaration', () => {
    const names = endpoints.map(({ method, path }) => `${method} ${path}`);
    expect(new Set(names).size).toBe(names.length);
  });

  it('is denied without a session unless it is a sign-in', async () => {
    const browser = office.newBrowser();
    const [open, guarded] = [endpoints.filter(({ access }) => access === 'public'), endpoints.filter(({ access }) => access !== 'public')];
    for (const { path } of open) expect(path).toMatch(/^\/(?:api\/)?(?:sign-in|enrolment)/);
    const statuses = await Promise.all(
      guarded.map(async ({ method, path }) => [path, (await browser.ask(`${method} ${asId(path)}`)).status]),
    );
    expect(statuses).toEqual(guarded.map(({ path }) => [path, 401]));
  });

  it.each(ROLES)('is denied to the role %s unless the table allows it', async (role) => {
    const { ask } = await office.operator(role);
    const allowed = permissionsOf([role]);
    const guarded = endpoints.flatMap(({ method, path, access }) =>
      access === 'public' || access === 'session' ? [] : [{ method, path, access }],
    );
    // All at once: each is recorded in the audit log, which takes many records with one write.
    const denials = await Promise.all(
      guarded.map(async ({ method, path, access }) => {
        const { status, body } = await ask(`${method} ${asId(path)}`);
        return [path, status === 403 && body['message'] === `the operator has no role with the permission ${access}`];
      }),
    );
    expect(denials).toEqual(guarded.map(({ path, access }) => [path, !allowed.includes(access)]));
  });

  it('that moves money needs a confirmation by passkey', async () => {
    const own = await createWorld();
    const process = await own.start();
    const { ask } = await process.operator(...ROLES);
    own.clock.advanceSeconds(301);
    const moving = endpoints.filter(({ method, access }) => method !== 'GET' && STEP_UP_PERMISSIONS.some((one) => one === access));
    const errors = await Promise.all(moving.map(async ({ method, path }) => [path, (await ask(`${method} ${asId(path)}`)).body['error']]));
    expect(errors).toEqual(moving.map(({ path }) => [path, 'REAUTHENTICATION_REQUIRED']));
    await own.close();
  });

  it('has a known permission', () => {
    for (const { access } of endpoints) expect(['public', 'session', ...PERMISSIONS]).toContain(access);
  });
});

describe('a request', () => {
  it('gets its id in the answer, in every error, and in a header', async () => {
    const { headers, status, body } = await office.newBrowser().ask('GET /api/session', { headers: { 'x-request-id': 'my-request' } });
    expect([status, headers.get('x-request-id')]).toEqual([401, 'my-request']);
    expect(body).toEqual({ error: 'UNAUTHORIZED', message: 'there is no session: sign in', requestId: 'my-request' });
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('content-security-policy')).toContain("default-src 'none'");
  });

  it.each([
    ['GET /api/nothing', 404, 'NOT_FOUND'],
    ['GET /api', 404, 'NOT_FOUND'],
    ['GET /assets/missing.js', 404, 'NOT_FOUND'],
    ['POST /people', 405, 'METHOD_NOT_ALLOWED'],
    ['DELETE /api/sign-in', 405, 'METHOD_NOT_ALLOWED'],
    ['GET //example.org', 404, 'NOT_FOUND'],
  ])('%s is answered with %i %s', async (target, status, error) => {
    expect(await office.newBrowser().ask(target)).toMatchObject({ status, body: { error } });
  });

  it('with a body that is too large, or no JSON, is refused', async () => {
    const post = (body: string) =>
      fetch(`${office.app.url}/api/enrolment/options`, {
        method: 'POST',
        headers: { origin: 'http://localhost:8090', 'content-type': 'application/json' },
        body,
      });
    expect((await post('{')).status).toBe(400);
    expect((await post(JSON.stringify({ token: 'x'.repeat(70_000) }))).status).toBe(413);
  });

  it('is decided when it has arrived whole: a slow body outlives no session', async () => {
    const admin = await office.operator('admin');
    const leaving = await office.operator('admin');
    const body = JSON.stringify({ email: 'friend@example.org', roles: ['admin'], reason: 'one for the road' });
    const slow = request(`${office.app.url}/api/operators/invitations`, {
      method: 'POST',
      headers: {
        origin: ORIGIN,
        cookie: [...leaving.cookies].map((pair) => pair.join('=')).join(),
        'content-type': 'application/json',
        'content-length': body.length,
      },
    });
    const answered = new Promise<number | undefined>((resolve, reject) => {
      slow.on('response', ({ statusCode }) => resolve(statusCode)).on('error', reject);
    });
    slow.write(body.slice(0, 10));
    const disabled = await admin.ask(`POST /api/operators/${leaving.id}/disable`, { body: { reason: 'has left the company' } });
    expect(disabled.status).toBe(200);
    slow.end(body.slice(10));
    expect(await answered).toBe(401);
  });

  it('is limited by address, sign-ins more than others', () => {
    let now = 0;
    const take = createRequestLimits(() => now, { general: 3, 'sign-in': 1 });
    take('sign-in', '2001:db8:1:2::1');
    expect(() => take('sign-in', '2001:db8:1:2:ffff::9')).toThrow('RATE_LIMITED');
    take('sign-in', 'a');
    expect(() => take('sign-in', 'a')).toThrow('RATE_LIMITED');
    take('sign-in', 'b');
    for (let count = 0; count < 3; count += 1) take('general', 'a');
    expect(() => take('general', 'a')).toThrow('RATE_LIMITED');
    now = 60_000;
    take('general', 'a');
  });

  it('stays limited while ten thousand other addresses come, whose counts make room for each other', () => {
    const take = createRequestLimits(() => 0, { general: 3, 'sign-in': 2 });
    for (let count = 0; count < 2; count += 1) take('sign-in', 'guessing');
    for (let other = 0; other < 10_100; other += 1) take('sign-in', `other-${other}`);
    expect(() => take('sign-in', 'guessing')).toThrow('RATE_LIMITED');
    take('sign-in', 'other-10099');
  });
});

describe('the pages', () => {
  it.each(['/', '/enrol', '/people/01890a5d-ac96-774b-bcce-b302099a8057'])('are at %s, with a strict policy', async (path) => {
    const response = await fetch(`${office.app.url}${path}`);
    expect(await response.text()).toContain('<title>Back office</title>');
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(response.headers.get('content-security-policy')).toContain("require-trusted-types-for 'script'");
    expect(response.headers.get('permissions-policy')).toContain('publickey-credentials-get=(self)');
  });

  it('have files with a hash, which caches keep, as the browser takes them', async () => {
    for (const [accepted, coding] of [
      ['br', 'br'],
      ['br;q=0', null],
    ] as const) {
      const response = await fetch(`${office.app.url}/assets/index-1a2b.js`, { headers: { 'accept-encoding': accepted } });
      expect(response.headers.get('content-encoding')).toBe(coding);
      expect(await response.text()).toBe(SCRIPT.toString());
      expect(response.headers.get('cache-control')).toContain('immutable');
    }
  });
});
