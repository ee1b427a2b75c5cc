import { CodedError } from '@florin/rpc/errors';
import type { Logger } from '@florin/rpc/observe';
import type { Runtime } from '@florin/rpc/runtime';
import { within } from '@florin/rpc/time';
import { type Card, expiryOf, isLive } from '../domain/card.ts';
import { type Attempt, type Cardholder, hasRoom, issuingSince, nextOrderAt, type Slot } from '../domain/cardholder.ts';
import type { CardOrder, CardProcessor, IssueResult } from '../ports/card-processor.ts';
import type { CardholderStore } from '../store/cardholders.ts';
import type { CardStore } from '../store/cards.ts';

export type IssuingParts = {
  cardholders: CardholderStore;
  cards: CardStore;
  processor: CardProcessor;
  processorTimeoutMs: number;
  /** Most cards that are ordered for a user within 24 hours. */
  cardsPerDay: number;
  runtime: Pick<Runtime, 'newId' | 'now'>;
};

/** A card to issue; `replacementFor` names the card that it replaces. */
type WantedCard = Omit<CardOrder, 'requestedAt'> & Pick<Slot, 'replacementFor' | 'seriesId'>;

type Work = { userId: string; slot: Slot; attempt: Attempt; logger: Logger };

const toOrder = (userId: string, { cardId, accountId, name, requestedAt, replacementFor }: Slot): CardOrder => ({
  cardId,
  userId,
  accountId,
  name,
  requestedAt,
  ...(replacementFor === undefined ? {} : { replacementFor }),
});

const toCard = (userId: string, slot: Slot): Card | undefined => {
  if (slot.issuing?.issued === undefined) return undefined;
  const { at, last4, expMonth, expYear, network } = slot.issuing.issued;
  const { cardId: id, accountId, name, colour, replacementFor, seriesId } = slot;
  const face = { last4, expMonth, expYear, network };
  return {
    id,
    userId,
    accountId,
    name,
    ...(colour === undefined ? {} : { colour }),
    ...face,
    status: 'active',
    frozenBy: [],
    ...(replacementFor === undefined ? {} : { replacementFor }),
    ...(seriesId === undefined ? {} : { seriesId }),
    expiresAt: expiryOf(face),
    createdAt: at,
    revision: 0,
    history: [],
  };
};

/**
 * Issues a card in steps. Each step is one write to one document and is safe to repeat, by any process at any time:
 * reserve slot → order from processor → record confirmation in slot → write card → mark slot done.
 * After a kill at any step, a repeat of the request or the sweeper resumes from what was written.
 */
