import { request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { askAt, startTestGateway, type TestGateway } from '../testing/start-gateway.ts';
import type { BuiltApp } from './built-app.ts';

const SCRIPT = Buffer.from("document.title = 'Florin';\n".repeat(20));
const PAGE =
  '<!doctype html><meta name="florin-sandbox" content="false"><meta name="florin-support" content=""><meta name="florin-explorer" content=""><script type="module" src="/app/assets/index-1a2b.js"></script>';
const builtApp: BuiltApp = {
  page: PAGE,
  files: new Map([
    [
      'assets/index-1a2b.js',
      { type: 'text/javascript; charset=utf-8', plain: SCRIPT, br: brotliCompressSync(SCRIPT), gzip: gzipSync(SCRIPT) },
    ],
    ['sw.js', { type: 'text/javascript; charset=utf-8', plain: SCRIPT }],
    ['icon.svg', { type: 'image/svg+xml', plain: Buffer.from('<svg/>') }],
  ]),
};

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway({ overrides: { builtApp } });
});
afterAll(() => gateway.close());

/** Bytes as they are sent. */
const fetchRaw = (path: string, acceptEncoding?: string) =>
  new Promise<{ coding: string | undefined; vary: string | undefined; content: Buffer }>((resolve, reject) => {
    const headers = acceptEncoding === undefined ? {} : { 'accept-encoding': acceptEncoding };
    request(`${gateway.app.url}${path}`, { headers }, (response) => {
      buffer(response).then(
        (content) => resolve({ coding: response.headers['content-encoding'], vary: response.headers.vary, content }),
        reject,
      );
    })
      .on('error', reject)
      .end();
  });

describe('the app', () => {
  it.each(['/app', '/app/', '/app/cards', '/app/payments/01890a5d-ac96-774b-bcce-b302099a8057', '/app/assets'])(
    'is the page at %s, which no cache keeps',
    async (path) => {
      const answer = await gateway.ask(`GET ${path}`);
      expect(answer).toMatchObject({ status: 200, text: PAGE.replace('content="false"', 'content="true"') });
      expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(answer.headers.get('cache-control')).toBe('no-store');
    },
  );

  it('tells the page when it is not a sandbox', async () => {
    const live = await gateway.another({ SANDBOX: 'false' });
    expect((await askAt(live.url, 'GET /app')).text).toBe(PAGE);
    await live.close();
  });

  it('tells the page where people get help', async () => {
    for (const [env, content] of [
      [{ SUPPORT_URL: 'https://help.example.org/?a=1&b="' }, 'https://help.example.org/?a=1&amp;b=&quot;'],
      [{ SUPPORT_EMAIL: 'help@example.org' }, 'mailto:help@example.org'],
      [{}, ''],
    ] as const) {
      const live = await gateway.another(env);
      expect((await askAt(live.url, 'GET /app')).text).toContain(`<meta name="florin-support" content="${content}">`);
      await live.close();
    }
  });

  it('tells the page where transactions are shown', async () => {
    const live = await gateway.another({ EXPLORER_URL: 'https://explorer.example.org' });
    expect((await askAt(live.url, 'GET /app')).text).toContain('<meta name="florin-explorer" content="https://explorer.example.org">');
    await live.close();
  });

  it('allows its own files only, and no text to become markup or code', async () => {
    for (const path of ['/app', '/app/assets/index-1a2b.js']) {
      const { headers } = await gateway.ask(`GET ${path}`);
      const policy = new Map((headers.get('content-security-policy') ?? '').split('; ').map((part) => [part.split(' ')[0], part]));
      expect(policy.get('default-src')).toBe("default-src 'none'");
      expect(policy.get('script-src')).toBe("script-src 'self'");
      expect(policy.get('style-src')).toBe("style-src 'self'");
      expect(policy.get('connect-src')).toBe("connect-src 'self'");
      expect(policy.get('frame-ancestors')).toBe("frame-ancestors 'none'");
      expect(policy.get('base-uri')).toBe("base-uri 'none'");
      expect(policy.get('form-action')).toBe("form-action 'none'");
      expect(policy.get('require-trusted-types-for')).toBe("require-trusted-types-for 'script'");
      expect([...policy.values()].join()).not.toMatch(/unsafe|http|\*/);
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('referrer-policy')).toBe('no-referrer');
      expect(headers.get('cross-origin-opener-policy')).toBe('same-origin');
      expect(headers.get('cross-origin-resource-policy')).toBe('same-origin');
      expect(headers.get('permissions-policy')).toContain('camera=()');
    }
  });

  it('has files with the hash of their content, which caches keep for ever, and others for an hour', async () => {
    const script = await gateway.ask('GET /app/assets/index-1a2b.js');
    expect(script).toMatchObject({ status: 200, text: SCRIPT.toString() });
    expect(script.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
    expect(script.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    const icon = await gateway.ask('GET /app/icon.svg');
    expect(icon.headers.get('cache-control')).toBe('public, max-age=3600');
  });

  it('lets a service worker keep the page, and permits the page this one script URL', async () => {
    const { headers } = await gateway.ask('GET /app/sw.js');
    expect(headers.get('service-worker-allowed')).toBe('/app');
    expect(headers.get('cache-control')).toBe('no-cache');
    expect(headers.get('content-security-policy')).toContain("trusted-types 'none'");
    expect((await gateway.ask('GET /app')).headers.get('content-security-policy')).toContain('trusted-types service-worker');
  });

  it.each([
    ['gzip, deflate, br, zstd', 'br', brotliDecompressSync],
    ['gzip', 'gzip', gunzipSync],
    ['br;q=0, gzip', 'gzip', gunzipSync],
    [undefined, undefined, (content: Buffer) => content],
    ['identity', undefined, (content: Buffer) => content],
  ])('sends to those who accept %s the coding %s', async (accepted, coding, decode) => {
    const sent = await fetchRaw('/app/assets/index-1a2b.js', accepted);
    expect([sent.coding, sent.vary]).toEqual([coding, 'Origin, Accept-Encoding']);
    expect(decode(sent.content).toString()).toBe(SCRIPT.toString());
  });

  it.each([
    '/app/assets/index-0000.js',
    '/app/assets/missing',
    '/app/robots.txt',
    '/app/%2e%2e/package.json',
    '/app/..%2fpackage.json',
    '/application',
  ])('is not at %s', async (path) => {
    expect(await gateway.ask(`GET ${path}`)).toMatchObject({ status: 404, body: { success: false, error: 'NOT_FOUND' } });
  });

  it('answers HEAD without content, and no other method', async () => {
    expect(await gateway.ask('HEAD /app/cards')).toMatchObject({ status: 200, text: '' });
    const refused = await gateway.ask('POST /app/cards');
    expect(refused).toMatchObject({ status: 405 });
    expect(refused.headers.get('allow')).toBe('GET, HEAD');
  });

  it('can be switched off', async () => {
    const live = await gateway.another({ SERVE_APP: 'false' });
    for (const path of ['/app', '/app/cards', '/app/assets/index-1a2b.js'])
      expect(await askAt(live.url, `GET ${path}`)).toMatchObject({ status: 404 });
    await live.close();
  });
});
