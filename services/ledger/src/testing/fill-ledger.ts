import { randomUUID } from 'node:crypto';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { DepositStatus } from '@florin/proto/ledger/v1/movement';
import type { TestLedger } from './world.ts';

/** Something of everything: blocked and closed accounts, open and ended movements and holds, transfers between users. */
export const fillLedger = async (ledger: TestLedger) => {
  const { operator } = ledger;
  const accounts = await Promise.all(Array.from({ length: 6 }, () => ledger.open()));
  for (const account of accounts) {
    await ledger.fund(account, 'EURe', '100');
    await ledger.see(account, 'USDC.e', '5');
    await ledger.withdraw(account, 'EURe', '10');
  }
  const [first, second, third] = accounts;
  if (first === undefined || second === undefined || third === undefined) throw new Error('no accounts');
  await ledger.accounts.blockAccount({ accountId: first.accountId }, operator);
  const empty = await ledger.open();
  await ledger.accounts.closeAccount({ accountId: empty.accountId }, operator);
  await ledger.resolve((await ledger.see(second, 'EURe', '3')).id, DepositStatus.REJECTED);
  const transfer = (debit: string, credit: string, amount: string) => ({ debit, credit, token: 'EURe', amount });
  const hold = () => ({
    entryId: randomUUID() as string,
    transfers: [transfer(third.accountId, 'settlement', '4')],
    holdExpiresAt: timestampFromDate(new Date(Date.now() + 3_600_000)),
  });
  const [posted, voided, open] = [hold(), hold(), hold()];
  await ledger.entries.createEntries(
    { entries: [posted, voided, open, { entryId: randomUUID(), transfers: [transfer(third.accountId, 'fees', '1')] }] },
    operator,
  );
  await ledger.holds.postHold({ accountId: third.accountId, holdId: posted.entryId, amount: '3' }, operator);
  await ledger.holds.voidHold({ accountId: third.accountId, holdId: voided.entryId }, operator);
  return accounts;
};
