import { randomUUID } from 'node:crypto';
import { EntryResultCode } from '@florin/proto/ledger/v1/entry';
import { waitFor } from '@florin/rpc/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codeOf, ledgerEnvironment, startLedger, type TestLedger } from '../testing/world.ts';

const CHAIN = 100;

describe('a halted chain', { timeout: 120_000 }, () => {
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

  it('stops spending at every instance, and not what comes in or has happened', async () => {
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

  it('is halted by whoever has the scope', async () => {
    const stranger = ledger.as(await ledger.authority.serviceToken('stranger', 'ledger', []));
    expect(await codeOf(ledger.accounts.haltChain({ chainId: CHAIN }, stranger))).toBe('FORBIDDEN');
    expect(await codeOf(ledger.accounts.haltChain({ chainId: 0 }, ledger.operator))).toBe('VALIDATION_FAILED');
  });
});
