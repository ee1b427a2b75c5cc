import { createBatchedReads, isDuplicateKey, rawCollection } from '@florin/data/store';
import type { Model } from 'mongoose';
import type { Card, CardStatus } from '../domain/card.ts';
import type { CardEvent } from '../domain/events.ts';
import type { CardDocument } from './card-model.ts';
import { outboxEvent, type Stamp } from './outbox-event.ts';

type PageQuery = { limit: number; before: string | undefined; status: CardStatus | undefined; now: Date };

const toCard = ({ _id, outbox: _events, relayed: _relayed, untold: _untold, ...card }: CardDocument): Card => ({ id: _id, ...card });

/** The domain's `statusAt` as a query. */
const inStatus = (status: CardStatus, now: Date) => {
  switch (status) {
    case 'expired':
      return { status: { $in: ['active', 'frozen'] as const }, expiresAt: { $lte: now } };
    case 'active':
    case 'frozen':
      return { status, expiresAt: { $gt: now } };
    default:
      return { status };
  }
};

/** The counts of one state. */
const MAX_COUNTED = 1_000_000;

/** Fields that an update removes when the card does not have them. */
const OPTIONAL = ['statusReason', 'replacementFor', 'replacedBy', 'renewal'] as const;

export const createCardStore = (model: Model<CardDocument>, stamp: Stamp) => {
  // A card that was frozen must not pay, also when the primary has just been elected.
  const read = createBatchedReads(rawCollection(model), { isLatest: true });
  const find = async (cardId: string): Promise<Card | undefined> => {
    const found = await read(cardId);
    return found === undefined ? undefined : toCard(found);
  };

  return {
    find,

    /** Stores a card with its event; an existing card is left unchanged. */
    insert: async ({ id, ...card }: Card): Promise<void> => {
      const { accountId, userId, last4, status } = card;
      const event = outboxEvent(stamp, { type: 'card.issued', payload: { cardId: id, accountId, userId, last4, status } });
      try {
        await model.create({ _id: id, ...card, outbox: [event] });
      } catch (error) {
        if (!isDuplicateKey(error)) throw error;
      }
    },

    /**
     * Replaces a card with its next revision, with the event of the change, of which the processor is to be told.
     * @returns false if the card is no longer at the revision of `current`: nothing is written
     */
    update: async (current: Card, { id, ...next }: Card, event?: CardEvent): Promise<boolean> => {
      const absent = OPTIONAL.filter((field) => next[field] === undefined);
      const { modifiedCount } = await model.updateOne(
        { _id: id, revision: current.revision },
        {
          $set: event === undefined ? next : { ...next, untold: { dueAt: stamp.now(), attempts: 0 } },
          ...(absent.length === 0 ? {} : { $unset: Object.fromEntries(absent.map((field) => [field, ''])) }),
          ...(event === undefined ? {} : { $push: { outbox: outboxEvent(stamp, event) } }),
        },
      );
      return modifiedCount === 1;
    },

    /** Cards whose renewal was requested before `before`, oldest first. */
    findRenewing: async (before: Date, limit: number): Promise<Card[]> => {
      const cards = await model
        .find({ 'renewal.requestedAt': { $lt: before } })
        .sort({ 'renewal.requestedAt': 1 })
        .limit(limit)
        .lean();
      return cards.map(toCard);
    },

    /** Cards of whose state the processor is to be told by `now`, the longest due first, and how often that has failed. */
    findUntold: async (now: Date, limit: number): Promise<{ item: Card; attempts: number }[]> => {
      const cards = await model
        .find({ 'untold.dueAt': { $lte: now } })
        .sort({ 'untold.dueAt': 1 })
        .limit(limit)
        .lean();
      return cards.map((found) => ({ item: toCard(found), attempts: found.untold?.attempts ?? 0 }));
    },

    /** Records that the processor knows of the card at this revision; without effect when the card has changed since. */
    confirmTold: async ({ id, revision }: Card): Promise<void> => {
      await model.updateOne({ _id: id, revision }, { $unset: { untold: '' } });
    },

    /** Postpones the next attempt to tell the processor; without effect when the card has changed since. */
    postponeTelling: async ({ id, revision }: Card, dueAt: Date): Promise<void> => {
      await model.updateOne(
        { _id: id, revision, untold: { $exists: true } },
        { $set: { 'untold.dueAt': dueAt }, $inc: { 'untold.attempts': 1 } },
      );
    },

    /** Up to `limit` of the user's cards, newest first, with ids below `before`. `status` is the status at `now`. */
    page: async (userId: string, { limit, before, status, now }: PageQuery): Promise<Card[]> => {
      const cards = await model
        .find({ userId, ...(before === undefined ? {} : { _id: { $lt: before } }), ...(status === undefined ? {} : inStatus(status, now)) })
        .sort({ _id: -1 })
        .limit(limit)
        .lean();
      return cards.map(toCard);
    },

    /**
     * Erases what the user wrote on a card, its name and the reasons of changes, of which the processor is to be told.
     * @returns false if the card is no longer at this revision: nothing is written
     */
    eraseTexts: async ({ id, revision }: Card): Promise<boolean> => {
      const { modifiedCount } = await model.updateOne(
        { _id: id, revision },
        {
          $set: { name: '', revision: revision + 1, untold: { dueAt: stamp.now(), attempts: 0 } },
          $unset: { statusReason: 1, 'history.$[].reason': 1 },
        },
      );
      return modifiedCount === 1;
    },

    /** How many cards have a status at `now`, counted up to a million. */
    count: (status: CardStatus, now: Date): Promise<number> => model.countDocuments(inStatus(status, now)).limit(MAX_COUNTED),

    /** Up to `limit` cards whose numbers end in these digits, newest first. */
    findByLast4: async (last4: string, limit: number): Promise<Card[]> => {
      const cards = await model.find({ last4 }).sort({ _id: -1 }).limit(limit).lean();
      return cards.map(toCard);
    },

    /** Ids of all cards of the series that a card belongs to. */
    findSeries: async ({
      id,
      userId,
      seriesId,
      replacedBy,
    }: Pick<Card, 'id' | 'userId' | 'seriesId' | 'replacedBy'>): Promise<string[]> => {
      if (seriesId === undefined && replacedBy === undefined) return [id];
      const first = seriesId ?? id;
      const cards = await model.find({ userId, $or: [{ _id: first }, { seriesId: first }] }, { _id: 1 }).lean();
      return cards.map(({ _id }) => _id);
    },

    findMany: async (cardIds: readonly string[]): Promise<Card[]> => {
      const cards = await model.find({ _id: { $in: cardIds } }).lean();
      return cards.map(toCard);
    },
  };
};

export type CardStore = ReturnType<typeof createCardStore>;
