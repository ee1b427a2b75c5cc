import { isDuplicateKey } from '@florin/data/store';
import type { Model } from 'mongoose';
import type { Card, CardStatus } from '../domain/card.ts';
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

export const createCardStore = (model: Model<CardDocument>, stamp: Stamp) => {
  const find = async (cardId: string): Promise<Card | undefined> => {
    const found = await model.findById(cardId).lean();
    return found === null ? undefined : toCard(found);
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
