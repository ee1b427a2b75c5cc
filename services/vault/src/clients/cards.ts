import { CardActor, CardStatus } from '@florin/proto/card/v1/card';
import { CardService } from '@florin/proto/card/v1/card_service';
import { onBehalfOf, type RpcChannel } from '@florin/rpc/client';

const TIMEOUT_MS = 2000;

/** The card service's cards. */
export type CardsClient = {
  /**
   * Reports whether the data of a card of the user who owns the token may be shown: it is active, or the cardholder has frozen it.
   * @throws CodedError CARD_NOT_FOUND, UNAUTHORIZED, SERVICE_UNAVAILABLE, UPSTREAM_TIMEOUT
   */
  isRevealable: (cardId: string, call: { token: string; requestId: string }) => Promise<boolean>;
};

export const createCardsClient = (channel: RpcChannel): CardsClient => {
  const client = channel.client(CardService);
  return {
    isRevealable: async (cardId, call) => {
      const { card } = await client.getCard({ cardId }, { ...onBehalfOf(call), timeoutMs: TIMEOUT_MS });
      if (card === undefined) throw new Error('GetCard returned no card');
      return card.status === CardStatus.ACTIVE || (card.status === CardStatus.FROZEN && card.frozenBy === CardActor.CARDHOLDER);
    },
  };
};
