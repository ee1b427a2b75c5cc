import { pause } from '@florin/rpc/time';
import { isDuplicateKey, rawCollection } from '../store/index.ts';
import { type AuditContent, type AuditModel, type AuditRecord, type ChainPoint, hashRecord, readTail } from './audit-record.ts';

/** Maximum number of records that one insert appends. */
const MAX_BATCH = 500;

/** Maximum number of consecutive attempts that append nothing. An attempt fails when another replica of the service has appended first. */
const MAX_TRIES = 100;

/** Longest pause after a lost race, in milliseconds. It is random, so that a replica does not always lose against one that never pauses. */
const MAX_PAUSE_MS = 5;

/** Content of a record, or a function that builds it from the record's sequence. It may be called again, after a lost race. */
export type Contents = AuditContent | ((sequence: number) => AuditContent);

type Waiting = { contents: Contents; resolve: (sequence: number) => void; reject: (error: unknown) => void };

/**
 * Creates the writer of a chain of records. The sequence is the lock: of two replicas that append at once, one gets a duplicate key, and
 * appends after the other. Within a process one insert is under way at a time; records that arrive meanwhile are appended together by the
 * next one, so that many callers do not wait for one insert each.
 * @returns a function that appends a record and returns its sequence once the record is stored. Records are stored in the order of the calls
 */
export const createGroupAppend = (model: AuditModel, now: () => Date): ((contents: Contents) => Promise<number>) => {
  const waiting: Waiting[] = [];
  let tail: ChainPoint | undefined;
  let running = false;

  /** @returns the number of records that were stored: those before the one whose sequence another replica has taken */
  const insert = async (batch: readonly Waiting[]): Promise<number> => {
    let point = tail ?? (await readTail(model));
    // Known again only when the whole batch is stored. An insert that failed may have succeeded even so.
    tail = undefined;
    const at = now();
    const records = batch.map(({ contents }): AuditRecord => {
      const _id = point.sequence + 1;
      const record = { _id, at, content: typeof contents === 'function' ? contents(_id) : contents };
      point = { sequence: _id, hash: hashRecord(point.hash, record) };
      return { ...record, hash: point.hash };
    });
    let stored = records.length;
    try {
      await rawCollection(model).insertMany(records, { ordered: true });
      tail = point;
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
      stored = (error as { insertedCount?: number }).insertedCount ?? 0;
    }
    for (const [index, { resolve }] of batch.slice(0, stored).entries()) resolve(records[index]?._id ?? 0);
    return stored;
  };

  const run = async (): Promise<void> => {
    let lost = 0;
    while (waiting.length > 0) {
      const batch = waiting.slice(0, MAX_BATCH);
      try {
        const stored = await insert(batch);
        waiting.splice(0, stored);
        lost = stored === 0 ? lost + 1 : 0;
        if (lost === MAX_TRIES) throw new Error(`appending to the audit log lost ${MAX_TRIES} races`);
        if (stored < batch.length) await pause(Math.random() * MAX_PAUSE_MS);
      } catch (error) {
        for (const { reject } of waiting.splice(0, batch.length)) reject(error);
        lost = 0;
      }
    }
    running = false;
  };

  return (contents) =>
    new Promise((resolve, reject) => {
      waiting.push({ contents, resolve, reject });
      if (running) return;
      running = true;
      // Calls of the same turn are appended together.
      queueMicrotask(() => void run());
    });
};
