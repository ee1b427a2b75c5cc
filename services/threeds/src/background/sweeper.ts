import type { Logger } from '@florin/rpc/observe';
import { type Rounds, startRounds } from '@florin/rpc/time';
import { type ConfirmDecisionParts, confirmDecision } from '../decisions/confirm-decision.ts';
import type { Challenge } from '../domain/challenge.ts';

type SweeperOptions = ConfirmDecisionParts & {
  logger: Logger;
  /** Pause between rounds. */
  intervalMs: number;
  /** Time that the access control server has to confirm a decision. */
  ackTimeoutSeconds: number;
};

const BATCH = 100;

/** The handler that stored the decision tells the access control server at once; until then nobody else needs to. */
const TELL_AGAIN_AFTER_MS = 1000;

/**
 * Does what no caller does: stores that a challenge's time is over, ends decisions that nobody confirmed in time, and tells the
 * access control server again of those that a killed process or a failed call left unconfirmed. Runs in every instance; each step
 * is a conditional write, so that two of them at the same challenge do no harm.
 */
export const startSweeper = (options: SweeperOptions): Rounds => {
  const { challenges, runtime, logger, intervalMs, ackTimeoutSeconds } = options;
  const before = (ms: number) => new Date(runtime.now().getTime() - ms);

  /** Batch after batch while batches are full and something moves: one challenge that cannot be written does not spin. */
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
      () => challenges.findUnconfirmed(before(TELL_AGAIN_AFTER_MS), BATCH),
      async (challenge) => {
        const now = await confirmDecision(options, challenge, logger);
        return now.status === 'processing' ? undefined : now;
      },
    );
  };

  return startRounds({ round, intervalMs, logger, failed: 'sweep failed, will be repeated' });
};
