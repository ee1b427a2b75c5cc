import { createHash } from 'node:crypto';
import { hashInput } from '@florin/rpc/hashing';
import type { AuditedCall } from '@florin/rpc/server';
import { type Connection, Schema } from 'mongoose';
import { daysMs } from '../retention/index.ts';

/** The subject of a record: a call, the outcome of an earlier one, or the removal of old records. */
export type AuditContent =
  | { kind: 'call'; call: AuditedCall }
  /** `callSequence` is the sequence of the call's record, `code` is `OK` or an error code. */
  | { kind: 'outcome'; callSequence: number; code: string }
  /** All records up to `removedThrough`, whose hash is `removedHash`, are removed. */
  | { kind: 'trim'; removedThrough: number; removedHash: string };

/** A record of the log; `_id` is its sequence, from 1, without gaps. */
export type AuditRecord = { _id: number; at: Date; content: AuditContent; hash: string };

/** A point between two records: the sequence and the hash of the record before it. */
export type ChainPoint = { sequence: number; hash: string };

/** The point before the first record. */
const GENESIS: ChainPoint = { sequence: 0, hash: '0'.repeat(64) };

const schema = new Schema<AuditRecord>(
  {
    _id: Number,
    at: { type: Date, required: true },
    content: { type: Schema.Types.Mixed, required: true },
    hash: { type: String, required: true },
  },
  { collection: 'audit_events', versionKey: false, minimize: false },
);
schema.index({ 'content.removedThrough': -1 }, { sparse: true });
// Finds the outcome of a call.
schema.index({ 'content.callSequence': 1 }, { sparse: true });
// Finds the calls that ended with a code, and which codes there are.
schema.index({ 'content.code': 1, 'content.callSequence': -1 }, { sparse: true });
// Finds the calls about a person.
schema.index({ 'content.call.subjects.user_id': 1 }, { sparse: true });
// Finds the calls of an RPC, and which RPCs were called.
schema.index({ 'content.call.rpc': 1 }, { sparse: true });

export const auditModel = (connection: Connection) => connection.model<AuditRecord>('AuditEvent', schema);

export type AuditModel = ReturnType<typeof auditModel>;

/** SHA-256 over the preceding hash, the sequence, the time and the content. */
export const hashRecord = (previousHash: string, { _id, at, content }: Omit<AuditRecord, 'hash'>): string =>
  createHash('sha256')
    .update(`${previousHash}\n${hashInput({ _id, at, content })}`)
    .digest('hex');

/** The point after the last record. */
export const readTail = async (model: AuditModel): Promise<ChainPoint> => {
  const last = await model.findOne().sort({ _id: -1 }).lean();
  return last === null ? GENESIS : { sequence: last._id, hash: last.hash };
};

const findRemoval = (model: AuditModel) =>
  model
    .findOne({ 'content.removedThrough': { $gt: 0 } })
    .sort({ 'content.removedThrough': -1 })
    .lean();

/** The point at which the log starts: after the records that retention has removed. */
export const readStart = async (model: AuditModel): Promise<ChainPoint> => {
  const latest = await findRemoval(model);
  if (latest?.content.kind !== 'trim') return GENESIS;
  return { sequence: latest.content.removedThrough, hash: latest.content.removedHash };
};

/**
 * Returns the sequence of the last removal if a record that it says is removed is there, and is not older than a time: retention does not write such a removal. A writer of the
 * log could, so it must neither hide nor end anything.
 */
export const findFalseRemoval = async (model: AuditModel, before: Date): Promise<number | undefined> => {
  const latest = await findRemoval(model);
  if (latest?.content.kind !== 'trim') return undefined;
  const young = await model.exists({ _id: { $lte: latest.content.removedThrough }, at: { $gte: before } });
  return young === null ? undefined : latest._id;
};

/** The time before which records may be removed now. @param days of retention, 0 to remove none */
export const removableBefore = (days: number, now: Date): Date => new Date(days === 0 ? 0 : now.getTime() - daysMs(days));
