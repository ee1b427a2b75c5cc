import { CodedError } from '@florin/rpc/errors';
import { steadyNow } from '@florin/rpc/steady-clock';
import { within } from '@florin/rpc/time';
import type { Journal } from '../journal/journal.ts';
import type { Lease } from './lease.ts';

/** Longer than a call waits for its block. */
const DRAIN_MS = 5000;

/** A call has found that its shard is not served here any more, or not yet. It is to be repeated elsewhere, which is safe: every RPC is idempotent. */
export class NotHereError extends Error {
  override readonly name = 'NotHereError';
}

/** A shard that this instance owns, or believes it owns. */
export type Holding = {
  readonly shard: string;
  lease: Lease;
  /** Settles when the journal is open, or cannot be opened. */
  readonly opened: Promise<Journal>;
  /** The journal, once it is open. */
  journal: () => Journal | undefined;
  /** Records that the lease was held at a time of the steady clock. */
  confirm: (at: number) => void;
  /**
   * Works on the journal. While the lease is confirmed no other instance appends, unless Redis has lost the lease: then balances may be stale until
   * the next renewal. Otherwise the journal's tail is checked first, so that an owner that was paused, or cut off from Redis, does not return stale
   * balances.
   * @throws NotHereError before the work has begun, or when it failed because the term of writing was over
   */
  run: <T>(work: (journal: Journal) => Promise<T>) => Promise<T>;
  /** Reports whether it is being closed and takes no calls. */
  leaving: () => boolean;
  /** Lets running calls end and closes the journal. */
  close: () => Promise<void>;
};

const notHere = (cause: unknown): never => {
  throw new NotHereError('the shard is not served here', { cause });
};

export const createHolding = (options: {
  shard: string;
  lease: Lease;
  leaseMs: number;
  open: (shard: string, epoch: number) => Promise<Journal>;
}): Holding => {
  const { shard, lease, leaseMs } = options;
  let journal: Journal | undefined;
  let isOver = false;
  let confirmedAt = Number.NEGATIVE_INFINITY;
  let running = 0;
  let drained = (): void => undefined;
  let closing: Promise<void> | undefined;

  const opened = options.open(shard, lease.epoch).then((ready) => {
    journal = ready;
    void ready.ended.then(() => {
      isOver = true;
    });
    return ready;
  });

  const closeNow = async (): Promise<void> => {
    if (running > 0) {
      const { promise, resolve } = Promise.withResolvers<void>();
      drained = resolve;
      // Calls that take longer are rejected by the closed journal.
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
        const ready = await opened.catch(notHere);
        if (steadyNow() > confirmedAt + leaseMs) await ready.assertTail().catch(notHere);
        return await work(ready).catch((error: unknown) => {
          // The next owner finds out what of it has happened.
          throw isOver && error instanceof CodedError && error.code === 'SERVICE_UNAVAILABLE' ? notHere(error) : error;
        });
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
