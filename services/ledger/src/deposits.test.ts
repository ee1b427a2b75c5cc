import { randomUUID } from 'node:crypto';
import { DepositStatus } from '@florin/proto/ledger/v1/movement';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { serveLedger } from './testing/served-ledger.ts';
import { codeOf, ledgerEnvironment, randomTxHash } from './testing/world.ts';

const ledger = serveLedger(ledgerEnvironment({ JOURNAL_SHARDS: '4' }));

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

const DECIDED = { actor: 'ada', reason: 'the sender is known' };

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
    ['an unknown deposit', { depositId: randomUUID(), status: DepositStatus.APPROVED, metadata: DECIDED }, 'DEPOSIT_NOT_FOUND'],
    ['no outcome', { depositId: randomUUID(), status: DepositStatus.PENDING, metadata: DECIDED }, 'VALIDATION_FAILED'],
    ['no UUID', { depositId: 'x', status: DepositStatus.APPROVED, metadata: DECIDED }, 'VALIDATION_FAILED'],
    [
      'an impossible score',
      { depositId: randomUUID(), status: DepositStatus.APPROVED, kytBreakdown: { result: 'x', riskScore: 101, riskTier: 'x' } },
      'VALIDATION_FAILED',
    ],
  ])('are not resolved with %s', async (_name, request, code) => {
    expect(await codeOf(ledger.movements.resolveDeposit(request, ledger.operator))).toBe(code);
  });

  it('are decided by a person under a name and with a reason, which their entry keeps', async () => {
    const account = await ledger.open();
    const { id } = await ledger.see(account, 'EURe', '5');
    const decide = async (actor: string) => {
      const metadata = { actor, reason: 'the sender is known', externalReference: 'case 7' };
      const request = { depositId: id, status: DepositStatus.APPROVED, metadata };
      return (await ledger.movements.resolveDeposit(request, ledger.operator)).deposit;
    };
    const deposit = await decide('ada');
    expect(deposit).toMatchObject({ id, status: DepositStatus.APPROVED });
    expect(deposit?.kytBreakdown).toBeUndefined();
    expect(await decide('ben')).toEqual(deposit);
    expect(deposit?.resolvedBy).toBe('ada');
    const listed = async (options: typeof ledger.operator, userId = '') =>
      (await ledger.movements.listDeposits({ userId }, options)).deposits.map(({ resolvedBy }) => resolvedBy);
    expect([await listed(ledger.operator, account.userId), await listed(account.user)]).toEqual([['ada'], ['']]);
    const entryId = `deposit/${id}/resolved`;
    const { entry } = await ledger.entries.getEntry({ accountId: account.accountId, entryId }, ledger.operator);
    expect(entry?.metadata).toMatchObject({
      actor: 'ada',
      reason: 'the sender is known',
      externalReference: 'case 7',
      approvedBy: '',
    });
  });

  it.each([
    ['nobody', undefined],
    ['nobody, with a reason', { reason: 'r' }],
    ['somebody without a reason', { actor: 'ada' }],
    ['somebody with a blank reason', { actor: 'ada', reason: ' ' }],
    ['somebody who states an approval', { actor: 'ada', reason: 'r', approvedBy: 'eve' }],
    ['somebody with too long a name', { actor: 'a'.repeat(129), reason: 'r' }],
  ])('are not decided by %s', async (_name, metadata) => {
    const account = await ledger.open();
    const { id } = await ledger.see(account, 'EURe', '5');
    const request = { depositId: id, status: DepositStatus.APPROVED, ...(metadata === undefined ? {} : { metadata }) };
    expect(await codeOf(ledger.movements.resolveDeposit(request, ledger.operator))).toBe('VALIDATION_FAILED');
    expect((await ledger.tokenBalances(account))['EURe']).toMatchObject({ spendable: '0', processingDeposits: '5' });
  });
});

describe('bad deposits', () => {
  let account: Awaited<ReturnType<typeof ledger.open>>;
  let before: Awaited<ReturnType<typeof ledger.verify>>;
  beforeAll(async () => {
    account = await ledger.open();
    before = await ledger.verify();
  });
  afterAll(async () => {
    expect((await ledger.verify()).entries).toBe(before.entries);
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
    expect(await codeOf(record(account.accountId, change))).toBe(code);
  });
});
