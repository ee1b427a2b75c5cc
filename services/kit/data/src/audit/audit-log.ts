import { createHash } from 'node:crypto';
import { hashInput } from '@florin/rpc/hashing';
import type { Runtime } from '@florin/rpc/runtime';
import type { AuditedCall, AuditTrail } from '@florin/rpc/server';
import { type Connection, Schema } from 'mongoose';
import { isDuplicateKey } from '../store/index.ts';

/** What a record is about: a call, or the outcome of an earlier one. */
export type AuditContent =
  | { kind: 'call'; call: AuditedCall }
  /** `callSequence` is the sequence of the call's record, `code` is `OK` or an error code. */
  | { kind: 'outcome'; callSequence: number; code: string };

/** A record of the log; `_id` is its sequence, from 1, without gaps. */
export type AuditRecord = { _id: number; at: Date; content: AuditContent; hash: string };

const schema = new Schema<AuditRecord>(
  {
    _id: Number,
    at: { type: Date, required: true },
    content: { type: Schema.Types.Mixed, required: true },
    hash: { type: String, required: true },
  },
  { collection: 'audit_events', versionKey: false, minimize: false },
);

/** Hash before the first record. */
const GENESIS_HASH = '0'.repeat(64);

/** SHA-256 over the preceding hash, the sequence, the time and the content. */
const hashRecord = (previousHash: string, { _id, at, content }: Omit<AuditRecord, 'hash'>): string =>
  createHash('sha256')
    .update(`${previousHash}\n${hashInput({ _id, at, content })}`)
    .digest('hex');

/** Maximum number of attempts to append a record. An attempt fails when another replica of the service has appended first. */
const MAX_TRIES = 100;

/** Maximum number of records that one call of `verify` reads. */
const VERIFY_BATCH = 10_000;

export type AuditFilter = {
  afterSequence: number;
  limit: number;
  /** Selects the calls of this actor, without outcomes. */
  actor?: string;
  /** Selects the calls of this RPC, without outcomes. */
  rpc?: string;
  /** Selects the calls about this identifier, without outcomes. */
  subject?: { field: string; id: string };
  /** Selects records at or after this time. */
  from?: Date;
  /** Selects records before this time. */
  to?: Date;
};

export type AuditVerdict = {
  /** Sequence and hash of the last record that was found valid; those that were given when there is none. */
  checkedTo: number;
  hash: string;
  /** Sequence of the first record that is missing or changed; 0 when all checked records are valid. */
  firstBadSequence: number;
};

export type AuditLog = AuditTrail & {
  /** Returns records, oldest first. */
  list: (filter: AuditFilter) => Promise<AuditRecord[]>;
  /** Sequence of the last record; 0 when there is none. */
  lastSequence: () => Promise<number>;
  /**
   * Recomputes the hashes of at most 10,000 records after a sequence and compares them with the stored ones.
   * @param afterHash hash of the record at that sequence, kept from an earlier call. Default: the stored hash
   */
  verify: (afterSequence: number, afterHash?: string) => Promise<AuditVerdict>;
};

/**
 * Creates the audit log of a service: a chain of records, each written by one insert whose `_id` is the next sequence. The sequence is the
 * lock: of two concurrent writers one gets a duplicate key, and appends after the other.
 */
export const createAuditLog = (connection: Connection, { now }: Pick<Runtime, 'now'>): AuditLog => {
  const model = connection.model('AuditEvent', schema);
  let tail: { sequence: number; hash: string } | undefined;
  let appending: Promise<unknown> = Promise.resolve();

  const readTail = async () => {
    const last = await model.findOne().sort({ _id: -1 }).lean();
    return last === null ? { sequence: 0, hash: GENESIS_HASH } : { sequence: last._id, hash: last.hash };
  };

  const appendNow = async (content: AuditContent): Promise<number> => {
    for (let tries = 0; tries < MAX_TRIES; tries += 1) {
      const { sequence, hash: previousHash } = tail ?? (await readTail());
      const record = { _id: sequence + 1, at: now(), content };
      const hash = hashRecord(previousHash, record);
      try {
        await model.create({ ...record, hash });
        tail = { sequence: record._id, hash };
        return record._id;
      } catch (error) {
        // The insert may have succeeded even so. The next attempt reads the stored tail.
        tail = undefined;
        if (!isDuplicateKey(error)) throw error;
      }
    }
    throw new Error(`appending to the audit log lost ${MAX_TRIES} races`);
  };

  /** Appends one record at a time, so that the calls of one process do not race each other. */
  const append = (content: AuditContent): Promise<number> => {
    const work = appending.then(() => appendNow(content));
    appending = work.catch(() => undefined);
    return work;
  };

  return {
    begin: async (call) => {
      const callSequence = await append({ kind: 'call', call });
      return async (code) => {
        await append({ kind: 'outcome', callSequence, code });
      };
    },
    lastSequence: async () => (await readTail()).sequence,
    list: ({ afterSequence, limit, actor, rpc, subject, from, to }) =>
      model
        .find({
          _id: { $gt: afterSequence },
          ...(actor === undefined ? {} : { 'content.call.actor': actor }),
          ...(rpc === undefined ? {} : { 'content.call.rpc': rpc }),
          ...(subject === undefined ? {} : { [`content.call.subjects.${subject.field}`]: subject.id }),
          ...(from === undefined && to === undefined
            ? {}
            : { at: { ...(from === undefined ? {} : { $gte: from }), ...(to === undefined ? {} : { $lt: to }) } }),
        })
        .sort({ _id: 1 })
        .limit(limit)
        .lean(),
    verify: async (afterSequence, afterHash) => {
      const before = afterSequence === 0 ? undefined : await model.findById(afterSequence).lean();
      if (before === null || (afterHash !== undefined && before !== undefined && before.hash !== afterHash)) {
        return { checkedTo: afterSequence, hash: afterHash ?? '', firstBadSequence: afterSequence };
      }
      let [sequence, hash] = [afterSequence, before?.hash ?? GENESIS_HASH];
      for await (const record of model
        .find({ _id: { $gt: afterSequence } })
        .sort({ _id: 1 })
        .limit(VERIFY_BATCH)
        .lean()
        .cursor()) {
        if (record._id !== sequence + 1 || hashRecord(hash, record) !== record.hash) {
          return { checkedTo: sequence, hash, firstBadSequence: sequence + 1 };
        }
        [sequence, hash] = [record._id, record.hash];
      }
      return { checkedTo: sequence, hash, firstBadSequence: 0 };
    },
  };
};
