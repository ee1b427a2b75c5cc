import { type Card, CardStatus } from '@florin/proto/card/v1/card';
import { CardService } from '@florin/proto/card/v1/card_service';
import { createBatchedLookups, onlyKnownCodes, type RpcChannel } from '@florin/rpc/client';
import { CodedError } from '@florin/rpc/errors';

/** Includes retries. Part of the service's time budget, see README (Deadlines). */
const TIMEOUT_MS = 1500;

type CardFacts = { userId: string; accountId: string; last4: string; active: boolean };

/** The card service's cards. */
export type CardsClient = {
  /** @throws CodedError CARD_NOT_FOUND, SERVICE_UNAVAILABLE, UPSTREAM_TIMEOUT */
  get: (cardId: string) => Promise<CardFacts>;
};

const factsOf = ({ userId, accountId, last4, status }: Card): CardFacts => ({
  userId,
  accountId,
  last4,
  active: status === CardStatus.ACTIVE,
});

export const createCardsClient = (channel: RpcChannel): CardsClient => {
  const client = channel.client(CardService);
  const find = createBatchedLookups(TIMEOUT_MS, async (ids, options) => {
    const { cards } = await onlyKnownCodes(client.batchGetCards({ cardIds: [...ids] }, options), []);
    return new Map(cards.map((card) => [card.id, factsOf(card)]));
  });
  return {
    get: async (cardId) => {
      const card = await find(cardId);
      if (card === undefined) throw new CodedError('CARD_NOT_FOUND');
      return card;
    },
  };
};
