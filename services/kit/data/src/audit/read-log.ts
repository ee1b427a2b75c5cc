import type { AuditedCall } from '@florin/rpc/server';
import type { mongo } from 'mongoose';
import type { AuditModel, AuditRecord } from './audit-record.ts';

/** Which records are wanted. The fields of calls select calls, without outcomes. */
type Selection = {
  /** Selects the calls of this actor. */
  actor?: string;
  /** Selects the calls of this RPC. */
  rpc?: string;
  /** Selects the calls about this identifier. */
  subject?: { field: string; id: string };
  /** Selects records at or after this time. */
  from?: Date;
  /** Selects records before this time. */
  to?: Date;
};

export type AuditFilter = Selection & { afterSequence: number; limit: number };

export type CallFilter = Selection & {
  limit: number;
  /** Selects calls below this sequence. Default: from the last one. */
  beforeSequence?: number;
  /** Selects the calls that ended with this code. */
  code?: string;
};

/** A call with its end. */
export type RecordedCall = Pick<AuditRecord, '_id' | 'at' | 'hash'> & {
  call: AuditedCall;
  /** `OK` or an error code, and when it was recorded. Absent when there is none yet, and for good when the call was interrupted. */
  outcome?: { code: string; at: Date };
};

const conditions = ({ actor, rpc, subject, from, to }: Selection): mongo.Filter<AuditRecord> => ({
  ...(actor === undefined ? {} : { 'content.call.actor': actor }),
  ...(rpc === undefined ? {} : { 'content.call.rpc': rpc }),
  ...(subject === undefined ? {} : { [`content.call.subjects.${subject.field}`]: subject.id }),
  ...(from === undefined && to === undefined
    ? {}
    : { at: { ...(from === undefined ? {} : { $gte: from }), ...(to === undefined ? {} : { $lt: to }) } }),
});

/** Returns records, oldest first. */
export const listRecords = (model: AuditModel, { afterSequence, limit, ...selection }: AuditFilter): Promise<AuditRecord[]> =>
  model
    .find({ _id: { $gt: afterSequence }, ...conditions(selection) })
    .sort({ _id: 1 })
    .limit(limit)
    .lean();

const outcomesOf = async (model: AuditModel, calls: readonly AuditRecord[]): Promise<Map<number, { code: string; at: Date }>> => {
  if (calls.length === 0) return new Map();
  const records = await model.find({ 'content.callSequence': { $in: calls.map(({ _id }) => _id) } }).lean();
  return new Map(
    records.flatMap(({ at, content }) => (content.kind === 'outcome' ? [[content.callSequence, { code: content.code, at }]] : [])),
  );
};

/** How many records are looked through at once for calls that ended with a code. */
const BATCH = 1000;

/** The sequences of the newest calls before one that ended with a code, newest first. */
const endedWith = async (model: AuditModel, code: string, before: number): Promise<number[]> => {
  const records = await model
    .find({ 'content.code': code, 'content.callSequence': { $lt: before } })
    .sort({ 'content.callSequence': -1 })
    .limit(BATCH)
    .lean();
  return records.flatMap(({ content }) => (content.kind === 'outcome' ? [content.callSequence] : []));
};

/** Returns calls with their outcomes, which are records of their own. Newest first. */
export const listCalls = async (
  model: AuditModel,
  { beforeSequence = Number.MAX_SAFE_INTEGER, limit, code, ...selection }: CallFilter,
): Promise<RecordedCall[]> => {
  const found: RecordedCall[] = [];
  for (let before: number | undefined = beforeSequence; before !== undefined && found.length < limit; ) {
    // Most calls end with OK: reading the calls finds them. Other codes are rare, and are found by their outcomes.
    const ended: number[] | undefined = code === undefined || code === 'OK' ? undefined : await endedWith(model, code, before);
    const size = code === undefined ? limit : BATCH;
    const records: AuditRecord[] = await model
      .find({ _id: { $lt: before, ...(ended && { $in: ended }) }, 'content.kind': 'call', ...conditions(selection) })
      .sort({ _id: -1 })
      .limit(size)
      .lean();
    const outcomes = await outcomesOf(model, records);
    for (const { _id, at, hash, content } of records) {
      const outcome = outcomes.get(_id);
      if (content.kind !== 'call' || (code !== undefined && outcome?.code !== code)) continue;
      found.push({ _id, at, hash, call: content.call, ...(outcome === undefined ? {} : { outcome }) });
    }
    const read: number[] = ended ?? records.map(({ _id }) => _id);
    before = code === undefined || read.length < size ? undefined : read.at(-1);
  }
  return found.slice(0, limit);
};
