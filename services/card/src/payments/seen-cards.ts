import type { Card } from '../domain/card.ts';
import type { SpendingSettings } from '../domain/spending.ts';

/** The constant facts of a card, and how far its clock was ahead when it was read last. */
export type SeenCard = Pick<Card, 'accountId' | 'userId' | 'seriesId' | 'network' | 'last4'> & Pick<SpendingSettings, 'clockAhead'>;

/** About 400 bytes each. */
const MAX_CARDS = 20_000;

/** The cards that this process has read, the latest ones. */
export const createSeenCards = (maxCards = MAX_CARDS) => {
  const cards = new Map<string, SeenCard>();
  return {
    get: (cardId: string): SeenCard | undefined => cards.get(cardId),

    put: ({ id, accountId, userId, seriesId, network, last4 }: Card, { clockAhead }: SpendingSettings): void => {
      cards.delete(id);
      cards.set(id, { accountId, userId, network, last4, clockAhead, ...(seriesId === undefined ? {} : { seriesId }) });
      const [oldest] = cards.keys();
      if (cards.size > maxCards && oldest !== undefined) cards.delete(oldest);
    },
  };
};
