import type { AuditLog } from '@florin/data/audit';

type Verdict = Awaited<ReturnType<AuditLog['verify']>>;

/**
 * Verifies the log after a record, 10,000 records at a time, to its end or to the first record that is missing or was changed.
 * @param after a record, with its hash where one was kept
 * @param rounds how often it continues at most
 */
export const verifyWhole = async (
  log: Pick<AuditLog, 'verify'>,
  { sequence, hash }: { sequence: number; hash?: string },
  rounds = Number.MAX_SAFE_INTEGER,
): Promise<Verdict> => {
  let verdict = await log.verify(sequence, hash);
  for (let round = 1; round < rounds && verdict.firstBadSequence === 0; round += 1) {
    const next = await log.verify(verdict.checkedTo, verdict.hash);
    if (next.checkedTo === verdict.checkedTo && next.firstBadSequence === 0) break;
    verdict = next;
  }
  return verdict;
};
