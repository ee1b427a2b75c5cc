import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ApiClient, createApiClient, withCall } from '../support/api-client.ts';
import { newAddress } from '../support/customer-address.ts';
import { expectCode } from '../support/expect-answer.ts';
import { type PlatformInProcess, startPlatformInProcess } from '../support/platform-in-process.ts';
import { newEmail, newPhone, newWallet, readCode, registerPerson, signIn, wrongCode } from '../support/story.ts';

/** Requests per minute from one IP address to sign-in and verification. */
const PER_ADDRESS = 12;

let platform: PlatformInProcess;
/** Two replicas of the gateway that share only Redis. */
let gateways: string[];
beforeAll(async () => {
  // A gateway that waits too long for Redis counts alone: on a busy machine, two of them would then allow twice as much.
  platform = await startPlatformInProcess(
    { AUTH_RATE_LIMIT_PER_MINUTE: String(PER_ADDRESS), TRUST_PROXY: '1' },
    { gateway: { countsTimeoutMs: 30_000 } },
  );
  gateways = [platform.url, (await platform.startGateway()).url];
});
afterAll(() => platform?.close());

let turn = 0;
/** A client behind the proxy that alternates between the replicas, from one IP address. */
const from = (address: string): ApiClient => {
  const clients = gateways.map((url) => createApiClient(url));
  return withCall((method, path, options = {}) => {
    turn += 1;
    const client = clients[turn % clients.length];
    if (client === undefined) throw new Error('no gateway');
    return client.request(method, path, { ...options, headers: { 'x-forwarded-for': address, ...options.headers } });
  });
};
const fromAnywhere = (): ApiClient => from(newAddress());

const newToken = async (): Promise<string> => (await signIn(fromAnywhere(), newWallet())).accessToken;
const requestEmailCodeFrom = (api: ApiClient, token: string, email: string) =>
  api.request('POST', '/email-verification', { token, body: { email } });
const guess = (token: string, email: string, otp: string) => fromAnywhere().request('POST', '/user', { token, body: { email, otp } });

describe('rate limits across two gateways', () => {
  it('allow one e-mail address five codes an hour from one IP address, and others from elsewhere', async () => {
    const email = newEmail();
    const attacker = from(newAddress());
    for (let count = 0; count < 5; count += 1) expect((await requestEmailCodeFrom(attacker, await newToken(), email)).status).toBe(200);
    expect((await requestEmailCodeFrom(fromAnywhere(), await newToken(), email)).status).toBe(200);
    for (const address of [email, email.toUpperCase()]) {
      const rejected = await requestEmailCodeFrom(attacker, await newToken(), address);
      expectCode(rejected, 429, 'RATE_LIMITED');
      expect(Number(rejected.headers.get('retry-after'))).toBeGreaterThan(3000);
    }
  });

  it('allow one wallet ten codes an hour, to any e-mail addresses', async () => {
    const token = await newToken();
    for (let count = 0; count < 10; count += 1) expect((await requestEmailCodeFrom(fromAnywhere(), token, newEmail())).status).toBe(200);
    expectCode(await requestEmailCodeFrom(fromAnywhere(), token, newEmail()), 429, 'RATE_LIMITED');
  });

  it('are shared by all sessions of one wallet', async () => {
    const wallet = newWallet();
    const statuses: number[] = [];
    for (let count = 0; count < 11; count += 1) {
      const { accessToken } = await signIn(fromAnywhere(), wallet);
      statuses.push((await requestEmailCodeFrom(fromAnywhere(), accessToken, newEmail())).status);
    }
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 200), 429]);
  });

  // Each gateway counts on its own between two settlements with Redis, so the second one may let one more request pass.
  const mostOf = (limit: number) => limit + 1;

  it('count one IP address across wallets, e-mail addresses and both gateways', async () => {
    const tokens = await Promise.all(Array.from({ length: PER_ADDRESS + 4 }, newToken));
    const api = from(newAddress());
    const answers = await Promise.all(tokens.map((token) => requestEmailCodeFrom(api, token, newEmail())));
    const accepted = answers.filter(({ status }) => status === 200).length;
    expect(accepted).toBeGreaterThanOrEqual(PER_ADDRESS);
    expect(accepted).toBeLessThanOrEqual(mostOf(PER_ADDRESS));
    for (const answer of answers.filter(({ status }) => status !== 200)) {
      expectCode(answer, 429, 'RATE_LIMITED');
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    }
  });

  it('count guesses of one IP address too', async () => {
    const tokens = await Promise.all(Array.from({ length: PER_ADDRESS + 4 }, newToken));
    const api = from(newAddress());
    const body = { email: newEmail(), otp: '123456' };
    const answers = await Promise.all(tokens.map((token) => api.request('POST', '/user', { token, body })));
    const judged = answers.filter(({ status }) => status === 400).length;
    expect(judged).toBeGreaterThanOrEqual(PER_ADDRESS);
    expect(judged).toBeLessThanOrEqual(mostOf(PER_ADDRESS));
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(answers.length - judged);
  });

  it('allow 25 guesses an hour for one e-mail address, from one IP address', async () => {
    const email = newEmail();
    const api = from(newAddress());
    for (let attacker = 0; attacker < 5; attacker += 1) {
      const token = await newToken();
      expect((await requestEmailCodeFrom(api, token, email)).status).toBe(200);
      const otp = await readCode(fromAnywhere(), email);
      for (let tries = 0; tries < 5; tries += 1) expectCode(await guess(token, email, wrongCode(otp)), 400, 'INVALID_OTP');
      // Now the correct code is rejected as well.
      expectCode(await guess(token, email, otp), 400, 'OTP_ATTEMPTS_EXCEEDED');
    }
    expectCode(await requestEmailCodeFrom(api, await newToken(), email), 429, 'RATE_LIMITED');
  });

  it('allow one phone number ten codes an hour, from all IP addresses together', async () => {
    const phone = newPhone();
    const requestCode = async () => {
      const { token } = await registerPerson(fromAnywhere());
      return fromAnywhere().request('POST', '/phone/verification', { token, body: { phone } });
    };
    for (let count = 0; count < 10; count += 1) expect((await requestCode()).status).toBe(200);
    expectCode(await requestCode(), 429, 'RATE_LIMITED');
  });
});

