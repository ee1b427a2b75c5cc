import { randomUUID } from 'node:crypto';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { AccountStatus } from '@florin/proto/ledger/v1/account';
import { AccountService } from '@florin/proto/ledger/v1/account_service';
import { EntryResultCode } from '@florin/proto/ledger/v1/entry';
import { WithdrawalStatus } from '@florin/proto/ledger/v1/movement';
import { LEDGER_SCOPES } from '@florin/proto/ledger/v1/scopes';
import { createRpcChannel } from '@florin/rpc/client';
import { REASON_HEADER } from '@florin/rpc/server';
import { type CertificateFiles, createTestCa, quietLogger } from '@florin/rpc/testing';
import { openTls } from '@florin/rpc/tls';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Cluster, startCluster } from '../testing/cluster.ts';
import { codeOf, OWNER, type TestLedger } from '../testing/world.ts';

const HOUR_MS = 3_600_000;
/** Longer than these tests run, so that no shard changes hands. */
const LEASE_MS = '60000';

let cluster: Cluster;
let first: TestLedger;
let second: TestLedger;
beforeAll(async () => {
  cluster = await startCluster(4, { LEDGER_LEASE_MS: LEASE_MS });
  // Half each from the start: rounds are rare with such a lease.
  const announced = 'http://127.0.0.1:9';
  expect(await cluster.leases.beat(announced)).toEqual([announced]);
  first = await cluster.start();
  await cluster.leases.leave(announced);
  second = await cluster.start();
  await cluster.settled({ [first.url]: 2, [second.url]: 2 });
});
afterAll(() => cluster.close());

const hold = (accountId: string, amount: string) => ({
  entryId: randomUUID() as string,
  transfers: [{ debit: accountId, credit: 'settlement', token: 'EURe', amount }],
  holdExpiresAt: timestampFromDate(new Date(Date.now() + HOUR_MS)),
});
const spend = (accountId: string, amount: string) => ({
  entryId: randomUUID() as string,
  transfers: [{ debit: accountId, credit: 'settlement', token: 'EURe', amount }],
});

