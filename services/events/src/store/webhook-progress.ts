import { isDuplicateKey, rawCollection } from '@florin/data/store';
import { type Connection, Schema } from 'mongoose';
import type { Progress } from '../domain/webhooks/lane.ts';

/** How far an endpoint is, and what of the owner's wishes that has taken up. */
export type StoredProgress = Progress & {
  /** The endpoint's count of being enabled. */
  enabled: number;
  /** The last replay that was begun. */
  replayId?: string;
};

type Document = StoredProgress & { _id: string; term: number };

const schema = new Schema<Document>({ _id: String }, { collection: 'webhook_progress', versionKey: false, strict: false });

const BATCH = 500;

const toProgress = ({ _id, term: _term, ...progress }: Document): StoredProgress => progress;

/** Splits a list into batches of one write each. */
const batchesOf = function* <T>(all: readonly T[]): Generator<readonly T[]> {
  for (let from = 0; from < all.length; from += BATCH) yield all.slice(from, from + BATCH);
};

/** How far the deliveries to each endpoint are. Only the deliverer with the highest term of the endpoint's shard can write. */
export const createWebhookProgressStore = (connection: Connection) => {
  const collection = rawCollection(connection.model<Document>('WebhookProgress', schema));
  const findAll = async (ids: readonly string[]): Promise<Map<string, Document>> => {
    const found = await Promise.all([...batchesOf(ids)].map((batch) => collection.find({ _id: { $in: [...batch] } }).toArray()));
    return new Map(found.flat().map((document) => [document._id, document]));
  };
  return {
    find: async (ids: readonly string[]): Promise<Map<string, StoredProgress>> =>
      new Map([...(await findAll(ids))].map(([id, document]) => [id, toProgress(document)])),

    /** Up to `limit` endpoints whose latest deliveries have failed, oldest failure first, each with the time of the first failure; those that follow on `after`. */
    failing: async (limit: number, after?: { since: Date; id: string }): Promise<Map<string, Date>> => {
      const following = after && [{ failingSince: { $gt: after.since } }, { failingSince: after.since, _id: { $gt: after.id } }];
      const filter = { failingSince: { $exists: true }, ...(following && { $or: following }) };
      const found = collection.find(filter, { projection: { failingSince: 1 } }).sort({ failingSince: 1, _id: 1 });
      return new Map((await found.limit(limit).toArray()).map(({ _id, failingSince = new Date(0) }) => [_id, failingSince]));
    },

    /**
     * Ends the writes of earlier terms to some endpoints.
     * @returns their progress; those that a later term has are absent
     * @throws Error if an earlier term still has one: then the call has to be repeated
     */
    claim: async (term: number, initial: ReadonlyMap<string, StoredProgress>): Promise<Map<string, StoredProgress>> => {
      for (const batch of batchesOf([...initial])) {
        const writes = batch.map(([_id, progress]) => ({
          updateOne: { filter: { _id, term: { $lt: term } }, update: { $set: { term }, $setOnInsert: progress }, upsert: true },
        }));
        // One of this or of a later term is there already; which one shows below.
        await collection.bulkWrite(writes, { ordered: false }).catch((error: unknown) => {
          if (!isDuplicateKey(error)) throw error;
        });
      }
      const found = await findAll([...initial.keys()]);
      // The insert met one that its filter should have matched, or that was removed meanwhile.
      const missed = [...initial.keys()].find((id) => (found.get(id)?.term ?? 0) < term);
      if (missed !== undefined) throw new Error(`the progress of the endpoint ${missed} was not taken over`);
      return new Map([...found].filter(([, document]) => document.term === term).map(([id, document]) => [id, toProgress(document)]));
    },

    /** Stores progress, in one write. Endpoints that a later term has are left as they are. */
    save: async (all: readonly { id: string; term: number; progress: StoredProgress }[]): Promise<void> => {
      for (const batch of batchesOf(all)) {
        const writes = batch.map(({ id, term, progress }) => ({
          replaceOne: { filter: { _id: id, term }, replacement: { term, ...progress } },
        }));
        await collection.bulkWrite(writes, { ordered: false });
      }
    },

    remove: async (id: string): Promise<void> => {
      await collection.deleteOne({ _id: id });
    },
  };
};

export type WebhookProgressStore = ReturnType<typeof createWebhookProgressStore>;
