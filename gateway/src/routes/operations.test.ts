import { CodedError } from '@florin/rpc/errors';
import { fakeClock } from '@florin/rpc/testing';
import { DepositStatus, WithdrawalStatus } from '@florin/proto/ledger/v1/movement';
import { Decision } from '@florin/proto/threeds/v1/challenge';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { ACCOUNT_ID, CARD_ID, CHALLENGE_ID, USER_ID, WALLET } from '../testing/fake-answers.ts';
import { askAt, startTestGateway, type TestGateway } from '../testing/start-gateway.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterEach(() => gateway.fakes.reset());
afterAll(() => gateway.close());

const asUser = (target: string, body?: unknown) => gateway.ask(target, { token: gateway.userToken, body });
const asWallet = (target: string, body?: unknown) => gateway.ask(target, { token: gateway.walletToken, body });
const callOf = (rpc: string) => gateway.fakes.calls.find((call) => call.rpc === rpc);
const refuse = (rpc: string, code: ConstructorParameters<typeof CodedError>[0], message?: string) =>
  gateway.fakes.stub(rpc, () => {
    throw new CodedError(code, message === undefined ? {} : { message });
  });

describe('sign-in', () => {
  it('issues the message to sign', async () => {
    const answer = await gateway.ask(`GET /auth/siwe/${WALLET}?domain=app.example.org&uri=https://app.example.org/in`);
    expect(answer).toMatchObject({ status: 200, body: { message: 'sign this' } });
    expect(callOf('createSiweMessage')?.request).toMatchObject({
      address: WALLET,
      domain: 'app.example.org',
      uri: 'https://app.example.org/in',
    });
    expect(answer.headers.get('cache-control')).toBe('no-store');
  });

  it.each(['/auth/siwe/0x12?domain=a&uri=b', `/auth/siwe/${WALLET}?uri=b`, `/auth/siwe/${WALLET}?domain=a`])('refuses %s', async (path) => {
    expect(await gateway.ask(`GET ${path}`)).toMatchObject({ status: 422, body: { kind: 'validation', success: false } });
  });

  it('opens a session and hands on who asks', async () => {
    const answer = await gateway.ask('POST /auth/siwe', { body: { message: 'm', signature: '0xab' }, headers: { 'user-agent': 'test' } });
    expect(answer).toMatchObject({ status: 200, body: { accessToken: 'a.b.c', refreshToken: 'refresh' } });
    expect(answer.body).not.toHaveProperty('userId');
    expect((answer.body as { expiresIn: number }).expiresIn).toBeGreaterThan(800);
    expect(callOf('signIn')?.request).toMatchObject({ message: 'm', signature: '0xab', userAgent: 'test', ip: '127.0.0.1' });
  });

  it.each(['INVALID_SIGNATURE', 'NONCE_EXPIRED', 'NONCE_USED'] as const)('answers 401 to %s', async (code) => {
    refuse('signIn', code);
    const answer = await gateway.ask('POST /auth/siwe', { body: { message: 'm', signature: '0xab' } });
    expect(answer).toMatchObject({ status: 401, body: { success: false, error: code } });
    expect(answer.headers.get('www-authenticate')).toBe('Bearer');
  });

  it('refreshes, now with a user', async () => {
    expect(await gateway.ask('POST /auth/refresh', { body: { refreshToken: 'r' } })).toMatchObject({
      status: 200,
      body: { userId: USER_ID },
    });
    refuse('refreshSession', 'REFRESH_TOKEN_REUSED');
    expect(await gateway.ask('POST /auth/refresh', { body: { refreshToken: 'r' } })).toMatchObject({ status: 401 });
  });

  it("does not blame the caller when a service refuses the gateway's own token", async () => {
    refuse('signIn', 'FORBIDDEN');
    const answer = await gateway.ask('POST /auth/siwe', { body: { message: 'm', signature: '0xab' } });
    expect(answer).toMatchObject({ status: 500, body: { success: false, error: 'INTERNAL_ERROR' } });
  });

  it('mails a code to a wallet and to a user', async () => {
    expect(await asWallet('POST /email-verification', { email: 'ann@example.org' })).toMatchObject({
      status: 200,
      body: { success: true },
    });
    expect(await asUser('POST /email-verification', { email: 'ann@example.org' })).toMatchObject({ status: 200 });
  });

  it('passes on the limit of a service with Retry-After and a RateLimit field', async () => {
    gateway.fakes.stub('sendEmailCode', () => {
      throw new CodedError('RATE_LIMITED', { metadata: { retryAfterSeconds: '27' } });
    });
    const answer = await asWallet('POST /email-verification', { email: 'ann@example.org' });
    expect(answer).toMatchObject({ status: 429, body: { success: false, error: 'RATE_LIMITED' } });
    expect(answer.headers.get('retry-after')).toBe('27');
    expect(answer.headers.get('ratelimit')).toContain('"operation"; r=0; t=27');
  });
});

