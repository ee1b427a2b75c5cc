import { isDuplicateKey, rawCollection } from '@florin/data/store';
import { type Connection, Schema } from 'mongoose';
import { type Endpoint, NO_ENDPOINTS, type PartnerEndpoints, textsOf } from '../domain/webhooks/endpoint.ts';
import { shardOf } from '../domain/webhooks/shards.ts';

type Document = { _id: string; shard: number; revision: number; endpoints: Endpoint[]; mails?: Date[] };

const schema = new Schema<Document>({ _id: String }, { collection: 'webhook_endpoints', versionKey: false, strict: false }).index({
  shard: 1,
});

const toEndpoints = ({ _id, revision, endpoints, mails = [] }: Document): PartnerEndpoints => ({ feed: _id, revision, endpoints, mails });

/** The endpoints of all partners, one document each. */
export const createWebhookEndpointStore = (connection: Connection) => {
  const collection = rawCollection(connection.model<Document>('WebhookEndpoints', schema));
  return {
    find: async (feed: string): Promise<PartnerEndpoints> => {
      const found = await collection.findOne({ _id: feed });
      return found === null ? NO_ENDPOINTS(feed) : toEndpoints(found);
    },

    /** Replaces what has this revision by what follows on it. @returns false if it has another one by now */
    replace: async ({ feed, revision, endpoints, mails = [] }: PartnerEndpoints): Promise<boolean> => {
      if (revision > 0) {
        const { matchedCount } = await collection.updateOne(
          { _id: feed, revision },
          { $set: { endpoints, mails, revision: revision + 1 } },
        );
        return matchedCount === 1;
      }
      try {
        await collection.insertOne({ _id: feed, shard: shardOf(feed), revision: 1, endpoints, mails });
        return true;
      } catch (error) {
        if (!isDuplicateKey(error)) throw error;
        return false;
      }
    },

    /** Revisions of the partners of some shards. */
    revisions: async (shards: readonly number[]): Promise<{ feed: string; shard: number; revision: number }[]> => {
      const found = await collection.find({ shard: { $in: [...shards] } }, { projection: { shard: 1, revision: 1 } }).toArray();
      return found.map(({ _id, shard, revision }) => ({ feed: _id, shard, revision }));
    },

    /** Ids of all texts that endpoints refer to. */
    textsInUse: async (): Promise<Set<string>> => {
      const found = collection.find({}, { projection: { 'endpoints.secrets.id': 1, 'endpoints.contactId': 1 } });
      const ids = new Set<string>();
      for await (const { endpoints } of found) for (const id of endpoints.flatMap(textsOf)) ids.add(id);
      return ids;
    },

    /** The partners who have one of these endpoints. @param feed only this one */
    findByIds: async (feed: string | undefined, ids: readonly string[]): Promise<PartnerEndpoints[]> =>
      (await collection.find({ ...(feed && { _id: feed }), 'endpoints.id': { $in: [...ids] } }).toArray()).map(toEndpoints),

    /** Up to `limit` partners one of whose endpoints was disabled because its deliveries failed, by their feeds, beginning with `from`. @param feed only this one */
    findDisabled: async (feed: string | undefined, from: string, limit: number): Promise<PartnerEndpoints[]> => {
      const _id = { $gte: from, ...(feed && { $eq: feed }) };
      const found = collection.find({ _id, 'endpoints.disabled.reason': { $in: ['gone', 'failing'] } });
      return (await found.sort({ _id: 1 }).limit(limit).toArray()).map(toEndpoints);
    },

    findAll: async (feeds: readonly string[]): Promise<PartnerEndpoints[]> =>
      (await collection.find({ _id: { $in: [...feeds] } }).toArray()).map(toEndpoints),
  };
};

export type WebhookEndpointStore = ReturnType<typeof createWebhookEndpointStore>;
