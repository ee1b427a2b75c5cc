import { randomUUID } from 'node:crypto';
import { shardOf } from '@florin/proto/ledger/v1/placement';
import { describe, expect, it } from 'vitest';
import { entry, later, leg, type NewEntry } from './testing/entry-calls.ts';
import { ledgerEnvironment, resultName, startLedger } from './testing/world.ts';

describe('entries on several shards', () => {
  it('belong to one shard each and verify', async () => {
    const sharded = await startLedger(ledgerEnvironment({ JOURNAL_SHARDS: '2' }));
    try {
      const opened = await Promise.all(Array.from({ length: 12 }, () => sharded.open()));
      const shardIn = (accountId: string) => shardOf(accountId, 2);
      const [one, other] = ['0', '1'].map((shard) => opened.find(({ accountId }) => shardIn(accountId) === shard));
      if (one === undefined || other === undefined) throw new Error('a dozen accounts on one shard');
      const id = randomUUID();
      const holdEnd = { holdExpiresAt: later() };
      const entries = [
        { entryId: id, transfers: [leg('settlement', one.accountId, '5')] },
        { entryId: id, transfers: [leg('settlement', other.accountId, '7')] },
        entry(leg(one.accountId, other.accountId)),
      ];
      const holdId = randomUUID();
      const holds = [one, other].map(({ accountId }) => ({ entryId: holdId, transfers: [leg(accountId, 'fees', '2')], ...holdEnd }));
      const ask = async (list: NewEntry[]) =>
        (await sharded.entries.createEntries({ entries: list }, sharded.operator)).results.map(({ code }) => resultName(code));
      expect(await ask(entries)).toEqual(['CREATED', 'CREATED', 'ACCOUNTS_IN_DIFFERENT_SHARDS']);
      expect(await ask(holds)).toEqual(['CREATED', 'CREATED']);
      await sharded.holds.voidHold({ accountId: one.accountId, holdId }, sharded.operator);
      await sharded.holds.postHold({ accountId: other.accountId, holdId }, sharded.operator);
      const amounts = await Promise.all(
        [one, other].map(async ({ accountId }) => {
          const found = await sharded.entries.getEntry({ accountId, entryId: id }, sharded.operator);
          return found.entry?.transfers[0]?.amount;
        }),
      );
      expect(amounts).toEqual(['5', '7']);
      expect((await sharded.tokenBalances(one))['EURe']?.spendable).toBe('5');
      expect((await sharded.tokenBalances(other))['EURe']?.spendable).toBe('5');
      expect(await sharded.verify()).toMatchObject({ ok: true, problem: '' });
    } finally {
      await sharded.close();
    }
  });
});