describe('keys', () => {
  it('publishes public parts only', async () => {
    const answer = await gateway.ask('GET /.well-known/jwks.json');
    expect(answer).toMatchObject({ status: 200, body: { keys: [{ kty: 'OKP', crv: 'Ed25519' }] } });
    expect(answer.text).not.toContain('private');
    expect(answer.headers.get('cache-control')).toBe('public, max-age=60');
  });

  it('goes on with the last known ones while identity is away', async () => {
    const clock = fakeClock();
    const app = await gateway.another({}, { runtime: { now: clock.now } });
    const first = await askAt(app.url, 'GET /.well-known/jwks.json');
    gateway.fakes.keysAvailable = false;
    clock.advanceSeconds(3600);
    expect(await askAt(app.url, 'GET /.well-known/jwks.json')).toMatchObject({ status: 200, body: first.body });
    gateway.fakes.keysAvailable = true;
    await app.close();
  });

  it('answers 503 when it never had them', async () => {
    gateway.fakes.keysAvailable = false;
    const fresh = await gateway.another();
    const response = await fetch(`${fresh.url}/.well-known/jwks.json`);
    expect([response.status, await response.json()]).toEqual([503, { success: false, error: 'SERVICE_UNAVAILABLE' }]);
    expect(response.headers.get('cache-control')).toBe('no-store');
    await fresh.close();
    gateway.fakes.keysAvailable = true;
  });
});

describe('user', () => {
  const registration = { email: 'ann@example.org', otp: '123456' };

  it('registers a wallet', async () => {
    expect(await asWallet('POST /user', { ...registration, shareToken: 's' })).toMatchObject({ status: 200, body: { userId: USER_ID } });
    expect(callOf('registerUser')?.request).toMatchObject({ ...registration, shareToken: 's' });
    expect(callOf('registerUser')?.token).toBe(gateway.walletToken);
  });

  it.each([
    ['INVALID_OTP', 400],
    ['OTP_EXPIRED', 400],
    ['USER_ALREADY_EXISTS', 409],
    ['USER_REGISTRATION_IN_PROGRESS', 409],
    ['PROFILE_CREATION_FAILED', 502],
  ] as const)('answers %s with %d', async (code, status) => {
    refuse('registerUser', code);
    expect(await asUser('POST /user', registration)).toMatchObject({ status, body: { success: false, error: code } });
  });

  it('reads the record with the phone of the cardholder', async () => {
    const { body } = await asUser('GET /user');
    expect(body).toEqual({
      id: USER_ID,
      email: 'ann@example.org',
      phone: '+4915112345678',
      wallets: [{ address: WALLET, primary: true }],
      partnerId: 'florin',
      kycStatus: 'not_started',
      createdAt: '2026-01-31T12:00:00.123Z',
    });
  });

  it('leaves the phone out without a cardholder, and fails when the card service does', async () => {
    refuse('getCurrentCardholder', 'CARDHOLDER_NOT_FOUND');
    expect((await asUser('GET /user')).body).not.toHaveProperty('phone');
    refuse('getCurrentCardholder', 'SERVICE_UNAVAILABLE');
    expect(await asUser('GET /user')).toMatchObject({ status: 503 });
  });
});

