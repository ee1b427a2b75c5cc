import { randomUUID } from 'node:crypto';
import { AdjustmentStatus } from '@florin/proto/ledger/v1/adjustment';
import { EntryResultCode } from '@florin/proto/ledger/v1/entry';
import type { LoadOptions } from './load.ts';

const WRITTEN: ReadonlySet<EntryResultCode | undefined> = new Set([EntryResultCode.CREATED, EntryResultCode.EXISTS]);

/** Events outside the ledger, and their corrections: late clearings, several clearings of a hold, reversals, adjustments. */
export const createCorrections = ({ patient, told, pick, amount, add, token }: LoadOptions) => {
  /** Writes one entry. @returns whether the journal took it */
  const write = async (
    request: { entryId: string; forced?: boolean; holdExpiresAt?: { seconds: bigint; nanos: number } },
    debit: string,
    credit: string,
    value: bigint,
  ): Promise<boolean> => {
    const transfers = [{ debit, credit, token, amount: value.toString() }];
    const { results } = await patient.ask(({ entries: rpc }) => rpc.createEntries({ entries: [{ ...request, transfers }] }));
    const isWritten = WRITTEN.has(results[0]?.code);
    (isWritten ? told.written : told.refused).add(request.entryId);
    return isWritten;
  };

  /** Booked whatever the balance: what is not covered becomes debt. */
  const forced = async (): Promise<void> => {
    const [{ accountId }, value, entryId] = [pick(), amount(), randomUUID()];
    if (!(await write({ entryId, forced: true }, accountId, 'settlement', value))) throw new Error('a forced entry was refused');
    add(accountId, -value);
  };

  /** A hold that is posted twice, the second time beyond what is left, and then voided. */
  const clearings = async (): Promise<void> => {
    const [{ accountId }, value, entryId] = [pick(), amount(), randomUUID()];
    const holdExpiresAt = { seconds: BigInt(Math.floor(Date.now() / 1000) + 3600), nanos: 0 };
    if (!(await write({ entryId, holdExpiresAt }, accountId, 'settlement', value))) return;
    const hold = { accountId, holdId: entryId };
    for (const posting of [
      { amount: '1', forced: false },
      { amount: value.toString(), forced: true },
    ]) {
      const request = { ...hold, ...posting, postingId: randomUUID(), keepOpen: true };
      const { entry } = await patient.ask(({ holds }) => holds.postHold(request));
      told.written.add(entry?.id ?? '');
      add(accountId, -BigInt(posting.amount));
    }
    await patient.ask(({ holds }) => holds.voidHold(hold));
    told.written.add(`hold/${entryId}/ended`);
  };

  /** A payment that is taken back in whole. */
  const reversal = async (): Promise<void> => {
    const [{ accountId }, value, entryId] = [pick(), amount(), randomUUID()];
    if (!(await write({ entryId }, accountId, 'settlement', value))) return;
    const request = { accountId, entryId, reversalId: randomUUID(), forced: true };
    const { entry } = await patient.ask(({ entries }) => entries.reverseEntry(request));
    told.written.add(entry?.id ?? '');
  };

  const adjustment = async (): Promise<void> => {
    const [{ accountId }, value, adjustmentId] = [pick(), amount(), randomUUID()];
    const transfers = [{ debit: 'settlement', credit: accountId, token, amount: value.toString() }];
    const metadata = { actor: `operator ${adjustmentId}`, reason: 'a fault run' };
    const request = { adjustmentId, change: { case: 'transfers' as const, value: { transfers } }, metadata };
    const { adjustment: made } = await patient.ask(({ adjustments }) => adjustments.createAdjustment(request));
    // After many of them an account needs approvals: then nothing is booked.
    if (made?.status !== AdjustmentStatus.BOOKED) return;
    told.written.add(made.entryId);
    add(accountId, value);
  };

  return [forced, clearings, reversal, adjustment];
};
