import type { ServiceCaller, UserCaller } from '@florin/rpc/auth';
import { CodedError } from '@florin/rpc/errors';
import { type Card, isLive } from '../domain/card.ts';
import type { CardStore } from '../store/cards.ts';

/**
 * The card of a request: the caller's own, or any for a service.
 * @throws CodedError CARD_NOT_FOUND
 */
export const findOwnCard = async (cards: CardStore, cardId: string, caller: UserCaller | ServiceCaller): Promise<Card> => {
  const card = await cards.find(cardId);
  if (card === undefined || (caller.kind !== 'service' && card.userId !== caller.userId)) throw new CodedError('CARD_NOT_FOUND');
  return card;
};

/**
 * Requires that a card which is to pay more is one that can pay: its replacement shares its limits and controls, but a wallet that signs for one card means
 * no other.
 * @throws CodedError CARD_STATE_CONFLICT
 */
export const requireLive = (card: Card, now: Date): void => {
  if (!isLive(card, now)) throw new CodedError('CARD_STATE_CONFLICT');
};