describe('phone', () => {
  it('sends a code and sets the number', async () => {
    expect(await asUser('POST /phone/verification', { phone: '+4915112345678' })).toMatchObject({ status: 200, body: { success: true } });
    expect(await asUser('PATCH /phone', { code: '123456' })).toMatchObject({ status: 200, body: { success: true } });
    expect(callOf('updatePhone')?.request).toMatchObject({ phone: '', code: '123456' });
  });

  it.each([{}, { phone: '015112345678' }, { phone: 49151 }])('refuses %j', async (body) => {
    expect(await asUser('PATCH /phone', body)).toMatchObject({
      status: 422,
      body: { kind: 'validation', error: { name: 'ValidationError' } },
    });
  });

  it.each([
    ['CARDHOLDER_NOT_FOUND', 404],
    ['CODE_REQUIRED', 422],
    ['INVALID_CODE', 400],
    ['CODE_EXPIRED', 400],
  ] as const)('answers %s with %d', async (code, status) => {
    refuse('updatePhone', code);
    expect(await asUser('PATCH /phone', { phone: '+4915112345678' })).toMatchObject({ status, body: { success: false, error: code } });
  });
});

describe('cards', () => {
  it('issues and lists', async () => {
    expect(await asUser('POST /cards/virtual', { cardName: 'Groceries' })).toMatchObject({ status: 200, body: { cardId: CARD_ID } });
    expect((await asUser('GET /cards?status=frozen')).body).toMatchObject({
      data: [{ id: CARD_ID, last4: '4242', status: 'active' }, { status: 'frozen' }],
    });
    expect(callOf('listCards')?.request).toMatchObject({ status: 2 });
    expect(await asUser('GET /cards?status=melted')).toMatchObject({ status: 422 });
  });

  it.each([
    ['PHONE_REQUIRED', 422],
    ['CARD_LIMIT_REACHED', 409],
    ['ACCOUNT_NOT_ACTIVE', 403],
    ['CARD_ISSUING_FAILED', 502],
  ] as const)('answers %s with %d', async (code, status) => {
    refuse('createVirtualCard', code);
    expect(await asUser('POST /cards/virtual', { cardName: 'x' })).toMatchObject({ status, body: { success: false, error: code } });
  });

  it.each(['', 'x'.repeat(27), 'a\u0000b', 5, null])('refuses the name %j', async (cardName) => {
    const answer = await asUser('POST /cards/virtual', { cardName });
    expect(answer).toMatchObject({ status: 422, body: { kind: 'validation' } });
    expect((answer.body as { error: { message: string } }).error.message).toMatch(/^cardName: /);
  });
});

