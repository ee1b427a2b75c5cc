import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createJsonHttp } from '@florin/rpc/json-http';
import { afterEach, describe, expect, it } from 'vitest';
import { chooseKytScreener, createHttpKytScreener, createSandboxKytScreener } from './choose-kyt-screener.ts';

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
  senderAddress: '',
  token: 'EURe',
  amount: '1000000000000000000',
  decimals: 18,
  currency: 'EUR',
};
const VERDICT = { result: 'approve', riskScore: 12, riskTier: 'low' };

type Seen = { method: string; url: string; headers: IncomingHttpHeaders; body: unknown };

/** Starts a provider that records its requests and responds with `answer`, and the screener that calls it. */
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
  return { seen, screener: createHttpKytScreener(http) };
};

const respond =
  (status: number, body: unknown, headers: Record<string, string> = {}) =>
  (response: ServerResponse) => {
    response.writeHead(status, headers).end(typeof body === 'string' ? body : JSON.stringify(body));
  };

describe('the HTTP screener', () => {
  it('sends the facts of the transfer under the deposit’s id, without an Idempotency-Key', async () => {
    const { seen, screener } = await startProvider(respond(200, { ...VERDICT, more: 1 }));
    expect(await screener.screen(DEPOSIT)).toEqual(VERDICT);
    expect(seen).toMatchObject([{ method: 'POST', url: '/kyt/screenings', headers: { authorization: 'Bearer provider-token' } }]);
    expect(seen[0]?.body).toEqual(DEPOSIT);
    expect(seen[0]?.headers).not.toHaveProperty('idempotency-key');
  });

  it('asks about the recipient of a withdrawal', async () => {
    const { seen, screener } = await startProvider(respond(200, { ...VERDICT, result: 'reject' }));
    const { depositId: withdrawalId, txHash: _txHash, logIndex: _logIndex, senderAddress: _sender, ...facts } = DEPOSIT;
    const recipient = { ...facts, withdrawalId, recipientAddress: facts.safeAddress };
    expect(await screener.screenRecipient(recipient)).toMatchObject({ result: 'reject' });
    expect(seen).toMatchObject([{ method: 'POST', url: '/kyt/recipients', body: recipient }]);
  });

  it.each(['approve', 'reject', 'hold'])('returns the verdict %s', async (result) => {
    const { screener } = await startProvider(respond(201, { result, riskScore: 0, riskTier: 'x' }));
    expect((await screener.screen(DEPOSIT)).result).toBe(result);
  });

  it.each([
    ['a server error', respond(500, VERDICT)],
    ['status 401', respond(401, VERDICT)],
    ['a redirect', respond(302, VERDICT, { location: 'http://127.0.0.1:1/' })],
    ['an empty body', respond(200, '')],
    ['a body that is not JSON', respond(200, '<html>approve</html>')],
    ['a truncated body', respond(200, '{"result":"approve"')],
    ['a body that is not an object', respond(200, '"approve"')],
    ['an unknown result', respond(200, { ...VERDICT, result: 'APPROVE' })],
    ['no risk score', respond(200, { result: 'approve', riskTier: 'low' })],
    ['a risk score above 100', respond(200, { ...VERDICT, riskScore: 101 })],
    ['a negative risk score', respond(200, { ...VERDICT, riskScore: -1 })],
    ['a risk score that is a string', respond(200, { ...VERDICT, riskScore: '12' })],
    ['a fractional risk score', respond(200, { ...VERDICT, riskScore: 1.5 })],
    ['an empty risk tier', respond(200, { ...VERDICT, riskTier: '' })],
    ['a risk tier that is too long', respond(200, { ...VERDICT, riskTier: 'x'.repeat(65) })],
    ['a body that is too large', respond(200, { ...VERDICT, note: 'x'.repeat(200_000) })],
    ['a broken connection', (response: ServerResponse) => response.destroy()],
  ])('rejects a response with %s', async (_name, answer) => {
    const { seen, screener } = await startProvider(answer);
    await expect(screener.screen(DEPOSIT)).rejects.toThrow();
    expect(seen).toHaveLength(1);
  });

  it.each([
    ['does not respond', () => undefined],
    ['does not complete its response', (response: ServerResponse) => void response.writeHead(200).write('{"result":')],
  ])('times out when the provider %s', async (_name, answer) => {
    const { screener } = await startProvider(answer, 100);
    await expect(screener.screen(DEPOSIT)).rejects.toThrow();
  });
});

describe('the sandbox screener', () => {
  it.each([
    ['ab'.repeat(32), 'approve'],
    [`${'0'.repeat(56)}00000bad`, 'reject'],
    [`${'0'.repeat(56)}0000401d`, 'hold'],
    [`00000bad${'0'.repeat(56)}`, 'approve'],
  ])('decides by the end of the hash %s: %s', async (hash, result) => {
    expect((await createSandboxKytScreener().screen({ ...DEPOSIT, txHash: `0x${hash}` })).result).toBe(result);
  });
});

describe('the choice of a screener', () => {
  const base = { SANDBOX: false, KYT: undefined, KYT_URL: undefined, KYT_TOKEN: undefined, KYT_TIMEOUT_MS: 3000 };
  const choose = (more: Partial<Parameters<typeof chooseKytScreener>[0]>) =>
    chooseKytScreener({ ...base, ...more }, (release) => releases.push(release));

  it('selects none by default, and the simulated one in a sandbox', () => {
    expect(choose({})).toBeUndefined();
    expect(choose({ SANDBOX: true, KYT: 'off' })).toBeUndefined();
    expect(choose({ SANDBOX: true })).toBeDefined();
    expect(choose({ KYT: 'http', KYT_URL: 'https://kyt.example.org', KYT_TOKEN: 'x' })).toBeDefined();
  });

  it.each([
    ['the sandbox screener without SANDBOX=true', { KYT: 'sandbox' } as const, 'KYT'],
    ['no URL', { KYT: 'http', KYT_TOKEN: 'x' } as const, 'KYT_URL'],
    ['no token', { KYT: 'http', KYT_URL: 'https://kyt.example.org' } as const, 'KYT_TOKEN'],
  ])('rejects a configuration with %s', (_name, more, variable) => {
    expect(() => choose(more)).toThrow(variable);
  });
});
