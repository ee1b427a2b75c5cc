import type { Logger } from '@florin/rpc/observe';
import type { Runtime } from '@florin/rpc/runtime';
import { type Rounds, startRounds } from '@florin/rpc/time';
import type { CardholderStore } from '../store/cardholders.ts';
import type { Issuing } from './issue-card.ts';

/** Older tries are taken for dead. Longer than a living one takes; a wrong guess costs double work, nothing else. */
const WAITING_SECONDS = 10;

const INTERVAL_MS = 2000;

/** Cardholders looked after in one round; the rest follows in the next. */
const BATCH = 20;

type SweeperParts = {
  cardholders: CardholderStore;
  issuing: Issuing;
  runtime: Pick<Runtime, 'newId' | 'now'>;
  logger: Logger;
};

/**
 * Brings to an end what a killed process or an unreachable processor left half-way, when nobody repeats the request: at start, and
 * every two seconds. Any number of replicas may sweep: a slot is worked on by the one whose conditional write gets it, and
 * goes to the end of the line with it.
 */
export const startSweeper = ({ cardholders, issuing, runtime, logger }: SweeperParts): Rounds => {
  const round = async (closed: () => boolean): Promise<void> => {
    const before = new Date(runtime.now().getTime() - WAITING_SECONDS * 1000);
    for (const waiting of await cardholders.findWaiting(before, BATCH)) {
      if (closed()) return;
      const { userId, slot } = waiting;
      const attempt = { id: runtime.newId(), at: runtime.now() };
      const taken = await cardholders.takeOver(userId, slot.cardId, attempt, waiting.attempt);
      if (taken !== undefined) await issuing.complete({ userId, slot: taken, attempt, logger });
    }
  };
  return startRounds({ round, intervalMs: INTERVAL_MS, logger, failed: 'sweep failed, will be repeated' });
};
