import { randomUUID } from 'node:crypto';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { DepositStatus } from '@florin/proto/ledger/v1/movement';
import type { TestLedger } from './world.ts';

/**
 * Something of everything: blocked and closed accounts, open and ended movements and holds, a hold that is posted in parts, forced entries and
 * the debt that they leave, entries of system accounts, reversals, and adjustments.
 */
export const fillLedger = async (ledger: TestLedger) => {
  const { operator } = ledger;
  const accounts = await Promise.all(Array.from({ length: 6 }, () => ledger.open()));
  for (const account of accounts) {
    await ledger.fund(account, 'EURe', '100');
    await ledger.see(account, 'USDC.e', '5');
    await ledger.withdraw(account, 'EURe', '10');
  }
  const [first, second, third, fourth, fifth] = accounts;
  if (first === undefined || second === undefined || third === undefined || fourth === undefined || fifth === undefined)
    throw new Error('no accounts');
  await ledger.accounts.blockAccount({ accountId: first.accountId }, operator);
  const empty = await ledger.open();
  await ledger.accounts.closeAccount({ accountId: empty.accountId }, operator);
  await ledger.resolve((await ledger.see(second, 'EURe', '3')).id, DepositStatus.REJECTED);
  const transfer = (debit: string, credit: string, amount: string) => ({ debit, credit, token: 'EURe', amount });
  const hold = ({ accountId } = third) => ({
    entryId: randomUUID() as string,
    transfers: [transfer(accountId, 'settlement', '4')],
    holdExpiresAt: timestampFromDate(new Date(Date.now() + 3_600_000)),
  });
  const [posted, voided, open] = [hold(), hold(), hold()];
  await ledger.entries.createEntries(
    { entries: [posted, voided, open, { entryId: randomUUID(), transfers: [transfer(third.accountId, 'fees', '1')] }] },
    operator,
  );
  await ledger.holds.postHold({ accountId: third.accountId, holdId: posted.entryId, amount: '3' }, operator);
  await ledger.holds.voidHold({ accountId: third.accountId, holdId: voided.entryId }, operator);
  const [partial, paid] = [hold(fourth), { entryId: randomUUID() as string, transfers: [transfer(fourth.accountId, 'settlement', '6')] }];
  const overdrawn = { entryId: randomUUID(), transfers: [transfer(fifth.accountId, 'settlement', '95')], forced: true };
  const system = { entryId: randomUUID(), transfers: [transfer('settlement', 'disputes', '8')] };
  await ledger.entries.createEntries({ entries: [partial, paid, overdrawn, system] }, operator);
  const ofHold = { accountId: fourth.accountId, holdId: partial.entryId };
  await ledger.holds.postHold({ ...ofHold, postingId: randomUUID(), amount: '1', keepOpen: true }, operator);
  await ledger.holds.postHold({ ...ofHold, postingId: randomUUID(), amount: '5', forced: true, keepOpen: true }, operator);
  const taken = { accountId: fourth.accountId, entryId: paid.entryId, parts: [{ transfer: 0, amount: '2' }] };
  await ledger.entries.reverseEntry({ ...taken, reversalId: randomUUID() }, operator);
  const value = { transfers: [transfer('settlement', fifth.accountId, '2')] };
  const metadata = { actor: 'ada', reason: 'goodwill', labels: { ticket: 'T-1' } };
  await ledger.adjustments.createAdjustment({ adjustmentId: randomUUID(), change: { case: 'transfers', value }, metadata }, operator);
  return accounts;
};
