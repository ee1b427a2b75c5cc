import { createCoalescedReads, createCoalescer } from '@florin/rpc/coalesce';
import type { mongo } from 'mongoose';
import { isDuplicateKey } from './store.ts';

const MAX_CALLS = 2;
const MAX_ITEMS = 200;

type WriteError = { index: number; code: number };

/** The places of the documents whose `_id` was taken; undefined when the write failed for another reason. */
const takenOf = (error: unknown): ReadonlySet<number> | undefined => {
  const errors = (error as { writeErrors?: WriteError | WriteError[] }).writeErrors;
  if (!isDuplicateKey(error) || errors === undefined) return undefined;
  const list = Array.isArray(errors) ? errors : [errors];
  return list.every(({ code }) => code === 11_000) ? new Set(list.map(({ index }) => index)) : undefined;
};

/**
 * Inserts documents, several in one write when they come at once.
 * @returns whether the document was inserted; false when its `_id` is taken
 */
export const createBatchedInserts = <D extends { _id: string }>(collection: mongo.Collection<D>): ((document: D) => Promise<boolean>) =>
  createCoalescer<D, boolean>({
    maxCalls: MAX_CALLS,
    maxItems: MAX_ITEMS,
    send: async (documents) => {
      try {
        await collection.insertMany(documents as mongo.OptionalUnlessRequiredId<D>[], { ordered: false });
        return documents.map(() => true);
      } catch (error) {
        const taken = takenOf(error);
        if (taken === undefined) throw error;
        return documents.map((_document, index) => !taken.has(index));
      }
    },
  });

/**
 * Reads documents by `_id`, several in one query when they are requested at once. A read sees every write that was acknowledged before it was
 * requested.
 * @param options `projection` selects fields, as the driver does
 */
export const createBatchedReads = <D extends { _id: string }>(
  collection: mongo.Collection<D>,
  { projection }: { projection?: mongo.Document } = {},
): ((id: string) => Promise<D | undefined>) =>
  createCoalescedReads<D>({
    maxCalls: MAX_CALLS,
    maxItems: MAX_ITEMS,
    load: async (ids) => {
      const options = projection === undefined ? {} : { projection };
      const found = await collection.find({ _id: { $in: ids } } as mongo.Filter<D>, options).toArray();
      return new Map(found.map((document) => [document._id as string, document as D]));
    },
  });
