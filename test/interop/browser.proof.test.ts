import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { type Hex, hexToString, isHex } from 'viem';
import { afterAll, beforeAll, describe, expect, it, type TestContext } from 'vitest';
import { openBrowser, servePage } from '../support/browser.ts';
import { type PlatformInProcess, startPlatformInProcess } from '../support/platform-in-process.ts';
import { createCard, newWallet, raiseChallenge, registerPerson, signTypedData, type TypedData } from '../support/story.ts';

const GUIDE = join(import.meta.dirname, '../../gateway/guides/quick-start-browser.md');
const START_MS = 300_000;
const RUN_MS = 60_000;

const report = (line: string) => void process.stdout.write(`${line}\n`);

let browser: Awaited<ReturnType<typeof openBrowser>>;
let pages: Awaited<ReturnType<typeof servePage>>;
let platform: PlatformInProcess;
beforeAll(async () => {
  pages = await servePage();
  const PARTNERS = JSON.stringify([{ id: 'one', name: 'One', domains: [`app.partner.example:${pages.port}`] }]);
  [platform, browser] = await Promise.all([startPlatformInProcess({ PARTNERS }), openBrowser(report)]);
}, START_MS);
afterAll(async () => {
  pages?.close();
  await browser?.close();
  await platform?.close();
});

/** Opens a page of a host. */
const open = async (host: string, { skip }: TestContext): Promise<Page> => {
  const page = await browser?.newPage();
  if (page === undefined) return skip('Chromium is not available');
  await page.goto(`http://${host}:${pages.port}/`);
  return page;
};

/** Runs the body of an async function in the page and returns its result. */
const run = <T>(page: Page, body: string, values: object = {}): Promise<T> =>
  page.evaluate<T>(`(async (given) => { ${body} })(${JSON.stringify({ url: platform.url, ...values })})`);

const PARTNER = 'app.partner.example';

describe('a web app in Chromium', () => {
  it('of a partner reads responses with their exposed headers, also errors and after a preflight', { timeout: RUN_MS }, async (context) => {
    const { token } = await registerPerson(platform.api, newWallet(), { domain: `${PARTNER}:${pages.port}` });
    const page = await open(PARTNER, context);
    const seen = await run(
      page,
      `const authorization = 'Bearer ' + given.token;
       const good = await fetch(given.url + '/user', { headers: { authorization, 'x-request-id': 'mine' } });
       const bad = await fetch(given.url + '/user', { headers: { authorization: 'Bearer a.b.c' } });
       const mutation = { method: 'POST', headers: { authorization, 'content-type': 'application/json', 'idempotency-key': given.token.slice(-40) } };
       const body = JSON.stringify({ terms: [{ type: 'general', version: '0' }] });
       const refused = await fetch(given.url + '/user/terms', { ...mutation, body });
       const removed = await fetch(given.url + '/auth/sessions/01890a5d-ac96-774b-bcce-b302099a8057', { method: 'DELETE', headers: { authorization } });
       return { user: (await good.json()).id, id: good.headers.get('x-request-id'), limit: good.headers.get('ratelimit'),
         code: (await bad.json()).error, challenge: bad.headers.get('www-authenticate'),
         refused: (await refused.json()).error, removed: (await removed.json()).error };`,
      { token },
    );
    expect(seen).toMatchObject({
      user: expect.any(String),
      id: 'mine',
      limit: expect.stringContaining('r='),
      code: 'UNAUTHORIZED',
      challenge: expect.stringContaining('invalid_token'),
      refused: 'TERMS_VERSION_INVALID',
      removed: 'NOT_FOUND',
    });
    await page.close();
  });

  it('of another origin reads nothing, and its preflight requests fail', { timeout: RUN_MS }, async (context) => {
    const { token } = await registerPerson(platform.api, newWallet(), { domain: `${PARTNER}:${pages.port}` });
    for (const host of ['evil.example', `${PARTNER}.evil.example`]) {
      const page = await open(host, context);
      const seen = await run<string[]>(
        page,
        `const attempt = (path, options) => fetch(given.url + path, options).then((answer) => 'read ' + answer.status, (error) => error.name);
         const headers = { authorization: 'Bearer ' + given.token };
         return Promise.all([attempt('/terms'), attempt('/user', { headers }), attempt('/cards/virtual', { method: 'POST', headers })]);`,
        { token },
      );
      expect(seen).toEqual(['TypeError', 'TypeError', 'TypeError']);
      await page.close();
    }
  });

  it('follows events over fetch', { timeout: RUN_MS }, async (context) => {
    const person = await registerPerson(platform.api, newWallet(), { domain: `${PARTNER}:${pages.port}` });
    const cardId = await createCard(platform.api, person.token);
    const challengeId = await raiseChallenge(platform.api, person.token, cardId);
    const page = await open(PARTNER, context);
    const text = await run<string>(
      page,
      `const headers = { authorization: 'Bearer ' + given.token, accept: 'text/event-stream' };
       const response = await fetch(given.url + '/3ds/challenges/events', { headers });
       const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
       let text = '';
       while (!text.includes('event: ready')) text += (await reader.read()).value;
       await reader.cancel();
       return text;`,
      { token: person.token },
    );
    expect(text).toContain(challengeId);
    await page.close();
  });

  it('runs the quick start as it is written, with a wallet that signs raw typed data', { timeout: RUN_MS }, async (context) => {
    const wallet = newWallet();
    const page = await open('localhost', context);
    const answers: Record<string, (params: string[]) => unknown> = {
      eth_requestAccounts: () => [wallet.address],
      personal_sign: ([message = '']) => wallet.signMessage({ message: isHex(message) ? hexToString(message as Hex) : message }),
      eth_signTypedData_v4: ([, data = '']) => {
        const typed = JSON.parse(data) as TypedData & { types: { EIP712Domain?: object[] } };
        if (typed.types.EIP712Domain === undefined) throw new Error('the wallet requires EIP712Domain');
        return signTypedData(wallet, { ...typed, types: { Message: typed.types.Message } });
      },
    };
    await page.exposeFunction('askWallet', (method: string, params: string[] = []) => answers[method]?.(params));
    const code = [...(await readFile(GUIDE, 'utf8')).matchAll(/^```js\n([\s\S]*?)^```/gm)].map(([, text]) => text).join('');
    const status = await run(
      page,
      `const ethereum = { request: ({ method, params }) => askWallet(method, params) };
       ${code.replace(/const API = .*;/, 'const API = given.url;')}
       return decided.challenge.status;`,
    );
    expect(status).toBe('approved');
    await page.close();
  });
});

