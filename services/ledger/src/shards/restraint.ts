/** Lease times for which a shard that cannot be opened here is left to the other instances. */
const LEASES_AFTER_FAILURE = 2;

/** First bound of the pause before a shard is opened again; it doubles with each term that was lost soon after it began. */
const REOPEN_MS = 50;

/** Keeps an instance from taking shards that it cannot serve, and two writers from taking a shard from each other over and over. */
export type Restraint = {
  /** The shard could not be opened, or its clock or its data are wrong. */
  failed: (shard: string) => void;
  /** Another writer has appended to the shard. @returns for how long to wait before it is opened again, in milliseconds */
  lost: (shard: string) => number;
  /** Reports whether to take the shard when it is free. */
  mayTake: (shard: string) => boolean;
  /** Reports whether to act as the owner without a lease: not for two lease times after another writer has shown itself. */
  mayAct: (shard: string) => boolean;
};

export const createRestraint = (leaseMs: number, randomInt: (min: number, max: number) => number): Restraint => {
  const failedAt = new Map<string, number>();
  const losses = new Map<string, { at: number; count: number }>();
  const passed = (since: number | undefined): boolean => since === undefined || performance.now() - since >= LEASES_AFTER_FAILURE * leaseMs;
  const mayTake = (shard: string): boolean => passed(failedAt.get(shard));
  return {
    failed: (shard) => {
      failedAt.set(shard, performance.now());
    },
    lost: (shard) => {
      const before = losses.get(shard);
      const count = passed(before?.at) ? 0 : (before?.count ?? 0) + 1;
      losses.set(shard, { at: performance.now(), count });
      // Random, so that two writers get out of step.
      return randomInt(0, Math.min(REOPEN_MS * 2 ** count, leaseMs));
    },
    mayTake,
    mayAct: (shard) => mayTake(shard) && passed(losses.get(shard)?.at),
  };
};
