import { randomUUID } from 'node:crypto';
import { timestampDate } from '@bufbuild/protobuf/wkt';
import { openRedis } from '@florin/data/redis';
import { predictSafeAddress } from '@florin/evm/safe';
import { AccountStatus } from '@florin/proto/ledger/v1/account';
import { WithdrawalStatus } from '@florin/proto/ledger/v1/movement';
import { quietLogger, waitFor } from '@florin/rpc/testing';
import mongoose from 'mongoose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isCreditorReference, referenceCandidate } from './domain/reference.ts';
import { codeOf, ledgerEnvironment, OWNER, resultName, startLedger, type TestLedger } from './testing/world.ts';

const environment = ledgerEnvironment({ JOURNAL_SHARDS: '4' });
const database = mongoose.createConnection(environment['MONGODB_URI'] ?? '', { dbName: environment['MONGODB_DATABASE'] ?? '' });

let ledger: TestLedger;
beforeAll(async () => {
  ledger = await startLedger(environment);
});
afterAll(async () => {
  await ledger.close();
  await database.close();
});

const request = (more: Record<string, string> = {}) => ({
  accountId: randomUUID() as string,
  userId: randomUUID() as string,
  kycProfileId: randomUUID() as string,
  safeOwnerAddress: OWNER,
  ...more,
});
const openAccount = (message: ReturnType<typeof request>) => ledger.accounts.openAccount(message, ledger.operator);
const close = (accountId: string) => ledger.accounts.closeAccount({ accountId }, ledger.operator);
const block = (accountId: string) => ledger.accounts.blockAccount({ accountId }, ledger.operator);
const unblock = (accountId: string) => ledger.accounts.unblockAccount({ accountId }, ledger.operator);
const activate = (accountId: string) => ledger.accounts.activateAccount({ accountId }, ledger.operator);

/** Moves euros. @returns the name of the result */
const move = async (debit: string, credit: string, amount: string, more: object = {}) => {
  const entry = { entryId: randomUUID() as string, transfers: [{ debit, credit, token: 'EURe', amount }], ...more };
  const { results } = await ledger.entries.createEntries({ entries: [entry] }, ledger.operator);
  return resultName(results[0]?.code);
};
/** Spendable, settling and owed euros. */
const eurosOf = async ({ accountId }: { accountId: string }) => {
  const { currencies } = await ledger.balances.getAccountBalances({ accountId }, ledger.operator);
  const found = currencies.flatMap(({ tokens }) => tokens).find(({ token }) => token === 'EURe');
  return [found?.spendable, found?.settling, found?.debt];
};

const eventsOf = async (accountId: string): Promise<string[]> => {
  const redis = await openRedis(environment['REDIS_URL'] ?? '', quietLogger);
  const messages = (await redis.xRange('florin:events:ledger', '-', '+')) as { message: Record<string, string> }[];
  redis.destroy();
  return messages.filter(({ message }) => message['aggregateId'] === accountId).map(({ message }) => message['type'] ?? '');
};