describe('an instance that does not own the shard', () => {
  it.each([
    ['the first', () => first, () => second],
    ['the second', () => second, () => first],
  ])('serves every RPC: %s', async (_name, asked, owner) => {
    const ledger = asked();
    const account = await cluster.openAt(ledger, owner().url);
    const { accountId } = account;
    await ledger.fund(account, 'EURe', '100');
    const refused = await ledger.see(account, 'EURe', '7');
    await ledger.resolve(refused.id, 3);

    const [taken, given] = [hold(accountId, '30'), hold(accountId, '20')];
    const { results } = await ledger.entries.createEntries({ entries: [taken, given, spend(accountId, '60')] }, ledger.operator);
    expect(results.map(({ code }) => code)).toEqual([EntryResultCode.CREATED, EntryResultCode.CREATED, EntryResultCode.INSUFFICIENT_FUNDS]);
    const { entry } = await ledger.holds.postHold({ accountId, holdId: taken.entryId, amount: '10' }, ledger.operator);
    await ledger.holds.voidHold({ accountId, holdId: given.entryId }, ledger.operator);
    expect(await codeOf(ledger.holds.voidHold({ accountId, holdId: taken.entryId }, ledger.operator))).toBe('HOLD_ALREADY_RESOLVED');
    const found = await ledger.entries.getEntry({ accountId, entryId: entry?.id ?? '' }, ledger.operator);
    expect(found.entry).toEqual(entry);
    expect(await codeOf(ledger.entries.getEntry({ accountId, entryId: 'x' }, ledger.operator))).toBe('ENTRY_NOT_FOUND');
    const { entries } = await ledger.entries.listTransfers({ accountId }, ledger.operator);
    expect(entries[0]?.id).toBeDefined();

    const withdrawal = await ledger.withdraw(account, 'EURe', '40');
    await ledger.movements.updateWithdrawal({ withdrawalId: withdrawal.id, status: WithdrawalStatus.COMPLETED }, ledger.operator);
    expect((await ledger.tokenBalances(account))['EURe']).toMatchObject({ spendable: '50', nonSpendable: '0', processingDeposits: '0' });
    expect((await ledger.movements.listDeposits({}, account.user)).deposits).toHaveLength(2);
    expect((await ledger.movements.listWithdrawals({}, account.user)).withdrawals).toMatchObject([{ id: withdrawal.id }]);

    const blocked = await ledger.accounts.blockAccount({ accountId }, ledger.operator);
    expect(blocked.account?.status).toBe(AccountStatus.BLOCKED);
    const unblocked = await ledger.accounts.unblockAccount({ accountId }, ledger.operator);
    expect(unblocked.account?.status).toBe(AccountStatus.ACTIVE);
    await ledger.fund(account, 'EURe', '10000000000000000');
    expect(await codeOf(ledger.accounts.closeAccount({ accountId }, ledger.operator))).toBe('ACCOUNT_NOT_EMPTY');
    expect((await ledger.accounts.getAccount({ key: { case: 'accountId', value: accountId } }, ledger.operator)).account).toEqual(
      unblocked.account,
    );
    // The owner returns the same, and so does the audit at either.
    expect(await owner().tokenBalances(account)).toEqual(await ledger.tokenBalances(account));
    expect(await ledger.verify()).toMatchObject({ ok: true, problem: '' });
  });

  it('splits a batch by shards and returns the results in its order', async () => {
    const accounts = [];
    for (const { url } of [first, second, first, second]) accounts.push(await cluster.openAt(first, url));
    for (const account of accounts) await first.fund(account, 'EURe', '10');
    const entries = [
      ...accounts.map(({ accountId }) => spend(accountId, '1')),
      { entryId: 'x', transfers: [] },
      ...accounts.map(({ accountId }) => spend(accountId, '10')),
      ...accounts.map(({ accountId }) => spend(accountId, '9')),
    ];
    const { CREATED, EXISTS, INVALID, INSUFFICIENT_FUNDS } = EntryResultCode;
    const expected = [...accounts.map(() => CREATED), INVALID, ...accounts.map(() => INSUFFICIENT_FUNDS), ...accounts.map(() => CREATED)];
    const { results } = await second.entries.createEntries({ entries }, second.operator);
    expect(results.map(({ entryId }) => entryId)).toEqual(entries.map(({ entryId }) => entryId));
    expect(results.map(({ code }) => code)).toEqual(expected);
    const again = await first.entries.createEntries({ entries }, first.operator);
    expect(again.results.map(({ code }) => code)).toEqual(expected.map((code) => (code === CREATED ? EXISTS : code)));
  });

  it('gives its callers no rights of its own', async () => {
    const account = await cluster.openAt(first, first.url);
    const { authority } = first;
    const reader = second.as(await authority.serviceToken('operator', 'ledger', ['ledger.accounts.read']));
    expect(await codeOf(second.accounts.blockAccount({ accountId: account.accountId }, reader))).toBe('FORBIDDEN');
    const stranger = second.as(await authority.userToken({ wallet: OWNER, userId: randomUUID() }));
    expect(await codeOf(second.balances.getBalances({}, stranger))).toBe('ACCOUNT_NOT_FOUND');
  });

  it('forwards the calls of people with their reason', async () => {
    const account = await cluster.openAt(first, first.url);
    const { headers } = second.as(await second.authority.serviceToken('ada', 'ledger', Object.values(LEDGER_SCOPES)));
    const because = { headers: { ...headers, [REASON_HEADER]: 'a question' } };
    const request = { accountId: account.accountId };
    expect(await codeOf(second.entries.listTransfers(request, because))).toBe('no error');
    expect(await codeOf(second.entries.listTransfers(request, { headers }))).toBe('REASON_REQUIRED');
  });

  it('forwards a call once only', async () => {
    const account = await cluster.openAt(first, first.url);
    const request = { accountId: account.accountId };
    const headers = { ...first.operator.headers, 'florin-forwarded': '1' };
    expect(await codeOf(second.entries.listTransfers(request, { headers }))).toBe('SERVICE_UNAVAILABLE');
    expect(await codeOf(first.entries.listTransfers(request, { headers }))).toBe('no error');
  });
});

describe('instances with mutual TLS', () => {
  it('forward the calls of services and of users, and accept no other service that does', async () => {
    const ca = await createTestCa();
    const [own, operator, other] = await Promise.all([ca.issue(['ledger']), ca.issue(['operator']), ca.issue(['stranger'])]);
    const secured = await startCluster(2, { LEDGER_LEASE_MS: LEASE_MS, ...own });
    const announced = 'https://127.0.0.1:9';
    await secured.leases.beat(announced);
    const one = await secured.start();
    await secured.leases.leave(announced);
    const two = await secured.start();
    await secured.settled({ [one.url]: 1, [two.url]: 1 });
    const closing: (() => unknown)[] = [];
    const accountsOver = (files: CertificateFiles) => {
      const tls = openTls(files, quietLogger);
      const channel = createRpcChannel({ baseUrl: one.url, tls, timeoutMs: 30_000 });
      closing.push(channel.close, () => tls?.close());
      return channel.client(AccountService);
    };
    const [allowed, refused] = [accountsOver(operator), accountsOver(other)];
    // Some of these accounts are in the shard of the other instance.
    for (let index = 0; index < 8; index += 1) {
      const [accountId, userId, kycProfileId] = [randomUUID(), randomUUID(), randomUUID()];
      await allowed.openAccount({ accountId, userId, kycProfileId, safeOwnerAddress: OWNER }, one.operator);
      await allowed.activateAccount({ accountId }, one.operator);
      expect((await allowed.getCurrentAccount({}, await one.user(userId))).account?.id).toBe(accountId);
      expect(await codeOf(refused.activateAccount({ accountId }, one.operator))).toBe('UNAUTHORIZED');
    }
    for (const close of closing) await close();
    await secured.close();
    await ca.close();
  });
});
