import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { ACCOUNT_ID, account, CARD_ID, USER_ID, WALLET } from '../testing/fake-records.ts';
import { startTestGateway, type TestGateway } from '../testing/start-gateway.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterEach(() => gateway.fakes.reset());
afterAll(() => gateway.close());

describe('user', () => {
  const registration = { email: 'ann@example.org', otp: '123456' };

  it('is registered by a wallet', async () => {
    expect(await gateway.asWallet('POST /user', { ...registration, shareToken: 's' })).toMatchObject({
      status: 200,
      body: { userId: USER_ID, accessToken: 'a.b.c', expiresIn: expect.closeTo(900, -1) },
    });
    expect(gateway.callOf('registerUser')?.request).toMatchObject({ ...registration, shareToken: 's' });
    expect(gateway.callOf('registerUser')?.token).toBe(gateway.walletToken);
  });

  it.each([
    ['INVALID_OTP', 400],
    ['OTP_EXPIRED', 400],
    ['OTP_ATTEMPTS_EXCEEDED', 400],
    ['USER_ALREADY_EXISTS', 409],
    ['USER_REGISTRATION_IN_PROGRESS', 409],
    ['PROFILE_CREATION_FAILED', 502],
  ] as const)('responds to %s with %d', async (code, status) => {
    gateway.refuse('registerUser', code);
    expect(await gateway.asUser('POST /user', registration)).toMatchObject({ status, body: { success: false, error: code } });
  });

  it('is returned with the phone number of the cardholder', async () => {
    const { body } = await gateway.asUser('GET /user');
    expect(body).toEqual({
      id: USER_ID,
      email: 'ann@example.org',
      phone: '+4915112345678',
      phoneVerified: true,
      wallets: [{ address: WALLET, primary: true, approvesFrom: '2026-01-31T12:00:00.123Z' }],
      partnerId: 'florin',
      kycStatus: 'not_started',
      createdAt: '2026-01-31T12:00:00.123Z',
    });
  });

  it('has no phone number without a cardholder, and fails if the card service fails', async () => {
    gateway.refuse('getCurrentCardholder', 'CARDHOLDER_NOT_FOUND');
    expect((await gateway.asUser('GET /user')).body).not.toHaveProperty('phone');
    gateway.refuse('getCurrentCardholder', 'SERVICE_UNAVAILABLE');
    expect(await gateway.asUser('GET /user')).toMatchObject({ status: 503 });
  });
});

describe('phone', () => {
  it('is verified with a code', async () => {
    expect(await gateway.asUser('POST /phone/verification', { phone: '+4915112345678' })).toMatchObject({
      status: 200,
      body: { success: true },
    });
    expect(await gateway.asUser('PATCH /phone', { code: '123456' })).toMatchObject({ status: 200, body: { success: true } });
    expect(gateway.callOf('updatePhone')?.request).toMatchObject({ phone: '', code: '123456' });
  });

  it.each([{}, { phone: '015112345678' }, { phone: 49151 }])('rejects %j', async (body) => {
    expect(await gateway.asUser('PATCH /phone', body)).toMatchObject({
      status: 422,
      body: { kind: 'validation', error: { name: 'ValidationError' } },
    });
  });

  it.each([
    ['CARDHOLDER_NOT_FOUND', 404],
    ['CODE_REQUIRED', 422],
    ['INVALID_CODE', 400],
    ['CODE_EXPIRED', 400],
  ] as const)('responds to %s with %d', async (code, status) => {
    gateway.refuse('updatePhone', code);
    expect(await gateway.asUser('PATCH /phone', { phone: '+4915112345678' })).toMatchObject({
      status,
      body: { success: false, error: code },
    });
  });
});

