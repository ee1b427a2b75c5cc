import { isDuplicateKey } from '@florin/data/store';
import { type Connection, Schema } from 'mongoose';
import { MAX_NOTES } from '../contract/index.ts';

type Note = {
  /** The id of the action that wrote it. */
  id: string;
  at: Date;
  /** Id of the operator. */
  by: string;
  text: string;
};

/** The work of operators on an item of a queue, or on a person's file. The item itself stays at its service. */
export type StoredQueueItem = {
  /** Name of the queue, a colon, and the id of the item. */
  _id: string;
  /** Id of the operator who takes care of it; absent for nobody. */
  assignee?: string;
  /** Oldest first. */
  notes: Note[];
  updatedAt: Date;
};

const text = { type: String, required: true } as const;
const time = { type: Date, required: true } as const;

const schema = new Schema<StoredQueueItem>(
  { _id: String, assignee: String, notes: [new Schema<Note>({ id: text, at: time, by: text, text }, { _id: false })], updatedAt: time },
  { collection: 'queue_items', versionKey: false },
);
schema.index({ updatedAt: 1 });

export const createQueueItemStore = (connection: Connection) => {
  const model = connection.model<StoredQueueItem>('QueueItem', schema);
  return {
    findMany: async (ids: readonly string[]): Promise<ReadonlyMap<string, StoredQueueItem>> => {
      const found = await model.find({ _id: { $in: [...ids] } }).lean<StoredQueueItem[]>();
      return new Map(found.map((item) => [item._id, item]));
    },

    /**
     * Assigns an item that is assigned to `from`, each of them an operator's id, or null for nobody. Of two who assign it at once, one does.
     * @returns whether it is assigned to `to` afterwards
     */
    assign: async (id: string, { from, to }: { from: string | null; to: string | null }, at: Date): Promise<boolean> => {
      const change =
        to === null ? { $set: { updatedAt: at }, $unset: { assignee: 1 as const } } : { $set: { assignee: to, updatedAt: at } };
      try {
        // Without an assignee there may be no document yet; with another one the insert meets it.
        const { matchedCount, upsertedCount } = await model.updateOne({ _id: id, assignee: from }, change, { upsert: from === null });
        if (matchedCount + upsertedCount === 1) return true;
      } catch (error) {
        if (!isDuplicateKey(error)) throw error;
      }
      return ((await model.findById(id, { assignee: 1 }).lean())?.assignee ?? null) === to;
    },

    /** The next ids of items after one that begin with a prefix, in their order. */
    idsAfter: async (prefix: string, after: string, limit: number): Promise<string[]> => {
      const found = await model.find({ _id: { $gt: after, $regex: `^${prefix}` } }, { _id: 1 }, { sort: { _id: 1 }, limit }).lean();
      return found.map(({ _id }) => _id);
    },

    /** Deletes items with their notes. @returns how many there were */
    erase: async (ids: readonly string[]): Promise<number> => (await model.deleteMany({ _id: { $in: [...ids] } })).deletedCount,

    /** Adds a note; one that is there already stays as it is. */
    note: async (id: string, note: Note): Promise<void> => {
      const add = (upsert: boolean) =>
        model.updateOne(
          { _id: id, 'notes.id': { $ne: note.id } },
          { $set: { updatedAt: note.at }, $push: { notes: { $each: [note], $slice: -MAX_NOTES } } },
          { upsert },
        );
      try {
        await add(true);
      } catch (error) {
        if (!isDuplicateKey(error)) throw error;
        // The document is there by now, with this note or without it.
        await add(false);
      }
    },
  };
};

export type QueueItemStore = ReturnType<typeof createQueueItemStore>;
