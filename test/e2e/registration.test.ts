import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectCode, expectValidation } from '../support/expect-answer.ts';
import { type PlatformInProcess, startPlatformInProcess } from '../support/platform-in-process.ts';
import { newEmail, newWallet, registerPerson, requestEmailCode, signIn, wrongCode } from '../support/story.ts';

let platform: PlatformInProcess;
beforeAll(async () => {
  platform = await startPlatformInProcess();
});
afterAll(() => platform?.close());

const register = (token: string, body: object, headers: Record<string, string> = {}) =>
  platform.api.request('POST', '/user', { token, body, headers });

const walletWithCode = async (email = newEmail()) => {
  const wallet = newWallet();
  const { accessToken: token } = await signIn(platform.api, wallet);
  return { wallet, token, email, otp: await requestEmailCode(platform.api, token, email) };
};

describe('POST /user', () => {
  it('registers a user and returns a token that is valid immediately', async () => {
    const { token, email, otp, wallet } = await walletWithCode();
    const answer = await register(token, { email, otp });
    expect(answer).toMatchObject({ status: 200, body: { userId: expect.any(String), accessToken: expect.any(String) } });
    const { userId, accessToken } = answer.body as { userId: string; accessToken: string };
    expect(await platform.api.as(accessToken).user.getUser()).toMatchObject({
      id: userId,
      email,
      wallets: [{ address: wallet.address, primary: true }],
      partnerId: 'florin',
      kycStatus: 'not_started',
      createdAt: expect.stringMatching(/Z$/),
    });
  });

  it('returns INVALID_OTP for a wrong code, wallet or e-mail, and OTP_ATTEMPTS_EXCEEDED after five of them', async () => {
    const { token, email, otp } = await walletWithCode();
    const other = await signIn(platform.api, newWallet());
    expectCode(await register(other.accessToken, { email, otp }), 400, 'INVALID_OTP');
    expectCode(await register(token, { email: newEmail(), otp }), 400, 'INVALID_OTP');
    for (let attempt = 0; attempt < 5; attempt += 1) expectCode(await register(token, { email, otp: wrongCode(otp) }), 400, 'INVALID_OTP');
    expectCode(await register(token, { email, otp }), 400, 'OTP_ATTEMPTS_EXCEEDED');
  });

  it('invalidates a code after five of many concurrent guesses', async () => {
    const { token, email, otp } = await walletWithCode();
    const guesses = Array.from({ length: 20 }, (_, index) => String(index).padStart(6, '0')).filter((guess) => guess !== otp);
    const answers = await Promise.all(guesses.map((guess) => register(token, { email, otp: guess })));
    // A guess that is concurrent with another one is rejected without being checked.
    expect(new Set(answers.map(({ status }) => status)).has(200)).toBe(false);
    for (let attempt = 0; attempt < 5; attempt += 1) await register(token, { email, otp: wrongCode(otp) });
    expectCode(await register(token, { email, otp }), 400, 'OTP_ATTEMPTS_EXCEEDED');
  });

  it('returns OTP_EXPIRED for a correct code after five minutes', async () => {
    const { token, email, otp } = await walletWithCode();
    platform.clock.advanceSeconds(301);
    expectCode(await register(token, { email, otp }), 400, 'OTP_EXPIRED');
  });

  it('returns USER_ALREADY_EXISTS for a user token, a registered wallet or a registered e-mail', async () => {
    const person = await registerPerson(platform.api);
    expectCode(await register(person.token, { email: newEmail(), otp: '123456' }), 409, 'USER_ALREADY_EXISTS');

    const second = await walletWithCode(person.email);
    expectCode(await register(second.token, { email: person.email, otp: second.otp }), 409, 'USER_ALREADY_EXISTS');

    const late = await walletWithCode();
    expect((await register(late.token, { email: late.email, otp: late.otp })).status).toBe(200);
    expectCode(await register(late.token, { email: late.email, otp: late.otp }), 409, 'USER_ALREADY_EXISTS');
  });

  it('creates one user for two concurrent registrations of one wallet', async () => {
    const { token, email, otp, wallet } = await walletWithCode();
    const answers = await Promise.all(Array.from({ length: 4 }, () => register(token, { email, otp })));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const answer of answers.filter(({ status }) => status !== 200)) {
      expect(answer.status).toBe(409);
      expect(['USER_REGISTRATION_IN_PROGRESS', 'USER_ALREADY_EXISTS']).toContain((answer.body as { error: string }).error);
    }
    const winner = answers.find(({ status }) => status === 200)?.body as { userId: string };
    expect((await signIn(platform.api, wallet)).userId).toBe(winner.userId);
  });

  it('creates one user when two wallets register one e-mail concurrently', async () => {
    const email = newEmail();
    const one = await walletWithCode(email);
    platform.clock.advanceSeconds(31);
    const two = await walletWithCode(email);
    const answers = await Promise.all([one, two].map(({ token, otp }) => register(token, { email, otp })));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expectCode(answers.find(({ status }) => status !== 200) ?? expect.fail('both registered'), 409, 'USER_ALREADY_EXISTS');
  });

  it('keeps the code valid and creates no user when it returns PROFILE_CREATION_FAILED', async () => {
    const { token, email, otp, wallet } = await walletWithCode();
    expectCode(await register(token, { email, otp, shareToken: 'fail' }), 502, 'PROFILE_CREATION_FAILED');
    expect(await signIn(platform.api, wallet)).not.toHaveProperty('userId');
    expect((await register(token, { email, otp })).status).toBe(200);
  });

  it('returns the first response again for the same Idempotency-Key', async () => {
    const { token, email, otp } = await walletWithCode();
    const headers = { 'idempotency-key': randomUUID() };
    const first = await register(token, { email, otp }, headers);
    const second = await register(token, { email, otp }, headers);
    expect([second.status, second.body]).toEqual([200, first.body]);
    expect(second.headers.get('idempotency-replayed')).toBe('true');
    expectCode(await register(token, { email: newEmail(), otp }, headers), 422, 'IDEMPOTENCY_KEY_REUSED');
  });

  it('rejects invalid requests', async () => {
    const { token } = await walletWithCode();
    expectValidation(await register(token, { email: 'nobody', otp: '123456' }), 'email');
    expectValidation(await register(token, { email: newEmail(), otp: 123_456 }), 'otp');
    expectValidation(await register(token, { otp: '123456' }), 'email');
    expectCode(await platform.api.request('POST', '/user', { body: { email: newEmail(), otp: '123456' } }), 401, 'UNAUTHORIZED');
  });
});

