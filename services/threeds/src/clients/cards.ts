import { type Card, CardStatus } from '@florin/proto/card/v1/card';
import { CardService } from '@florin/proto/card/v1/card_service';
import { createBatchedLookups, type RpcChannel } from '@florin/rpc/client';

/** Includes retries. Part of the service's time budget, see README (Deadlines). */
const TIMEOUT_MS = 1500;

type CardFacts = { userId: string; accountId: string; last4: string; active: boolean };

/** The card service's cards. */
export type CardsClient = {
  /**
   * @returns undefined when the card does not exist
   * @throws CodedError SERVICE_UNAVAILABLE, UPSTREAM_TIMEOUT
   */
  find: (cardId: string) => Promise<CardFacts | undefined>;
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
    const { cards } = await client.batchGetCards({ cardIds: [...ids] }, options);
    return new Map(cards.map((card) => [card.id, factsOf(card)]));
  });
  return { find };
};
