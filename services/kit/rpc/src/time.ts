export { setTimeout as pause } from 'node:timers/promises';

import { CodedError } from './errors/index.ts';
import type { Logger } from './observe/index.ts';

export type Rounds = {
  /** Starts a round now. During a round, causes one more round after it; kicks of the pause before that round share it. */
  kick: () => void;
  /** Starts no further round, and waits for the running one. */
  close: () => Promise<void>;
};

type RoundsOptions = {
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

/** Those who wait for something with a name to happen. */
export type Sleepers<What = void> = {
  /** Resolves when the name is woken by something that concerns the sleeper (default: by anything), the time is over, or the signal aborts. */
  wait: (name: string, timeoutMs: number, signal: AbortSignal, concerns?: (what: What) => boolean) => Promise<void>;
  wake: (name: string, what: What) => void;
  wakeAll: () => void;
};

/** Creates a set of sleepers without any. Those who look by themselves as well are told of nothing that they would miss. */
export const createSleepers = <What = void>(): Sleepers<What> => {
  type Sleeper = { rise: () => void; concerns: (what: What) => boolean };
  const byName = new Map<string, Set<Sleeper>>();
  return {
    wait: (name, timeoutMs, signal, concerns = () => true) =>
      new Promise((resolve) => {
        const own = byName.get(name) ?? new Set();
        byName.set(name, own);
        const rise = (): void => {
          clearTimeout(timer);
          signal.removeEventListener('abort', rise);
          own.delete(sleeper);
          if (own.size === 0 && byName.get(name) === own) byName.delete(name);
          resolve();
        };
        const sleeper = { rise, concerns };
        const timer = setTimeout(rise, timeoutMs);
        own.add(sleeper);
        signal.addEventListener('abort', rise, { once: true });
        if (signal.aborted) rise();
      }),
    wake: (name, what) => {
      for (const { rise, concerns } of byName.get(name) ?? []) if (concerns(what)) rise();
    },
    wakeAll: () => {
      for (const { rise } of [...byName.values()].flatMap((sleepers) => [...sleepers])) rise();
    },
  };
};

/**
 * Waits at most `ms` milliseconds for work on an engine. After a timeout the work continues and its outcome is unknown.
 * @throws CodedError SERVICE_UNAVAILABLE after the timeout; otherwise the rejection of the work
 */
export const within = async <T>(ms: number, work: Promise<T>): Promise<T> => {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new CodedError('SERVICE_UNAVAILABLE', { message: `timed out after ${ms} ms` })), ms);
  });
  try {
    return await Promise.race([work, timeout]);
  } finally {
    clearTimeout(timer);
  }
};
