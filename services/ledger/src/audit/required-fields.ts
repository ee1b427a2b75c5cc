import { AuditError, type Cursor, type Source } from './source.ts';

/**
 * Fields that every record has had since release 0.2.0, by collection. Records that have a checksum, or a row of the journal that says what
 * they hold, are judged by that.
 */
const REQUIRED: Readonly<Record<string, readonly string[]>> = {
  accounts: ['userId', 'kycProfileId', 'safeOwnerAddress', 'status', 'asOf', 'reference'],
  adjustments: ['inputHash', 'status', 'change', 'metadata', 'entryId'],
  balance_pages: ['page', 'slot', 'asOf', 'text'],
  blocks: ['shard', 'n', 'epoch', 'prevHash', 'at', 'hash', 'body'],
  heads: ['shard', 'n', 'hash', 'at', 'key', 'signature'],
  open_holds: ['accountId', 'expiresAt'],
  pending_screenings: ['accountId', 'dueAt'],
  snapshots: ['shard', 'n', 'hash', 'at', 'root', 'accounts'],
};

type Stored = Record<string, unknown> & { _id: unknown; shard?: string; n?: number };

const checked = (name: string, found: Cursor): Cursor => ({
  sort: (order) => checked(name, found.sort(order)),
  batchSize: (size) => checked(name, found.batchSize(size)),
  [Symbol.asyncIterator]: async function* () {
    for await (const record of found as AsyncIterable<Stored>) {
      const missing = REQUIRED[name]?.find((field) => record[field] === undefined);
      if (missing !== undefined) {
        const { _id, shard = '0', n = 0 } = record;
        throw new AuditError(`${shard}:${n}`, `${String(_id)} of ${name} has no ${missing}`);
      }
      yield record;
    }
  },
});

/** The same database. Reading a whole record that lacks a required field throws AuditError, before anything is concluded from it. */
export const requireFields = (source: Source): Source => ({
  collection: (name) => {
    const collection = source.collection(name);
    return {
      find: (filter, options = {}) => {
        const found = collection.find(filter, options);
        return 'projection' in options ? found : checked(name, found);
      },
      countDocuments: (filter) => collection.countDocuments(filter),
    };
  },
});
