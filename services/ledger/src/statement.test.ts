import { randomUUID } from 'node:crypto';
import { timestampDate, timestampFromDate } from '@bufbuild/protobuf/wkt';
import { DepositStatus, WithdrawalStatus } from '@florin/proto/ledger/v1/movement';
import { type StatementLine, StatementLineKind } from '@florin/proto/ledger/v1/statement_service';
import { fakeClock } from '@florin/rpc/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codeOf, ledgerEnvironment, startLedger, type TestLedger } from './testing/world.ts';

const { DEPOSIT, WITHDRAWAL, CARD_PAYMENT, TRANSFER } = StatementLineKind;

const POSTING_ID = randomUUID();

const clock = fakeClock();
let ledger: TestLedger;
beforeAll(async () => {
  ledger = await startLedger(ledgerEnvironment(), { runtime: { now: clock.now } });
});
afterAll(() => ledger.close());

type Opened = Awaited<ReturnType<TestLedger['open']>>;

const statement = async ({ user }: Opened, request: Parameters<TestLedger['statements']['listStatement']>[0] = {}) =>
  ledger.statements.listStatement(request, user);

const transfer = async (transfers: { debit: string; credit: string; token: string; amount: string }[], holdExpiresAt?: Date) => {
  const entryId = randomUUID();
  const hold = holdExpiresAt === undefined ? {} : { holdExpiresAt: timestampFromDate(holdExpiresAt) };
  const { results } = await ledger.entries.createEntries({ entries: [{ entryId, transfers, ...hold }] }, ledger.operator);
  expect(results[0]?.code).toBe(1);
  return entryId;
};

const hold = ({ accountId }: Opened, token: string, amount: string) =>
  transfer([{ debit: accountId, credit: 'settlement', token, amount }], new Date(clock.now().getTime() + 600_000));

const shown = (lines: readonly StatementLine[]) =>
  lines.map(({ kind, token, amount, balanceAfter }) => [kind, token, amount, balanceAfter]);

