import { randomUUID } from 'node:crypto';
import { DepositStatus, WithdrawalStatus } from '@florin/proto/ledger/v1/movement';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codeOf, ledgerEnvironment, randomTxHash, startLedger, type TestLedger } from './testing/world.ts';

let ledger: TestLedger;
beforeAll(async () => {
  ledger = await startLedger(ledgerEnvironment({ JOURNAL_SHARDS: '4' }));
});
afterAll(async () => {
  const report = await ledger.verify();
  expect(report).toMatchObject({ ok: true, problem: '', sums: { EURe: '0' } });
  await ledger.close();
});

const recordRequest = (accountId: string, more = {}) => ({
  accountId,
  chainId: 100,
  txHash: randomTxHash(),
  logIndex: 3,
  token: 'EURe',
  amount: '1000',
  ...more,
});
const record = (accountId: string, more = {}) => ledger.movements.recordDeposit(recordRequest(accountId, more), ledger.operator);
const update = (withdrawalId: string, status: WithdrawalStatus) =>
  ledger.movements.updateWithdrawal({ withdrawalId, status }, ledger.operator);

describe('deposits', () => {
  it('are incoming until approved, and then spendable', async () => {
    const account = await ledger.open();
    const deposit = await ledger.see(account, 'EURe', '12345678901234567890');
    expect(deposit).toMatchObject({ accountId: account.accountId, status: DepositStatus.PENDING, currency: 'EUR', decimals: 18 });
    expect(deposit.kytBreakdown).toBeUndefined();
    expect((await ledger.tokenBalances(account))['EURe']).toMatchObject({ spendable: '0', processingDeposits: '12345678901234567890' });
    const { deposit: approved } = await ledger.resolve(deposit.id);
    expect(approved).toMatchObject({ id: deposit.id, status: DepositStatus.APPROVED, kytBreakdown: { riskScore: 5, riskTier: 'low' } });
    expect((await ledger.tokenBalances(account))['EURe']).toMatchObject({ spendable: '12345678901234567890', processingDeposits: '0' });
    const { deposits } = await ledger.movements.listDeposits({}, account.user);
    expect(deposits).toEqual([approved]);
  });

  it('never become spendable when rejected', async () => {
    const account = await ledger.open();
    const { id } = await ledger.see(account, 'EURe', '5');
    expect((await ledger.resolve(id, DepositStatus.REJECTED)).deposit?.status).toBe(DepositStatus.REJECTED);
    expect((await ledger.tokenBalances(account))['EURe']).toMatchObject({ spendable: '0', processingDeposits: '0', nonSpendable: '0' });
  });

  it('exist once after repeated and concurrent reports', async () => {
    const account = await ledger.open();
    const request = recordRequest(account.accountId);
    const calls = Array.from({ length: 20 }, (_, index) =>
      ledger.movements.recordDeposit(
        { ...request, txHash: index % 2 === 0 ? request.txHash : `0x${request.txHash.slice(2).toUpperCase()}` },
        ledger.operator,
      ),
    );
    const answers = await Promise.all(calls);
    expect(new Set(answers.map(({ deposit }) => deposit?.id)).size).toBe(1);
    expect((await ledger.movements.recordDeposit(request, ledger.operator)).deposit).toEqual(answers[0]?.deposit);
    expect((await ledger.tokenBalances(account))['EURe']).toMatchObject({ processingDeposits: '1000' });
    expect((await ledger.movements.listDeposits({}, account.user)).deposits).toHaveLength(1);
  });

  it('of one transaction differ by log index', async () => {
    const account = await ledger.open();
    const txHash = randomTxHash();
    const [first, second] = [
      await ledger.see(account, 'EURe', '1', { txHash }),
      await ledger.see(account, 'EURe', '1', { txHash, logIndex: 1 }),
    ];
    expect(first.id).not.toBe(second.id);
    expect((await ledger.tokenBalances(account))['EURe']).toMatchObject({ processingDeposits: '2' });
  });

  it('are rejected with the same key and other content', async () => {
    const [account, other] = [await ledger.open(), await ledger.open()];
    const request = recordRequest(account.accountId);
    await ledger.movements.recordDeposit(request, ledger.operator);
    for (const change of [{ amount: '1001' }, { token: 'GBPe' }, { accountId: other.accountId }]) {
      expect(await codeOf(ledger.movements.recordDeposit({ ...request, ...change }, ledger.operator))).toBe('IDEMPOTENCY_KEY_REUSED');
    }
  });

  it('that a closed account rejected can be booked for another account', async () => {
    const [closed, other] = [await ledger.open(), await ledger.open()];
    await ledger.accounts.closeAccount({ accountId: closed.accountId }, ledger.operator);
    const request = recordRequest(closed.accountId);
    expect(await codeOf(ledger.movements.recordDeposit(request, ledger.operator))).toBe('ACCOUNT_CLOSED');
    const { deposit } = await ledger.movements.recordDeposit({ ...request, accountId: other.accountId }, ledger.operator);
    expect(deposit).toMatchObject({ accountId: other.accountId, status: DepositStatus.PENDING });
    expect(await codeOf(ledger.movements.recordDeposit(request, ledger.operator))).toBe('IDEMPOTENCY_KEY_REUSED');
  });

  it.each([
    ['an unknown account', { accountId: randomUUID() }, 'ACCOUNT_NOT_FOUND'],
    ['an unknown token', { token: 'DOGE' }, 'TOKEN_NOT_SUPPORTED'],
    ['an unknown chain', { chainId: 1 }, 'TOKEN_NOT_SUPPORTED'],
    ['nothing', { amount: '0' }, 'AMOUNT_INVALID'],
    ['less than nothing', { amount: '-5' }, 'AMOUNT_INVALID'],
    ['a fraction', { amount: '1.5' }, 'AMOUNT_INVALID'],
    ['an exponent', { amount: '1e3' }, 'AMOUNT_INVALID'],
    ['leading zeros', { amount: '007' }, 'AMOUNT_INVALID'],
    ['no amount', { amount: '' }, 'AMOUNT_INVALID'],
    ['more than there can be', { amount: '9'.repeat(61) }, 'AMOUNT_INVALID'],
    ['no UUID', { accountId: 'me' }, 'VALIDATION_FAILED'],
    ['no hash', { txHash: '0x12' }, 'VALIDATION_FAILED'],
  ])('are rejected with %s, and nothing is written', async (_name, change, code) => {
    const account = await ledger.open();
    const before = (await ledger.verify()).entries;
    expect(await codeOf(record(account.accountId, change))).toBe(code);
    expect((await ledger.verify()).entries).toBe(before);
  });

  it('are decided once when approval and rejection race', async () => {
    const account = await ledger.open();
    for (let round = 0; round < 5; round += 1) {
      const { id } = await ledger.see(account, 'USDC.e', '7');
      const outcomes = [DepositStatus.APPROVED, DepositStatus.REJECTED, DepositStatus.APPROVED, DepositStatus.REJECTED];
      const codes = await Promise.all(outcomes.map((status) => codeOf(ledger.resolve(id, status))));
      expect(codes.filter((code) => code === 'no error')).toHaveLength(2);
      expect(codes.filter((code) => code === 'DEPOSIT_STATE_CONFLICT')).toHaveLength(2);
      const winner = outcomes[codes.indexOf('no error')] ?? 0;
      expect((await ledger.resolve(id, winner)).deposit?.status).toBe(winner);
    }
    const approved = (await ledger.movements.listDeposits({}, account.user)).deposits.filter(
      ({ status }) => status === DepositStatus.APPROVED,
    );
    expect((await ledger.tokenBalances(account))['USDC.e']).toMatchObject({
      spendable: (approved.length * 7).toString(),
      processingDeposits: '0',
    });
  });

  it.each([
    ['an unknown deposit', { depositId: randomUUID(), status: DepositStatus.APPROVED }, 'DEPOSIT_NOT_FOUND'],
    ['no outcome', { depositId: randomUUID(), status: DepositStatus.PENDING }, 'VALIDATION_FAILED'],
    ['no UUID', { depositId: 'x', status: DepositStatus.APPROVED }, 'VALIDATION_FAILED'],
    [
      'an impossible score',
      { depositId: randomUUID(), status: DepositStatus.APPROVED, kytBreakdown: { result: 'x', riskScore: 101, riskTier: 'x' } },
      'VALIDATION_FAILED',
    ],
  ])('are not resolved with %s', async (_name, request, code) => {
    expect(await codeOf(ledger.movements.resolveDeposit(request, ledger.operator))).toBe(code);
  });

  it('can be resolved without a breakdown', async () => {
    const account = await ledger.open();
    const { id } = await ledger.see(account, 'EURe', '5');
    const { deposit } = await ledger.movements.resolveDeposit({ depositId: id, status: DepositStatus.APPROVED }, ledger.operator);
    expect(deposit?.kytBreakdown).toBeUndefined();
  });
});

