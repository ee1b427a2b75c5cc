import { CardStatus } from '@florin/proto/card/v1/card';
import { CardService } from '@florin/proto/card/v1/card_service';
import { onlyKnownCodes, type RpcChannel, withinRequest } from '@florin/rpc/client';

/** Includes retries. Part of the service's time budget, see README (Deadlines). */
const TIMEOUT_MS = 1500;

export type CardFacts = { userId: string; accountId: string; last4: string; active: boolean };

/** The card service's cards. */
export type CardsClient = {
  /** @throws CodedError CARD_NOT_FOUND, SERVICE_UNAVAILABLE, UPSTREAM_TIMEOUT */
  get: (cardId: string, call: { requestId: string }) => Promise<CardFacts>;
};

export const createCardsClient = (channel: RpcChannel): CardsClient => {
  const client = channel.client(CardService);
  return {
    get: async (cardId, call) => {
      const options = { ...withinRequest(call), timeoutMs: TIMEOUT_MS };
      const { card } = await onlyKnownCodes(client.getCard({ cardId }, options), ['CARD_NOT_FOUND']);
      if (card === undefined) throw new Error('GetCard returned no card');
      return { userId: card.userId, accountId: card.accountId, last4: card.last4, active: card.status === CardStatus.ACTIVE };
    },
  };
};
