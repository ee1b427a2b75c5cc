import { randomUUID } from 'node:crypto';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { DepositStatus, WithdrawalStatus } from '@florin/proto/ledger/v1/movement';
import { StatementLineKind } from '@florin/proto/ledger/v1/statement_service';
import { describe, expect, it } from 'vitest';
import { serveLedger } from './testing/served-ledger.ts';
import { codeOf, randomTxHash, resultName, type TestLedger } from './testing/world.ts';

const ledger = serveLedger();

type Account = Awaited<ReturnType<TestLedger['open']>>;

const force = async (debit: string, credit: string, amount: string, more: object = {}) => {
  const entry = { entryId: randomUUID() as string, transfers: [{ debit, credit, token: 'EURe', amount }], forced: true, ...more };
  const { results } = await ledger.entries.createEntries({ entries: [entry] }, ledger.operator);
  return { code: resultName(results[0]?.code), id: entry.entryId };
};
const row = async (account: Account) => {
  const { currencies } = await ledger.balances.getAccountBalances({ accountId: account.accountId }, ledger.operator);
  const found = currencies.flatMap(({ tokens }) => tokens).find(({ token }) => token === 'EURe');
  return [found?.spendable, found?.debt];
};
const statement = async (account: Account) =>
  (await ledger.statements.listStatement({}, account.user)).lines.map((line) => [
    line.kind,
    line.amount,
    line.balanceAfter,
    line.debtRepaid,
    line.debtIncurred,
  ]);

const rich = async (amount = '100') => {
  const account = await ledger.open();
  await ledger.fund(account, 'EURe', amount);
  return account;
};

describe('a forced entry', () => {
  it('leaves debt for the part that is not covered, which later credits repay first', async () => {
    const account = await rich();
    expect((await force(account.accountId, 'settlement', '150')).code).toBe('CREATED');
    expect(await row(account)).toEqual(['0', '50']);
    await ledger.fund(account, 'EURe', '30');
    expect(await row(account)).toEqual(['0', '20']);
    await ledger.fund(account, 'EURe', '30');
    expect(await row(account)).toEqual(['10', '0']);
    const { DEPOSIT, TRANSFER } = StatementLineKind;
    expect(await statement(account)).toEqual([
      [DEPOSIT, '30', '10', '20', '0'],
      [DEPOSIT, '30', '-20', '30', '0'],
      [TRANSFER, '-150', '-50', '0', '50'],
      [DEPOSIT, '100', '100', '0', '0'],
    ]);
  });

  it('is booked on blocked and closed accounts, and a credit to a blocked one repays debt', async () => {
    const [blocked, closed] = [await rich(), await ledger.open()];
    await ledger.accounts.blockAccount({ accountId: blocked.accountId }, ledger.operator);
    await ledger.accounts.closeAccount({ accountId: closed.accountId }, ledger.operator);
    expect((await force(blocked.accountId, 'settlement', '120')).code).toBe('CREATED');
    expect((await force(closed.accountId, 'settlement', '7')).code).toBe('CREATED');
    expect([await row(blocked), await row(closed)]).toEqual([
      ['0', '20'],
      ['0', '7'],
    ]);
    await ledger.fund(blocked, 'EURe', '25');
    expect((await force('settlement', closed.accountId, '9')).code).toBe('CREATED');
    await ledger.accounts.unblockAccount({ accountId: blocked.accountId }, ledger.operator);
    expect([await row(blocked), await row(closed)]).toEqual([
      ['5', '0'],
      ['2', '0'],
    ]);
    expect((await force('settlement', closed.accountId, '9', { forced: false })).code).toBe('ACCOUNT_CLOSED');
  });

  it('is rejected for an unknown account, and an account with debt cannot be closed', async () => {
    expect((await force(randomUUID(), 'settlement', '1')).code).toBe('ACCOUNT_NOT_FOUND');
    const account = await ledger.open();
    await force(account.accountId, 'settlement', '1');
    expect(await codeOf(ledger.accounts.closeAccount({ accountId: account.accountId }, ledger.operator))).toBe('ACCOUNT_NOT_EMPTY');
    // Written off by the platform.
    expect((await force('debt', account.accountId, '1', { forced: false })).code).toBe('CREATED');
    expect(await codeOf(ledger.accounts.closeAccount({ accountId: account.accountId }, ledger.operator))).toBe('no error');
  });

  it('repays debt out of a hold that is released', async () => {
    const account = await rich();
    const holdId = randomUUID() as string;
    const transfers = [{ debit: account.accountId, credit: 'settlement', token: 'EURe', amount: '60' }];
    const holdExpiresAt = timestampFromDate(new Date(Date.now() + 3_600_000));
    await ledger.entries.createEntries({ entries: [{ entryId: holdId, transfers, holdExpiresAt }] }, ledger.operator);
    await force(account.accountId, 'settlement', '70');
    expect(await row(account)).toEqual(['0', '30']);
    await ledger.holds.voidHold({ accountId: account.accountId, holdId }, ledger.operator);
    expect(await row(account)).toEqual(['30', '0']);
  });

  it('can be a hold of any amount, for stand-in authorizations', async () => {
    const account = await rich('10');
    const holdExpiresAt = timestampFromDate(new Date(Date.now() + 3_600_000));
    const { code, id: holdId } = await force(account.accountId, 'settlement', '15', { holdExpiresAt });
    expect(code).toBe('CREATED');
    expect(await row(account)).toEqual(['0', '5']);
    await ledger.holds.postHold({ accountId: account.accountId, holdId, amount: '12' }, ledger.operator);
    expect(await row(account)).toEqual(['0', '2']);
  });
});