describe('accounts', () => {
  it('are opened with a predicted Safe and a payment reference, activated and closed', async () => {
    const message = request();
    const { account } = await openAccount(message);
    expect(account).toMatchObject({
      id: message.accountId,
      userId: message.userId,
      kycProfileId: message.kycProfileId,
      safeOwnerAddress: OWNER,
      safeAddress: predictSafeAddress(message.accountId, [OWNER]),
      chainId: 100,
      chainName: 'Gnosis',
      nativeCurrency: 'EUR',
      additionalCurrencies: ['GBP', 'USD'],
      status: AccountStatus.PROVISIONING,
    });
    expect(isCreditorReference(account?.reference ?? '')).toBe(true);
    expect(account?.provisionedAt).toBeUndefined();

    const { account: active } = await activate(message.accountId);
    expect(active?.status).toBe(AccountStatus.ACTIVE);
    expect(active?.provisionedAt).toBeDefined();
    expect((await activate(message.accountId)).account).toEqual(active);

    const { account: closed } = await close(message.accountId);
    expect(closed?.status).toBe(AccountStatus.CLOSED);
    expect(closed?.closedAt && timestampDate(closed.closedAt).getTime()).toBeGreaterThan(0);
    expect((await close(message.accountId)).account).toEqual(closed);
    expect(await codeOf(activate(message.accountId))).toBe('ACCOUNT_STATE_CONFLICT');
    const types = ['account.opened', 'account.activated', 'account.closed'];
    await waitFor('events', async () => ((await eventsOf(message.accountId)).length === types.length ? true : undefined));
    expect(await eventsOf(message.accountId)).toEqual(types);
  });

  it('are opened once by repeated and concurrent requests', async () => {
    const message = request();
    const answers = await Promise.all([1, 2, 3, 4].map(() => openAccount(message)));
    for (const answer of answers) expect(answer).toEqual(answers[0]);
    expect(await openAccount({ ...message, accountId: message.accountId.toUpperCase(), safeOwnerAddress: OWNER.toLowerCase() })).toEqual(
      answers[0],
    );
  });

  it.each([
    ['userId', { userId: randomUUID() }],
    ['kycProfileId', { kycProfileId: randomUUID() }],
    ['safeOwnerAddress', { safeOwnerAddress: `0x${'3'.repeat(40)}` }],
  ])('are not opened again with another %s', async (_name, change) => {
    const message = request();
    await openAccount(message);
    expect(await codeOf(openAccount({ ...message, ...change }))).toBe('IDEMPOTENCY_KEY_REUSED');
  });

  it.each([
    ['accountId', 'x'],
    ['userId', ''],
    ['kycProfileId', '1'],
    ['safeOwnerAddress', '0x12'],
    ['safeOwnerAddress', OWNER.replace('52908400098527886E', '52908400098527886e')],
    ['safeOwnerAddress', `0x${'0'.repeat(40)}`],
    ['safeOwnerAddress', `0x${'1'.padStart(40, '0')}`],
  ])('are not opened with a bad %s', async (field, value) => {
    expect(await codeOf(openAccount(request({ [field]: value })))).toBe('VALIDATION_FAILED');
  });

  it('take the next reference when theirs is taken', async () => {
    const message = request();
    await database
      .collection<{ _id: string; accountId: string }>('references')
      .insertOne({ _id: referenceCandidate(message.accountId, 0), accountId: 'other' });
    expect((await openAccount(message)).account?.reference).toBe(referenceCandidate(message.accountId, 1));
  });

  it('are found by each key by services, and by their user alone', async () => {
    const message = request();
    const { account } = await openAccount(message);
    const get = (key: { case: 'accountId' | 'userId' | 'reference'; value: string }) =>
      ledger.accounts.getAccount({ key }, ledger.operator);
    expect((await get({ case: 'accountId', value: message.accountId })).account).toEqual(account);
    expect((await get({ case: 'userId', value: message.userId })).account).toEqual(account);
    expect((await get({ case: 'reference', value: account?.reference ?? '' })).account).toEqual(account);
    expect((await ledger.accounts.getCurrentAccount({}, await ledger.user(message.userId))).account).toEqual(account);

    const nobody = randomUUID();
    expect(await codeOf(get({ case: 'accountId', value: nobody }))).toBe('ACCOUNT_NOT_FOUND');
    expect(await codeOf(get({ case: 'userId', value: nobody }))).toBe('ACCOUNT_NOT_FOUND');
    expect(await codeOf(ledger.accounts.getAccount({}, ledger.operator))).toBe('VALIDATION_FAILED');
    expect(await codeOf(get({ case: 'reference', value: 'RF00NOBODY' }))).toBe('ACCOUNT_NOT_FOUND');
    expect(await codeOf(get({ case: 'accountId', value: 'x' }))).toBe('VALIDATION_FAILED');
    expect(await codeOf(get({ case: 'reference', value: 'rf00nobody' }))).toBe('VALIDATION_FAILED');
    expect(await codeOf(ledger.accounts.getCurrentAccount({}, await ledger.user(nobody)))).toBe('ACCOUNT_NOT_FOUND');
    expect(await codeOf(ledger.balances.getBalances({}, await ledger.user(nobody)))).toBe('ACCOUNT_NOT_FOUND');
    expect(await codeOf(activate(nobody))).toBe('ACCOUNT_NOT_FOUND');
    expect(await codeOf(close(nobody))).toBe('ACCOUNT_NOT_FOUND');
  });

  it('are blocked and unblocked again and again, from the states that allow it', async () => {
    const { accountId } = await ledger.open(false);
    for (const change of [block, unblock]) expect(await codeOf(change(accountId))).toBe('ACCOUNT_STATE_CONFLICT');
    await activate(accountId);
    for (let round = 0; round < 2; round += 1) {
      for (const [change, status] of [
        [block, AccountStatus.BLOCKED],
        [unblock, AccountStatus.ACTIVE],
      ] as const) {
        expect((await change(accountId)).account?.status).toBe(status);
        expect((await change(accountId)).account?.status).toBe(status);
      }
    }
    await block(accountId);
    expect((await close(accountId)).account?.status).toBe(AccountStatus.CLOSED);
    for (const change of [block, unblock, activate]) {
      expect(await codeOf(change(accountId))).toBe('ACCOUNT_STATE_CONFLICT');
      expect(await codeOf(change(randomUUID()))).toBe('ACCOUNT_NOT_FOUND');
    }
    const types = ['opened', 'activated', 'blocked', 'unblocked', 'blocked', 'unblocked', 'blocked', 'closed'];
    await waitFor('events', async () => ((await eventsOf(accountId)).length === types.length ? true : undefined));
    expect(await eventsOf(accountId)).toEqual(types.map((type) => `account.${type}`));
  });

  it('are not closed with money in any bucket, and take nothing once closed', async () => {
    const account = await ledger.open();
    const deposit = await ledger.see(account, 'USDC.e', '10000');
    expect(await codeOf(close(account.accountId))).toBe('ACCOUNT_NOT_EMPTY');
    await ledger.resolve(deposit.id);
    expect(await codeOf(close(account.accountId))).toBe('ACCOUNT_NOT_EMPTY');
    const withdrawal = await ledger.withdraw(account, 'USDC.e', '10000');
    expect(await codeOf(close(account.accountId))).toBe('ACCOUNT_NOT_EMPTY');
    await ledger.movements.updateWithdrawal({ withdrawalId: withdrawal.id, status: 3 }, ledger.operator);
    expect((await close(account.accountId)).account?.status).toBe(AccountStatus.CLOSED);

    expect(await codeOf(ledger.see(account, 'EURe', '1'))).toBe('ACCOUNT_CLOSED');
    expect(await codeOf(ledger.withdraw(account, 'EURe', '1'))).toBe('ACCOUNT_NOT_ACTIVE');
    // Earlier requests still return their results when they are repeated.
    const repeated = await ledger.movements.recordDeposit(
      { accountId: account.accountId, chainId: 100, txHash: deposit.txHash, logIndex: 0, token: 'USDC.e', amount: '10000' },
      ledger.operator,
    );
    expect(repeated.deposit?.id).toBe(deposit.id);
    expect((await ledger.withdraw(account, 'USDC.e', '10000', withdrawal.id)).id).toBe(withdrawal.id);
  });

  it('are closed when all is spent, and what was spent is collected afterwards', async () => {
    const account = await ledger.open();
    await ledger.fund(account, 'EURe', '1000');
    const settling = `${account.accountId}/settling`;
    expect(await move(account.accountId, settling, '1000')).toBe('CREATED');
    expect((await close(account.accountId)).account?.status).toBe(AccountStatus.CLOSED);
    // A clearing that comes late is booked, and its debt is shown.
    expect(await move(account.accountId, settling, '20', { forced: true })).toBe('CREATED');
    expect(await move(settling, 'chain', '1021')).toBe('INSUFFICIENT_FUNDS');
    expect(await move(settling, 'chain', '1020')).toBe('CREATED');
    expect(await eurosOf(account)).toEqual(['0', '0', '20']);
    expect(await move(account.accountId, 'chain', '1')).toBe('ACCOUNT_CLOSED');
    expect((await ledger.verify()).ok).toBe(true);
  });

  it('owe nothing for what was collected beyond what they have spent: the operator does', async () => {
    const account = await ledger.open();
    await ledger.fund(account, 'EURe', '1000');
    const settling = `${account.accountId}/settling`;
    expect(await move(account.accountId, settling, '100')).toBe('CREATED');
    // A refund is paid out of it while it is collected.
    expect(await move(settling, 'settlement', '60')).toBe('CREATED');
    expect(await move('settlement', account.accountId, '60')).toBe('CREATED');
    expect(await move(settling, 'chain', '100', { forced: true })).toBe('CREATED');
    expect(await eurosOf(account)).toEqual(['960', '0', '0']);
    const { sums } = await ledger.entries.sumEntries({ accounts: [{ accountId: account.accountId }] }, ledger.operator);
    expect(sums[0]?.tokens).toMatchObject([{ token: 'EURe', booked: '900', elsewhere: '-60', settling: '0' }]);
    // A refund of spending that was collected is the operator's to pay.
    expect(await move(settling, account.accountId, '5', { forced: true })).toBe('CREATED');
    expect(await eurosOf(account)).toEqual(['965', '0', '0']);
    expect((await ledger.verify()).ok).toBe(true);
  });

  it('are closed with dust, which becomes a fee and does not count as spent; one minor unit keeps them open', async () => {
    const account = await ledger.open();
    await ledger.fund(account, 'EURe', '9999999999999999');
    await ledger.fund(account, 'USDC.e', '10000');
    expect(await codeOf(close(account.accountId))).toBe('ACCOUNT_NOT_EMPTY');
    const { id: withdrawalId } = await ledger.withdraw(account, 'USDC.e', '9999');
    await ledger.movements.updateWithdrawal({ withdrawalId, status: WithdrawalStatus.COMPLETED }, ledger.operator);
    const closing = await Promise.all([close(account.accountId), close(account.accountId)]);
    expect(closing.map((one) => one.account?.status)).toEqual([AccountStatus.CLOSED, AccountStatus.CLOSED]);
    expect(await eurosOf(account)).toEqual(['0', '0', '0']);
    expect((await ledger.verify()).ok).toBe(true);
  });

  it('are either closed or credited when both happen at once', async () => {
    for (let round = 0; round < 6; round += 1) {
      const account = await ledger.open();
      const [deposited, closed] = await Promise.all(
        round % 2 === 0
          ? [codeOf(ledger.see(account, 'EURe', '9')), codeOf(close(account.accountId))]
          : [codeOf(close(account.accountId)), codeOf(ledger.see(account, 'EURe', '9'))].reverse(),
      );
      expect([
        ['no error', 'ACCOUNT_NOT_EMPTY'],
        ['ACCOUNT_CLOSED', 'no error'],
      ]).toContainEqual([deposited, closed]);
    }
    expect((await ledger.verify()).ok).toBe(true);
  });
});
