import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { allRoutes } from '../routes/index.ts';
import { askAt, startTestGateway, type TestGateway } from '../testing/start-gateway.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.close());

describe('SANDBOX=false', () => {
  it('neither serves nor documents sandbox operations', async () => {
    const app = await gateway.another({ SANDBOX: 'false' });
    for (const { method, path } of allRoutes.filter(({ sandboxOnly }) => sandboxOnly === true)) {
      const answer = await askAt(app.url, `${method.toUpperCase()} ${path}`, { token: gateway.userToken });
      expect(answer).toMatchObject({ status: 404, body: { success: false, error: 'NOT_FOUND' } });
    }
    expect((await askAt(app.url, 'GET /openapi.json')).text).not.toMatch(/\/sandbox|"Sandbox"|"sandbox[A-Z]/);
    await app.close();
  });
});

describe('guides', () => {
  it('are linked from the index and from each other, without scripts and inline styles, and every link works', async () => {
    const seen = new Set<string>();
    const visit = async (path: string): Promise<void> => {
      if (seen.has(path)) return;
      seen.add(path);
      const { status, text, headers } = await gateway.ask(`GET ${path}`);
      expect(status, path).toBe(200);
      if (headers.get('content-type')?.startsWith('text/html') !== true || path === '/docs') return;
      expect(text).not.toMatch(/<script|style=|<style/);
      expect(headers.get('content-security-policy')).not.toMatch(/unsafe|script-src/);
      for (const [, target = ''] of text.matchAll(/(?:src|href)="([^"#]+)[^"]*"/g)) {
        const { pathname, host } = new URL(target, `http://gateway${path}`);
        if (host === 'gateway') await visit(pathname);
      }
    };
    await visit('/docs/guides');
    expect([...seen].filter((path) => path.startsWith('/docs/guides/')).length).toBeGreaterThanOrEqual(10);
    expect(seen).toContain('/docs/errors');
  });
});

describe('reference page', () => {
  it('serves its own files with a policy that allows no others', async () => {
    const page = await gateway.ask('GET /docs');
    expect(page.status).toBe(200);
    expect(page.headers.get('content-security-policy')).toContain("script-src 'self'");
    for (const [, file] of page.text.matchAll(/(?:src|href)="([^"]+)"/g)) {
      expect((await gateway.ask(`GET /${file}`)).status, file).toBe(200);
    }
    expect((await gateway.ask('GET /docs/package.json')).status).toBe(404);
    expect((await gateway.ask('GET /docs/../package.json')).status).toBe(404);
  });
});
