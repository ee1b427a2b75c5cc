import { createHmac } from 'node:crypto';
import type { AuditTrail, CallToRecord } from '@florin/rpc/server';
import type { Connection } from 'mongoose';
import { daysMs } from '../retention/index.ts';
import { type AuditContent, type AuditRecord, auditModel, readStart, readTail, removableBefore } from './audit-record.ts';
import { createGroupAppend } from './group-append.ts';
import { type AuditFilter, type CallFilter, listCalls, listRecords, type RecordedCall } from './read-log.ts';
import { trimLog } from './trim-log.ts';
import { type AuditVerdict, verifyLog } from './verify-log.ts';

export type AuditLog = AuditTrail & {
  /** Returns records, oldest first. */
  list: (filter: AuditFilter) => Promise<AuditRecord[]>;
  /** Returns calls with their outcomes, newest first. */
  listCalls: (filter: CallFilter) => Promise<RecordedCall[]>;
  /** The RPCs of which the log has calls, in alphabetical order. */
  listRpcs: () => Promise<string[]>;
  /** The codes with which calls of the log ended, in alphabetical order. */
  listCodes: () => Promise<string[]>;
  /** Sequence of the last record; 0 when there is none. */
  lastSequence: () => Promise<number>;
  /** Sequence of the last record that retention has removed; 0 when there is none. */
  removedThrough: () => Promise<number>;
  /**
   * Recomputes the hashes of at most 10,000 records after a sequence and compares them with the stored ones. Records that retention has
   * removed are passed over.
   * @param afterHash hash of the record at that sequence, kept from an earlier call. Default: the stored hash
   */
  verify: (afterSequence: number, afterHash?: string) => Promise<AuditVerdict>;
  /**
   * Removes the records before a time. The removal is a record of the log itself, with the hash of the last removed record, so that the
   * chain stays verifiable from there. Can be repeated, and run by several replicas.
   * @throws Error, without removing anything, when a record that would be removed is missing or was changed
   */
  trim: (before: Date) => Promise<void>;
};

/**
 * Creates the audit log of a service: a chain of records, each stored under the next sequence.
 * @param hashKey key of the hashes of requests
 * @param retentionDays days after which records may be removed, 0 for never. Default: what the log says is removed is not judged by its age
 */
export const createAuditLog = (connection: Connection, now: () => Date, hashKey: Uint8Array, retentionDays?: number): AuditLog => {
  const model = auditModel(connection);
  const append = createGroupAppend(model, now);
  const valuesOf = async (field: string): Promise<string[]> =>
    (await model.distinct(field, { [field]: { $gt: '' } })).map(String).toSorted();
  const toContent = ({ request, ...call }: CallToRecord): AuditContent => ({
    kind: 'call',
    call: { ...call, requestHash: createHmac('sha256', hashKey).update(request).digest('hex') },
  });

  return {
    begin: async (call) => {
      const callSequence = await append(toContent(call));
      return async (code) => {
        await append({ kind: 'outcome', callSequence, code });
      };
    },
    record: async (call, code) => {
      const content = toContent(call);
      let callSequence = 0;
      const appended = append((sequence) => {
        callSequence = sequence;
        return content;
      });
      // Stored in order, thus after the call has its sequence.
      await Promise.all([appended, append(() => ({ kind: 'outcome', callSequence, code }))]);
    },
    lastSequence: async () => (await readTail(model)).sequence,
    removedThrough: async () => (await readStart(model)).sequence,
    list: (filter) => listRecords(model, filter),
    listCalls: (filter) => listCalls(model, filter),
    listRpcs: () => valuesOf('content.call.rpc'),
    listCodes: () => valuesOf('content.code'),
    verify: (afterSequence, afterHash) => {
      // A day for clocks that differ from that of the process that trims.
      const removable = retentionDays === undefined ? undefined : removableBefore(retentionDays, new Date(now().getTime() + daysMs(1)));
      return verifyLog(model, { afterSequence, afterHash, removable });
    },
    trim: (before) => trimLog(model, append, before),
  };
};
