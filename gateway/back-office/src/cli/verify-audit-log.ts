import type { AuditLog } from '@florin/data/audit';
import { verifyWhole } from '../audit/verify-whole.ts';

/** A record of the log, and its hash. */
export type KeptRecord = { sequence: number; hash: string };

/** Reads a record and its hash as an earlier verification has printed them. */
export const readKept = (text: string): KeptRecord | undefined => {
  const [, sequence = '', hash = ''] = /^(\d{1,15}):([0-9a-f]{64})$/.exec(text) ?? [];
  return hash === '' ? undefined : { sequence: Number(sequence), hash };
};

/**
 * Verifies the whole audit log, after a record whose hash was kept.
 * @returns a line, as `npm run audit-log` prints it for services, and whether the log is intact
 */
export const verifyAuditLog = async (
  auditLog: Pick<AuditLog, 'verify' | 'removedThrough'>,
  kept: KeptRecord | undefined,
): Promise<{ line: string; isIntact: boolean }> => {
  // What a hash of a removed record stands for is gone: it proves nothing.
  if (kept !== undefined && kept.sequence < (await auditLog.removedThrough())) {
    return { line: `back-office: record ${kept.sequence} was removed after its time`, isIntact: false };
  }
  const { checkedTo, hash, firstBadSequence, removedThrough } = await verifyWhole(auditLog, kept ?? { sequence: 0 });
  if (firstBadSequence !== 0) return { line: `back-office: record ${firstBadSequence} is missing or was changed`, isIntact: false };
  const range =
    removedThrough === 0
      ? `${checkedTo} records are intact`
      : `records ${removedThrough + 1} to ${checkedTo} are intact, those before were removed after their time`;
  return { line: `back-office: ${range} ${checkedTo}:${hash}`, isIntact: true };
};
