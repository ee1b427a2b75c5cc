import { CodedError } from '@florin/rpc/errors';
import type { Logger } from '@florin/rpc/observe';
import type { Runtime } from '@florin/rpc/runtime';
import { type Card, expiryOf, isLive } from '../domain/card.ts';
import type { Attempt, Slot } from '../domain/cardholder.ts';
import type { CardOrder, CardProcessor, IssueResult } from '../processor/card-processor.ts';
import type { CardholderStore } from '../store/cardholders.ts';
import type { CardStore } from '../store/cards.ts';
import { withDeadline } from './with-deadline.ts';

export type IssuingParts = {
  cardholders: CardholderStore;
  cards: CardStore;
  processor: CardProcessor;
  processorTimeoutMs: number;
  runtime: Pick<Runtime, 'newId' | 'now'>;
};

type Work = { userId: string; slot: Slot; attempt: Attempt; logger: Logger };

const toOrder = (userId: string, { cardId, accountId, name, requestedAt }: Slot): CardOrder => ({
  cardId,
  userId,
  accountId,
  name,
  requestedAt,
});

const toCard = (userId: string, slot: Slot): Card | undefined => {
  if (slot.issuing?.issued === undefined) return undefined;
  const { at, last4, expMonth, expYear, network } = slot.issuing.issued;
  const { cardId: id, accountId, name } = slot;
  const face = { last4, expMonth, expYear, network };
  return { id, userId, accountId, name, ...face, status: 'active', expiresAt: expiryOf(face), createdAt: at };
};

/**
 * The way of a card, one write to one document per step, each step safe to repeat by anybody at any time:
 * slot taken → processor asked → its yes written into the slot → card written → slot marked done.
 * Killed anywhere, the same request or the sweeper goes on from what is written.
 */
export const createIssuing = ({ cardholders, cards, processor, processorTimeoutMs, runtime }: IssuingParts) => {
  const ask = async ({ userId, slot, logger }: Work): Promise<IssueResult | { outcome: 'unknown' }> => {
    try {
      return await withDeadline((signal) => processor.issueCard(toOrder(userId, slot), signal), processorTimeoutMs);
    } catch (err) {
      logger.error({ err, cardId: slot.cardId }, 'card processor failed, outcome unknown');
      return { outcome: 'unknown' };
    }
  };

  /** The slot with the processor's yes in it; undefined when there is no card (yet). */
  const obtain = async (work: Work): Promise<Slot | undefined> => {
    const { userId, slot, attempt, logger } = work;
    if (slot.issuing?.issued !== undefined) return slot;
    const result = await ask(work);
    switch (result.outcome) {
      case 'issued':
        // A yes holds whichever try brought it, as long as the slot is there. Without the slot the card would be one too many.
        return cardholders.confirm(userId, slot.cardId, result.face);
      case 'refused':
        logger.warn({ cardId: slot.cardId }, 'card processor refused');
        // A later try may have got a yes meanwhile, so only the latest may give the slot back.
        await cardholders.giveBack(userId, slot.cardId, attempt);
        return undefined;
      case 'unknown':
        // The processor may have issued it. The slot stays taken; a repeat or the sweeper finds out.
        return undefined;
    }
  };

  /** Brings a card that is on the way to its end, or as far as it goes. */
  const complete = async (work: Work): Promise<Card | undefined> => {
    const confirmed = await obtain(work);
    const card = confirmed === undefined ? undefined : toCard(work.userId, confirmed);
    if (card !== undefined) {
      await cards.insert(card);
      await cardholders.finish(work.userId, card.id);
    }
    // Also the card that a twin has finished while this try was under way.
    return cards.find(work.slot.cardId);
  };

  const freeDeadSlots = async (userId: string): Promise<void> => {
    const slots = (await cardholders.find(userId))?.slots ?? [];
    const now = runtime.now();
    const dead = (await cards.findMany(slots.map(({ cardId }) => cardId))).filter((card) => !isLive(card, now));
    if (dead.length === 0) return;
    const ids = dead.map(({ id }) => id);
    await cardholders.freeSlots(userId, ids);
  };

  return {
    /**
     * Issues the card `cardId`, or goes on with it; one that stands is answered as it is.
     * @throws CodedError CARD_LIMIT_REACHED, CARD_ISSUING_FAILED (nothing visible is left; the same call may be tried again)
     */
    issue: async (order: Omit<CardOrder, 'requestedAt'>, logger: Logger): Promise<Card> => {
      const { userId, ...wanted } = order;
      const now = runtime.now();
      const attempt: Attempt = { id: runtime.newId(), at: now };
      const fresh: Slot = { ...wanted, requestedAt: now, issuing: { attempt } };
      const finish = async (slot: Slot): Promise<Card> => {
        const card = await complete({ userId, slot, attempt, logger });
        if (card === undefined) throw new CodedError('CARD_ISSUING_FAILED');
        return card;
      };

      if (await cardholders.takeSlot(userId, fresh)) return finish(fresh);
      // No room, or an earlier try of the same request holds a slot: go on with that one, or answer the card that it has become.
      const held = await cardholders.takeOver(userId, order.cardId, attempt);
      if (held !== undefined) return finish(held);
      const card = await cards.find(order.cardId);
      if (card !== undefined) return card;
      await freeDeadSlots(userId);
      // Also when there was nothing to free: somebody else may have freed it just before.
      if (await cardholders.takeSlot(userId, fresh)) return finish(fresh);
      throw new CodedError('CARD_LIMIT_REACHED');
    },
    complete,
  };
};

export type Issuing = ReturnType<typeof createIssuing>;
