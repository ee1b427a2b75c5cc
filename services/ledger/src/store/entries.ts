import { type Connection, Schema } from 'mongoose';
import { decodeEntry, type KnownEntry } from '../domain/entry.ts';
import { blockOf, positionOf } from '../domain/position.ts';
import type { EntryRow } from '../domain/projection.ts';
import type { EntryReader, ProjectionAudit } from '../journal/ports.ts';
import { insertMissing } from './insert-missing.ts';

/** `accounts` is one id, or several: most entries are about one, and a plain value is half the work for the index. */
type EntryDocument = Omit<EntryRow, 'id' | 'accounts' | 'inputHash' | 'booked'> & {
  _id: string;
  shard: string;
  accounts?: string | string[];
  booked?: true;
};

// Written and read past mongoose's casting: thousands a second.
const schema = new Schema<EntryDocument>({ _id: String }, { collection: 'entries', versionKey: false, strict: false }).index({
  accounts: 1,
  position: -1,
});

const accountsField = (accounts: readonly string[]): Pick<EntryDocument, 'accounts'> => {
  const [first] = accounts;
  if (first === undefined) return {};
  return { accounts: accounts.length === 1 ? first : [...accounts] };
};

const toDocument = (shard: string, { id, kind, accounts, position, booked, at, line }: EntryRow): EntryDocument => ({
  _id: id,
  shard,
  position,
  at,
  kind,
  line,
  ...accountsField(accounts),
  ...(booked ? { booked } : {}),
});

const toRow = ({ _id, kind, accounts = [], position, booked, at, line }: EntryDocument): EntryRow => ({
  id: _id,
  kind,
  inputHash: decodeEntry(line).inputHash,
  accounts: typeof accounts === 'string' ? [accounts] : accounts,
  position,
  booked: booked === true,
  at,
  line,
});

export type Entries = EntryReader &
  Pick<ProjectionAudit, 'entryLines' | 'countEntries'> & {
    save: (shard: string, rows: readonly EntryRow[]) => Promise<void>;
    findKnown: (ids: readonly string[]) => Promise<Map<string, KnownEntry>>;
  };

/** Entries by id and by account: a projection of the journal. */
export const createEntries = (connection: Connection): Entries => {
  const collection = connection.model('Entry', schema).collection;
  const findMany = (ids: readonly string[]) =>
    collection.find<EntryDocument>({ _id: { $in: ids as never[] } }, { projection: { position: 1, line: 1 } }).toArray();
  return {
    save: (shard, rows) =>
      insertMissing(
        collection,
        rows.map((row) => toDocument(shard, row)),
      ),
    findKnown: async (ids) =>
      new Map(
        (await findMany(ids)).map(({ _id, position, line }) => {
          const { kind, inputHash } = decodeEntry(line);
          return [_id, { n: blockOf(position), kind, inputHash }];
        }),
      ),
    entryLines: async (ids) => new Map((await findMany(ids)).map(({ _id, position, line }) => [_id, { position, line }])),
    find: async (id) => {
      const found = await collection.findOne<EntryDocument>({ _id: id as never });
      return found === null ? undefined : toRow(found);
    },
    page: async (accountId, { limit, before, booked, from, to }) => {
      const found = await collection
        .find<EntryDocument>({
          accounts: accountId,
          ...(before === undefined ? {} : { position: { $lt: before } }),
          ...(booked === true ? { booked } : {}),
          ...(from === undefined && to === undefined
            ? {}
            : { at: { ...(from === undefined ? {} : { $gte: from }), ...(to === undefined ? {} : { $lt: to }) } }),
        })
        .sort({ position: -1 })
        .limit(limit)
        .toArray();
      return found.map(toRow);
    },
    countEntries: (shard, n) => collection.countDocuments({ shard, position: { $lt: positionOf(n + 1, 0) } }),
  };
};
