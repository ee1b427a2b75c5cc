import type { Logger } from '../observe/index.ts';

export type Rounds = {
  /** Asks for a round now; during one, for another one after it. */
  kick: () => void;
  /** Ends the running round and stops. */
  close: () => Promise<void>;
};

export type RoundsOptions = {
  /** One round of the work. `closed` says that it should come to its end; a rejection is logged, the next round tries again. */
  round: (closed: () => boolean) => Promise<void>;
  /** Pause between two rounds that nobody asked for, in milliseconds. */
  intervalMs: number;
  /** Pause before a round that was asked for during another one, in milliseconds: what comes meanwhile shares it. Default: none. */
  gatherMs?: number;
  logger: Logger;
  /** Said in the log when a round fails. */
  failed: string;
};

/** Repeats work in the background: at once, then every `intervalMs`, and when kicked. Never two rounds at a time. */
export const startRounds = ({ round, intervalMs, gatherMs = 0, logger, failed }: RoundsOptions): Rounds => {
  let closed = false;
  let again = false;
  let running: Promise<void> | undefined;

  const run = (): void => {
    if (closed || running !== undefined) return;
    again = false;
    running = round(() => closed)
      .catch((err: unknown) => logger.warn({ err }, failed))
      .finally(() => {
        running = undefined;
        if (!again) return;
        if (gatherMs > 0) setTimeout(run, gatherMs);
        else run();
      });
  };

  const timer = setInterval(run, intervalMs);
  run();

  return {
    kick: () => {
      again = running !== undefined;
      run();
    },
    close: async () => {
      closed = true;
      clearInterval(timer);
      await running;
    },
  };
};
