import type { Logger } from '@florin/rpc/observe';
import type { Runtime } from '@florin/rpc/runtime';
import { type Rounds, startRounds } from '@florin/rpc/time';
import { holdExpired } from '../domain/hold.ts';
import type { Journal, Outcome } from './journal.ts';

/** Open holds by their end, as the projections show them. */
export type ExpiredHolds = (shard: string, now: Date, limit: number) => Promise<{ holdId: string; accountId: string }[]>;

/** Removes holds that the projections still show after their end. */
export type ForgetHolds = (shard: string, holdIds: readonly string[]) => Promise<void>;

const INTERVAL_MS = 1000;
const HOLDS_PER_ROUND = 500;

/** A posting with an id of its own ends a hold without the entry that an expiry would be. */
const hasEnded = (outcome: Outcome | undefined): boolean =>
  outcome?.kind === 'exists' || (outcome?.kind === 'refused' && outcome.code === 'HOLD_NOT_FOUND');

/**
 * Releases what is held by holds that have expired. The journal decides: of an expiry and a post that race one stands. A hold that the
 * projections still show after its end is removed from them.
 */
export const startHoldExpiry = (options: {
  shard: string;
  journal: Pick<Journal, 'append' | 'projected'>;
  expired: ExpiredHolds;
  forget: ForgetHolds;
  runtime: Pick<Runtime, 'now'>;
  logger: Logger;
}): Rounds => {
  const { shard, journal, expired, forget, runtime, logger } = options;
  return startRounds({
    round: async (closed) => {
      for (;;) {
        const holds = await expired(shard, runtime.now(), HOLDS_PER_ROUND);
        if (holds.length === 0 || closed()) return;
        const outcomes = await journal.append(holds.map(holdExpired));
        // Inserted again after their end by a projector that lagged behind or was repeated.
        const ended = holds.filter((_hold, index) => hasEnded(outcomes[index]));
        await forget(
          shard,
          ended.map(({ holdId }) => holdId),
        );
        // The next look must not find them again.
        if (!(await journal.projected()) || holds.length < HOLDS_PER_ROUND) return;
      }
    },
    intervalMs: INTERVAL_MS,
    logger,
    failed: 'expiring holds failed, retrying',
  });
};
