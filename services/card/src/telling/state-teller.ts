import type { Logger } from '@florin/rpc/observe';
import type { Runtime } from '@florin/rpc/runtime';
import { type Rounds, startRounds, within } from '@florin/rpc/time';
import type { Card } from '../domain/card.ts';
import type { CardProcessor, CardState } from '../ports/card-processor.ts';
import type { CardStore } from '../store/cards.ts';

const INTERVAL_MS = 1000;

/** Cards per round; the rest follows in the next round. */
const BATCH = 20;

/** Pause after the first failure; it doubles with each further one. */
const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 5 * 60_000;

type StateTellerParts = {
  cards: Pick<CardStore, 'findUntold' | 'confirmTold' | 'postponeTelling'>;
  processor: Pick<CardProcessor, 'reportState'>;
  processorTimeoutMs: number;
  runtime: Pick<Runtime, 'now'>;
  logger: Logger;
};

const toState = ({ id: cardId, revision, name, status, frozenBy, expMonth, expYear, replacedBy }: Card): CardState => ({
  ...{ cardId, revision, name, status, frozenBy, expMonth, expYear },
  ...(replacedBy === undefined ? {} : { replacedBy }),
});

const pauseMs = (attempts: number): number => Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(attempts, 20));

/**
 * Tells the processor of the cards that have changed: the latest state of each, at least once. A change marks its card in the same write, and the
 * mark goes only when the processor has taken the state of that revision, so that neither a kill nor a processor that is down loses a change. Any
 * number of replicas may tell: the revision makes repeats harmless. A card whose state the processor does not take delays no other card.
 */
export const startStateTeller = ({ cards, processor, processorTimeoutMs, runtime, logger }: StateTellerParts): Rounds => {
  const tell = async (card: Card, attempts: number): Promise<void> => {
    try {
      await within(processorTimeoutMs, processor.reportState(toState(card), AbortSignal.timeout(processorTimeoutMs)));
      await cards.confirmTold(card);
    } catch (err) {
      logger.warn({ err, cardId: card.id }, 'telling the processor of a card failed, will retry');
      await cards.postponeTelling(card, new Date(runtime.now().getTime() + pauseMs(attempts)));
    }
  };

  const round = async (closed: () => boolean): Promise<void> => {
    for (;;) {
      const due = await cards.findUntold(runtime.now(), BATCH);
      await Promise.all(due.map(({ card, attempts }) => tell(card, attempts)));
      if (due.length < BATCH || closed()) return;
    }
  };
  return startRounds({ round, intervalMs: INTERVAL_MS, logger, failed: 'telling the processor failed' });
};
