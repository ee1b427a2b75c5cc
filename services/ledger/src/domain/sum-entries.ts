import type { Amount } from '@florin/rpc/money';
import type { Entry } from './entry.ts';
import { parseLedgerAccount } from './ledger-account.ts';

/** Sums of an account's entries in one token, in its smallest unit. */
type EntryTotals = {
  /** From `chain` to the account, less what went back. */
  booked: Amount;
  /** From the account to every other ledger account, less what came back. */
  elsewhere: Amount;
  /** Part of `elsewhere`: to `refused`, less what came back. */
  refused: Amount;
};

/** An entry between `settlement` and what an account has spent, and the amount that it moved to `settlement`. */
type SettledEntry = { entryId: string; token: string; amount: Amount };

/** Adds up entries of an account, by token. */
export const createEntrySums = (accountId: string) => {
  const totals = new Map<string, EntryTotals>();
  const settled: SettledEntry[] = [];

  const add = (token: string, other: string, received: Amount): void => {
    const sums = totals.get(token) ?? { booked: 0n, elsewhere: 0n, refused: 0n };
    totals.set(token, sums);
    if (other === 'chain') sums.booked += received;
    else sums.elsewhere -= received;
    if (other === 'refused') sums.refused -= received;
  };

  return {
    totals: totals as ReadonlyMap<string, Readonly<EntryTotals>>,
    settled: settled as readonly SettledEntry[],
    add: ({ id: entryId, transfers }: Pick<Entry, 'id' | 'transfers'>): void => {
      for (const { debit, credit, token, amount } of transfers) {
        const [from, to] = [parseLedgerAccount(debit), parseLedgerAccount(credit)];
        const [isFrom, isTo] = [from, to].map((side) => side?.owner === 'user' && side.accountId === accountId);
        if (isFrom === isTo) continue;
        const [own, other] = isFrom ? [from, credit] : [to, debit];
        add(token, other, isTo ? amount : -amount);
        const isSpent = own?.owner === 'user' && own.bucket === 'settling';
        if (isSpent && other === 'settlement') settled.push({ entryId, token, amount: isFrom ? amount : -amount });
      }
    },
  };
};
