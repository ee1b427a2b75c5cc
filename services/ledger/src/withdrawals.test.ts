import { randomUUID } from 'node:crypto';
import { WithdrawalStatus } from '@florin/proto/ledger/v1/movement';
import { describe, expect, it } from 'vitest';
import { serveLedger } from './testing/served-ledger.ts';
import { codeOf, ledgerEnvironment, randomTxHash } from './testing/world.ts';

const ledger = serveLedger(ledgerEnvironment({ JOURNAL_SHARDS: '4' }));

const update = (withdrawalId: string, status: WithdrawalStatus) =>
  ledger.movements.updateWithdrawal({ withdrawalId, status }, ledger.operator);

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