describe('withdrawals', () => {
  it('reserve, process and complete', async () => {
    const account = await ledger.open();
    await ledger.fund(account, 'EURe', '100');
    const withdrawal = await ledger.withdraw(account, 'EURe', '30');
    expect(withdrawal.status).toBe(WithdrawalStatus.PENDING);
    expect(await ledger.tokenBalances(account)).toMatchObject({ EURe: { spendable: '70', maxInstantWithdraw: '70' } });
    expect((await update(withdrawal.id, WithdrawalStatus.PROCESSING)).withdrawal?.status).toBe(WithdrawalStatus.PROCESSING);
    const { withdrawal: completed } = await update(withdrawal.id, WithdrawalStatus.COMPLETED);
    expect(completed?.status).toBe(WithdrawalStatus.COMPLETED);
    expect(await ledger.tokenBalances(account)).toMatchObject({ EURe: { spendable: '70', row: { processingWithdrawals: '0' } } });
    expect((await ledger.movements.listWithdrawals({}, account.user)).withdrawals).toEqual([completed]);
  });

  it('give the money back when they fail', async () => {
    const account = await ledger.open();
    await ledger.fund(account, 'EURe', '100');
    const { id } = await ledger.withdraw(account, 'EURe', '100');
    expect((await ledger.tokenBalances(account))['EURe']).toMatchObject({ spendable: '0' });
    expect((await update(id, WithdrawalStatus.FAILED)).withdrawal?.status).toBe(WithdrawalStatus.FAILED);
    expect((await ledger.tokenBalances(account))['EURe']).toMatchObject({ spendable: '100' });
  });

  it('accept repeated and late reports, and reject contradictory ones', async () => {
    const account = await ledger.open();
    await ledger.fund(account, 'EURe', '100');
    const { PROCESSING, COMPLETED, FAILED } = WithdrawalStatus;
    const run = async (...reports: WithdrawalStatus[]) => {
      const { id } = await ledger.withdraw(account, 'EURe', '1');
      const results: unknown[] = [];
      for (const report of reports) {
        results.push(
          await update(id, report).then(
            ({ withdrawal }) => withdrawal?.status,
            (error: { code: string }) => error.code,
          ),
        );
      }
      return results;
    };
    expect(await run(PROCESSING, PROCESSING, COMPLETED, COMPLETED, PROCESSING)).toEqual([
      PROCESSING,
      PROCESSING,
      COMPLETED,
      COMPLETED,
      COMPLETED,
    ]);
    expect(await run(COMPLETED, PROCESSING, FAILED)).toEqual([COMPLETED, COMPLETED, 'WITHDRAWAL_STATE_CONFLICT']);
    expect(await run(PROCESSING, FAILED, PROCESSING, COMPLETED)).toEqual([PROCESSING, FAILED, FAILED, 'WITHDRAWAL_STATE_CONFLICT']);
    expect(await run(FAILED, PROCESSING)).toEqual([FAILED, 'WITHDRAWAL_STATE_CONFLICT']);
  });

  it('end once when completion and failure race', async () => {
    const account = await ledger.open();
    await ledger.fund(account, 'EURe', '10');
    const { id } = await ledger.withdraw(account, 'EURe', '10');
    const { PROCESSING, COMPLETED, FAILED } = WithdrawalStatus;
    const reports = [COMPLETED, FAILED, PROCESSING, COMPLETED, FAILED, PROCESSING];
    const codes = await Promise.all(reports.map((report) => codeOf(update(id, report))));
    const ends = codes.filter((_code, index) => reports[index] !== PROCESSING);
    expect(ends.filter((code) => code === 'no error')).toHaveLength(2);
    expect(ends.filter((code) => code === 'WITHDRAWAL_STATE_CONFLICT')).toHaveLength(2);
    const [withdrawal] = (await ledger.movements.listWithdrawals({}, account.user)).withdrawals;
    expect((await ledger.tokenBalances(account))['EURe']?.spendable).toBe(withdrawal?.status === FAILED ? '10' : '0');
  });

  it('are created once by concurrent requests, and rejected with other content', async () => {
    const account = await ledger.open();
    await ledger.fund(account, 'EURe', '100');
    const id = randomUUID();
    const twins = await Promise.all([1, 2, 3].map(() => ledger.withdraw(account, 'EURe', '40', id)));
    expect(twins[1]).toEqual(twins[0]);
    expect((await ledger.tokenBalances(account))['EURe']?.spendable).toBe('60');
    expect(await codeOf(ledger.withdraw(account, 'EURe', '41', id))).toBe('IDEMPOTENCY_KEY_REUSED');
  });

  it('that together exceed the balance succeed exactly up to it', async () => {
    const account = await ledger.open();
    await ledger.fund(account, 'EURe', '100');
    const codes = await Promise.all(Array.from({ length: 30 }, () => codeOf(ledger.withdraw(account, 'EURe', '15'))));
    expect(codes.filter((code) => code === 'no error')).toHaveLength(6);
    expect(codes.filter((code) => code === 'INSUFFICIENT_FUNDS')).toHaveLength(24);
    expect((await ledger.tokenBalances(account))['EURe']).toMatchObject({ spendable: '10', maxInstantWithdraw: '10' });
    expect((await ledger.movements.listWithdrawals({}, account.user)).withdrawals).toHaveLength(6);
  });

  it('cannot take incoming money, and can be retried after a rejection', async () => {
    const account = await ledger.open();
    const { id: depositId } = await ledger.see(account, 'EURe', '50');
    const id = randomUUID();
    expect(await codeOf(ledger.withdraw(account, 'EURe', '50', id))).toBe('INSUFFICIENT_FUNDS');
    await ledger.resolve(depositId);
    expect((await ledger.withdraw(account, 'EURe', '50', id)).status).toBe(WithdrawalStatus.PENDING);
  });

  it('need an active account', async () => {
    const account = await ledger.open(false);
    await ledger.fund(account, 'EURe', '50');
    expect(await codeOf(ledger.withdraw(account, 'EURe', '50'))).toBe('ACCOUNT_NOT_ACTIVE');
    expect((await ledger.tokenBalances(account))['EURe']).toMatchObject({ spendable: '50', maxInstantWithdraw: '0' });
  });

  it.each([
    ['an unknown account', { accountId: randomUUID() }, 'ACCOUNT_NOT_FOUND'],
    ['an unknown token', { token: 'DOGE' }, 'TOKEN_NOT_SUPPORTED'],
    ['nothing', { amount: '0' }, 'AMOUNT_INVALID'],
    ['no UUID', { withdrawalId: 'x' }, 'VALIDATION_FAILED'],
    ['no hash', { txHash: 'ff' }, 'VALIDATION_FAILED'],
  ])('are rejected with %s', async (_name, change, code) => {
    const { accountId } = await ledger.open();
    const request = { withdrawalId: randomUUID(), accountId, token: 'EURe', amount: '1', txHash: randomTxHash(), ...change };
    expect(await codeOf(ledger.movements.createWithdrawal(request, ledger.operator))).toBe(code);
  });

  it.each([
    ['an unknown one', { withdrawalId: randomUUID(), status: WithdrawalStatus.COMPLETED }, 'WITHDRAWAL_NOT_FOUND'],
    ['no report', { withdrawalId: randomUUID(), status: WithdrawalStatus.PENDING }, 'VALIDATION_FAILED'],
    ['no UUID', { withdrawalId: 'x', status: WithdrawalStatus.COMPLETED }, 'VALIDATION_FAILED'],
  ])('are not updated with %s', async (_name, request, code) => {
    expect(await codeOf(ledger.movements.updateWithdrawal(request, ledger.operator))).toBe(code);
  });
});

