import { hash } from 'node:crypto';
import { rawCollection } from '@florin/data/store';
import { type Connection, Schema } from 'mongoose';
import { InvariantError } from '../domain/apply-entry.ts';
import type { PageStore, PageVersion, StoredPage } from '../journal/ports.ts';
import { isOnlyDuplicates } from './insert-missing.ts';

type PageDocument = StoredPage & { _id: string; shard: string; sum: string };

const schema = new Schema<PageDocument>({ _id: String }, { collection: 'balance_pages', versionKey: false, strict: false });
schema.index({ shard: 1, asOf: 1 });

const PAGES_PER_BATCH = 20;

const idOf = (shard: string, { page, slot }: Pick<PageVersion, 'page' | 'slot'>): string => `${shard}:${page}:${slot}`;

/** Checksum of a version: a page that changed in storage must not be taken for balances. */
const sumOf = (shard: string, { page, slot, asOf, text }: StoredPage): string =>
  hash('sha256', JSON.stringify([shard, page, slot, asOf, text]), 'base64url');

/** A version of a page as it is stored. */
export const pageDocument = (shard: string, version: StoredPage): PageDocument => ({
  _id: idOf(shard, version),
  shard,
  ...version,
  sum: sumOf(shard, version),
});

/** @throws InvariantError when the checksum is wrong */
const toPage = (document: PageDocument): StoredPage => {
  const { _id, shard, page, slot, asOf, text, sum } = document;
  if (sum !== sumOf(shard, document)) {
    throw new InvariantError(`balance page ${_id} has a wrong checksum: run \`npm run ledger -- rebuild\``);
  }
  return { page, slot, asOf, text };
};

const withoutId = ({ _id, ...document }: PageDocument) => document;

export type StoredPages = PageStore & {
  /** A block after n that a stored version is as of; undefined when there is none. */
  asOfAfter: (shard: string, n: number) => Promise<number | undefined>;
};

/** Versions of balance pages, one document each: `_id` = `<shard>:<page>:<slot>`. */
export const createPageStore = (connection: Connection): StoredPages => {
  const collection = rawCollection(connection.model<PageDocument>('BalancePage', schema));
  return {
    asOfAfter: async (shard, n) => (await collection.findOne({ shard, asOf: { $gt: n } }, { projection: { asOf: 1 } }))?.asOf,
    versions: (shard) => collection.find<PageVersion>({ shard }, { projection: { _id: 0, page: 1, slot: 1, asOf: 1 } }).toArray(),
    find: async (shard, slots) => {
      const found = await collection.find({ _id: { $in: slots.map((slot) => idOf(shard, slot)) } }).toArray();
      return found.map(toPage);
    },
    save: async (shard, pages) => {
      if (pages.length === 0) return true;
      const writes = pages.map((version) => ({
        replaceOne: {
          filter: { _id: idOf(shard, version), asOf: { $lte: version.asOf } },
          replacement: withoutId(pageDocument(shard, version)),
          upsert: true,
        },
      }));
      try {
        await collection.bulkWrite(writes, { ordered: false });
        return true;
      } catch (error) {
        // Duplicate key: the slot exists and holds a version of a later block.
        if (isOnlyDuplicates(error)) return false;
        throw error;
      }
    },
    all: async function* (shard) {
      const cursor = collection.find({ shard }).batchSize(PAGES_PER_BATCH);
      for await (const document of cursor) yield toPage(document);
    },
  };
};
