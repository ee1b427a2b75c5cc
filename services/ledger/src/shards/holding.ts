import { within } from '@florin/rpc/time';
import type { Journal } from '../journal/journal.ts';
import type { Lease } from './lease.ts';

/** Longer than a call waits for its block. */
const DRAIN_MS = 5000;

/** A shard that this instance owns, or believes to own. */
export type Holding = {
  readonly shard: string;
  readonly lease: Lease;
  /** Settles when the journal is open, or cannot be opened. */
  readonly opened: Promise<Journal>;
  /** The journal, once it is open. */
  journal: () => Journal | undefined;
  /** Says that the lease was ours at a time of the monotonic clock. */
  confirm: (at: number) => void;
  /**
   * Works on the journal as it is now. As long as the lease is confirmed nobody else appends; otherwise blocks of others are looked for
   * first, so that an owner that was paused, or cut off from Redis, does not answer old balances.
   */
  run: <T>(work: (journal: Journal) => Promise<T>) => Promise<T>;
  /** Whether it takes no calls any more. */
  leaving: () => boolean;
  /** Lets running calls end and closes the journal. */
  close: () => Promise<void>;
};

export const createHolding = (options: {
  shard: string;
  lease: Lease;
  leaseMs: number;
  open: (shard: string, epoch: number) => Promise<Journal>;
}): Holding => {
  const { shard, lease, leaseMs } = options;
  let journal: Journal | undefined;
  let confirmedAt = Number.NEGATIVE_INFINITY;
  let running = 0;
  let drained = (): void => undefined;
  let closing: Promise<void> | undefined;

  const opened = options.open(shard, lease.epoch).then((ready) => {
    journal = ready;
    return ready;
  });

  const closeNow = async (): Promise<void> => {
    if (running > 0) {
      const { promise, resolve } = Promise.withResolvers<void>();
      drained = resolve;
      // Those that take longer are refused by the closed journal.
      await within(DRAIN_MS, promise).catch(() => undefined);
    }
    const ready = await opened.catch(() => undefined);
    await ready?.close();
  };

  return {
    shard,
    lease,
    opened,
    journal: () => journal,
    confirm: (at) => {
      confirmedAt = at;
    },
    run: async (work) => {
      running += 1;
      try {
        const ready = await opened;
        if (performance.now() > confirmedAt + leaseMs) await ready.refresh();
        return await work(ready);
      } finally {
        running -= 1;
        if (running === 0) drained();
      }
    },
    leaving: () => closing !== undefined,
    close: () => {
      closing ??= closeNow();
      return closing;
    },
  };
};
