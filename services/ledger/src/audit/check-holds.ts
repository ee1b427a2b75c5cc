import type { AccountLine } from './book.ts';
import { AuditError, type Source } from './source.ts';

type StoredHold = { _id: string; accountId: string; expiresAt: Date };

/**
 * Holds the rows by which holds expire against derived ones: a hold that lacks its row never expires. Each hold that is open from the checkpoint on has a row. A row without a
 * hold is no error: a writer that was replaced may leave one, which its expiry removes.
 * @param projected block of the checkpoint, read before the rows
 */
export const createHoldCheck = async (source: Source, shard: string, projected: number) => {
  const rows = new Map<string, StoredHold>();
  for await (const row of source.collection('open_holds').find({ shard }) as AsyncIterable<StoredHold>) rows.set(row._id, row);
  /** Holds that were open at the checkpoint and are still, by account, with the expiries that they have had since. */
  const due = new Map<string, Map<string, Set<number>>>();
  return {
    /** @param ids accounts to look at: all at the checkpoint, later the ones that changed */
    check: (n: number, ids: Iterable<string>, lineOf: (id: string) => AccountLine | undefined): void => {
      if (n < projected) return;
      for (const id of ids) {
        const before = due.get(id);
        if (before === undefined && n > projected) continue;
        const open = (lineOf(id)?.[3] ?? []).map(([hold, , , , expiresAt]): [string, number] => [hold, expiresAt]);
        const kept = open.filter(([hold]) => n === projected || before?.has(hold));
        due.set(id, new Map(kept.map(([hold, expiresAt]) => [hold, new Set([...(before?.get(hold) ?? []), expiresAt])])));
      }
    },
    /** @throws AuditError */
    end: (): void => {
      for (const [account, holds] of due) {
        for (const [hold, expiries] of holds) {
          const fail = (what: string): never => {
            throw new AuditError(`${shard}:${projected}`, `hold ${hold}: the row by which it expires ${what}`);
          };
          const row = rows.get(`${shard}:${hold}`) ?? fail('is missing');
          if (row.accountId !== account) fail('names another account');
          if (!expiries.has(row.expiresAt.getTime())) fail('has another time');
        }
      }
    },
  };
};
