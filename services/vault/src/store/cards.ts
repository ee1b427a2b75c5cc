import type { OutboxEvent } from '@florin/data/outbox';
import { isDuplicateKey } from '@florin/data/store';
import type { Model } from 'mongoose';
import { type CardDataChallenge, type CardFace, dayOf, type Expiry, type Pin, type VaultCard, type Wrapped } from '../domain/card.ts';
import type { CardDocument } from './card-model.ts';
import { writeWithinDay } from './daily-count.ts';

/** Challenges per card that can be signed at the same time, for example on two devices. */
const OPEN_CHALLENGES = 5;

const toCard = ({ _id, outbox: _events, relayed: _relayed, shreddedAt: _shredded, ...card }: CardDocument): VaultCard => ({
  id: _id,
  ...card,
});

/** The use of one challenge: its nonce, when, how many uses a day allows, the day of the latest use as it was read, and the event of the use. */
export type Consumption = { nonce: string; now: Date; limitPerDay: number; readDay: string; event: OutboxEvent; pin?: Pin };

/** A card without its secrets. */
export type CardRecord = CardFace & { id: string; hasPin: boolean; createdAt: Date; shreddedAt?: Date };

/** Selects cards whose number was not destroyed. */
const INTACT = { shreddedAt: { $exists: false } } as const;

export const createCardStore = (model: Model<CardDocument>) => {
  const find = async (cardId: string): Promise<VaultCard | undefined> => {
    const found = await model.findOne({ _id: cardId, ...INTACT }).lean();
    return found === null ? undefined : toCard(found);
  };

  return {
    /** The card; undefined also when its number was destroyed. */
    find,

    /** True if the card was stored with this number, also if the number was destroyed since. */
    wasStoredWith: async (cardId: string, panHash: string): Promise<boolean> => (await model.exists({ _id: cardId, panHash })) !== null,

    /** Up to `limit` cards of the user, newest first, with ids below `before`. */
    page: async (userId: string, { limit, before }: { limit: number; before: string | undefined }): Promise<CardRecord[]> => {
      const found = await model
        .find({ userId, ...(before === undefined ? {} : { _id: { $lt: before } }) })
        .sort({ _id: -1 })
        .limit(limit)
        .lean();
      return found.map(({ _id: id, last4, expMonth, expYear, network, pin, createdAt, shreddedAt }) => ({
        id,
        last4,
        expMonth,
        expYear,
        network,
        hasPin: pin !== undefined,
        createdAt,
        ...(shreddedAt === undefined ? {} : { shreddedAt }),
      }));
    },

    /**
     * Destroys a card's data key with everything that is encrypted under it, and its open challenges. Can be repeated.
     * @returns events of the card that may not be published yet
     */
    shred: async (cardId: string, now: Date): Promise<OutboxEvent[]> => {
      const destroyed = { dataKey: 1, pan: 1, pin: 1 } as const;
      await model.updateOne({ _id: cardId, ...INTACT }, { $set: { shreddedAt: now, challenges: [] }, $unset: destroyed });
      return (await model.findById(cardId, { outbox: 1 }).lean())?.outbox ?? [];
    },

    /** @returns false if the card exists; it is left unchanged */
    insert: async ({ id, ...card }: VaultCard): Promise<boolean> => {
      try {
        await model.create({ _id: id, ...card, outbox: [] });
        return true;
      } catch (error) {
        if (!isDuplicateKey(error)) throw error;
        return false;
      }
    },

    /** Replaces the expiry unless it was changed in the meantime. */
    setExpiry: async (cardId: string, current: Expiry, next: Expiry): Promise<boolean> => {
      const { modifiedCount } = await model.updateOne(
        { _id: cardId, expMonth: current.expMonth, expYear: current.expYear },
        { $set: next },
      );
      return modifiedCount === 1;
    },

    /** Adds a challenge that may be signed; the newest five are kept. */
    addChallenge: async (cardId: string, challenge: CardDataChallenge): Promise<void> => {
      await model.updateOne({ _id: cardId, ...INTACT }, { $push: { challenges: { $each: [challenge], $slice: -OPEN_CHALLENGES } } });
    },

    /**
     * Uses up a challenge and counts the use, in one write with its event and, for a new PIN, the PIN.
     * @returns false if the challenge was used, displaced or has expired, or if the day's limit is reached: nothing is written
     */
    consume: async (cardId: string, { nonce, now, limitPerDay, readDay, event, pin }: Consumption): Promise<boolean> => {
      const day = dayOf(now);
      const open = { _id: cardId, challenges: { $elemMatch: { nonce, expiresAt: { $gt: now } } } };
      const change = { $pull: { challenges: { nonce } }, $push: { outbox: event } };
      const newPin = pin === undefined ? {} : { pin };
      const first = { ...change, $set: { reveals: { day, count: 1 }, ...newPin } };
      const next = { ...change, $inc: { 'reveals.count': 1 }, ...(pin === undefined ? {} : { $set: newPin }) };
      return writeWithinDay({ field: 'reveals', counter: 'count', day, limit: limitPerDay, readDay }, async (condition, begins) => {
        const { modifiedCount } = await model.updateOne({ ...open, ...condition }, begins ? first : next);
        return modifiedCount === 1;
      });
    },

    /** Records an event without any other change. */
    addEvent: async (cardId: string, event: OutboxEvent): Promise<void> => {
      await model.updateOne({ _id: cardId }, { $push: { outbox: event } });
    },

    /** Wraps a card's data key anew. @returns false if it was changed in the meantime */
    rewrap: async (cardId: string, from: Wrapped, to: Wrapped): Promise<boolean> => {
      const { modifiedCount } = await model.updateOne({ _id: cardId, 'dataKey.text': from.text }, { $set: { dataKey: to } });
      return modifiedCount === 1;
    },

    /** Data keys that another key than `keyId` protects. */
    findWrappedByOthers: async (keyId: string, limit: number): Promise<{ id: string; dataKey: Wrapped }[]> => {
      const found = await model
        .find({ 'dataKey.keyId': { $ne: keyId }, ...INTACT }, { dataKey: 1 })
        .limit(limit)
        .lean();
      return found.map(({ _id, dataKey }) => ({ id: _id, dataKey }));
    },

    /** Number of cards by the id of the key that protects them. */
    countByKey: async (): Promise<Map<string, number>> => {
      const groups = await model.aggregate<{ _id: string; count: number }>([
        { $match: INTACT },
        { $group: { _id: '$dataKey.keyId', count: { $sum: 1 } } },
      ]);
      return new Map(groups.map(({ _id, count }) => [_id, count]));
    },
  };
};

export type CardStore = ReturnType<typeof createCardStore>;
