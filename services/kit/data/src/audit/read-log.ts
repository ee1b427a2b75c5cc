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

/** Returns calls with their outcomes, which are records of their own. Newest first. */
export const listCalls = async (
  model: AuditModel,
  { beforeSequence = Number.MAX_SAFE_INTEGER, limit, ...selection }: CallFilter,
): Promise<RecordedCall[]> => {
  const records = await model
    .find({ _id: { $lt: beforeSequence }, 'content.kind': 'call', ...conditions(selection) })
    .sort({ _id: -1 })
    .limit(limit)
    .lean();
  const outcomes = await outcomesOf(model, records);
  return records.flatMap(({ _id, at, hash, content }) => {
    if (content.kind !== 'call') return [];
    const outcome = outcomes.get(_id);
    return [{ _id, at, hash, call: content.call, ...(outcome === undefined ? {} : { outcome }) }];
  });
};
