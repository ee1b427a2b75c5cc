import { ClockSkewError } from './writer-state.ts';

/**
 * Most by which the clock of this process may differ from the engine's, and the last block's time from now. Beyond it no block is
 * sealed: holds would expire early or late, and the time of a block cannot be taken back.
 */
export const MAX_CLOCK_SKEW_MS = 5000;

export type EngineClock = {
  /** Compares the clock with the engine's. Between two calls the engine's time is carried on by a monotonic clock. */
  sync: () => Promise<void>;
  /**
   * Time of a block that follows one of `before`: now, or `before` where that is later (within the bound).
   * @throws ClockSkewError
   */
  sealingTime: (before: Date) => Date;
};

/**
 * @param options.engineTime the engine's time
 * @param options.now this process's time
 * @param options.monotonicMs milliseconds of a clock that is never set
 */
export const createEngineClock = (options: {
  engineTime: () => Promise<Date>;
  now: () => Date;
  monotonicMs: () => number;
}): EngineClock => {
  const { engineTime, now, monotonicMs } = options;
  /** The engine's time at a time of the monotonic clock, and by how much it may be off. */
  let known: { engineMs: number; at: number; slackMs: number } | undefined;
  return {
    sync: async () => {
      const sent = monotonicMs();
      const engineMs = (await engineTime()).getTime();
      const received = monotonicMs();
      known = { engineMs, at: (sent + received) / 2, slackMs: (received - sent) / 2 };
    },
    sealingTime: (before) => {
      const nowMs = now().getTime();
      if (known === undefined) throw new ClockSkewError("the engine's time is not known");
      const engineMs = known.engineMs + monotonicMs() - known.at;
      const skewMs = Math.round(nowMs - engineMs);
      if (Math.abs(skewMs) > MAX_CLOCK_SKEW_MS + known.slackMs)
        throw new ClockSkewError(`the clock is ${Math.abs(skewMs)} ms ${skewMs > 0 ? 'ahead of' : 'behind'} the engine's`);
      if (before.getTime() - nowMs > MAX_CLOCK_SKEW_MS)
        throw new ClockSkewError(`the last block is of ${before.toISOString()}, which is later than now`);
      return new Date(Math.max(nowMs, before.getTime()));
    },
  };
};