describe('account and movements', () => {
  it('reads the account, without times that do not exist yet', async () => {
    const { body } = await asUser('GET /user/account');
    expect(body).toMatchObject({
      id: ACCOUNT_ID,
      chain: { name: 'Gnosis', id: '100' },
      status: 'active',
      provisionedAt: '2026-01-31T12:00:00.123Z',
    });
    expect(body).not.toHaveProperty('closedAt');
    refuse('getCurrentAccount', 'ACCOUNT_NOT_FOUND');
    expect(await asUser('GET /user/account')).toMatchObject({ status: 404, body: { success: false, error: 'ACCOUNT_NOT_FOUND' } });
  });

  it('reads balances', async () => {
    expect((await asUser('GET /user/balances/v2')).body).toMatchObject({
      data: [{ currency: 'EUR', tokens: [{ token: 'EURe', decimals: 18 }] }],
    });
  });

  it('pages through deposits', async () => {
    const { body } = await asUser('GET /user/deposits?limit=2&cursor=abc');
    expect(body).toMatchObject({
      data: [{ status: 'approved' }, { status: 'pending' }],
      pagination: { nextCursor: 'next', hasNext: true },
    });
    expect((body as { data: object[] }).data[1]).not.toHaveProperty('kytBreakdown');
    expect(callOf('listDeposits')?.request.page).toMatchObject({ limit: 2, cursor: 'abc' });
  });

  it('ends the list of withdrawals', async () => {
    expect((await asUser('GET /user/withdrawals')).body).toMatchObject({
      data: [{ status: 'completed' }],
      pagination: { nextCursor: null, hasNext: false },
    });
    expect(callOf('listWithdrawals')?.request.page).toMatchObject({ limit: 50, cursor: '' });
  });

  it.each(['limit=0', 'limit=101', 'limit=1.5', 'limit=x', 'limit=1&limit=2', 'cursor=a&cursor=b'])('refuses ?%s', async (query) => {
    expect(await asUser(`GET /user/deposits?${query}`)).toMatchObject({ status: 422, body: { kind: 'validation' } });
  });
});

describe('3DS', () => {
  const path = `/3ds/challenges/${CHALLENGE_ID}`;

  it('reads a challenge', async () => {
    const { body } = await asUser(`GET ${path}`);
    expect(body).toEqual({
      serverTime: '2026-01-31T12:00:00.123Z',
      challenge: {
        id: CHALLENGE_ID,
        cardId: CARD_ID,
        accountId: ACCOUNT_ID,
        amount: '1999',
        currency: 'EUR',
        decimals: 2,
        merchant: { displayName: 'Shop' },
        status: 'pending',
        expiresAt: '2026-01-31T12:00:00.123Z',
        decisionAvailable: true,
      },
    });
  });

  it('issues typed data', async () => {
    const { body } = await asUser(`POST ${path}/decision-challenge`, { decision: 'decline' });
    expect(body).toEqual({
      domain: { name: 'Florin 3DS', version: '1', chainId: 100 },
      primaryType: 'Message',
      types: {
        Message: [
          { name: 'authorization', type: 'string' },
          { name: 'nonce', type: 'uint256' },
        ],
      },
      message: { authorization: 'Approve 19.99 EUR at Shop', nonce: '340282366920938463463374607431768211456' },
    });
    expect(callOf('issueDecisionChallenge')?.request.decision).toBe(Decision.DECLINE);
  });

  it('submits a decision', async () => {
    const { body } = await asUser(`POST ${path}/decision`, { decision: 'approve', signature: '0xab' });
    expect(body).toMatchObject({ challenge: { status: 'processing', decision: 'approve', decisionAvailable: false } });
  });

  it.each([
    ['CHALLENGE_NOT_FOUND', 404],
    ['INVALID_SIGNATURE', 400],
    ['DECISION_NOT_AVAILABLE', 409],
    ['DECISION_ALREADY_MADE', 409],
  ] as const)('answers %s with %d', async (code, status) => {
    refuse('submitDecision', code);
    const answer = await asUser(`POST ${path}/decision`, { decision: 'approve', signature: '0xab' });
    expect(answer).toMatchObject({ status, body: { success: false, error: code } });
  });

  it.each([
    ['GET /3ds/challenges/12', undefined],
    ['GET /3ds/challenges/%zz', undefined],
    [`POST ${path}/decision`, { decision: 'maybe', signature: '0xab' }],
    [`POST ${path}/decision`, { decision: 'approve', signature: 'ab' }],
    [`POST ${path}/decision-challenge`, {}],
  ])('refuses %s %j', async (target, body) => {
    expect(await asUser(target, body)).toMatchObject({ status: 422, body: { kind: 'validation' } });
    expect(gateway.fakes.calls).toEqual([]);
  });
});

