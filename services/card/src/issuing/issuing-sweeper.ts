import type { Logger } from '@florin/rpc/observe';
import type { Runtime } from '@florin/rpc/runtime';
import { type Rounds, startRounds } from '@florin/rpc/time';
import type { CardholderStore } from '../store/cardholders.ts';
import type { Issuing } from './issue-card.ts';

const INTERVAL_MS = 2000;

/** Cardholders per round; the rest follows in the next round. */
const BATCH = 20;

type IssuingSweeperParts = {
  cardholders: CardholderStore;
  issuing: Issuing;
  runtime: Pick<Runtime, 'newId' | 'now'>;
  logger: Logger;
};

/**
 * Resumes cards that a killed process or an unreachable processor left unfinished and whose request is not repeated: at start, and
 * every two seconds. The pause between the attempts on one card grows, so that cards which cannot be issued delay no others. Any number of
 * replicas may sweep: the one whose conditional write takes a slot over works on it, and the slot moves to the end of the queue.
 */
export const startIssuingSweeper = ({ cardholders, issuing, runtime, logger }: IssuingSweeperParts): Rounds => {
  const round = async (closed: () => boolean): Promise<void> => {
    for (const { userId, slot, issuing: before } of await cardholders.findWaiting(runtime.now(), BATCH)) {
      if (closed()) return;
      const attempt = { id: runtime.newId(), at: runtime.now() };
      const taken = await cardholders.takeOver(userId, slot.cardId, attempt, before.attempts + 1, before.attempt);
      if (taken !== undefined) await issuing.complete({ userId, slot: taken, attempt, logger });
    }
  };
  return startRounds({ round, intervalMs: INTERVAL_MS, logger, failed: 'sweeping unfinished cards failed' });
};
