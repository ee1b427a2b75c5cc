import { type AuditModel, type ChainPoint, findFalseRemoval, hashRecord, readStart } from './audit-record.ts';

/** Maximum number of records that one call of `verifyLog` reads. */
const VERIFY_BATCH = 10_000;

export type AuditVerdict = {
  /** Sequence and hash of the last record that was found valid; those that were given when there is none. */
  checkedTo: number;
  hash: string;
  /** Sequence of the first record that is missing or changed; 0 when all checked records are valid. */
  firstBadSequence: number;
  /** Sequence of the last record that retention has removed; 0 when there is none. */
  removedThrough: number;
};

export type ChainWalk = { end: ChainPoint; isIntact: boolean };

/** Follows the chain from a point, over at most `limit` records up to the sequence `last`, to the last record that is valid. */
export const walkChain = async (model: AuditModel, from: ChainPoint, limit: number, last = Number.MAX_SAFE_INTEGER): Promise<ChainWalk> => {
  let end = from;
  const records = model
    .find({ _id: { $gt: from.sequence, $lte: last } })
    .sort({ _id: 1 })
    .limit(limit)
    .lean()
    .cursor();
  for await (const record of records) {
    if (record._id !== end.sequence + 1 || hashRecord(end.hash, record) !== record.hash) return { end, isIntact: false };
    end = { sequence: record._id, hash: record.hash };
  }
  return { end, isIntact: true };
};

/** The point after a record; undefined when the record is missing or its hash is another one than `hash`. */
const findPoint = async (model: AuditModel, start: ChainPoint, sequence: number, hash?: string): Promise<ChainPoint | undefined> => {
  // Without a hash to compare, a point before the start is as good as the start. With one it is not: what the hash stands for is gone.
  if (hash === undefined && sequence <= start.sequence) return start;
  const record = sequence === start.sequence ? start : await model.findById(sequence, { hash: 1 }).lean();
  if (record === null || (hash !== undefined && record.hash !== hash)) return undefined;
  return { sequence, hash: record.hash };
};

/**
 * Verifies at most 10,000 records after a sequence. The start of a log of which retention has removed records is itself a record of the
 * chain, so it is verified when the walk reaches that record.
 * @param removable time before which records may be removed: a removal of younger ones, which are there, is bad
 */
export const verifyLog = async (
  model: AuditModel,
  { afterSequence, afterHash, removable }: { afterSequence: number; afterHash?: string | undefined; removable?: Date | undefined },
): Promise<AuditVerdict> => {
  const start = await readStart(model);
  const removedThrough = start.sequence;
  const forged = removable === undefined ? undefined : await findFalseRemoval(model, removable);
  if (forged !== undefined) return { checkedTo: afterSequence, hash: afterHash ?? '', firstBadSequence: forged, removedThrough };
  const from = await findPoint(model, start, afterSequence, afterHash);
  if (from === undefined) return { checkedTo: afterSequence, hash: afterHash ?? '', firstBadSequence: afterSequence, removedThrough };
  const { end, isIntact } = await walkChain(model, from, VERIFY_BATCH);
  if (isIntact) return { checkedTo: end.sequence, hash: end.hash, firstBadSequence: 0, removedThrough };
  // A concurrent removal leaves a gap that is not an error.
  const { sequence } = await readStart(model);
  if (sequence > removedThrough && end.sequence < sequence) return verifyLog(model, { afterSequence, afterHash, removable });
  return { checkedTo: end.sequence, hash: end.hash, firstBadSequence: end.sequence + 1, removedThrough };
};