describe('lists', () => {
  it('are newest first, in pages that new rows do not shift', async () => {
    const account = await ledger.open();
    const amounts = Array.from({ length: 7 }, (_, index) => (index + 1).toString());
    for (const amount of amounts) await ledger.see(account, 'EURe', amount);
    const seen: string[] = [];
    let cursor = '';
    do {
      const { deposits, page } = await ledger.movements.listDeposits({ page: { limit: 3, cursor } }, account.user);
      seen.push(...deposits.map(({ amount }) => amount));
      cursor = page?.nextCursor ?? '';
      await ledger.see(account, 'EURe', '99');
    } while (cursor !== '');
    expect(seen).toEqual(amounts.reverse());
  });

  it('have fifty rows by default, and pages of rows from one block do not overlap', async () => {
    const account = await ledger.open();
    await Promise.all(Array.from({ length: 55 }, (_, index) => ledger.see(account, 'EURe', (index + 1).toString())));
    const first = await ledger.movements.listDeposits({}, account.user);
    expect(first.deposits).toHaveLength(50);
    const second = await ledger.movements.listDeposits({ page: { limit: 100, cursor: first.page?.nextCursor ?? '' } }, account.user);
    expect(second.deposits).toHaveLength(5);
    expect(second.page?.nextCursor).toBe('');
    expect(new Set([...first.deposits, ...second.deposits].map(({ id }) => id)).size).toBe(55);
  });

  it.each([
    ['too many rows', { limit: 101, cursor: '' }],
    ['negative rows', { limit: -1, cursor: '' }],
    ['a cursor of another list', { limit: 1, cursor: 'AAAA' }],
    ['an invalid cursor', { limit: 1, cursor: '%' }],
  ])('reject %s', async (_name, page) => {
    const account = await ledger.open();
    expect(await codeOf(ledger.movements.listDeposits({ page }, account.user))).toBe('VALIDATION_FAILED');
    expect(await codeOf(ledger.movements.listWithdrawals({ page }, account.user))).toBe('VALIDATION_FAILED');
  });

  it("show only the caller's rows", async () => {
    const [account, other] = [await ledger.open(), await ledger.open()];
    await ledger.fund(account, 'EURe', '5');
    await ledger.withdraw(account, 'EURe', '5');
    expect((await ledger.movements.listDeposits({}, other.user)).deposits).toEqual([]);
    expect((await ledger.movements.listWithdrawals({}, other.user)).withdrawals).toEqual([]);
    const stranger = await ledger.user(randomUUID());
    expect(await codeOf(ledger.movements.listDeposits({}, stranger))).toBe('ACCOUNT_NOT_FOUND');
    expect(await codeOf(ledger.movements.listWithdrawals({}, stranger))).toBe('ACCOUNT_NOT_FOUND');
  });
});