describe('cards', () => {
  it('are issued and listed', async () => {
    expect(await gateway.asUser('POST /cards/virtual', { cardName: 'Groceries' })).toMatchObject({
      status: 200,
      body: { cardId: CARD_ID },
    });
    expect((await gateway.asUser('GET /cards?status=frozen')).body).toMatchObject({
      data: [{ id: CARD_ID, last4: '4242', status: 'active' }, { status: 'frozen' }],
    });
    expect(gateway.callOf('listCards')?.request).toMatchObject({ status: 2 });
    expect(await gateway.asUser('GET /cards?status=melted')).toMatchObject({ status: 422 });
  });

  it.each([
    ['PHONE_REQUIRED', 422],
    ['CARD_LIMIT_REACHED', 409],
    ['ACCOUNT_NOT_ACTIVE', 403],
    ['CARD_ISSUING_FAILED', 502],
  ] as const)('responds to %s with %d', async (code, status) => {
    gateway.refuse('createVirtualCard', code);
    expect(await gateway.asUser('POST /cards/virtual', { cardName: 'x' })).toMatchObject({ status, body: { success: false, error: code } });
  });

  it('says what is wrong with an emoji of several characters in a name', async () => {
    const { body } = await gateway.asUser('POST /cards/virtual', { cardName: 'Caf\u00e9 \u{1f3d6}\ufe0f' });
    expect(body).toMatchObject({ error: { message: expect.stringMatching(/^cardName: .*variation selectors/) } });
  });

  it.each(['', 'x'.repeat(27), 'a\u0000b', 5, null])('rejects the name %j', async (cardName) => {
    const answer = await gateway.asUser('POST /cards/virtual', { cardName });
    expect(answer).toMatchObject({ status: 422, body: { kind: 'validation' } });
    expect((answer.body as { error: { message: string } }).error.message).toMatch(/^cardName: /);
  });
});

describe('disputes', () => {
  it('have the reason and the words of the cardholder', async () => {
    const { body } = await gateway.asUser('GET /cards/disputes');
    expect(body).toMatchObject({ data: [{ reason: 'fraud', text: 'It was not me' }] });
  });
});

describe('account and movements', () => {
  it('returns the account without times that are not set', async () => {
    const { body } = await gateway.asUser('GET /user/account');
    expect(body).toMatchObject({
      id: ACCOUNT_ID,
      chain: { name: 'Gnosis', id: '100' },
      status: 'active',
      provisionedAt: '2026-01-31T12:00:00.123Z',
    });
    expect(body).not.toHaveProperty('closedAt');
    expect(body).not.toHaveProperty('deployment.replacement');
    gateway.fakes.stub('getCurrentAccount', () => ({ account: { ...account, safeReplacementAddress: WALLET } }));
    expect((await gateway.asUser('GET /user/account')).body).toMatchObject({ deployment: { replacement: WALLET } });
    gateway.refuse('getCurrentAccount', 'ACCOUNT_NOT_FOUND');
    expect(await gateway.asUser('GET /user/account')).toMatchObject({ status: 404, body: { success: false, error: 'ACCOUNT_NOT_FOUND' } });
  });

  it('returns balances', async () => {
    expect((await gateway.asUser('GET /user/balances/v2')).body).toMatchObject({
      data: [{ currency: 'EUR', tokens: [{ token: 'EURe', decimals: 18 }] }],
    });
  });

  it('pages through deposits', async () => {
    const { body } = await gateway.asUser('GET /user/deposits?limit=2&cursor=abc');
    expect(body).toMatchObject({
      data: [{ status: 'approved', from: WALLET }, { status: 'pending' }],
      pagination: { nextCursor: 'next', hasNext: true },
    });
    expect((body as { data: object[] }).data[1]).not.toHaveProperty('kytBreakdown');
    expect(gateway.callOf('listDeposits')?.request.page).toMatchObject({ limit: 2, cursor: 'abc' });
  });

  it('has no cursor after the last page of withdrawals', async () => {
    expect((await gateway.asUser('GET /user/withdrawals')).body).toMatchObject({
      data: [{ status: 'completed', to: WALLET }],
      pagination: { nextCursor: null, hasNext: false },
    });
    expect(gateway.callOf('listWithdrawals')?.request.page).toMatchObject({ limit: 50, cursor: '' });
  });

  it.each(['limit=0', 'limit=101', 'limit=1.5', 'limit=x', 'limit=1&limit=2', 'cursor=a&cursor=b'])('rejects ?%s', async (query) => {
    expect(await gateway.asUser(`GET /user/deposits?${query}`)).toMatchObject({ status: 422, body: { kind: 'validation' } });
  });
});

describe('health', () => {
  it('is reported', async () => {
    expect(await gateway.ask('GET /health/live')).toMatchObject({ status: 200, body: { status: 'ok' } });
    expect(await gateway.ask('GET /health/ready')).toMatchObject({ status: 200, body: { status: 'ok' } });
  });
});
