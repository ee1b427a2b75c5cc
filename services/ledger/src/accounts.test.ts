import { randomUUID } from 'node:crypto';
import { timestampDate } from '@bufbuild/protobuf/wkt';
import { openRedis } from '@florin/data/redis';
import { predictSafeAddress } from '@florin/evm/safe';
import { AccountStatus } from '@florin/proto/ledger/v1/account';
import { quietLogger, waitFor } from '@florin/rpc/testing';
import mongoose from 'mongoose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isCreditorReference, referenceCandidate } from './domain/reference.ts';
import { codeOf, ledgerEnvironment, OWNER, randomTxHash, startLedger, type TestLedger } from './testing/world.ts';

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
      safeAddress: predictSafeAddress(message.accountId, OWNER),
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

  it('are found by either key by services, and by their user alone', async () => {
    const message = request();
    const { account } = await openAccount(message);
    const get = (key: { case: 'accountId' | 'userId'; value: string }) => ledger.accounts.getAccount({ key }, ledger.operator);
    expect((await get({ case: 'accountId', value: message.accountId })).account).toEqual(account);
    expect((await get({ case: 'userId', value: message.userId })).account).toEqual(account);
    expect((await ledger.accounts.getCurrentAccount({}, await ledger.user(message.userId))).account).toEqual(account);

    const nobody = randomUUID();
    expect(await codeOf(get({ case: 'accountId', value: nobody }))).toBe('ACCOUNT_NOT_FOUND');
    expect(await codeOf(get({ case: 'userId', value: nobody }))).toBe('ACCOUNT_NOT_FOUND');
    expect(await codeOf(ledger.accounts.getAccount({}, ledger.operator))).toBe('VALIDATION_FAILED');
    expect(await codeOf(get({ case: 'accountId', value: 'x' }))).toBe('VALIDATION_FAILED');
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
    const deposit = await ledger.see(account, 'USDC.e', '1');
    expect(await codeOf(close(account.accountId))).toBe('ACCOUNT_NOT_EMPTY');
    await ledger.resolve(deposit.id);
    expect(await codeOf(close(account.accountId))).toBe('ACCOUNT_NOT_EMPTY');
    const withdrawal = await ledger.withdraw(account, 'USDC.e', '1');
    expect(await codeOf(close(account.accountId))).toBe('ACCOUNT_NOT_EMPTY');
    await ledger.movements.updateWithdrawal({ withdrawalId: withdrawal.id, status: 3 }, ledger.operator);
    expect((await close(account.accountId)).account?.status).toBe(AccountStatus.CLOSED);

    expect(await codeOf(ledger.see(account, 'EURe', '1'))).toBe('ACCOUNT_CLOSED');
    expect(await codeOf(ledger.withdraw(account, 'EURe', '1'))).toBe('ACCOUNT_NOT_ACTIVE');
    // Earlier requests still return their results when they are repeated.
    const repeated = await ledger.movements.recordDeposit(
      { accountId: account.accountId, chainId: 100, txHash: deposit.txHash, logIndex: 0, token: 'USDC.e', amount: '1' },
      ledger.operator,
    );
    expect(repeated.deposit?.id).toBe(deposit.id);
    expect((await ledger.withdraw(account, 'USDC.e', '1', withdrawal.id)).id).toBe(withdrawal.id);
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

describe('balances', () => {
  it('have a row for every currency and token, zero ones included', async () => {
    const account = await ledger.open();
    const { currencies } = await ledger.balances.getBalances({}, account.user);
    expect(currencies.map(({ currency, decimals, tokens }) => [currency, decimals, tokens.map(({ token }) => token)])).toEqual([
      ['EUR', 2, ['EURe']],
      ['GBP', 2, ['GBPe']],
      ['USD', 2, ['USDC.e']],
    ]);
    for (const row of currencies)
      expect(row).toMatchObject({ spendable: '0', nonSpendable: '0', processingDeposits: '0', processingWithdrawals: '0' });
  });

  it('are exact for 6 and 18 decimals, with dust left out of the currency', async () => {
    const account = await ledger.open();
    await ledger.fund(account, 'EURe', '123456789012345678901');
    await ledger.fund(account, 'EURe', '1');
    await ledger.fund(account, 'USDC.e', '1239999');
    await ledger.see(account, 'EURe', '19999999999999999');
    await ledger.withdraw(account, 'EURe', '10000000000000000');
    expect(await ledger.tokenBalances(account)).toMatchObject({
      EURe: {
        decimals: 18,
        spendable: '123446789012345678902',
        processingDeposits: '19999999999999999',
        maxInstantWithdraw: '123446789012345678902',
        row: { spendable: '12344', processingDeposits: '1', processingWithdrawals: '1' },
      },
      'USDC.e': { decimals: 6, spendable: '1239999', row: { spendable: '123' } },
    });
  });

  it('of a blocked account are not spendable', async () => {
    const account = await ledger.open();
    await ledger.fund(account, 'EURe', '5000000000000000000');
    await block(account.accountId);
    expect((await ledger.tokenBalances(account))['EURe']).toMatchObject({
      spendable: '0',
      nonSpendable: '5000000000000000000',
      maxInstantWithdraw: '0',
      row: { spendable: '0', nonSpendable: '500' },
    });
    expect(await codeOf(ledger.withdraw(account, 'EURe', '1'))).toBe('ACCOUNT_NOT_ACTIVE');
    expect(await codeOf(activate(account.accountId))).toBe('ACCOUNT_STATE_CONFLICT');
    expect((await ledger.see(account, 'EURe', '1')).id).toBeDefined();
    await unblock(account.accountId);
    expect((await ledger.tokenBalances(account))['EURe']).toMatchObject({ spendable: '5000000000000000000', nonSpendable: '0' });
    expect((await ledger.withdraw(account, 'EURe', '1')).id).toBeDefined();
  });
});

describe('policies', () => {
  type Options = { headers: Record<string, string> };
  /** The result of each call, by name. */
  const outcomes = async (calls: Record<string, Promise<unknown>>): Promise<Record<string, unknown>> =>
    Object.fromEntries(await Promise.all(Object.entries(calls).map(async ([name, call]) => [name, await codeOf(call)])));
  const asService = (options: Options) =>
    outcomes({
      openAccount: ledger.accounts.openAccount(request(), options),
      activateAccount: ledger.accounts.activateAccount({ accountId: randomUUID() }, options),
      blockAccount: ledger.accounts.blockAccount({ accountId: randomUUID() }, options),
      unblockAccount: ledger.accounts.unblockAccount({ accountId: randomUUID() }, options),
      closeAccount: ledger.accounts.closeAccount({ accountId: randomUUID() }, options),
      createEntries: ledger.entries.createEntries({}, options),
      postHold: ledger.holds.postHold({ holdId: randomUUID() }, options),
      voidHold: ledger.holds.voidHold({ holdId: randomUUID() }, options),
      getEntry: ledger.entries.getEntry({ entryId: 'x' }, options),
      listTransfers: ledger.entries.listTransfers({}, options),
      getAccount: ledger.accounts.getAccount({ key: { case: 'accountId', value: randomUUID() } }, options),
      recordDeposit: ledger.movements.recordDeposit({ txHash: randomTxHash() }, options),
      resolveDeposit: ledger.movements.resolveDeposit({ depositId: randomUUID() }, options),
      createWithdrawal: ledger.movements.createWithdrawal({ withdrawalId: randomUUID() }, options),
      updateWithdrawal: ledger.movements.updateWithdrawal({ withdrawalId: randomUUID() }, options),
    });
  const asUser = (options: Options) =>
    outcomes({
      getCurrentAccount: ledger.accounts.getCurrentAccount({}, options),
      getBalances: ledger.balances.getBalances({}, options),
      listDeposits: ledger.movements.listDeposits({}, options),
      listWithdrawals: ledger.movements.listWithdrawals({}, options),
    });
  const codes = async (answers: Promise<Record<string, unknown>>) => [...new Set(Object.values(await answers))];

  it('admit services by their scopes only, and no users', async () => {
    const { authority } = ledger;
    expect(await codes(asService({ headers: {} }))).toEqual(['UNAUTHORIZED']);
    expect(await codes(asService(await ledger.user(randomUUID())))).toEqual(['FORBIDDEN']);
    const stranger = ledger.as(await authority.serviceToken('stranger', 'ledger', ['ledger.accounts.write', 'ledger.entries.read']));
    expect(await codes(asService(stranger))).toEqual(['FORBIDDEN']);
    const { getAccount, ...rest } = await asService(
      ledger.as(await authority.serviceToken('operator', 'ledger', ['ledger.accounts.read'])),
    );
    expect(getAccount).toBe('ACCOUNT_NOT_FOUND');
    expect(new Set(Object.values(rest))).toEqual(new Set(['FORBIDDEN']));
  });

  it('show registered users their own data only', async () => {
    const { authority } = ledger;
    expect(await codes(asUser({ headers: {} }))).toEqual(['UNAUTHORIZED']);
    expect(await codes(asUser(ledger.operator))).toEqual(['FORBIDDEN']);
    expect(await codes(asUser(ledger.as(await authority.userToken({ wallet: OWNER }))))).toEqual(['USER_NOT_REGISTERED']);
    expect(await codes(asUser(await ledger.user(randomUUID())))).toEqual(['ACCOUNT_NOT_FOUND']);
  });
});
