import { ERRORS } from '@florin/rpc/errors';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { allRoutes } from '../../routes/index.ts';
import { startTestGateway, type TestGateway } from '../../testing/start-gateway.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.close());

type Entry = { code: string; status: number; cause: string; remedy: string; repeat: string; operations: string[] };
const read = async () => (await gateway.ask('GET /errors')).body as { errors: Entry[] };

describe('GET /errors', () => {
  it('lists every code of the platform with its status, cause, remedy and repeatability', async () => {
    const { errors } = await read();
    expect(errors.map(({ code }) => code)).toEqual(Object.keys(ERRORS).sort());
    for (const { code, status, cause, remedy, repeat } of errors) {
      expect(status, code).toBe(ERRORS[code as keyof typeof ERRORS].http);
      for (const text of [cause, remedy]) expect(text, code).toMatch(/^[A-Z].*\.$/);
      expect(['no', 'after_remedy', 'later'], code).toContain(repeat);
    }
  });

  it('names the operations that return a code', async () => {
    const { errors } = await read();
    const of = (code: string) => errors.find((entry) => entry.code === code)?.operations;
    expect(of('WALLET_IN_USE')).toEqual(['addWallet']);
    expect(of('HOLD_EXPIRED')).toEqual([]);
    expect(of('INTERNAL_ERROR')).toHaveLength(allRoutes.length);
  });

  it('has a page with an anchor per code', async () => {
    const page = await gateway.ask('GET /docs/errors');
    expect(page.status).toBe(200);
    expect(page.headers.get('content-type')).toContain('text/html');
    for (const code of Object.keys(ERRORS)) expect(page.text).toContain(`<section id="${code}">`);
    expect(page.text).not.toContain('<script');
  });
});
