import { type AuditHead, type AuditLog, checkHeads } from '@florin/data/audit';
import { verifyWhole } from '../audit/verify-whole.ts';

/** A record of the log, and its hash. */
export type KeptRecord = { sequence: number; hash: string };

/** Reads a record and its hash as an earlier verification has printed them. */
export const readKept = (text: string): KeptRecord | undefined => {
  const [, sequence = '', hash = ''] = /^(\d{1,15}):([0-9a-f]{64})$/.exec(text) ?? [];
  return hash === '' ? undefined : { sequence: Number(sequence), hash };
};

/**
 * Verifies the whole audit log, after a record whose hash was kept, and compares it with signed heads.
 * @returns a line, as `npm run audit-log` prints it for services, and whether the log is intact
 */
export const verifyAuditLog = async (
  auditLog: Pick<AuditLog, 'verify' | 'removedThrough' | 'list'>,
  kept: KeptRecord | undefined,
  { heads, keys, retentionDays }: { heads: readonly AuditHead[]; keys: Parameters<typeof checkHeads>[1]; retentionDays: number },
): Promise<{ line: string; isIntact: boolean }> => {
  // The hash of a removed record proves nothing.
  if (kept !== undefined && kept.sequence < (await auditLog.removedThrough())) {
    return { line: `back-office: record ${kept.sequence} was removed after its time`, isIntact: false };
  }
  const { checkedTo, hash, firstBadSequence, removedThrough } = await verifyWhole(auditLog, kept ?? { sequence: 0 });
  if (firstBadSequence !== 0) return { line: `back-office: record ${firstBadSequence} is missing or was changed`, isIntact: false };
  const range =
    removedThrough === 0
      ? `${checkedTo} records are intact`
      : `records ${removedThrough + 1} to ${checkedTo} are intact, those before were removed after their time`;
  const hashAt = async (sequence: number): Promise<string | undefined> => {
    const [record] = await auditLog.list({ afterSequence: sequence - 1, limit: 1 });
    return record?._id === sequence ? record.hash : undefined;
  };
  const compared = await checkHeads(heads, keys, hashAt, { removedThrough, retentionDays });
  if (!compared.ok) return { line: `back-office: ${compared.text}`, isIntact: false };
  return { line: `back-office: ${range}${heads.length === 0 ? '' : `, ${compared.text}`} ${checkedTo}:${hash}`, isIntact: true };
};