describe('an oversized value', () => {
  const long = (length: number) => 'x'.repeat(length);

  it.each([
    ['POST', '/email-verification', { email: `${long(250)}@example.org` }],
    ['POST', '/user', { email: newEmail(), otp: long(17) }],
    ['POST', '/user', { email: newEmail(), otp: '123456', shareToken: long(4097) }],
    ['POST', '/auth/siwe', { message: long(4097), signature: '0x00' }],
    ['POST', '/auth/siwe', { message: 'm', signature: `0x${'00'.repeat(8193)}` }],
    ['POST', '/auth/refresh', { refreshToken: long(60_000) }],
    ['POST', '/phone/verification', { phone: `+49${'1'.repeat(60)}` }],
    ['PATCH', '/phone', { code: long(17) }],
    ['POST', '/user/terms', { terms: [{ type: long(41), version: '1' }] }],
    ['POST', '/user/terms', { terms: Array.from({ length: 21 }, () => ({ type: 'general', version: '1' })) }],
    ['POST', '/source-of-funds', { answers: [{ question: long(201), answer: 'a' }] }],
    ['POST', '/source-of-funds', { answers: Array.from({ length: 31 }, () => ({ question: 'q', answer: 'a' })) }],
    ['POST', '/sandbox/kyc', { status: long(1000) }],
  ])('is rejected with the name of its field: %s %s', async (method, path, body) => {
    const { token } = await registerPerson(fromAnywhere());
    const answer = await fromAnywhere().request(method, path, { token, body });
    expect([answer.status, answer.body]).toMatchObject([422, { kind: 'validation', success: false }]);
    const huge = await fromAnywhere().request(method, path, { token, body: { ...body, filler: long(70_000) } });
    expectCode(huge, 413, 'PAYLOAD_TOO_LARGE');
  });

  it('is rejected as a token and as a signature', async () => {
    const authorization = `Bearer ${long(5000)}.b.c`;
    expectCode(await fromAnywhere().request('GET', '/user', { headers: { authorization } }), 401, 'UNAUTHORIZED');
    const headers = { 'florin-signature': long(6000) };
    expectCode(await fromAnywhere().request('POST', '/webhooks/kyc', { rawBody: '{}', headers }), 401, 'INVALID_SIGNATURE');
    expectCode(await fromAnywhere().request('POST', '/webhooks/kyc', { rawBody: long(70_000) }), 413, 'PAYLOAD_TOO_LARGE');
  });
});
