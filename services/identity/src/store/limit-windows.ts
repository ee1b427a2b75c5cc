import { isDuplicateKey, rawCollection } from '@florin/data/store';
import { type Connection, Schema } from 'mongoose';

type Document = {
  /** Name of the limit. */
  _id: string;
  /** Oldest first. */
  places: { id: string; at: Date }[];
  /** When the newest place becomes free. */
  expiresAt: Date;
};

const schema = new Schema<Document>(
  { _id: String, places: [new Schema({ id: String, at: Date }, { _id: false })], expiresAt: { type: Date, required: true } },
  { collection: 'limit_windows', versionKey: false },
);
schema.index({ expiresAt: 1 });

export type Place = { now: Date; windowMs: number; max: number; id: string };

/** Limits per sliding window that must survive the loss of Redis: of messages that are sent, and of guesses and exports with them. */
export type LimitWindowStore = {
  /** Takes one of `max` places and returns 0, or returns the milliseconds until a place is free. One write decides. */
  take: (limit: string, place: Place) => Promise<number>;
  /** Gives a place back. */
  release: (limit: string, id: string) => Promise<void>;
};

export const createLimitWindowStore = (connection: Connection): LimitWindowStore => {
  const windows = rawCollection(connection.model<Document>('LimitWindow', schema));
  const tryTake = async (limit: string, { now, windowMs, max, id }: Place) => {
    const end = new Date(now.getTime() + windowMs);
    const taken = { $filter: { input: { $ifNull: ['$places', []] }, cond: { $gt: ['$$this.at', new Date(now.getTime() - windowMs)] } } };
    const isFree = { $lt: [{ $size: '$places' }, max] };
    return windows.findOneAndUpdate(
      { _id: limit },
      [
        { $set: { places: taken } },
        {
          $set: {
            expiresAt: { $cond: [isFree, end, '$expiresAt'] },
            places: { $cond: [isFree, { $concatArrays: ['$places', [{ id: { $literal: id }, at: now }]] }, '$places'] },
          },
        },
      ],
      { upsert: true, returnDocument: 'after' },
    );
  };
  return {
    take: async (limit, place) => {
      const after = await tryTake(limit, place).catch((error: unknown) => {
        // Another call has created the document at the same time.
        if (isDuplicateKey(error)) return tryTake(limit, place);
        throw error;
      });
      const places = after?.places ?? [];
      const [oldest] = places;
      if (oldest === undefined || places.some(({ id }) => id === place.id)) return 0;
      return oldest.at.getTime() + place.windowMs - place.now.getTime();
    },
    release: async (limit, id) => {
      await windows.updateOne({ _id: limit }, { $pull: { places: { id } } });
      await windows.deleteOne({ _id: limit, places: { $size: 0 } });
    },
  };
};
