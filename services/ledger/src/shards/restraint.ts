/** Lease times for which a shard is left to the other instances that this one cannot serve, or may not act for. */
const LEASES_AFTER_FAILURE = 2;

/** First bound of the pause before a shard is opened again; it doubles with each term that was lost, or opening that failed, soon after the one before. */
const REOPEN_MS = 50;

/** Keeps an instance from taking shards that it cannot serve, and two writers from taking a shard from each other over and over. */
export type Restraint = {
  /** The clock of this instance, or the shard's data, are wrong. */
  failed: (shard: string) => void;
  /** The shard could not be opened for a reason that may pass. @returns for how long to wait before it is opened again, in milliseconds */
  missed: (shard: string) => number;
  /** Another writer has appended to the shard. @returns for how long to wait before it is opened again, in milliseconds */
  lost: (shard: string) => number;
  /** Reports whether to take the shard when it is free: calls look for an owner again and again. */
  mayTake: (shard: string) => boolean;
  /** Reports whether to act as the owner without a lease: not for two lease times after another writer has shown itself. */
  mayAct: (shard: string) => boolean;
};

export const createRestraint = (leaseMs: number, randomInt: (min: number, max: number) => number): Restraint => {
  const failedAt = new Map<string, number>();
  const losses = new Map<string, { at: number; count: number }>();
  const misses = new Map<string, { at: number; count: number }>();
  const passed = (since: number | undefined): boolean => since === undefined || performance.now() - since >= LEASES_AFTER_FAILURE * leaseMs;
  const pausedUntil = new Map<string, number>();
  const mayTake = (shard: string): boolean => passed(failedAt.get(shard)) && performance.now() >= (pausedUntil.get(shard) ?? 0);
  /** Notes another event of a kind. @returns the bound of the pause after it */
  const pauseAfter = (events: typeof losses, shard: string): number => {
    const before = events.get(shard);
    const count = passed(before?.at) ? 0 : (before?.count ?? 0) + 1;
    events.set(shard, { at: performance.now(), count });
    return Math.min(REOPEN_MS * 2 ** count, leaseMs);
  };
  return {
    failed: (shard) => {
      failedAt.set(shard, performance.now());
    },
    missed: (shard) => {
      const ms = pauseAfter(misses, shard);
      pausedUntil.set(shard, performance.now() + ms);
      // Timers may fire a millisecond early.
      return ms + 1;
    },
    // Random, so that two writers get out of step.
    lost: (shard) => randomInt(0, pauseAfter(losses, shard)),
    mayTake,
    mayAct: (shard) => mayTake(shard) && passed(losses.get(shard)?.at),
  };
};
