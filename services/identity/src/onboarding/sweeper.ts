import type { Logger } from '@florin/rpc/observe';
import type { Runtime } from '@florin/rpc/runtime';
import { type Rounds, startRounds } from '@florin/rpc/time';
import type { OnboardingMarkStore } from '../store/onboarding-marks.ts';
import type { Onboarding } from './onboarding.ts';

/** Age from which a mark counts as left behind: longer than a call takes. Handling a mark twice is harmless. */
const WAITING_SECONDS = 10;

const INTERVAL_MS = 2000;

/** Marks handled in one round. */
const BATCH = 20;

type SweeperParts = {
  marks: OnboardingMarkStore;
  onboarding: Pick<Onboarding, 'settle'>;
  runtime: Pick<Runtime, 'now'>;
  logger: Logger;
};

/**
 * Settles accounts that a killed process or an unavailable ledger left in the wrong state: at start and every two seconds, so within
 * about twelve seconds. Any number of replicas may sweep: a mark is handled by the replica that moves it to the end of the queue.
 */
export const startOnboardingSweeper = ({ marks, onboarding, runtime, logger }: SweeperParts): Rounds => {
  const round = async (closed: () => boolean): Promise<void> => {
    const before = new Date(runtime.now().getTime() - WAITING_SECONDS * 1000);
    for (const mark of await marks.findOlder(before, BATCH)) {
      if (closed()) return;
      if (!(await marks.postpone(mark, runtime.now()))) continue;
      await onboarding
        .settle(mark, { requestId: mark.id })
        .catch((err: unknown) => logger.warn({ err, userId: mark.userId }, 'settling the account failed, will be retried'));
    }
  };
  return startRounds({ round, intervalMs: INTERVAL_MS, logger, failed: 'sweeping onboarding marks failed, will be retried' });
};
