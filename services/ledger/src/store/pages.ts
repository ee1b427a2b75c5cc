import { hash } from 'node:crypto';
import { type Connection, Schema } from 'mongoose';
import { InvariantError } from '../domain/apply-entry.ts';
import type { PageStore, StoredPage } from '../journal/ports.ts';
import { isOnlyDuplicates } from './insert-missing.ts';

type PageDocument = { _id: string; shard: string; page: string; asOf: number; text: string; sum: string };

const schema = new Schema<PageDocument>({ _id: String }, { collection: 'balance_pages', versionKey: false, strict: false });

const PAGES_PER_BATCH = 20;

/** `_id` of a page. */
export const pageId = (shard: string, page: string): string => `${shard}:${page}`;

/** Checksum of a page: a page that changed in storage must not be taken for balances. */
const sumOf = ({ shard, page, asOf, text }: Omit<PageDocument, '_id' | 'sum'>): string =>
  hash('sha256', JSON.stringify([shard, page, asOf, text]), 'base64url');

/** A page as it is stored, without its `_id`. */
export const pageDocument = (shard: string, page: StoredPage): Omit<PageDocument, '_id'> => ({
  shard,
  ...page,
  sum: sumOf({ shard, ...page }),
});

/** @throws InvariantError when the checksum is wrong */
const toPage = (document: PageDocument): StoredPage => {
  const { _id, page, asOf, text, sum } = document;
  if (sum !== sumOf(document)) {
    throw new InvariantError(`balance page ${_id} has a wrong checksum: run \`npm run ledger -- rebuild\``);
  }
  return { page, asOf, text };
};

export type StoredPages = PageStore & {
  /** Highest block that a page of the shard is as of; 0 without pages. */
  newest: (shard: string) => Promise<number>;
};

/** Balances of a few hundred accounts per document, `_id` = `<shard>:<page>`, replaced whole. */
export const createPageStore = (connection: Connection): StoredPages => {
  const collection = connection.model('BalancePage', schema).collection;
  return {
    find: async (shard, pages) => {
      const found = await collection.find<PageDocument>({ _id: { $in: pages.map((page) => pageId(shard, page)) as never[] } }).toArray();
      return found.map(toPage);
    },
    save: async (shard, pages) => {
      if (pages.length === 0) return;
      const writes = pages.map(({ page, asOf, text }) => ({
        replaceOne: {
          filter: { _id: pageId(shard, page) as never, asOf: { $lt: asOf } },
          replacement: pageDocument(shard, { page, asOf, text }),
          upsert: true,
        },
      }));
      try {
        await collection.bulkWrite(writes, { ordered: false });
      } catch (error) {
        // A page of a later block is there: the filter did not find it, and the upsert met it.
        if (!isOnlyDuplicates(error)) throw error;
      }
    },
    newest: async (shard) => {
      const found = await collection
        .find<PageDocument>({ shard }, { projection: { asOf: 1 } })
        .sort({ asOf: -1 })
        .limit(1)
        .toArray();
      return found[0]?.asOf ?? 0;
    },
    all: async function* (shard) {
      const cursor = collection.find<PageDocument>({ shard }).batchSize(PAGES_PER_BATCH);
      for await (const document of cursor) yield toPage(document);
    },
  };
};
