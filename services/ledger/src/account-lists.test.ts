import { randomUUID } from 'node:crypto';
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codeOf, ledgerEnvironment, startLedger, type TestLedger } from './testing/world.ts';

let ledger: TestLedger;
beforeAll(async () => {
  ledger = await startLedger(ledgerEnvironment());
});
afterAll(() => ledger.close());

const open = async () => {
  const safeOwnerAddress = privateKeyToAddress(generatePrivateKey());
  const [accountId, userId, kycProfileId] = [randomUUID(), randomUUID(), randomUUID()];
  const { account } = await ledger.accounts.openAccount({ accountId, userId, kycProfileId, safeOwnerAddress }, ledger.operator);
  if (account === undefined) throw new Error('no account was opened');
  return account;
};

describe('FindAccountsBySafe', () => {
  const find = (safeAddresses: string[], chainId = 100) => ledger.accounts.findAccountsBySafe({ chainId, safeAddresses }, ledger.operator);

  it('returns accounts in every state by their Safes, in any spelling of the addresses', async () => {
    const [first, second, other] = [await open(), await open(), await open()];
    await ledger.accounts.closeAccount({ accountId: second.id }, ledger.operator);
    const { accounts } = await find([first.safeAddress.toLowerCase(), second.safeAddress, other.safeOwnerAddress]);
    expect(accounts.map(({ id }) => id).sort()).toEqual([first.id, second.id].sort());
  });

  it('returns nothing on another chain, and for no address', async () => {
    const account = await open();
    expect((await find([account.safeAddress], 1)).accounts).toEqual([]);
    expect((await find([])).accounts).toEqual([]);
  });

  it.each([
    ['a text that is no address', ['0x12']],
    ['a wrong checksum', ['0xABCDEFabcdefabcdefabcdefabcdefabcdefabcd']],
    ['more than 1,000 addresses', Array.from({ length: 1001 }, () => `0x${'1'.repeat(40)}`)],
  ])('rejects %s', async (_name, addresses) => {
    expect(await codeOf(find(addresses))).toBe('VALIDATION_FAILED');
  });
});

describe('BatchGetAccounts', () => {
  const get = (accountIds: string[]) => ledger.accounts.batchGetAccounts({ accountIds }, ledger.operator);

  it('returns each account once, without those that do not exist', async () => {
    const [first, second] = [await open(), await open()];
    const { accounts } = await get([first.id, randomUUID(), second.id, first.id]);
    expect(accounts.map(({ id }) => id).sort()).toEqual([first.id, second.id].sort());
    expect(accounts.find(({ id }) => id === first.id)).toEqual(first);
    expect((await get([])).accounts).toEqual([]);
  });

  it.each([
    ['an id that is not a UUID', ['x']],
    ['more than 100 ids', Array.from({ length: 101 }, () => randomUUID())],
  ])('rejects %s', async (_name, ids) => {
    expect(await codeOf(get(ids))).toBe('VALIDATION_FAILED');
  });
});

describe('ListAccounts', () => {
  it('returns every account on exactly one page, by id', async () => {
    const opened = [await open(), await open(), await open()].map(({ id }) => id);
    const seen: string[] = [];
    let cursor = '';
    do {
      const { accounts, page } = await ledger.accounts.listAccounts({ page: { limit: 2, cursor } }, ledger.operator);
      seen.push(...accounts.map(({ id }) => id));
      cursor = page?.nextCursor ?? '';
    } while (cursor !== '');
    expect(seen).toEqual([...new Set(seen)].sort());
    expect(seen).toEqual(expect.arrayContaining(opened));
  });

  it('returns the blocked ones alone', async () => {
    const [blocked, also, free] = [await open(), await open(), await open()];
    for (const { id: accountId } of [blocked, also, free]) {
      await ledger.accounts.activateAccount({ accountId }, ledger.operator);
      await ledger.accounts.blockAccount({ accountId }, ledger.operator);
    }
    await ledger.accounts.unblockAccount({ accountId: free.id }, ledger.operator);
    const list = async (cursor = '') => ledger.accounts.listAccounts({ blocked: true, page: { limit: 1, cursor } }, ledger.operator);
    await expect.poll(async () => (await list()).accounts.length).toBe(1);
    await expect
      .poll(async () => {
        const first = await list();
        const second = await list(first.page?.nextCursor);
        return [...first.accounts, ...second.accounts].map(({ id }) => id).concat(second.page?.nextCursor ?? '');
      })
      .toEqual([...[blocked.id, also.id].sort(), '']);
  });

  it('rejects a cursor that is not one', async () => {
    expect(await codeOf(ledger.accounts.listAccounts({ page: { cursor: 'bogus' } }, ledger.operator))).toBe('VALIDATION_FAILED');
  });
});
