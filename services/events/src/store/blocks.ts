import { isDuplicateKey, rawCollection } from '@florin/data/store';
import { type Connection, Schema } from 'mongoose';
import type { FeedBlock } from '../domain/feed-block.ts';
import { type FeedEvent, keyOf } from '../domain/feed-event.ts';

type StoredEvent = FeedEvent & { key: string };
type Document = Omit<FeedBlock, 'events'> & { _id: string; events: StoredEvent[] };

const schema = new Schema<Document>({ _id: String }, { collection: 'feed_blocks', versionKey: false, strict: false })
  .index({ feed: 1, last: 1 })
  .index({ 'events.key': 1 });

const toBlock = ({ _id, events, ...block }: Document): FeedBlock => ({ ...block, events: events.map(({ key: _key, ...event }) => event) });

/** Where an event of a feed is. */
export type Place = { id: string; sequence: number };

/** The blocks of all feeds. The `_id` of a block is `<feed>:<n>`: of two appenders that write the same number, one wins. */
export const createBlockStore = (connection: Connection) => {
  const collection = rawCollection(connection.model<Document>('FeedBlock', schema));
  const edge = async (feed: string, direction: 1 | -1): Promise<FeedBlock | undefined> => {
    const [found] = await collection.find({ feed }).sort({ last: direction }).limit(1).toArray();
    return found === undefined ? undefined : toBlock(found);
  };
  return {
    /** @returns false if there is a block of that number */
    insert: async ({ events, ...block }: FeedBlock): Promise<boolean> => {
      try {
        const stored = events.map((event) => ({ ...event, key: keyOf(event) }));
        await collection.insertOne({ _id: `${block.feed}:${block.n}`, ...block, events: stored });
        return true;
      } catch (error) {
        if (!isDuplicateKey(error)) throw error;
        return false;
      }
    },

    newest: (feed: string) => edge(feed, -1),

    oldest: (feed: string) => edge(feed, 1),

    /** Up to `limit` blocks with events after a sequence, in their order. */
    after: async (feed: string, sequence: number, limit: number): Promise<FeedBlock[]> =>
      (
        await collection
          .find({ feed, last: { $gt: sequence } })
          .sort({ last: 1 })
          .limit(limit)
          .toArray()
      ).map(toBlock),

    /** The events that have one of these keys, in any feed. */
    findKeys: async (keys: readonly string[]): Promise<Map<string, Place>> => {
      const projection = { first: 1, 'events.key': 1, 'events.id': 1 };
      const found = await collection.find({ 'events.key': { $in: [...keys] } }, { projection }).toArray();
      return new Map(found.flatMap(({ first, events }) => events.map(({ key, id }, index) => [key, { id, sequence: first + index }])));
    },
  };
};

export type BlockStore = ReturnType<typeof createBlockStore>;