describe('POST /email-verification', () => {
  it('returns the same response for known and unknown addresses', async () => {
    const person = await registerPerson(platform.api);
    platform.clock.advanceSeconds(31);
    const { accessToken: token } = await signIn(platform.api, newWallet());
    const known = await platform.api.request('POST', '/email-verification', { token, body: { email: person.email } });
    const unknown = await platform.api.request('POST', '/email-verification', { token, body: { email: newEmail() } });
    expect([known.status, known.body]).toEqual([200, { success: true }]);
    expect([unknown.status, unknown.body]).toEqual([200, { success: true }]);
  });

  it('returns RESEND_TOO_SOON within 30 seconds, and the first code stays valid', async () => {
    const { token, email, otp } = await walletWithCode();
    const again = await platform.api.request('POST', '/email-verification', { token, body: { email } });
    expectCode(again, 429, 'RESEND_TOO_SOON');
    expect(Number(again.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await register(token, { email, otp })).status).toBe(200);
  });
});

describe('GET /user', () => {
  it('requires a user token', async () => {
    const { accessToken } = await signIn(platform.api, newWallet());
    expectCode(await platform.api.request('GET', '/user', { token: accessToken }), 403, 'USER_NOT_REGISTERED');
    expectCode(await platform.api.request('GET', '/user'), 401, 'UNAUTHORIZED');
  });
});