export const createIssuing = ({ cardholders, cards, processor, processorTimeoutMs, cardsPerDay, runtime }: IssuingParts) => {
  const order = async ({ userId, slot, logger }: Work): Promise<IssueResult | { outcome: 'unknown' }> => {
    try {
      return await within(processorTimeoutMs, processor.issueCard(toOrder(userId, slot), AbortSignal.timeout(processorTimeoutMs)));
    } catch (err) {
      logger.error({ err, cardId: slot.cardId }, 'ordering the card failed, outcome unknown');
      return { outcome: 'unknown' };
    }
  };

  /** The slot with the processor's confirmation; undefined while there is no card. */
  const obtain = async (work: Work): Promise<Slot | undefined> => {
    const { userId, slot, attempt, logger } = work;
    if (slot.issuing?.issued !== undefined) return slot;
    const result = await order(work);
    switch (result.outcome) {
      case 'issued':
        // A confirmation counts whichever attempt obtained it, as long as the slot exists. Without the slot the card would exceed the limit.
        return cardholders.confirm(userId, slot.cardId, result.face);
      case 'refused':
        logger.warn({ cardId: slot.cardId }, 'card processor refused the order');
        // A later attempt may have been confirmed in the meantime, so only the latest may release the slot.
        await cardholders.releaseSlot(userId, slot.cardId, attempt);
        return undefined;
      case 'unknown':
        // The processor may have issued the card. The slot stays reserved until a repeat or the sweeper finds out.
        return undefined;
    }
  };

  /** Finishes issuing a card, or gets as far as possible. */
  const complete = async (work: Work): Promise<Card | undefined> => {
    const confirmed = await obtain(work);
    const card = confirmed === undefined ? undefined : toCard(work.userId, confirmed);
    if (card !== undefined) {
      await cards.insert(card);
      await cardholders.finish(work.userId, card.id);
    }
    // A concurrent attempt may have finished the card in the meantime.
    return cards.find(work.slot.cardId);
  };

  const releaseDeadSlots = async (userId: string): Promise<void> => {
    const slots = (await cardholders.find(userId))?.slots ?? [];
    const now = runtime.now();
    const dead = (await cards.findMany(slots.map(({ cardId }) => cardId))).filter((card) => !isLive(card, now));
    if (dead.length === 0) return;
    const ids = dead.map(({ id }) => id);
    await cardholders.releaseSlots(userId, ids);
  };

  /** @throws CodedError CARD_ORDER_LIMIT_REACHED when the user has ordered as many cards as a day may have */
  const checkOrders = (cardholder: Cardholder): void => {
    const now = runtime.now();
    const next = nextOrderAt(cardholder, cardsPerDay, now);
    if (next === undefined) return;
    const retryAfterSeconds = String(Math.ceil((next.getTime() - now.getTime()) / 1000));
    throw new CodedError('CARD_ORDER_LIMIT_REACHED', { metadata: { retryAfterSeconds } });
  };

  return {
    /**
     * Rejects a further card of the user that is beyond the limits. Only an early answer: reserving the slot decides.
     * @throws CodedError CARD_LIMIT_REACHED, CARD_ORDER_LIMIT_REACHED
     */
    checkRoom: async (cardholder: Cardholder): Promise<void> => {
      checkOrders(cardholder);
      if (hasRoom(cardholder.slots)) return;
      await releaseDeadSlots(cardholder.userId);
      if (!hasRoom((await cardholders.find(cardholder.userId))?.slots ?? [])) throw new CodedError('CARD_LIMIT_REACHED');
    },

    /**
     * Issues the card `cardId`, resumes issuing it, or returns it if it exists.
     * @throws CodedError CARD_LIMIT_REACHED, CARD_ORDER_LIMIT_REACHED, CARD_ISSUING_FAILED (leaves nothing visible; the same call may be repeated)
     */
    issue: async ({ userId, ...wanted }: WantedCard, logger: Logger): Promise<Card> => {
      const now = runtime.now();
      const attempt: Attempt = { id: runtime.newId(), at: now };
      const fresh: Slot = { ...wanted, requestedAt: now, issuing: issuingSince(attempt, 1) };
      const finish = async (slot: Slot): Promise<Card> => {
        const card = await complete({ userId, slot, attempt, logger });
        if (card === undefined) throw new CodedError('CARD_ISSUING_FAILED');
        return card;
      };

      if (await cardholders.takeSlot(userId, fresh, cardsPerDay)) return finish(fresh);
      // Either the limit is reached, or an earlier attempt of the same request holds a slot: resume that one, or return its card.
      const held = await cardholders.takeOver(userId, wanted.cardId, attempt, 1);
      if (held !== undefined) return finish(held);
      const card = await cards.find(wanted.cardId);
      if (card !== undefined) return card;
      await releaseDeadSlots(userId);
      // Retry even if no slot was released here: a concurrent request may have released it.
      if (await cardholders.takeSlot(userId, fresh, cardsPerDay)) return finish(fresh);
      const cardholder = await cardholders.find(userId);
      if (cardholder !== undefined) checkOrders(cardholder);
      throw new CodedError('CARD_LIMIT_REACHED');
    },
    complete,
  };
};

export type Issuing = ReturnType<typeof createIssuing>;