describe('a statement', () => {
  it('lists booked lines only, newest first, with the balance after each', async () => {
    const [account, other] = [await ledger.open(), await ledger.open()];
    const deposit = (await ledger.fund(account, 'EURe', '1000')).deposit;
    await ledger.see(account, 'EURe', '7');
    await ledger.resolve((await ledger.see(account, 'EURe', '8')).id, DepositStatus.REJECTED);
    await ledger.fund(account, 'USDC.e', '50');
    const posted = await hold(account, 'EURe', '300');
    await ledger.holds.postHold({ accountId: account.accountId, holdId: posted, amount: '120', postingId: POSTING_ID }, ledger.operator);
    const voided = await hold(account, 'EURe', '20');
    await ledger.holds.voidHold({ accountId: account.accountId, holdId: voided }, ledger.operator);
    await hold(account, 'EURe', '30');
    const [done, failed] = [await ledger.withdraw(account, 'EURe', '200'), await ledger.withdraw(account, 'EURe', '1')];
    await ledger.movements.updateWithdrawal({ withdrawalId: done.id, status: WithdrawalStatus.COMPLETED }, ledger.operator);
    await ledger.movements.updateWithdrawal({ withdrawalId: failed.id, status: WithdrawalStatus.FAILED }, ledger.operator);
    await ledger.withdraw(account, 'EURe', '2');
    const order = await transfer([
      { debit: account.accountId, credit: other.accountId, token: 'EURe', amount: '80' },
      { debit: account.accountId, credit: 'fees', token: 'USDC.e', amount: '1' },
      { debit: 'settlement', credit: account.accountId, token: 'EURe', amount: '5' },
    ]);

    const { lines, page } = await statement(account);
    expect(shown(lines)).toEqual([
      [TRANSFER, 'EURe', '-75', '605'],
      [TRANSFER, 'USDC.e', '-1', '49'],
      [WITHDRAWAL, 'EURe', '-200', '680'],
      [CARD_PAYMENT, 'EURe', '-120', '880'],
      [DEPOSIT, 'USDC.e', '50', '50'],
      [DEPOSIT, 'EURe', '1000', '1000'],
    ]);
    expect(page?.nextCursor).toBe('');
    expect(lines.map(({ reference }) => reference)).toEqual([order, order, done.id, posted, expect.any(String), deposit?.id]);
    expect(lines.map(({ postingId }) => postingId)).toEqual(['', '', '', POSTING_ID, '', '']);
    expect(lines.map(({ txHash }) => txHash)).toEqual(['', '', done.txHash, '', expect.stringMatching(/^0x/), deposit?.txHash]);
    // Of the order, one line has two counterparties; a deposit comes from the account's own `incoming`.
    expect(lines.map(({ counterparty }) => counterparty)).toEqual(['', 'fees', 'chain', 'settlement', '', '']);
    expect(lines[1]).toMatchObject({ decimals: 6, currency: 'USD' });
    expect(lines[2]).toMatchObject({ decimals: 18, currency: 'EUR' });
    expect(new Set(lines.map(({ id }) => id)).size).toBe(6);
    expect(shown((await statement(other)).lines)).toEqual([[TRANSFER, 'EURe', '80', '80']]);
  });

  it('lists each line once in pages of any size, even if a page ends within an entry', async () => {
    const account = await ledger.open();
    for (const token of ['EURe', 'GBPe', 'USDC.e']) await ledger.fund(account, token, '100');
    for (let index = 0; index < 3; index += 1) {
      await transfer(['EURe', 'GBPe', 'USDC.e'].map((token) => ({ debit: account.accountId, credit: 'fees', token, amount: '1' })));
    }
    const { lines: all } = await statement(account);
    expect(all).toHaveLength(12);
    for (const limit of [1, 2, 3, 4, 5, 11, 12, 100]) {
      const seen: StatementLine[] = [];
      let cursor = '';
      do {
        const { lines, page } = await statement(account, { page: { limit, cursor } });
        expect(lines.length).toBe(Math.min(limit, 12 - seen.length));
        seen.push(...lines);
        cursor = page?.nextCursor ?? '';
      } while (cursor !== '');
      expect(seen).toEqual(all);
    }
  });

  it('covers a time range without its end', async () => {
    const account = await ledger.open();
    for (const amount of ['1', '2', '3']) {
      clock.advanceSeconds(10);
      await ledger.fund(account, 'EURe', amount);
    }
    const { lines } = await statement(account);
    const at = (index: number) => lines[index]?.createdAt ?? expect.fail('no such line');
    const amounts = async (request: object) => (await statement(account, request)).lines.map(({ amount }) => amount);
    expect(timestampDate(at(1)).getTime()).toBe(timestampDate(at(0)).getTime() - 10_000);
    expect(await amounts({ from: at(1) })).toEqual(['3', '2']);
    expect(await amounts({ to: at(1) })).toEqual(['1']);
    expect(await amounts({ from: at(1), to: at(0) })).toEqual(['2']);
    expect(await amounts({ from: at(0), to: at(0) })).toEqual([]);
    expect(await codeOf(statement(account, { from: { seconds: 1n << 60n, nanos: 0 } }))).toBe('VALIDATION_FAILED');
  });

  it.each(['AAAA', '%', 'MA.01', 'MA'])('rejects the cursor %j', async (cursor) => {
    expect(await codeOf(statement(await ledger.open(), { page: { limit: 1, cursor } }))).toBe('VALIDATION_FAILED');
  });

  it("shows only the caller's lines", async () => {
    const account = await ledger.open();
    await ledger.fund(account, 'EURe', '5');
    expect((await statement(await ledger.open())).lines).toEqual([]);
    expect(await codeOf(ledger.statements.listStatement({}, await ledger.user(randomUUID())))).toBe('ACCOUNT_NOT_FOUND');
    expect(await codeOf(ledger.statements.listStatement({}, ledger.operator))).not.toBe('no error');
  });
});
