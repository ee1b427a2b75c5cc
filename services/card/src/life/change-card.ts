import { CodedError } from '@florin/rpc/errors';
import { hashInput } from '@florin/rpc/hashing';
import type { Runtime } from '@florin/rpc/runtime';
import type { Card, CardAction, ChangeOrigin } from '../domain/card.ts';
import { type CardCommand, planChange } from '../domain/card-life.ts';
import type { CardStore } from '../store/cards.ts';

/** Concurrent changes of one card; each retry means that another one has succeeded. */
const MAX_ATTEMPTS = 20;

/** A request to change a card: which card, by whom, under which idempotency key. */
export type ChangeRequest = Omit<ChangeOrigin, 'inputHash'> & { cardId: string };

/** The origin of a change, with the hash of its content. */
export const originOf = ({ cardId: _card, ...request }: ChangeRequest, action: CardAction, content: object = {}): ChangeOrigin => ({
  ...request,
  inputHash: hashInput({ action, ...content, reason: request.reason ?? '' }),
});

/**
 * The card of a change. A cardholder changes only their own cards; another user's card is treated like one that does not exist.
 * @throws CodedError CARD_NOT_FOUND
 */
export const findChangeable = async (cards: CardStore, cardId: string, origin: ChangeOrigin): Promise<Card> => {
  const card = await cards.find(cardId);
  if (card === undefined || (origin.actor === 'cardholder' && card.userId !== origin.actorId)) throw new CodedError('CARD_NOT_FOUND');
  return card;
};

/** Changes cards by the rules of `domain/card-life.ts`. Each change is one conditional write to the card's document, with its event. */
export const createCardChanges = ({ cards, runtime }: { cards: CardStore; runtime: Pick<Runtime, 'now'> }) => ({
  /**
   * Applies a command. Of concurrent changes to one card each sees the result of the one before it.
   * @returns the card after the change, or the unchanged card
   * @throws CodedError CARD_NOT_FOUND, CARD_STATE_CONFLICT, FROZEN_BY_ISSUER, IDEMPOTENCY_KEY_REUSED, SERVICE_UNAVAILABLE
   */
  change: async (cardId: string, command: CardCommand, origin: ChangeOrigin): Promise<Card> => {
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
      const card = await findChangeable(cards, cardId, origin);
      const planned = planChange(card, command, origin, runtime.now());
      if (planned === undefined) return card;
      if (await cards.update(card, planned.card, planned.event)) return planned.card;
    }
    throw new CodedError('SERVICE_UNAVAILABLE', { message: 'too many concurrent changes of one card' });
  },
});

export type CardChanges = ReturnType<typeof createCardChanges>;
