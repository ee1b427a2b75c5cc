import { isDuplicateKey, LATEST, PROVEN, rawCollection } from '@florin/data/store';
import { type Connection, type mongo, Schema } from 'mongoose';
import { type FeedBlock, type KeptEvent, numbered, passes, type TypeFilter, type UnnumberedEvent } from '../domain/feed-block.ts';
import { keyOf } from '../domain/feed-event.ts';

type StoredEvent = UnnumberedEvent & { key: string; sequence: number };
type Document = Omit<FeedBlock, 'events'> & { _id: string; events: StoredEvent[] };

const schema = new Schema<Document>({ _id: String }, { collection: 'feed_blocks', versionKey: false, strict: false })
  .index({ feed: 1, last: 1 })
  .index({ feed: 1, 'events.type': 1, last: 1 })
  .index({ 'events.key': 1 })
  .index({ 'events.id': 1 })
  .index({ 'events.userId': 1, last: 1 });

const toBlock = ({ _id, events, ...block }: Document): FeedBlock => ({
  ...block,
  events: events.map(({ key: _key, sequence: _sequence, ...event }) => numbered(event)),
});

/** The events of one user in a feed, of some types or all. */
export type OfUser = { feed: string; userId: string; filter: TypeFilter };

/** An event in its place. */
export type SequencedEvent = KeptEvent & { sequence: number };

/** Blocks that one query of many reads. */
const WINDOW = 100;

/** Where an event of a feed is. */
export type Place = { id: string; sequence: number };

/**
 * The blocks of all feeds. The `_id` of a block is `<feed>:<n>`: of two appenders that write the same number, one wins.
 *
 * The end of a feed (`newest`, `last`, `numbered`) is what a majority has, so that nobody is told of a block that a failover takes back. All blocks before such an end are as
 * durable as it is, and are read as LATEST: a primary that was just elected has them before it knows that a majority has.
 */
