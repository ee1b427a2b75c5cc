import type { Logger } from '@florin/rpc/observe';
import type { Runtime } from '@florin/rpc/runtime';
import { type Rounds, startRounds } from '@florin/rpc/time';
import type { CardStore } from '../store/cards.ts';
import type { Renewals } from './renew-card.ts';

/** Age from which a renewal counts as abandoned. Longer than a renewal takes; a wrong guess only duplicates work. */
const ABANDONED_MS = 10_000;

const INTERVAL_MS = 2000;

/** Renewals per round; the rest follows in the next round. */
const BATCH = 20;

type RenewalSweeperParts = { cards: CardStore; renewals: Renewals; runtime: Pick<Runtime, 'now'>; logger: Logger };

/**
 * Completes renewals that a killed process or an unreachable processor left unfinished. Any number of replicas may sweep: the processor
 * is idempotent and the write of the new expiry happens once.
 */
export const startRenewalSweeper = ({ cards, renewals, runtime, logger }: RenewalSweeperParts): Rounds => {
  const round = async (closed: () => boolean): Promise<void> => {
    const before = new Date(runtime.now().getTime() - ABANDONED_MS);
    for (const card of await cards.findRenewing(before, BATCH)) {
      if (closed()) return;
      if (card.renewal === undefined) continue;
      await renewals.complete(card, card.renewal, logger).catch((err: unknown) => {
        logger.warn({ err, cardId: card.id }, 'completing the renewal failed');
      });
    }
  };
  return startRounds({ round, intervalMs: INTERVAL_MS, logger, failed: 'sweeping unfinished renewals failed' });
};
