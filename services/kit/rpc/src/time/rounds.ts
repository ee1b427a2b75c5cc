import type { Logger } from '../observe/index.ts';

export type Rounds = {
  /** Starts a round now. During a round, causes one more round after it; kicks of the pause before that round share it. */
  kick: () => void;
  /** Starts no further round, and waits for the running one. */
  close: () => Promise<void>;
};

export type RoundsOptions = {
  /** One round of the work, which should return soon once `closed` is true. A rejection is logged, and the next round tries again. */
  round: (closed: () => boolean) => Promise<void>;
  /** Pause between two rounds that were not kicked, in milliseconds. */
  intervalMs: number;
  /** Pause before a round that was kicked during another one, in milliseconds, so that kicks in between share it. Default: 0. */
  gatherMs?: number;
  logger: Logger;
  /** Log message for a failed round. */
  failed: string;
};

/** Repeats work in the background: immediately, then every `intervalMs`, and when kicked. Rounds never overlap. */
export const startRounds = ({ round, intervalMs, gatherMs = 0, logger, failed }: RoundsOptions): Rounds => {
  let closed = false;
  let again = false;
  let running: Promise<void> | undefined;
  let gathering: NodeJS.Timeout | undefined;

  const run = (): void => {
    if (closed || running !== undefined) return;
    again = false;
    clearTimeout(gathering);
    gathering = undefined;
    running = round(() => closed)
      .catch((err: unknown) => logger.warn({ err }, failed))
      .finally(() => {
        running = undefined;
        if (!again || closed) return;
        if (gatherMs > 0) gathering = setTimeout(run, gatherMs);
        else run();
      });
  };

  const timer = setInterval(run, intervalMs);
  run();

  return {
    kick: () => {
      if (running !== undefined) again = true;
      else if (gathering === undefined) run();
    },
    close: async () => {
      closed = true;
      clearInterval(timer);
      clearTimeout(gathering);
      await running;
    },
  };
};
