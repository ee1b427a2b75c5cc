import { CardStatus } from '@florin/proto/card/v1/card';
import { CardService } from '@florin/proto/card/v1/card_service';
import { onlyKnownCodes, type RpcChannel, withinRequest } from '@florin/rpc/client';
import { INNER_CALL_TIMEOUT_MS } from './timeout.ts';

export type CardFacts = { userId: string; accountId: string; last4: string; active: boolean };

export type Cards = {
  /** @throws CodedError CARD_NOT_FOUND, SERVICE_UNAVAILABLE, UPSTREAM_TIMEOUT */
  get: (cardId: string, call: { requestId: string }) => Promise<CardFacts>;
};

export const createCards = (channel: RpcChannel): Cards => {
  const client = channel.client(CardService);
  return {
    get: async (cardId, call) => {
      const options = { ...withinRequest(call), timeoutMs: INNER_CALL_TIMEOUT_MS };
      const { card } = await onlyKnownCodes(client.getCard({ cardId }, options), ['CARD_NOT_FOUND']);
      if (card === undefined) throw new Error('the card service answered without a card');
      return { userId: card.userId, accountId: card.accountId, last4: card.last4, active: card.status === CardStatus.ACTIVE };
    },
  };
};
