import { isDuplicateKey, rawCollection } from '@florin/data/store';
import { type Connection, Schema } from 'mongoose';
import { SHARDS } from '../domain/webhooks/shards.ts';

/** The process that serves a shard. */
export type Lease = {
  shard: number;
  /** Id of the deliverer; empty when nobody has it. */
  owner: string;
  /** Counts the owners. */
  term: number;
  /** Changes while the owner is alive. Only its changing matters, so that no clock does. */
  beat: number;
};

/** A deliverer that shares the shards. */
export type Presence = { id: string; beat: number };

type Document = { _id: string; owner: string; term: number; beat: number };

const schema = new Schema<Document>({ _id: String }, { collection: 'webhook_leases', versionKey: false, strict: false });

const SHARD = 'shard:';
const DELIVERER = 'deliverer:';

const shardKey = (shard: number): string => `${SHARD}${shard}`;

/** The leases of shards, and the deliverers that are there. */
export const createWebhookLeaseStore = (connection: Connection) => {
  const collection = rawCollection(connection.model<Document>('WebhookLease', schema));
  return {
    /** Makes sure that there is a lease for each shard. */
    prepare: async (): Promise<void> => {
      const documents = Array.from({ length: SHARDS }, (_, shard) => ({ _id: shardKey(shard), owner: '', term: 0, beat: 0 }));
      await collection.insertMany(documents, { ordered: false }).catch((error: unknown) => {
        if (!isDuplicateKey(error)) throw error;
      });
    },

    list: async (): Promise<{ leases: Lease[]; presences: Presence[] }> => {
      const found = await collection.find({}).toArray();
      return {
        leases: found
          .filter(({ _id }) => _id.startsWith(SHARD))
          .map(({ _id, owner, term, beat }) => ({ shard: Number(_id.slice(SHARD.length)), owner, term, beat })),
        presences: found.filter(({ _id }) => _id.startsWith(DELIVERER)).map(({ _id, beat }) => ({ id: _id.slice(DELIVERER.length), beat })),
      };
    },

    /** Shows that a deliverer and its leases are alive. */
    beat: async (owner: string): Promise<void> => {
      await collection.updateOne({ _id: `${DELIVERER}${owner}` }, { $inc: { beat: 1 }, $set: { owner, term: 0 } }, { upsert: true });
      await collection.updateMany({ _id: { $regex: `^${SHARD}` }, owner }, { $inc: { beat: 1 } });
    },

    /** Takes a lease over as it was seen. @returns the term of the new owner; undefined if it has changed since */
    take: async ({ shard, owner: former, term, beat }: Lease, owner: string): Promise<number | undefined> => {
      const seen = { _id: shardKey(shard), owner: former, term, beat };
      const { matchedCount } = await collection.updateOne(seen, { $set: { owner, term: term + 1, beat: beat + 1 } });
      return matchedCount === 1 ? term + 1 : undefined;
    },

    /** Gives a lease back. */
    release: async (shard: number, owner: string, term: number): Promise<void> => {
      await collection.updateOne({ _id: shardKey(shard), owner, term }, { $set: { owner: '' } });
    },

    /** Forgets a deliverer that ends or has ended. */
    forget: async (owner: string): Promise<void> => {
      await collection.deleteOne({ _id: `${DELIVERER}${owner}` });
    },
  };
};

export type WebhookLeaseStore = ReturnType<typeof createWebhookLeaseStore>;
