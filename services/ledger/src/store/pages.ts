import { type Connection, Schema } from 'mongoose';
import type { PageStore, StoredPage } from '../journal/ports.ts';
import { isOnlyDuplicates } from './insert-missing.ts';

type PageDocument = { _id: string; shard: string; page: string; asOf: number; text: string };

const schema = new Schema<PageDocument>({ _id: String }, { collection: 'balance_pages', versionKey: false, strict: false });

const PAGES_PER_BATCH = 20;

const pageId = (shard: string, page: string): string => `${shard}:${page}`;

const toPage = ({ page, asOf, text }: PageDocument): StoredPage => ({ page, asOf, text });

/** Balances of a few hundred accounts per document, `_id` = `<shard>:<page>`, replaced whole. */
export const createPageStore = (connection: Connection): PageStore => {
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
          replacement: { shard, page, asOf, text },
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
    all: async function* (shard) {
      const cursor = collection.find<PageDocument>({ shard }).batchSize(PAGES_PER_BATCH);
      for await (const document of cursor) yield toPage(document);
    },
  };
};