describe('money that moved on the chain', () => {
  const why = { actor: 'ops-1', reason: 'reorganization' };

  it('without the ledger is a forced withdrawal', async () => {
    const account = await rich('10');
    const request = { withdrawalId: randomUUID() as string, accountId: account.accountId, token: 'EURe', amount: '15' };
    expect(await codeOf(ledger.movements.createWithdrawal(request, ledger.operator))).toBe('INSUFFICIENT_FUNDS');
    await ledger.movements.createWithdrawal({ ...request, forced: true }, ledger.operator);
    expect(await codeOf(ledger.movements.createWithdrawal(request, ledger.operator))).toBe('IDEMPOTENCY_KEY_REUSED');
    const { withdrawalId } = request;
    const txHash = randomTxHash();
    await ledger.movements.updateWithdrawal({ withdrawalId, status: WithdrawalStatus.COMPLETED, txHash }, ledger.operator);
    expect((await ledger.movements.getWithdrawal({ withdrawalId }, ledger.operator)).withdrawal).toMatchObject({
      status: WithdrawalStatus.COMPLETED,
      txHash,
    });
    expect(await row(account)).toEqual(['0', '5']);
  });

  it('to an address, and gets its transaction later', async () => {
    const account = await rich('10');
    const toAddress = '0x52908400098527886E0F7030069857D2E4169EE7';
    const request = { withdrawalId: randomUUID() as string, accountId: account.accountId, token: 'EURe', amount: '5', toAddress };
    const bad = { ...request, withdrawalId: randomUUID() as string, toAddress: 'nowhere' };
    expect(await codeOf(ledger.movements.createWithdrawal(bad, ledger.operator))).toBe('VALIDATION_FAILED');
    const { withdrawal } = await ledger.movements.createWithdrawal(request, ledger.operator);
    expect(withdrawal).toMatchObject({ toAddress, txHash: '' });
    const failed = { withdrawalId: request.withdrawalId, status: WithdrawalStatus.FAILED, txHash: randomTxHash() };
    expect(await codeOf(ledger.movements.updateWithdrawal(failed, ledger.operator))).toBe('VALIDATION_FAILED');
  });

  it.each([
    ['pending', undefined, ['0', '0']],
    ['approved', DepositStatus.APPROVED, ['0', '40']],
    ['rejected', DepositStatus.REJECTED, ['0', '0']],
  ] as const)('and vanished again is taken back from a deposit that is %s', async (_name, outcome, expected) => {
    const account = await ledger.open();
    const { id: depositId } = await ledger.see(account, 'EURe', '100');
    if (outcome !== undefined) await ledger.resolve(depositId, outcome);
    if (outcome === DepositStatus.APPROVED) await force(account.accountId, 'settlement', '40');
    const calls = Array.from({ length: 4 }, () => ledger.movements.reverseDeposit({ depositId, metadata: why }, ledger.operator));
    for (const { deposit } of await Promise.all(calls)) expect(deposit?.status).toBe(DepositStatus.REVERSED);
    expect((await ledger.movements.getDeposit({ depositId }, ledger.operator)).deposit?.status).toBe(DepositStatus.REVERSED);
    expect(await row(account)).toEqual(expected);
    if (outcome === undefined) expect(await codeOf(ledger.resolve(depositId))).toBe('DEPOSIT_STATE_CONFLICT');
    expect(await row(account)).toEqual(expected);
  });

  it('is not reversed without actor and reason, or for an unknown deposit', async () => {
    const { id: depositId } = await ledger.see(await ledger.open(), 'EURe', '1');
    for (const metadata of [undefined, { actor: 'a' }, { reason: 'r' }, { ...why, actor: ' ' }]) {
      const request = { depositId, ...(metadata === undefined ? {} : { metadata }) };
      expect(await codeOf(ledger.movements.reverseDeposit(request, ledger.operator))).toBe('VALIDATION_FAILED');
    }
    const unknown = { depositId: randomUUID(), metadata: why };
    expect(await codeOf(ledger.movements.reverseDeposit(unknown, ledger.operator))).toBe('DEPOSIT_NOT_FOUND');
    expect(await codeOf(ledger.movements.getDeposit({ depositId: randomUUID() }, ledger.operator))).toBe('DEPOSIT_NOT_FOUND');
    expect(await codeOf(ledger.movements.getWithdrawal({ withdrawalId: randomUUID() }, ledger.operator))).toBe('WITHDRAWAL_NOT_FOUND');
  });
});
