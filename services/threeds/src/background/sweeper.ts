import type { Logger } from '@florin/rpc/observe';
import { type Rounds, startRounds } from '@florin/rpc/time';
import { type ConfirmDecisionParts, confirmDecision } from '../decisions/confirm-decision.ts';
import type { Challenge } from '../domain/challenge.ts';

type SweeperOptions = ConfirmDecisionParts & {
  logger: Logger;
  /** Interval between rounds. */
  intervalMs: number;
  /** Time in which the access control server must confirm a decision. */
  ackTimeoutSeconds: number;
};

const BATCH = 100;

/** The handler that stored the decision notifies the access control server itself; the sweeper waits this long for it. */
const NOTIFY_AGAIN_AFTER_MS = 1000;

/**
 * Does the work that no request triggers: stores expiries, fails decisions that were not confirmed in time, and notifies the access
 * control server again of decisions that a killed process or a failed call left unconfirmed. Runs in every instance; each step is a
 * conditional write, so concurrent sweepers do no harm.
 */
export const startSweeper = (options: SweeperOptions): Rounds => {
  const { challenges, runtime, logger, intervalMs, ackTimeoutSeconds } = options;
  const before = (ms: number) => new Date(runtime.now().getTime() - ms);

  /** Continues while batches are full and progress is made, so that a challenge that cannot be written does not cause a busy loop. */
  const each = async (
    closed: () => boolean,
    next: () => Promise<Challenge[]>,
    step: (challenge: Challenge) => Promise<unknown>,
  ): Promise<void> => {
    for (;;) {
      const batch = await next();
      let moved = 0;
      for (const challenge of batch) {
        if (closed()) return;
        if ((await step(challenge)) !== undefined) moved += 1;
      }
      if (batch.length < BATCH || moved === 0) return;
    }
  };

  const round = async (closed: () => boolean): Promise<void> => {
    await each(
      closed,
      () => challenges.findOverdue(runtime.now(), BATCH),
      (challenge) => challenges.expire(challenge, runtime.now()),
    );
    const ackTimeoutMs = ackTimeoutSeconds * 1000;
    await each(
      closed,
      () => challenges.findUnconfirmed(before(ackTimeoutMs), BATCH),
      (challenge) => challenges.failUnconfirmed(challenge, before(ackTimeoutMs), runtime.now()),
    );
    await each(
      closed,
      () => challenges.findUnconfirmed(before(NOTIFY_AGAIN_AFTER_MS), BATCH),
      async (challenge) => {
        const now = await confirmDecision(options, challenge, logger);
        return now.status === 'processing' ? undefined : now;
      },
    );
  };

  return startRounds({ round, intervalMs, logger, failed: 'sweeping challenges failed' });
};
