import { type AuditContent, type AuditModel, findFalseRemoval, readStart, readTail } from './audit-record.ts';
import { walkChain } from './verify-log.ts';

/** Removes the records that the log says are removed; a process that was killed may have left some. */
const removeTrimmed = async (model: AuditModel, before: Date): Promise<void> => {
  const { sequence } = await readStart(model);
  if (sequence > 0) await model.deleteMany({ _id: { $lte: sequence }, at: { $lt: before } });
};

/**
 * Removes the records before a time. The order makes a kill harmless: the removal is in the chain before anything is removed.
 * @throws Error when a record that would be removed is missing or was changed: the removal would hide it; or when the log says that younger records are removed
 */
export const trimLog = async (model: AuditModel, append: (content: AuditContent) => Promise<number>, before: Date): Promise<void> => {
  const forged = await findFalseRemoval(model, before);
  if (forged !== undefined)
    throw new Error(`the audit log is not trimmed: record ${forged} says that records are removed before their time`);
  const start = await readStart(model);
  const kept = await model
    .findOne({ _id: { $gt: start.sequence }, at: { $gte: before } }, { _id: 1 })
    .sort({ _id: 1 })
    .lean();
  const last = kept === null ? (await readTail(model)).sequence : kept._id - 1;
  if (last > start.sequence) {
    const { end, isIntact } = await walkChain(model, start, Number.MAX_SAFE_INTEGER, last);
    if (!isIntact || end.sequence !== last) {
      // Another replica that has trimmed the log meanwhile leaves a gap that is not an error.
      if ((await readStart(model)).sequence > end.sequence) return trimLog(model, append, before);
      throw new Error(`the audit log is not trimmed: record ${end.sequence + 1} is missing or was changed`);
    }
    await append({ kind: 'trim', removedThrough: end.sequence, removedHash: end.hash });
  }
  await removeTrimmed(model, before);
};
