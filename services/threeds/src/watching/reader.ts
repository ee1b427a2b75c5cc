import { CodedError } from '@florin/rpc/errors';
import type { Challenge } from '../domain/challenge.ts';

/** A state of a challenge, or without one only a position. A reader is current up to `position` once it has read the update. */
export type ReaderUpdate = { position: string; challenge?: Challenge /** Changes before this update may be missing. */; gap?: true };

export type Reader = {
  push: (update: ReaderUpdate) => void;
  /** Ends the stream: discards waiting updates, and `next` rejects with the error. */
  fail: (error: CodedError) => void;
  /** The next update; `idle` if there is none within `idleMs` milliseconds; undefined once the signal is aborted. */
  next: (idleMs: number) => Promise<ReaderUpdate | 'idle' | undefined>;
};

/** Updates waiting for a reader: seconds of a busy platform. A reader that falls further behind resumes by position. */
export const MAX_WAITING = 10_000;

/**
 * Queue between the hub and one reader of all challenges. Unlike a watcher it keeps every update, even one that repeats a state: its
 * reader passes the positions on, and somebody may resume after each of them.
 */
export const createReader = (signal: AbortSignal): Reader => {
  let waiting: ReaderUpdate[] = [];
  let taken = 0;
  let failure: CodedError | undefined;
  let wake: () => void = () => undefined;
  signal.addEventListener('abort', () => wake(), { once: true });

  const take = (): ReaderUpdate | undefined => {
    const update = waiting[taken];
    if (update === undefined) return undefined;
    taken += 1;
    if (taken === waiting.length) {
      waiting = [];
      taken = 0;
    }
    return update;
  };

  const fail = (error: CodedError): void => {
    failure ??= error;
    waiting = [];
    taken = 0;
    wake();
  };

  return {
    fail,
    push: (update) => {
      if (failure !== undefined) return;
      waiting.push(update);
      if (waiting.length - taken > MAX_WAITING)
        fail(new CodedError('SERVICE_UNAVAILABLE', { message: 'the reader is too slow: too many updates are waiting' }));
      wake();
    },
    next: async (idleMs) => {
      const deadline = performance.now() + idleMs;
      for (;;) {
        if (signal.aborted) return undefined;
        if (failure !== undefined) throw failure;
        const update = take();
        if (update !== undefined) return update;
        const remaining = deadline - performance.now();
        if (remaining <= 0) return 'idle';
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, remaining);
          wake = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
    },
  };
};
