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
    expect((await askAt(app.url, 'GET /openapi.json')).text).not.toMatch(/sandbox/i);
    await app.close();
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
