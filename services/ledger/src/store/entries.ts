import { rawCollection } from '@florin/data/store';
import { type Connection, Schema } from 'mongoose';
import { decodeEntry, type KnownEntry } from '../domain/entry.ts';
import { blockOf } from '../domain/position.ts';
import type { EntryRow } from '../domain/projection.ts';
import type { EntryReader } from '../journal/ports.ts';
import { insertMissing } from './insert-missing.ts';
import { idOfKey, shardKey } from './shard-key.ts';

/**
 * `_id` is `<shard>:<entry id>`. The accounts stand apart: `account` is the first, `counterparty` the second, `others` the rest. Nearly all
 * entries are about one or two, and an index over arrays costs twice as much to write.
 */
type EntryDocument = Omit<EntryRow, 'id' | 'accounts' | 'inputHash' | 'booked'> & {
  _id: string;
  shard: string;
  account?: string;
  counterparty?: string;
  others?: string[];
  booked?: true;
};

const ACCOUNT_FIELDS = ['account', 'counterparty', 'others'] as const;

// Written and read past mongoose's casting: thousands a second.
const schema = new Schema<EntryDocument>({ _id: String }, { collection: 'entries', versionKey: false, strict: false });
for (const field of ACCOUNT_FIELDS) schema.index({ [field]: 1, position: -1 }, { partialFilterExpression: { [field]: { $exists: true } } });

const accountFields = ([account, counterparty, ...others]: readonly string[]): Pick<EntryDocument, (typeof ACCOUNT_FIELDS)[number]> => ({
  ...(account === undefined ? {} : { account }),
  ...(counterparty === undefined ? {} : { counterparty }),
  ...(others.length === 0 ? {} : { others }),
});

/** An entry as it is stored. */
export const entryDocument = (shard: string, { id, kind, accounts, position, booked, at, line }: EntryRow): EntryDocument => ({
  _id: shardKey(shard, id),
  shard,
  position,
  at,
  kind,
  line,
  ...accountFields(accounts),
  ...(booked ? { booked } : {}),
});

const toRow = ({ _id, kind, account, counterparty, others = [], position, booked, at, line }: EntryDocument): EntryRow => ({
  id: idOfKey(_id),
  kind,
  inputHash: decodeEntry(line).inputHash,
  accounts: [account, counterparty, ...others].filter((one) => one !== undefined),
  position,
  booked: booked === true,
  at,
  line,
});

export type Entries = EntryReader & {
  save: (shard: string, rows: readonly EntryRow[]) => Promise<void>;
  findKnown: (shard: string, ids: readonly string[]) => Promise<Map<string, KnownEntry>>;
};

/** Entries by id and by account: a projection of the journal. */
export const createEntries = (connection: Connection): Entries => {
  const model = connection.model<EntryDocument>('Entry', schema);
  const collection = rawCollection(model);
  const findMany = (shard: string, ids: readonly string[]) =>
    collection.find({ _id: { $in: ids.map((id) => shardKey(shard, id)) } }, { projection: { position: 1, line: 1 } }).toArray();
  return {
    save: (shard, rows) =>
      insertMissing(
        model,
        rows.map((row) => entryDocument(shard, row)),
      ),
    findKnown: async (shard, ids) =>
      new Map(
        (await findMany(shard, ids)).map(({ _id, position, line }) => {
          const { kind, inputHash } = decodeEntry(line);
          return [idOfKey(_id), { n: blockOf(position), kind, inputHash }];
        }),
      ),
    find: async (shard, id) => {
      const found = await collection.findOne({ _id: shardKey(shard, id) });
      return found === null ? undefined : toRow(found);
    },
    page: async (accountId, { limit, before, booked, from, to }) => {
      const more = {
        ...(before === undefined ? {} : { position: { $lt: before } }),
        ...(booked === true ? { booked } : {}),
        ...(from === undefined && to === undefined
          ? {}
          : { at: { ...(from === undefined ? {} : { $gte: from }), ...(to === undefined ? {} : { $lt: to }) } }),
      };
      const found = await Promise.all(
        ACCOUNT_FIELDS.map((field) =>
          collection
            .find({ [field]: accountId, ...more })
            .sort({ position: -1 })
            .limit(limit)
            .toArray(),
        ),
      );
      // An account stands in one of the fields only.
      return found
        .flat()
        .sort((a, b) => b.position - a.position)
        .slice(0, limit)
        .map(toRow);
    },
  };
};
