import { CodedError } from '@florin/rpc/errors';
import type { Logger } from '@florin/rpc/observe';
import { type Rounds, startRounds } from '@florin/rpc/time';
import { type ErasureParts, LEFT_BEHIND_MS, releaseClaims, resumeErasure } from './erase-user.ts';

const INTERVAL_MS = 2000;
const BATCH = 20;

/** Resumes the erasures of killed calls and releases claims when their time has come. Any number of replicas may sweep. */
export const startErasureSweeper = ({ parts, logger }: { parts: ErasureParts; logger: Logger }): Rounds => {
  const { erasures, runtime } = parts;
  const round = async (closed: () => boolean): Promise<void> => {
    const now = runtime.now();
    for (const due of await erasures.takeDue(now, new Date(now.getTime() + LEFT_BEHIND_MS), BATCH)) {
      if (closed()) return;
      try {
        if (due.step === 'erased') await releaseClaims(parts, due);
        else await resumeErasure(parts, due, { userId: due.userId, includeBlocked: due.includeBlocked, requestId: runtime.newId() });
      } catch (err) {
        // A refusal by the ledger has withdrawn the request.
        const isExpected = err instanceof CodedError;
        logger[isExpected ? 'info' : 'warn']({ err, userId: due.userId, step: due.step }, 'an erasure was not completed');
      }
    }
  };
  return startRounds({ round, intervalMs: INTERVAL_MS, logger, failed: 'sweeping erasures failed, will be retried' });
};
