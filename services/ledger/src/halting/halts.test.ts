import { randomUUID } from 'node:crypto';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { TokenBlockReason } from '@florin/proto/ledger/v1/account';
import { EntryResultCode } from '@florin/proto/ledger/v1/entry';
import { waitFor } from '@florin/rpc/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codeOf, ledgerEnvironment, startLedger, type TestLedger } from '../testing/world.ts';

const CHAIN = 100;

describe('what cannot be spent', { timeout: 120_000 }, () => {
  const environment = ledgerEnvironment();
  let ledger: TestLedger;
  let other: TestLedger;
  beforeAll(async () => {
    ledger = await startLedger(environment);
    other = await startLedger(environment);
  }, 120_000);
  afterAll(async () => {
    await other.close();
    await ledger.close();
  });

  const resume = () => ledger.accounts.resumeChain({ chainId: CHAIN }, ledger.operator);
  /** Pays from an account at an instance. @returns the result */
  const pay = async (at: TestLedger, accountId: string, entryId: string = randomUUID(), forced = false) => {
    const transfers = [{ debit: accountId, credit: 'settlement', token: 'EURe', amount: '1' }];
    const { results } = await at.entries.createEntries({ entries: [{ entryId, transfers, forced }] }, at.operator);
    return results[0]?.code;
  };

  it('is what is on a halted chain, at every instance, and not what comes in or has happened', async () => {
    const account = await ledger.open();
    await ledger.fund(account, 'EURe', '100');
    const paid = randomUUID();
    expect(await pay(ledger, account.accountId, paid)).toBe(EntryResultCode.CREATED);
    // The first one owns the shard.
    await Promise.all([1, 2].map(() => other.accounts.haltChain({ chainId: CHAIN }, other.operator)));
    try {
      expect(await pay(other, account.accountId)).toBe(EntryResultCode.CHAIN_HALTED);
      expect(await codeOf(ledger.withdraw(account, 'EURe', '5'))).toBe('CHAIN_HALTED');
      expect(await pay(ledger, account.accountId, paid)).toBe(EntryResultCode.EXISTS);
      expect(await pay(ledger, account.accountId, randomUUID(), true)).toBe(EntryResultCode.CREATED);
      await ledger.fund(account, 'EURe', '10');
    } finally {
      await resume();
    }
    await waitFor('the chain to go on', async () => ((await pay(other, account.accountId)) === EntryResultCode.CREATED ? true : undefined));
    expect(await codeOf(resume())).toBe('no error');
  });

  it('is what is on a chain that nobody has seen for too long, once somebody has begun to watch it', async () => {
    const account = await ledger.open();
    await ledger.fund(account, 'EURe', '100');
    const renew = (until?: Date) =>
      ledger.accounts.renewChain({ chainId: CHAIN, ...(until && { until: timestampFromDate(until) }) }, ledger.operator);
    /** Pays until the result is this one. */
    const becomes = (code: EntryResultCode) =>
      waitFor(`a payment that is ${code}`, async () => ((await pay(other, account.accountId)) === code ? true : undefined));
    try {
      // Those who watch are gone: nobody calls anything any more.
      await renew(new Date(Date.now() + 1500));
      await becomes(EntryResultCode.CHAIN_HALTED);
      expect(await codeOf(ledger.withdraw(account, 'EURe', '5'))).toBe('CHAIN_HALTED');
      // The end of a halt for another reason is not the end of this one.
      await resume();
      expect(await codeOf(ledger.withdraw(account, 'EURe', '5'))).toBe('CHAIN_HALTED');
      await renew(new Date(Date.now() + 3_600_000));
      await becomes(EntryResultCode.CREATED);
      await renew(new Date(Date.now() - 1000));
      await becomes(EntryResultCode.CHAIN_HALTED);
    } finally {
      await renew();
    }
    await becomes(EntryResultCode.CREATED);
  });

  it('knows tokens that are blocked for all accounts, or for one, with the reason', async () => {
    const [one, two] = [await ledger.open(), await ledger.open()];
    for (const account of [one, two]) for (const token of ['EURe', 'GBPe']) await ledger.fund(account, token, '100');
    const { accountId } = one;
    const order = { token: 'EURe', reason: TokenBlockReason.FROZEN, accountId };
    const paused = { token: 'GBPe', reason: TokenBlockReason.PAUSED };
    const blocksOf = async (id: string) => {
      const { account } = await ledger.accounts.getAccount({ key: { case: 'accountId', value: id } }, ledger.operator);
      return account?.tokenBlocks.map(({ token, reason }) => [token, reason]);
    };
    await Promise.all([order, order, paused].map((block) => other.accounts.blockToken(block, other.operator)));
    try {
      expect(await pay(other, accountId)).toBe(EntryResultCode.TOKEN_BLOCKED);
      expect(await pay(other, two.accountId)).toBe(EntryResultCode.CREATED);
      expect(await codeOf(ledger.withdraw(one, 'EURe', '5'))).toBe('TOKEN_BLOCKED');
      expect(await codeOf(ledger.withdraw(two, 'GBPe', '5'))).toBe('TOKEN_BLOCKED');
      await ledger.fund(one, 'EURe', '10');
      expect(await blocksOf(accountId)).toEqual([
        ['EURe', TokenBlockReason.FROZEN],
        ['GBPe', TokenBlockReason.PAUSED],
      ]);
      expect(await blocksOf(two.accountId)).toEqual([['GBPe', TokenBlockReason.PAUSED]]);
      expect((await ledger.balances.getAssets({})).tokenBlocks).toMatchObject([{ token: 'GBPe', reason: TokenBlockReason.PAUSED }]);
    } finally {
      for (const block of [order, paused]) await ledger.accounts.unblockToken(block, ledger.operator);
    }
    await waitFor('the token to be spent again', async () =>
      (await pay(other, accountId)) === EntryResultCode.CREATED ? true : undefined,
    );
    expect(await codeOf(ledger.accounts.blockToken({ ...paused, token: 'XYZ' }, ledger.operator))).toBe('TOKEN_NOT_SUPPORTED');
    expect(await codeOf(ledger.accounts.blockToken({ token: 'EURe' }, ledger.operator))).toBe('VALIDATION_FAILED');
  });

  it('is halted by whoever has the scope', async () => {
    const stranger = ledger.as(await ledger.authority.serviceToken('stranger', 'ledger', []));
    expect(await codeOf(ledger.accounts.haltChain({ chainId: CHAIN }, stranger))).toBe('FORBIDDEN');
    expect(await codeOf(ledger.accounts.haltChain({ chainId: 0 }, ledger.operator))).toBe('VALIDATION_FAILED');
  });
});
