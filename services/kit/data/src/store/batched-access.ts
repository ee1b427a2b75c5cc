import { createCoalescedReads, createCoalescer, SHARED_SPACING_MS } from '@florin/rpc/coalesce';
import type { mongo } from 'mongoose';
import { isDuplicateKey, LATEST, PROVEN } from './store.ts';

/** Commands are spaced, because one costs the engine and both processes many times what one more document in it does: under load the next one waits for the last. */
const SHARED = { maxCalls: 2, maxItems: 200, spacingMs: SHARED_SPACING_MS } as const;

/** The order of a write of several documents: an engine that locks them until the end of the write then never waits in a circle. */
const byId = (a: { id: string }, b: { id: string }): number => (a.id < b.id ? -1 : Number(a.id > b.id));

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
    ...SHARED,
    send: async (documents) => {
      const ordered = documents.map((document) => ({ document, id: document._id })).toSorted(byId);
      try {
        await collection.insertMany(ordered.map(({ document }) => document) as mongo.OptionalUnlessRequiredId<D>[], { ordered: false });
        return documents.map(() => true);
      } catch (error) {
        const taken = takenOf(error);
        if (taken === undefined) throw error;
        const rejected = new Set(ordered.filter((_one, index) => taken.has(index)).map(({ document }) => document));
        return documents.map((document) => !rejected.has(document));
      }
    },
  });

/** A document at a revision that replaces the one at the revision before. */
type Revised = { _id: string; revision: number };

/**
 * Replaces documents by their next revision, several in one write when they come at once. A document of revision 1 is inserted. Nothing may delete
 * documents of the collection: a replacement would bring one back.
 * @returns whether the document was written; false when the stored one is not at the revision before
 */
export const createBatchedReplaces = <D extends Revised>(collection: mongo.Collection<D>): ((document: D) => Promise<boolean>) =>
  createCoalescer<D, boolean>({
    ...SHARED,
    send: async (documents) => {
      const ordered = documents.map((document) => ({ document, id: document._id })).toSorted(byId);
      // An upsert whose filter does not match inserts, which the stored document's _id prevents: the duplicate key tells which one was stale.
      const operations = ordered.map(({ document: { _id, ...replacement } }) => ({
        replaceOne: { filter: { _id, revision: replacement.revision - 1 }, replacement, upsert: true },
      }));
      try {
        await collection.bulkWrite(operations as unknown as mongo.AnyBulkWriteOperation<D>[], { ordered: false });
        return documents.map(() => true);
      } catch (error) {
        const taken = takenOf(error);
        if (taken === undefined) throw error;
        const stale = new Set(ordered.filter((_one, index) => taken.has(index)).map(({ document }) => document));
        return documents.map((document) => !stale.has(document));
      }
    },
  });

type ReadOptions = {
  /** Selects fields, as the driver does. */
  projection?: mongo.Document;
  /** Read as LATEST: what the caller does then is a conditional write, or must see the last change. */
  isLatest?: boolean;
  /** A document that is not found is looked for once more, PROVEN: where something is refused because there is none. */
  provesAbsence?: boolean;
};

/**
 * Reads documents by `_id`, several in one query when they are requested at once. A read sees every write that was acknowledged before it was
 * requested, except for a moment after an election (see `ReadOptions`).
 */
export const createBatchedReads = <D extends { _id: string }>(
  collection: mongo.Collection<D>,
  { projection, isLatest = false, provesAbsence = false }: ReadOptions = {},
): ((id: string) => Promise<D | undefined>) =>
  createCoalescedReads<D>({
    ...SHARED,
    load: async (ids) => {
      const fields = projection === undefined ? {} : { projection };
      const load = async (some: readonly string[], options: mongo.FindOptions): Promise<[string, D][]> => {
        const found = await collection.find({ _id: { $in: some } } as mongo.Filter<D>, { ...fields, ...options }).toArray();
        return found.map((document) => [document._id as string, document as D]);
      };
      const found = new Map(await load(ids, isLatest ? LATEST : {}));
      const missing = provesAbsence ? ids.filter((id) => !found.has(id)) : [];
      return missing.length === 0 ? found : new Map([...found, ...(await load(missing, PROVEN))]);
    },
  });

/** A conditional change of one document. */
export type ConditionalUpdate<D> = {
  id: string;
  /** The condition, besides the id. */
  where: mongo.Filter<D>;
  update: mongo.UpdateFilter<D>;
  /** Reports whether the document, read after the write, shows that it was this change that was made. A change that is missing may be made again. */
  isMadeIn: (document: D) => boolean;
};

/**
 * Changes documents under conditions, several in one write when they come at once. Each change is atomic by itself. The engine reports how many
 * changes of a write found their document, not which: when only some did, the documents are read, and a change that is not in its document is
 * made again alone, which decides.
 * @returns whether the condition held and the change was made. When this rejects, it may have been made
 */
export const createBatchedUpdates = <D extends { _id: string }>(
  collection: mongo.Collection<D>,
  { maxRestMs = 0 }: { maxRestMs?: number } = {},
): ((change: ConditionalUpdate<D>) => Promise<boolean>) => {
  const filterOf = ({ id, where }: ConditionalUpdate<D>) => ({ ...where, _id: id }) as mongo.Filter<D>;
  const alone = async (change: ConditionalUpdate<D>): Promise<boolean> =>
    (await collection.updateOne(filterOf(change), change.update)).matchedCount === 1;
  return createCoalescer<ConditionalUpdate<D>, boolean>({
    ...SHARED,
    maxRestMs,
    send: async (changes) => {
      const [only] = changes;
      if (only !== undefined && changes.length === 1) return [await alone(only)];
      const ordered = changes.toSorted(byId);
      const operations = ordered.map((change) => ({ updateOne: { filter: filterOf(change), update: change.update } }));
      const { matchedCount } = await collection.bulkWrite(operations as mongo.AnyBulkWriteOperation<D>[], { ordered: false });
      if (matchedCount === changes.length || matchedCount === 0) return changes.map(() => matchedCount > 0);
      const ids = [...new Set(changes.map(({ id }) => id))];
      const found = await collection.find({ _id: { $in: ids } } as mongo.Filter<D>, LATEST).toArray();
      const documents = new Map(found.map((document) => [document._id as string, document as D]));
      const isMade = (change: ConditionalUpdate<D>): boolean => {
        const document = documents.get(change.id);
        return document !== undefined && change.isMadeIn(document);
      };
      return Promise.all(changes.map((change) => isMade(change) || alone(change)));
    },
  });
};
