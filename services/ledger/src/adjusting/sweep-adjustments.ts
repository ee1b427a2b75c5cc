import type { Logger } from '@florin/rpc/observe';
import type { Runtime } from '@florin/rpc/runtime';
import { type Rounds, startRounds } from '@florin/rpc/time';
import type { Adjustment } from '../domain/adjustment.ts';
import type { Journal } from '../journal/journal.ts';
import type { AdjustmentStore } from '../store/adjustments.ts';

const ADJUSTMENTS_PER_ROUND = 100;

/** The call that approved an adjustment books it; after so long it was interrupted. */
const BOOK_AFTER_MS = 10_000;

/** Reports whether it is too late to decide on an adjustment. */
export const isOverdue = ({ createdAt }: Pick<Adjustment, 'createdAt'>, now: Date, expiresMs: number): boolean =>
  createdAt.getTime() + expiresMs <= now.getTime();

/** Ends what was not decided on in time, and books what was approved but not booked because the ledger was interrupted. */
export const startAdjustmentSweep = (options: {
  /** Journals that are open here. */
  journals: () => readonly Journal[];
  adjustments: Pick<AdjustmentStore, 'due' | 'move'>;
  book: (journal: Journal, adjustment: Adjustment) => Promise<unknown>;
  /** How long an adjustment waits for a decision. */
  expiresMs: number;
  intervalMs: number;
  runtime: Pick<Runtime, 'now'>;
  logger: Logger;
}): Rounds => {
  const { journals, adjustments, book, expiresMs, intervalMs, runtime, logger } = options;
  const sweep = async (journal: Journal, closed: () => boolean): Promise<void> => {
    const now = runtime.now();
    const before = (ms: number) => ({ shard: journal.shard, before: new Date(now.getTime() - ms), limit: ADJUSTMENTS_PER_ROUND });
    for (const { id } of await adjustments.due('pending', before(expiresMs)))
      await adjustments.move(id, ['pending'], { status: 'expired', updatedAt: now });
    for (const adjustment of await adjustments.due('approved', before(BOOK_AFTER_MS))) {
      if (closed()) return;
      await book(journal, adjustment).catch((err: unknown) => logger.warn({ err, id: adjustment.id }, 'booking an adjustment failed'));
    }
  };
  return startRounds({
    round: async (closed) => {
      for (const journal of journals()) await sweep(journal, closed);
    },
    intervalMs,
    logger,
    failed: 'a search for adjustments failed, retrying',
  });
};
