import type { Runtime } from '@florin/rpc/runtime';
import { type Card, seriesOf } from '../domain/card.ts';
import type { CardStore } from '../store/cards.ts';
import type { SpendingStore } from '../store/spendings.ts';
import type { SpendingBook } from './spending-book.ts';

/** Cards of one user that are looked at. */
const MAX_CARDS = 1000;

type ClockParts = {
  cards: Pick<CardStore, 'page'>;
  spendings: Pick<SpendingStore, 'findSettings'>;
  book: Pick<SpendingBook, 'change'>;
  runtime: Pick<Runtime, 'now'>;
};

/** The sandbox's clock of a user's cards. It stands in the spending document of each card, which a payment reads anyhow. */
export const createCardClocks = ({ cards, spendings, book, runtime }: ClockParts) => {
  const read = async (userId: string) => {
    const own = await cards.page(userId, { limit: MAX_CARDS, before: undefined, status: undefined, now: runtime.now() });
    const series = [...new Set(own.map(seriesOf))];
    const found = await Promise.all(series.map(spendings.findSettings));
    return { own, series, ahead: found.reduce((most, spending) => Math.max(most, spending?.clockAhead ?? 0), 0) };
  };

  return {
    /** Moves the clock on. @returns the user's cards, and by how many seconds their clock is ahead */
    advance: async (userId: string, seconds: number): Promise<{ own: readonly Card[]; ahead: number }> => {
      const { own, series, ahead: before } = await read(userId);
      let ahead = 0;
      for (const id of series) {
        const next = await book.change(id, (spending) => {
          const clockAhead = Math.max(spending.clockAhead, before) + seconds;
          return { spending: { ...spending, clockAhead }, result: clockAhead };
        });
        ahead = Math.max(ahead, next);
      }
      return { own, ahead };
    },

    /** Sets the clock of a new card to that of the user's other cards. */
    join: async (card: Card): Promise<void> => {
      const { ahead } = await read(card.userId);
      if (ahead === 0) return;
      await book.change(seriesOf(card), (spending) =>
        spending.clockAhead >= ahead
          ? { spending, result: undefined }
          : { spending: { ...spending, clockAhead: ahead }, result: undefined },
      );
    },
  };
};

export type CardClocks = ReturnType<typeof createCardClocks>;
