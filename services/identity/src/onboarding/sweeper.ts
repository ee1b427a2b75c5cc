import type { Logger } from '@florin/rpc/observe';
import type { Runtime } from '@florin/rpc/runtime';
import { type Rounds, startRounds } from '@florin/rpc/time';
import type { OnboardingMarkStore } from '../store/onboarding-marks.ts';
import type { Onboarding } from './onboarding.ts';

/** Older marks are taken for left behind. Longer than a living call takes; a wrong guess costs double work, nothing else. */
const WAITING_SECONDS = 10;

const INTERVAL_MS = 2000;

/** Users looked after in one round; the rest follows in the next. */
const BATCH = 20;

type SweeperParts = {
  marks: OnboardingMarkStore;
  onboarding: Pick<Onboarding, 'settle'>;
  runtime: Pick<Runtime, 'now'>;
  logger: Logger;
};

/**
 * Activates the accounts that a killed process or an unreachable ledger left waiting: at start, and every two seconds, so within
 * about twelve seconds when both are well. Any number of replicas may sweep: a mark is worked on by the one who gets to put it
 * at the end of the line.
 */
export const startOnboardingSweeper = ({ marks, onboarding, runtime, logger }: SweeperParts): Rounds => {
  const round = async (closed: () => boolean): Promise<void> => {
    const before = new Date(runtime.now().getTime() - WAITING_SECONDS * 1000);
    for (const mark of await marks.findOlder(before, BATCH)) {
      if (closed()) return;
      if (!(await marks.postpone(mark, runtime.now()))) continue;
      await onboarding
        .settle(mark, { requestId: mark.id })
        .catch((err: unknown) => logger.warn({ err, userId: mark.userId }, 'activation failed, will be repeated'));
    }
  };
  return startRounds({ round, intervalMs: INTERVAL_MS, logger, failed: 'sweep failed, will be repeated' });
};