export const createBlockStore = (connection: Connection) => {
  const collection = rawCollection(connection.model<Document>('FeedBlock', schema));
  /** The user's events in up to `limit` blocks that match. */
  const ofUser = async ({ feed, userId, filter }: OfUser, range: object, last: 1 | -1, limit: number): Promise<SequencedEvent[]> => {
    const own = { userId, ...(filter === undefined ? {} : { type: { $in: [...filter] } }) };
    const isOwn = { $eq: ['$$event.userId', userId] };
    const found = await collection
      .aggregate<Pick<Document, 'events'>>(
        [
          { $match: { feed, ...range, events: { $elemMatch: own } } },
          { $sort: { last } },
          { $limit: limit },
          { $project: { events: { $filter: { input: '$events', as: 'event', cond: isOwn } } } },
        ],
        LATEST,
      )
      .toArray();
    return found
      .flatMap(({ events }) => events.map(({ key: _key, typeNumber: _typeNumber, ...event }) => event))
      .filter(({ type }) => passes(filter, type))
      .sort((a, b) => a.sequence - b.sequence);
  };

  const lastOf = async (feed: string, since: number, options: mongo.FindOptions): Promise<number> => {
    const [found] = await collection
      .find({ feed, last: { $gte: since } }, { ...options, projection: { last: 1 } })
      .sort({ last: -1 })
      .limit(1)
      .toArray();
    return found?.last ?? 0;
  };

  const places = async (keys: readonly string[], options: mongo.FindOptions): Promise<Map<string, Place>> => {
    const projection = { first: 1, 'events.key': 1, 'events.id': 1 };
    const found = await collection.find({ 'events.key': { $in: [...keys] } }, { ...options, projection }).toArray();
    return new Map(found.flatMap(({ first, events }) => events.map(({ key, id }, index) => [key, { id, sequence: first + index }])));
  };

  return {
    /** @returns false if there is a block of that number, which a majority then has */
    insert: async ({ events, ...block }: FeedBlock): Promise<boolean> => {
      try {
        const stored = events.map((event, index) => ({ ...event, key: keyOf(event), sequence: block.first + index }));
        await collection.insertOne({ _id: `${block.feed}:${block.n}`, ...block, events: stored });
        return true;
      } catch (error) {
        if (!isDuplicateKey(error)) throw error;
        return false;
      }
    },

    /**
     * The last block. @param since sequence that the feed's end has reached, as far as the caller knows; undefined is returned if it has not. FerretDB sorts all blocks from there on
     */
    newest: async (feed: string, since = 0): Promise<FeedBlock | undefined> => {
      const filter = { feed, last: { $gte: since } };
      const [found] = await collection.find(filter).sort({ last: -1 }).limit(1).toArray();
      return found === undefined ? undefined : toBlock(found);
    },

    /** The blocks of these numbers that are there, in any order. */
    numbered: async (numbers: readonly { feed: string; n: number }[]): Promise<FeedBlock[]> =>
      (await collection.find({ _id: { $in: numbers.map(({ feed, n }) => `${feed}:${n}`) } }).toArray()).map(toBlock),

    /** Up to `limit` blocks with events after a sequence and up to an end, in their order: all of them, or those with an event that a filter lets through. */
    after: async (feed: string, sequence: number, end: number, limit: number, filter?: TypeFilter): Promise<FeedBlock[]> =>
      (
        await collection
          .find(
            { feed, last: { $gt: sequence, $lte: end }, ...(filter === undefined ? {} : { 'events.type': { $in: [...filter] } }) },
            LATEST,
          )
          .sort({ last: 1 })
          .limit(limit)
          .toArray()
      ).map(toBlock),

    /** Sequence of an event of a feed; undefined if the feed keeps none with this id. */
    sequenceOf: async (feed: string, id: string): Promise<number | undefined> => {
      const [found] = await collection.find({ feed, 'events.id': id }, LATEST).limit(1).toArray();
      return found?.events.find((event) => event.id === id)?.sequence;
    },

    /** The feeds that have blocks. */
    feeds: async (): Promise<string[]> => (await collection.distinct('feed')).sort(),

    /** The blocks after a sequence that end at another one or before, in their order, read in windows. */
    between: async function* (feed: string, after: number, upTo: number): AsyncGenerator<FeedBlock> {
      for (let reached = after; ; ) {
        const found = await collection
          .find({ feed, last: { $gt: reached, $lte: upTo } }, LATEST)
          .sort({ last: 1 })
          .limit(WINDOW)
          .toArray();
        yield* found.map(toBlock);
        const end = found.at(-1);
        if (end === undefined || found.length < WINDOW) return;
        reached = end.last;
      }
    },

    /** Deletes the blocks that end at a sequence or before. */
    removeUpTo: async (feed: string, sequence: number): Promise<void> => {
      const filter = { feed, last: { $lte: sequence } };
      for (let more = true; more; ) {
        const ids = (
          await collection
            .find(filter, { projection: { _id: 1 } })
            .sort({ last: 1 })
            .limit(WINDOW)
            .toArray()
        ).map(({ _id }) => _id);
        if (ids.length > 0) await collection.deleteMany({ _id: { $in: ids } });
        more = ids.length === WINDOW;
      }
    },

    /** Sequence of the last event; 0 without one. @param since as for `newest` */
    last: (feed: string, since = 0): Promise<number> => lastOf(feed, since, {}),

    /** The same, of all events that were ever appended, also right after an election. Slower. */
    provenLast: (feed: string): Promise<number> => lastOf(feed, 0, PROVEN),

    /** The user's events after a place and up to another one, oldest first: the first `limit`, and perhaps some more. */
    ofUserBetween: async (user: OfUser, after: number, upTo: number, limit: number): Promise<SequencedEvent[]> => {
      // The first block may have events up to `after` only.
      const found = await ofUser(user, { last: { $gt: after }, first: { $lte: upTo } }, 1, limit + 1);
      return found.filter(({ sequence }) => sequence > after && sequence <= upTo);
    },

    /** Sequence of the user's last event up to a place; 0 without one. */
    lastOfUser: async (user: OfUser, upTo: number): Promise<number> => {
      // Of two blocks, only the later one may have events after the place only.
      const found = await ofUser(user, { first: { $lte: upTo } }, -1, 2);
      return found.findLast(({ sequence }) => sequence <= upTo)?.sequence ?? 0;
    },

    /**
     * The events that have one of these keys, in any feed. One that is not found was not appended before the call. One that is found is durable: whoever is told
     * that an event is in a feed forgets it.
     */
    findKeys: async (keys: readonly string[]): Promise<Map<string, Place>> => {
      const found = await places(keys, LATEST);
      return found.size === 0 ? found : places(keys, PROVEN);
    },
  };
};

export type BlockStore = ReturnType<typeof createBlockStore>;
