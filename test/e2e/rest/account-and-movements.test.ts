import { randomUUID } from 'node:crypto';
import { getAddress } from 'viem';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectCode, expectValidation } from '../../support/expect-answer.ts';
import { openPlatform, type Platform } from '../../support/platform.ts';
import { registerPerson } from '../../support/story.ts';

let platform: Platform;
beforeAll(async () => {
  platform = await openPlatform();
});
afterAll(() => platform?.close());

type List<T> = { data: T[]; pagination: { nextCursor: string | null; hasNext: boolean } };

const balances = async (token: string) => (await platform.api.as(token).userAccount.getBalances()).data;
const balance = async (token: string, currency: string) =>
  (await balances(token)).find((row) => row.currency === currency) ?? expect.fail(`no ${currency} row`);
const deposit = (token: string, body: object, headers: Record<string, string> = {}) =>
  platform.api.request('POST', '/sandbox/deposits', { token, body, headers });
const withdraw = (token: string, body: object, headers: Record<string, string> = {}) =>
  platform.api.request('POST', '/sandbox/withdrawals', { token, body, headers });
const list = (token: string, path: string) => platform.api.call<List<Record<string, unknown>>>('GET', path, { token });

const EURE = (units: string) => `${units}${'0'.repeat(18)}`;

describe('GET /user/account', () => {
  it('returns the Safe account of the user', async () => {
    const { token, wallet, userId } = await registerPerson(platform.api);
    const account = await platform.api.as(token).userAccount.getAccount();
    expect(account).toMatchObject({
      safeOwnerAddress: wallet.address,
      chain: { id: '100', name: expect.any(String) },
      nativeCurrency: 'EUR',
      additionalCurrencies: ['GBP', 'USD'],
      status: 'active',
      reference: expect.any(String),
      provisionedAt: expect.stringMatching(/Z$/),
    });
    expect(account['id']).not.toBe(userId);
    expect(getAddress(String(account['safeAddress']))).toBe(account['safeAddress']);
    expect(account).not.toHaveProperty('closedAt');
  });

  it('returns a different account to each user', async () => {
    const people = [await registerPerson(platform.api), await registerPerson(platform.api)];
    const accounts = await Promise.all(people.map(({ token }) => platform.api.as(token).userAccount.getAccount()));
    expect(new Set(accounts.map(({ safeAddress }) => safeAddress)).size).toBe(2);
    expect(new Set(accounts.map(({ reference }) => reference)).size).toBe(2);
  });
});

describe('GET /user/balances/v2', () => {
  it('returns one row per currency, including those with a zero balance', async () => {
    const { token } = await registerPerson(platform.api);
    const rows = await balances(token);
    expect(rows.map(({ currency, decimals, spendable }) => [currency, decimals, spendable])).toEqual([
      ['EUR', 2, '0'],
      ['GBP', 2, '0'],
      ['USD', 2, '0'],
    ]);
    expect(rows.flatMap(({ tokens }) => tokens.map((row) => [row.token, row.decimals, row.spendable, row.contract]))).toEqual([
      ['EURe', 18, '0', '0x420ca0f9b9b604ce0fd9c18ef134c705e5fa3430'],
      ['GBPe', 18, '0', '0x8e34bfec4f6eb781f9743d9b4af99cd23f9b7053'],
      ['USDC.e', 6, '0', '0x2a22f9c3b484c3629090feed35f17ff8f88f76f0'],
    ]);
  });

  it('is exact for tokens with 18 and 6 decimals and rounds down to the minor unit', async () => {
    const { token } = await registerPerson(platform.api);
    await deposit(token, { token: 'EURe', amount: '12349999999999999999' });
    await deposit(token, { token: 'USDC.e', amount: '1009999' });
    const eur = await balance(token, 'EUR');
    expect([eur.spendable, eur.tokens[0]?.spendable, eur.tokens[0]?.maxInstantWithdraw]).toEqual([
      '1234',
      '12349999999999999999',
      '12349999999999999999',
    ]);
    expect((await balance(token, 'USD')).spendable).toBe('100');
  });

  it('includes pending deposits and withdrawals', async () => {
    const { token } = await registerPerson(platform.api);
    await deposit(token, { token: 'EURe', amount: EURE('7'), kyt: 'hold' });
    expect(await balance(token, 'EUR')).toMatchObject({ spendable: '0', processingDeposits: '700' });
    await deposit(token, { token: 'EURe', amount: EURE('10') });
    await withdraw(token, { token: 'EURe', amount: EURE('4'), outcome: 'hold' });
    expect(await balance(token, 'EUR')).toMatchObject({ spendable: '600', processingDeposits: '700', processingWithdrawals: '400' });
  });
});

