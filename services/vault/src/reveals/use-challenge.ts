import { CodedError } from '@florin/rpc/errors';
import type { Runtime } from '@florin/rpc/runtime';
import type { CardDataAccess, Pin, VaultCard } from '../domain/card.ts';
import type { CardStore } from '../store/cards.ts';
import { accessOutboxEvent } from '../store/outbox-event.ts';
import type { SignedChallenge } from './find-signed-challenge.ts';

export type UseParts = { cards: CardStore; runtime: Pick<Runtime, 'now' | 'newId'>; revealsPerDay: number };

const DAY_SECONDS = 86_400;

/** The count begins anew at midnight UTC. */
const limitReached = (now: Date): CodedError => {
  const retryAfterSeconds = String(DAY_SECONDS - (Math.floor(now.getTime() / 1000) % DAY_SECONDS));
  return new CodedError('CARD_DATA_LIMIT_REACHED', { metadata: { retryAfterSeconds } });
};

/**
 * Uses up a signed challenge, before its result leaves the vault. Of two concurrent uses one wins.
 * @param pin the PIN that the use sets
 * @returns the record for the access log. The event in the card's document proves the access already, and its relay adds the record too
 * @throws CodedError INVALID_SIGNATURE when the challenge was used in the meantime or has expired, CARD_DATA_LIMIT_REACHED
 */
export const consumeChallenge = async (
  { cards, runtime, revealsPerDay }: UseParts,
  card: VaultCard,
  { challenge, wallet }: SignedChallenge,
  pin?: Pin,
): Promise<CardDataAccess> => {
  const now = runtime.now();
  const { action, nonce, thumbprint } = challenge;
  const access: CardDataAccess = {
    id: runtime.newId(),
    cardId: card.id,
    userId: card.userId,
    last4: card.last4,
    action,
    wallet,
    thumbprint,
    at: now,
  };
  const counted = { now, limitPerDay: revealsPerDay, readDay: card.reveals.day };
  const consumption = { nonce, ...counted, event: accessOutboxEvent(access), ...(pin === undefined ? {} : { pin }) };
  if (!(await cards.consume(card.id, consumption))) {
    const current = await cards.find(card.id);
    const isOpen = current?.challenges.some((open) => open.nonce === nonce && open.expiresAt > now) ?? false;
    throw isOpen ? limitReached(now) : new CodedError('INVALID_SIGNATURE');
  }
  return access;
};
