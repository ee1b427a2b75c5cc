import { isDuplicateKey, rawCollection } from '@florin/data/store';
import type { Model } from 'mongoose';
import type { Card, CardStatus } from '../domain/card.ts';
import type { CardEvent } from '../domain/events.ts';
import { createReads } from './batched-access.ts';
import type { CardDocument } from './card-model.ts';
import { outboxEvent, type Stamp } from './outbox-event.ts';

type PageQuery = { limit: number; before: string | undefined; status: CardStatus | undefined; now: Date };

const toCard = ({ _id, outbox: _events, ...card }: CardDocument): Card => ({ id: _id, ...card });

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

/** Fields that an update removes when the card does not have them. */
const OPTIONAL = ['statusReason', 'replacementFor', 'replacedBy', 'renewal'] as const;

export const createCardStore = (model: Model<CardDocument>, stamp: Stamp) => {
  const read = createReads(rawCollection(model));
  const find = async (cardId: string): Promise<Card | undefined> => {
    const found = await read(cardId);
    return found === undefined ? undefined : toCard(found);
  };

  return {
    find,

    /** Stores a card with its event; an existing card is left unchanged. */
    insert: async ({ id, ...card }: Card): Promise<void> => {
      const event = outboxEvent(stamp, { type: 'card.issued', payload: { cardId: id, accountId: card.accountId } });
      try {
        await model.create({ _id: id, ...card, outbox: [event] });
      } catch (error) {
        if (!isDuplicateKey(error)) throw error;
      }
    },

    /**
     * Replaces a card with its next revision, with the event of the change.
     * @returns false if the card is no longer at the revision of `current`: nothing is written
     */
    update: async (current: Card, { id, ...next }: Card, event?: CardEvent): Promise<boolean> => {
      const absent = OPTIONAL.filter((field) => next[field] === undefined);
      const { modifiedCount } = await model.updateOne(
        { _id: id, revision: current.revision },
        {
          $set: next,
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

    /** Up to `limit` of the user's cards, newest first, with ids below `before`. `status` is the status at `now`. */
    page: async (userId: string, { limit, before, status, now }: PageQuery): Promise<Card[]> => {
      const cards = await model
        .find({ userId, ...(before === undefined ? {} : { _id: { $lt: before } }), ...(status === undefined ? {} : inStatus(status, now)) })
        .sort({ _id: -1 })
        .limit(limit)
        .lean();
      return cards.map(toCard);
    },

    findMany: async (cardIds: readonly string[]): Promise<Card[]> => {
      const cards = await model.find({ _id: { $in: cardIds } }).lean();
      return cards.map(toCard);
    },
  };
};

export type CardStore = ReturnType<typeof createCardStore>;