describe('GET /user/deposits', () => {
  it('lists each deposit once with its status', async () => {
    const { token } = await registerPerson(platform.api);
    const outcomes = { approve: 'approved', reject: 'rejected', hold: 'pending' } as const;
    const hashes: Record<string, string> = {};
    for (const kyt of Object.keys(outcomes)) {
      hashes[kyt] = ((await deposit(token, { token: 'EURe', amount: EURE('5'), kyt })).body as { txHash: string }).txHash;
    }
    const { data, pagination } = await list(token, '/user/deposits');
    expect(data.map(({ txHash, status }) => [txHash, status])).toEqual(
      Object.entries(outcomes)
        .map(([kyt, status]) => [hashes[kyt], status])
        .reverse(),
    );
    expect(data[2]).toMatchObject({
      amount: EURE('5'),
      currency: 'EUR',
      token: 'EURe',
      decimals: 18,
      kytBreakdown: { result: expect.any(String) },
    });
    expect(data[0]).not.toHaveProperty('kytBreakdown');
    expect(pagination).toEqual({ nextCursor: null, hasNext: false });
    expect((await balance(token, 'EUR')).spendable).toBe('500');
  });

  it('returns pages, newest first, without gaps or duplicates', async () => {
    const { token } = await registerPerson(platform.api);
    for (let index = 1; index <= 5; index += 1) await deposit(token, { token: 'EURe', amount: String(index) });
    const seen: unknown[] = [];
    let path = '/user/deposits?limit=2';
    for (let page = 0; page < 5; page += 1) {
      const { data, pagination } = await list(token, path);
      seen.push(...data.map(({ amount }) => amount));
      if (pagination.nextCursor === null) break;
      path = `/user/deposits?limit=2&cursor=${encodeURIComponent(pagination.nextCursor)}`;
    }
    expect(seen).toEqual(['5', '4', '3', '2', '1']);
  });

  it('rejects an invalid limit or cursor, and requests without a token', async () => {
    const { token } = await registerPerson(platform.api);
    expectValidation(await platform.api.request('GET', '/user/deposits?limit=0', { token }), 'limit');
    expectValidation(await platform.api.request('GET', '/user/withdrawals?limit=101', { token }), 'limit');
    expect((await platform.api.request('GET', '/user/deposits?cursor=bogus', { token })).status).toBe(422);
    for (const path of ['/user/account', '/user/balances/v2', '/user/deposits', '/user/withdrawals']) {
      expectCode(await platform.api.request('GET', path), 401, 'UNAUTHORIZED');
    }
  });

  it('credits a deposit once when it is reported twice with the same Idempotency-Key', async () => {
    const { token } = await registerPerson(platform.api);
    const headers = { 'idempotency-key': randomUUID() };
    const answers = await Promise.all([1, 2, 3].map(() => deposit(token, { token: 'EURe', amount: EURE('3') }, headers)));
    for (const { status } of answers) expect([200, 409]).toContain(status);
    expect((await deposit(token, { token: 'EURe', amount: EURE('3') }, headers)).status).toBe(200);
    expect((await list(token, '/user/deposits')).data).toHaveLength(1);
    expect((await balance(token, 'EUR')).spendable).toBe('300');
  });
});

describe('GET /user/withdrawals', () => {
  it('lists completed, failed and pending withdrawals; a failed one returns the money', async () => {
    const { token } = await registerPerson(platform.api);
    await deposit(token, { token: 'EURe', amount: EURE('10') });
    for (const outcome of ['complete', 'fail', 'hold']) await withdraw(token, { token: 'EURe', amount: EURE('2'), outcome });
    const { data } = await list(token, '/user/withdrawals');
    expect(data.map(({ status }) => status)).toEqual(['pending', 'failed', 'completed']);
    for (const row of data) expect(row).not.toHaveProperty('kytBreakdown');
    expect(await balance(token, 'EUR')).toMatchObject({ spendable: '600', processingWithdrawals: '200' });
  });

  it('returns INSUFFICIENT_FUNDS, also for concurrent withdrawals', async () => {
    const { token } = await registerPerson(platform.api);
    await deposit(token, { token: 'EURe', amount: EURE('10') });
    const answers = await Promise.all(Array.from({ length: 5 }, () => withdraw(token, { token: 'EURe', amount: EURE('4') })));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(2);
    expectCode(answers.find(({ status }) => status !== 200) ?? expect.fail('overdrawn'), 409, 'INSUFFICIENT_FUNDS');
    expect((await balance(token, 'EUR')).spendable).toBe('200');
    expect((await list(token, '/user/withdrawals')).data).toHaveLength(2);
  });

  it('judges a rejected withdrawal again under the same Idempotency-Key once there is money', async () => {
    const { token } = await registerPerson(platform.api);
    const headers = { 'idempotency-key': randomUUID() };
    const order = { token: 'EURe', amount: EURE('4') };
    expectCode(await withdraw(token, order, headers), 409, 'INSUFFICIENT_FUNDS');
    await deposit(token, { token: 'EURe', amount: EURE('10') });
    expect((await withdraw(token, order, headers)).status).toBe(200);
    expect((await withdraw(token, order, headers)).headers.get('idempotency-replayed')).toBe('true');
    expect((await balance(token, 'EUR')).spendable).toBe('600');
  });

  it('rejects invalid amounts and unknown tokens, and stores nothing', async () => {
    const { token } = await registerPerson(platform.api);
    for (const book of [deposit, withdraw]) {
      for (const amount of ['0', '-1', '1.5', '1e18', '01', 'x', '', '9'.repeat(100), 5])
        expectValidation(await book(token, { token: 'EURe', amount }), 'amount');
      expectCode(await book(token, { token: 'DOGE', amount: '1' }), 422, 'TOKEN_NOT_SUPPORTED');
    }
    expect((await list(token, '/user/deposits')).data).toEqual([]);
    expect((await list(token, '/user/withdrawals')).data).toEqual([]);
  });
});
