import { CodedError } from '@florin/rpc/errors';
import type { Runtime } from '@florin/rpc/runtime';
import { compareExpiry, type Expiry, type VaultCard } from '../domain/card.ts';
import { last4Of, type NumberRange, randomPan } from '../domain/pan.ts';
import type { DataKeys } from '../keys/data-keys.ts';
import type { VaultKeys } from '../keys/vault-keys.ts';
import type { CardStore } from '../store/cards.ts';
import type { PanClaimStore } from '../store/pan-claims.ts';

export type NumberParts = {
  cards: CardStore;
  claims: PanClaimStore;
  dataKeys: DataKeys;
  keys: Pick<VaultKeys, 'hashPan'>;
  /** Used in order: the next one when no free number is found in the one before. */
  ranges: readonly NumberRange[];
  runtime: Pick<Runtime, 'now' | 'randomInt'>;
};

/** A card that needs a number. */
export type NumberOrder = Expiry & { cardId: string; userId: string };

/** Day of the latest reveal of a card that was never revealed. */
const NEVER = '0000-00-00';

/** Random numbers that are tried per range: at nine tenths full, a free one is missed once in 10^4 orders. */
const TRIES_PER_RANGE = 90;

const sameOrder = (card: VaultCard, order: NumberOrder): boolean =>
  // A renewal may have moved the expiry since.
  card.userId === order.userId && compareExpiry(card, order) >= 0;

/**
 * Gives cards their numbers. A number is claimed by its keyed hash before the card is stored; a claim whose card was not stored, because
 * the process was killed or a concurrent order was faster, is released.
 */
export const createCardNumbers = ({ cards, claims, dataKeys, keys, ranges, runtime }: NumberParts) => {
  const claimNumber = async (cardId: string): Promise<{ pan: string; panHash: string; network: string }> => {
    for (const range of ranges) {
      for (let tries = 0; tries < TRIES_PER_RANGE; tries += 1) {
        const pan = randomPan(range, runtime.randomInt);
        const panHash = keys.hashPan(pan);
        if (await claims.claim(panHash, cardId, runtime.now())) return { pan, panHash, network: range.network };
      }
    }
    throw new CodedError('CARD_NUMBERS_EXHAUSTED');
  };

  const existing = async (order: NumberOrder): Promise<VaultCard | undefined> => {
    const card = await cards.find(order.cardId);
    if (card !== undefined && !sameOrder(card, order)) throw new CodedError('IDEMPOTENCY_KEY_REUSED');
    return card;
  };

  return {
    /**
     * Returns the card with its number; the first call makes it.
     * @throws CodedError IDEMPOTENCY_KEY_REUSED, CARD_NUMBERS_EXHAUSTED; CARD_STATE_CONFLICT when the card's number was destroyed
     */
    issue: async (order: NumberOrder): Promise<VaultCard> => {
      const earlier = await existing(order);
      if (earlier !== undefined) return earlier;
      const { cardId: id, userId, expMonth, expYear } = order;
      const { pan, panHash, network } = await claimNumber(id);
      const { dataKey, sealer } = await dataKeys.create(id);
      const card: VaultCard = {
        id,
        userId,
        last4: last4Of(pan),
        expMonth,
        expYear,
        network,
        panHash,
        dataKey,
        pan: await sealer.seal('pan', pan),
        challenges: [],
        reveals: { day: NEVER, count: 0 },
        createdAt: runtime.now(),
      };
      if (await cards.insert(card)) {
        await claims.confirm(panHash);
        return card;
      }
      await claims.release(panHash);
      const winner = await existing(order);
      if (winner === undefined) throw new CodedError('CARD_STATE_CONFLICT', { message: 'the number of the card was destroyed' });
      return winner;
    },

    /** Settles claims that were made before `before` and never confirmed. */
    settleClaims: async (before: Date, limit: number): Promise<void> => {
      for (const { panHash, cardId } of await claims.findPending(before, limit)) {
        if (await cards.wasStoredWith(cardId, panHash)) await claims.confirm(panHash);
        else await claims.release(panHash);
      }
    },
  };
};

export type CardNumbers = ReturnType<typeof createCardNumbers>;
