import { CodedError } from '@florin/rpc/errors';
import type { Logger } from '@florin/rpc/observe';
import type { Runtime } from '@florin/rpc/runtime';
import { within } from '@florin/rpc/time';
import type { Card, ChangeOrigin } from '../domain/card.ts';
import { isRepeat, planRenewal } from '../domain/card-life.ts';
import type { CardProcessor, RenewResult } from '../ports/card-processor.ts';
import type { CardStore } from '../store/cards.ts';
import { type CardChanges, findChangeable } from './change-card.ts';

type RenewalParts = {
  cards: CardStore;
  changes: CardChanges;
  processor: CardProcessor;
  processorTimeoutMs: number;
  runtime: Pick<Runtime, 'now'>;
};

/** Concurrent changes of one card; each retry means that another one has succeeded. */
const MAX_ATTEMPTS = 20;

/**
 * Renews a card in steps. Each step is one conditional write to the card and safe to repeat:
 * record the renewal → order it from the processor → set the new expiry and clear the renewal.
 * After a kill at any step, a repeat of the request or the sweeper resumes.
 */
export const createRenewals = ({ cards, changes, processor, processorTimeoutMs, runtime }: RenewalParts) => {
  const order = async ({ id: cardId, expMonth, expYear }: Card, logger: Logger): Promise<RenewResult | { outcome: 'unknown' }> => {
    try {
      const request = processor.renewCard({ cardId, expMonth, expYear }, AbortSignal.timeout(processorTimeoutMs));
      return await within(processorTimeoutMs, request);
    } catch (err) {
      logger.error({ err, cardId }, 'ordering the renewal failed, outcome unknown');
      return { outcome: 'unknown' };
    }
  };

  /** Clears a renewal that the processor refused. A concurrent change makes this a no-op: the sweeper tries again. */
  const abandon = async (card: Card): Promise<void> => {
    const { renewal: _refused, ...rest } = card;
    await cards.update(card, { ...rest, revision: card.revision + 1 });
  };

  /**
   * Completes a recorded renewal, or gets as far as possible.
   * @returns the renewed card
   * @throws CodedError CARD_ISSUING_FAILED, CARD_STATE_CONFLICT when the card has ended or expired in the meantime
   */
  const complete = async (card: Card, { origin }: { origin: ChangeOrigin }, logger: Logger): Promise<Card> => {
    const result = await order(card, logger);
    if (result.outcome === 'renewed') return changes.change(card.id, { action: 'renew', ...result.expiry }, origin);
    if (result.outcome === 'refused') {
      logger.warn({ cardId: card.id }, 'card processor refused the renewal');
      await abandon(card);
    }
    throw new CodedError('CARD_ISSUING_FAILED');
  };

  /** Records the renewal, unless it is recorded or completed. */
  const record = async (cardId: string, origin: ChangeOrigin): Promise<Card> => {
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
      const card = await findChangeable(cards, cardId, origin);
      const planned = planRenewal(card, origin, runtime.now());
      if (planned === undefined) return card;
      if (await cards.update(card, planned)) return planned;
    }
    throw new CodedError('SERVICE_UNAVAILABLE', { message: 'too many concurrent changes of one card' });
  };

  return {
    /**
     * Extends the expiry of a card by one term.
     * @throws CodedError CARD_NOT_FOUND, CARD_STATE_CONFLICT, CARD_ISSUING_FAILED, IDEMPOTENCY_KEY_REUSED, SERVICE_UNAVAILABLE
     */
    renew: async (cardId: string, origin: ChangeOrigin, logger: Logger): Promise<Card> => {
      const card = await record(cardId, origin);
      if (card.renewal === undefined || isRepeat(card, origin)) return card;
      return complete(card, card.renewal, logger);
    },

    complete,
  };
};

export type Renewals = ReturnType<typeof createRenewals>;