describe('sandbox', () => {
  it('shows the outbox', async () => {
    const { body } = await gateway.ask('GET /sandbox/outbox?to=+4915112345678');
    expect(body).toMatchObject({
      data: [
        { channel: 'email', code: '123456' },
        { channel: 'sms', sentAt: '2026-01-31T12:00:00.123Z' },
      ],
    });
    expect(callOf('listOutboxMessages')?.request).toMatchObject({ to: '+4915112345678' });
  });

  it.each([
    ['approve', DepositStatus.APPROVED],
    ['reject', DepositStatus.REJECTED],
  ])('books a deposit that screening ends with %s', async (kyt, status) => {
    const { body } = await asUser('POST /sandbox/deposits', { token: 'EURe', amount: '5', kyt });
    const { txHash } = body as { txHash: string };
    expect(callOf('recordDeposit')?.request).toMatchObject({
      accountId: ACCOUNT_ID,
      chainId: 100,
      txHash,
      logIndex: 0,
      token: 'EURe',
      amount: '5',
    });
    expect(callOf('resolveDeposit')?.request).toMatchObject({ status, kytBreakdown: { result: kyt } });
  });

  it('leaves a held deposit pending', async () => {
    expect(await asUser('POST /sandbox/deposits', { token: 'EURe', amount: '5', kyt: 'hold' })).toMatchObject({ status: 200 });
    expect(callOf('resolveDeposit')).toBeUndefined();
  });

  it.each(['AMOUNT_INVALID', 'TOKEN_NOT_SUPPORTED'] as const)('answers %s in the simple shape', async (code) => {
    refuse('recordDeposit', code);
    expect(await asUser('POST /sandbox/deposits', { token: 'X', amount: '0' })).toMatchObject({
      status: 422,
      body: { success: false, error: code },
    });
  });

  it.each([
    ['complete', [WithdrawalStatus.PROCESSING, WithdrawalStatus.COMPLETED]],
    ['fail', [WithdrawalStatus.PROCESSING, WithdrawalStatus.FAILED]],
    ['hold', []],
  ])('takes a withdrawal to its end: %s', async (outcome, statuses) => {
    expect(await asUser('POST /sandbox/withdrawals', { token: 'EURe', amount: '5', outcome })).toMatchObject({ status: 200 });
    const updates = gateway.fakes.calls.filter(({ rpc }) => rpc === 'updateWithdrawal').map(({ request }) => request.status);
    expect(updates).toEqual(statuses);
  });

  it("raises a challenge for the caller's own card only", async () => {
    const payment = { amount: '1999', currency: 'JPY', merchant: { displayName: 'Shop' } };
    expect(await asUser('POST /sandbox/3ds/challenges', { ...payment, cardId: CARD_ID })).toMatchObject({
      status: 200,
      body: { challengeId: CHALLENGE_ID },
    });
    expect(callOf('createChallenge')?.request).toMatchObject({ cardId: CARD_ID, decimals: 0, expiresInSeconds: 300 });
    gateway.fakes.reset();
    expect(await asUser('POST /sandbox/3ds/challenges', { ...payment, cardId: CARD_ID.toUpperCase() })).toMatchObject({ status: 200 });
    gateway.fakes.reset();
    const foreign = { ...payment, cardId: USER_ID };
    expect(await asUser('POST /sandbox/3ds/challenges', foreign)).toMatchObject({
      status: 404,
      body: { success: false, error: 'CARD_NOT_FOUND' },
    });
    expect(callOf('createChallenge')).toBeUndefined();
  });
});

describe('health', () => {
  it('lives', async () => {
    expect(await gateway.ask('GET /health/live')).toMatchObject({ status: 200, body: { status: 'ok' } });
    expect(await gateway.ask('GET /health/ready')).toMatchObject({ status: 200, body: { status: 'ok' } });
  });
});
