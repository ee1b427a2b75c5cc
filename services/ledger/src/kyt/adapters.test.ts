import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createJsonHttp } from '@florin/rpc/json-http';
import { afterEach, describe, expect, it } from 'vitest';
import { chooseScreener } from './choose-screener.ts';
import { createHttpScreener } from './http-screener.ts';
import { createSandboxScreener } from './sandbox-screener.ts';

const releases: (() => unknown)[] = [];
afterEach(async () => {
  for (const release of releases.splice(0).reverse()) await release();
});

const DEPOSIT = {
  depositId: '01890a5d-ac96-774b-bcce-b302099a8057',
  accountId: '01890a5d-ac96-774b-bcce-b302099a8058',
  chainId: 100,
  safeAddress: '0x52908400098527886E0F7030069857D2E4169EE7',
  txHash: `0x${'ab'.repeat(32)}`,
  logIndex: 3,
  token: 'EURe',
  amount: '1000000000000000000',
  decimals: 18,
  currency: 'EUR',
};
const VERDICT = { result: 'approve', riskScore: 12, riskTier: 'low' };

type Seen = { method: string; url: string; headers: IncomingHttpHeaders; body: unknown };

/** A provider that notes what it is asked and answers as told, and the adapter in front of it. */
const startProvider = async (answer: (response: ServerResponse) => void, deadlineMs?: number) => {
  const seen: Seen[] = [];
  const server = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk) => {
      text += String(chunk);
    });
    request.on('end', () => {
      seen.push({ method: request.method ?? '', url: request.url ?? '', headers: request.headers, body: JSON.parse(text) });
      answer(response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  releases.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const http = createJsonHttp({
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/kyt/`,
    token: 'provider-token',
    ...(deadlineMs === undefined ? {} : { deadlineMs }),
  });
  releases.push(http.close);
  return { seen, screener: createHttpScreener(http) };
};

const says =
  (status: number, body: unknown, headers: Record<string, string> = {}) =>
  (response: ServerResponse) => {
    response.writeHead(status, headers).end(typeof body === 'string' ? body : JSON.stringify(body));
  };

describe('a provider over HTTP', () => {
  it('is told where what came in, under the deposit’s id, and nothing about the person', async () => {
    const { seen, screener } = await startProvider(says(200, { ...VERDICT, more: 1 }));
    expect(await screener.screen(DEPOSIT)).toEqual(VERDICT);
    expect(seen).toMatchObject([{ method: 'POST', url: '/kyt/screenings', headers: { authorization: 'Bearer provider-token' } }]);
    expect(seen[0]?.body).toEqual(DEPOSIT);
    expect(seen[0]?.headers).not.toHaveProperty('idempotency-key');
  });

  it.each(['approve', 'reject', 'hold'])('may say %s', async (result) => {
    const { screener } = await startProvider(says(201, { result, riskScore: 0, riskTier: 'x' }));
    expect((await screener.screen(DEPOSIT)).result).toBe(result);
  });

  it.each([
    ['a failure', says(500, VERDICT)],
    ['a refusal', says(401, VERDICT)],
    ['a redirect', says(302, VERDICT, { location: 'http://127.0.0.1:1/' })],
    ['nothing', says(200, '')],
    ['no JSON', says(200, '<html>approve</html>')],
    ['half of it', says(200, '{"result":"approve"')],
    ['no object', says(200, '"approve"')],
    ['another word', says(200, { ...VERDICT, result: 'APPROVE' })],
    ['no score', says(200, { result: 'approve', riskTier: 'low' })],
    ['a score beyond the scale', says(200, { ...VERDICT, riskScore: 101 })],
    ['a score below it', says(200, { ...VERDICT, riskScore: -1 })],
    ['a score as a text', says(200, { ...VERDICT, riskScore: '12' })],
    ['half a point', says(200, { ...VERDICT, riskScore: 1.5 })],
    ['an empty tier', says(200, { ...VERDICT, riskTier: '' })],
    ['a tier without end', says(200, { ...VERDICT, riskTier: 'x'.repeat(65) })],
    ['a huge answer', says(200, { ...VERDICT, note: 'x'.repeat(200_000) })],
    ['a broken connection', (response: ServerResponse) => response.destroy()],
  ])('is not believed with %s', async (_what, answer) => {
    const { seen, screener } = await startProvider(answer);
    await expect(screener.screen(DEPOSIT)).rejects.toThrow();
    expect(seen).toHaveLength(1);
  });

  it.each([
    ['never answers', () => undefined],
    ['never ends its answer', (response: ServerResponse) => void response.writeHead(200).write('{"result":')],
  ])('is given up when it %s', async (_what, answer) => {
    const { screener } = await startProvider(answer, 100);
    await expect(screener.screen(DEPOSIT)).rejects.toThrow();
  });
});

describe('the sandbox', () => {
  it.each([
    ['ab'.repeat(32), 'approve'],
    [`${'0'.repeat(56)}00000bad`, 'reject'],
    [`${'0'.repeat(56)}0000401d`, 'hold'],
    [`00000bad${'0'.repeat(56)}`, 'approve'],
  ])('decides by the end of %s: %s', async (hash, result) => {
    expect((await createSandboxScreener().screen({ ...DEPOSIT, txHash: `0x${hash}` })).result).toBe(result);
  });
});

describe('the choice', () => {
  const base = { SANDBOX: false, KYT: undefined, KYT_URL: undefined, KYT_TOKEN: undefined, KYT_TIMEOUT_MS: 3000 };
  const choose = (more: Partial<Parameters<typeof chooseScreener>[0]>) =>
    chooseScreener({ ...base, ...more }, (release) => releases.push(release));

  it('is nobody, unless said otherwise or in the sandbox', () => {
    expect(choose({})).toBeUndefined();
    expect(choose({ SANDBOX: true, KYT: 'off' })).toBeUndefined();
    expect(choose({ SANDBOX: true })).toBeDefined();
    expect(choose({ KYT: 'http', KYT_URL: 'https://kyt.example.org', KYT_TOKEN: 'x' })).toBeDefined();
  });

  it.each([
    ['the sandbox outside of the sandbox', { KYT: 'sandbox' } as const, 'KYT'],
    ['no address', { KYT: 'http', KYT_TOKEN: 'x' } as const, 'KYT_URL'],
    ['no token', { KYT: 'http', KYT_URL: 'https://kyt.example.org' } as const, 'KYT_TOKEN'],
  ])('stops the start with %s', (_what, more, variable) => {
    expect(() => choose(more)).toThrow(variable);
  });
});
