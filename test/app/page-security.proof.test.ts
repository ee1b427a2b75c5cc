import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fakeClock } from '@florin/rpc/testing';
import type { BrowserContext, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { expectSoon } from '../support/in-browser.ts';
import { newWallet, siweMessage, type Wallet } from '../support/story.ts';
import { openApp } from './app-in-browser.ts';

const RUN_MS = 120_000;

const app = openApp({}, { clock: fakeClock() });

/** Runs the body of an async function in a page and returns its result. */
const run = <T>(page: Page, body: string, given: object = {}): Promise<T> =>
  page.evaluate<T>(`(async (given) => { ${body} })(${JSON.stringify(given)})`);

type Outcome = { status: number; body: { accessToken?: string; error?: string; success?: boolean } };

const OWN = { 'x-florin-app': '1' };

/** Calls an endpoint of the page's session once. */
const askOnce = (page: Page, method: string, path: string, body?: object): Promise<Outcome> =>
  run(
    page,
    `const { method, path, body, headers } = given;
     const content = body === undefined ? {} : { body: JSON.stringify(body) };
     const answer = await fetch(path, { method, headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) }, ...content });
     return { status: answer.status, body: await answer.json() };`,
    { method, path, body, headers: OWN },
  );

/** Calls an endpoint of the page's session as the app does: again where a busy machine takes longer than the gateway waits. */
const ask = async (page: Page, method: string, path: string): Promise<Outcome> => {
  const outcome = await askOnce(page, method, path);
  return outcome.body.error === 'UPSTREAM_TIMEOUT' ? ask(page, method, path) : outcome;
};

/** Again with a new message while a busy machine takes longer than the gateway waits. */
const signIn = async (page: Page, wallet: Wallet = newWallet()): Promise<Outcome> => {
  const message = await siweMessage(app.platform.api, wallet.address, new URL(app.url).host);
  const outcome = await askOnce(page, 'POST', '/app/session', { message, signature: await wallet.signMessage({ message }) });
  return outcome.body.error === 'UPSTREAM_TIMEOUT' ? signIn(page, wallet) : outcome;
};

const refresh = (page: Page): Promise<Outcome> => ask(page, 'POST', '/app/session/refresh');

/** Ends a visit whose problems were expected. The browser may report some of them late, but none after its pages are closed. */
const endWith = async ({ context, problems }: { context: BrowserContext; problems: string[] }): Promise<void> => {
  await context.close();
  problems.length = 0;
};

describe('a page of the app in Chromium', () => {
  it('runs under its policy', { timeout: RUN_MS }, async (test) => {
    const { page } = await app.visit(test);
    await page.waitForSelector('main');
    expect(await page.title()).not.toBe('');
  });

  it.for([
    [
      'a script in the page',
      "const script = document.createElement('script'); script.textContent = 'window.ran = true'; document.body.append(script);",
    ],
    ['markup from text', "document.body.innerHTML = '<p>hello</p>';"],
    ['code from text', "window.ran = new Function('return true')();"],
    ['a script of a data: URL', "await import('data:text/javascript,window.ran = true');"],
    [
      'a style in the page',
      "const style = document.createElement('style'); style.textContent = 'body { color: red }'; document.head.append(style); if (style.sheet?.cssRules.length) window.ran = true; else throw new Error();",
    ],
    ['a connection to another host', "await fetch('http://other.example/'); window.ran = true;"],
    ['a policy of its own', "trustedTypes.createPolicy('mine', {}); window.ran = true;"],
    [
      'a form that is sent',
      "const form = document.createElement('form'); form.action = 'http://other.example/'; document.body.append(form); form.submit(); await new Promise((resolve) => addEventListener('securitypolicyviolation', resolve, { once: true })); throw new Error();",
    ],
  ] as const)('cannot be made to run %s', { timeout: RUN_MS }, async ([, attack], test) => {
    const visit = await app.visit(test);
    const { page, problems } = visit;
    // The part that page.evaluate runs at once is not subject to the policy.
    const outcome = await run<string>(
      page,
      `await new Promise((resolve) => setTimeout(resolve));
       try { ${attack} } catch {}
       return window.ran === true ? 'ran' : 'did not run';`,
    );
    expect(outcome).toBe('did not run');
    await expect.poll(() => problems.some((problem) => problem.startsWith('policy: '))).toBe(true);
    await endWith(visit);
  });

  it('cannot be framed', { timeout: RUN_MS }, async (test) => {
    const visit = await app.visit(test);
    const { page, problems } = visit;
    const framing = createServer((_request, response) => {
      response.setHeader('content-type', 'text/html').end(`<!doctype html><iframe src="${app.url}"></iframe>`);
    });
    await new Promise<void>((resolve) => framing.listen(0, '127.0.0.1', resolve));
    await page.goto(`http://127.0.0.1:${(framing.address() as AddressInfo).port}/`);
    await expectSoon(() => problems.some((problem) => problem.includes('frame-ancestors'))).toBe(true);
    expect(page.frames().some((frame) => frame.url() === app.url)).toBe(false);
    framing.close();
    await endWith(visit);
  });
});

describe('the session of a page in Chromium', () => {
  it('goes on after a reload by a cookie that scripts cannot see, and ends with a logout', { timeout: RUN_MS }, async (test) => {
    const { page, context } = await app.visit(test);
    const signedIn = await signIn(page);
    expect(signedIn).toMatchObject({ status: 200, body: { accessToken: expect.any(String) } });
    expect(await page.evaluate<string>('document.cookie')).toBe('');
    expect(await context.cookies(`${app.url}/session`)).toMatchObject([
      { name: 'florin-session', httpOnly: true, sameSite: 'Strict', path: '/app/session' },
    ]);
    await page.reload();
    const refreshed = await refresh(page);
    expect(refreshed.status).toBe(200);
    const call = (token = '') =>
      run<number>(page, "return (await fetch('/auth/sessions', { headers: { authorization: 'Bearer ' + given.token } })).status;", {
        token,
      });
    expect(await call(refreshed.body.accessToken)).toBe(200);
    expect(await ask(page, 'DELETE', '/app/session')).toMatchObject({ status: 200, body: { success: true } });
    expect(await context.cookies(`${app.url}/session`)).toEqual([]);
    // The tokens of every tab are rejected at once.
    expect(await call(refreshed.body.accessToken)).toBe(401);
    expect(await refresh(page)).toMatchObject({ status: 401, body: { error: 'INVALID_REFRESH_TOKEN' } });
  });

  it('goes on in two tabs that refresh at once, again and again', { timeout: RUN_MS }, async (test) => {
    const { page, openTab } = await app.visit(test);
    const other = await openTab();
    await signIn(page);
    for (let round = 0; round < 5; round += 1) {
      const both = await Promise.all([refresh(page), refresh(other)]);
      expect(both.map(({ status }) => status)).toEqual([200, 200]);
    }
  });

  it('is over for a thief and the person when an old cookie is replayed', { timeout: RUN_MS }, async (test) => {
    const { page, context } = await app.visit(test);
    await signIn(page);
    const stolen = await context.cookies(`${app.url}/session`);
    expect((await refresh(page)).status).toBe(200);
    app.platform.clock.advanceSeconds(11);
    const thief = await app.visit(test);
    await thief.context.addCookies(stolen);
    expect(await refresh(thief.page)).toMatchObject({ status: 401, body: { error: 'REFRESH_TOKEN_REUSED' } });
    expect(await refresh(page)).toMatchObject({ status: 401, body: { error: 'INVALID_REFRESH_TOKEN' } });
  });

  it('is not used by another port of the host, which shares its cookies', { timeout: RUN_MS }, async (test) => {
    const visit = await app.visit(test);
    const { page, context } = visit;
    await signIn(page);
    const hostile = createServer((_request, response) => {
      response.setHeader('content-type', 'text/html').end('<!doctype html><title>hostile</title>');
    });
    await new Promise<void>((resolve) => hostile.listen(0, '127.0.0.1', resolve));
    const evil = await context.newPage();
    await evil.goto(`http://127.0.0.1:${(hostile.address() as AddressInfo).port}/`);
    const attempts = await run<string[]>(
      evil,
      `const attempt = (method, more) => fetch(given.url + (method === 'POST' ? '/session/refresh' : '/session'), { method, credentials: 'include', ...more })
         .then((answer) => 'read ' + answer.status, (error) => error.name);
       return [await attempt('POST', { headers: given.headers }), await attempt('POST', { mode: 'no-cors' }), await attempt('DELETE', {})];`,
      { url: app.url, headers: OWN },
    );
    expect(attempts).toEqual(['TypeError', 'TypeError', 'TypeError']);
    hostile.close();
    expect((await refresh(page)).status).toBe(200);
    await endWith(visit);
  });
});