describe('the documents in Chromium', () => {
  const openDocument = async ({ skip }: TestContext): Promise<Page> => (await browser?.newPage()) ?? skip('Chromium is not available');

  /** Paths of the guides, from their index. */
  const guides = async (): Promise<string[]> => {
    const index = await (await fetch(`${platform.url}/docs/guides`)).text();
    return [...index.matchAll(/href="(guides\/[^"]+)"/g)].map(([, path]) => `/docs/${path}`);
  };

  it('fit on a phone', { timeout: RUN_MS }, async (context) => {
    const page = await openDocument(context);
    await page.setViewportSize({ width: 360, height: 740 });
    const paths = ['/docs/guides', '/docs/errors', ...(await guides())];
    expect(paths.length).toBeGreaterThan(10);
    for (const path of paths) {
      await page.goto(`${platform.url}${path}`);
      expect(await page.evaluate<number>('document.documentElement.scrollWidth'), path).toBeLessThanOrEqual(360);
    }
    await page.close();
  });

  it.for(['light', 'dark'] as const)('are readable in %s colours', { timeout: RUN_MS }, async (colorScheme, context) => {
    const page = await openDocument(context);
    await page.emulateMedia({ colorScheme });
    await page.goto(`${platform.url}/docs/guides/tokens`);
    // WCAG 2.2, 1.4.3: relative luminance, and the contrast of two.
    const [background, ...texts] = await page.evaluate<number[]>(`(() => {
      const luminance = (color) => {
        const [red, green, blue] = color.match(/\\d+/g).slice(0, 3).map((part) => part / 255).map((part) => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
      };
      const styles = ['p', 'a', 'code', 'td'].map((name) => getComputedStyle(document.querySelector('main ' + name)).color);
      return [getComputedStyle(document.body).backgroundColor, ...styles].map(luminance);
    })()`);
    expect(background ?? 0.5).toSatisfy((luminance: number) => (colorScheme === 'light' ? luminance > 0.8 : luminance < 0.1));
    for (const text of texts) {
      const [darker = 0, lighter = 0] = [text, background ?? 0].sort((a, b) => a - b);
      expect((lighter + 0.05) / (darker + 0.05)).toBeGreaterThan(4.5);
    }
    await page.close();
  });
});
