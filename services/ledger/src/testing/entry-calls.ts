import { randomUUID } from 'node:crypto';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { expect } from 'vitest';
import { resultName, type TestLedger } from './world.ts';

type Leg = { debit: string; credit: string; token: string; amount: string };

/** An entry as a caller orders it. */
export type NewEntry = {
  entryId: string;
  transfers: Leg[];
  holdExpiresAt?: ReturnType<typeof timestampFromDate>;
  shard?: string;
  metadata?: { actor?: string; reason?: string; externalReference?: string; approvedBy?: string; labels?: Record<string, string> };
};

export const leg = (debit: string, credit: string, amount = '1', token = 'EURe'): Leg => ({ debit, credit, token, amount });
export const entry = (...transfers: Leg[]): NewEntry => ({ entryId: randomUUID(), transfers });
export const later = () => timestampFromDate(new Date(Date.now() + 3_600_000));

/** Calls of CreateEntries, and accounts for them. */
export const entryCalls = (ledger: TestLedger) => ({
  /** Orders entries. @returns the names of their results */
  create: async (...entries: NewEntry[]) => {
    const { results } = await ledger.entries.createEntries({ entries }, ledger.operator);
    expect(results.map(({ entryId }) => entryId)).toEqual(entries.map(({ entryId }) => entryId));
    return results.map(({ code }) => resultName(code));
  },
  spendable: async (account: Awaited<ReturnType<TestLedger['open']>>, token = 'EURe') =>
    (await ledger.tokenBalances(account))[token]?.spendable,
  /** Opens an account with money. */
  rich: async (amount = '1000') => {
    const account = await ledger.open();
    await ledger.fund(account, 'EURe', amount);
    return account;
  },
});
