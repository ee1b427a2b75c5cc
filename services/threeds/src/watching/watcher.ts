import type { CodedError } from '@florin/rpc/errors';
import type { Challenge } from '../domain/challenge.ts';
import { progressOf } from '../domain/challenge-state.ts';

export type Watcher = {
  /** Delivers a state; it is dropped unless it is newer than all before. */
  deliver: (challenge: Challenge) => void;
  /** Ends the watch: discards a waiting state, and `next` rejects with the error. */
  fail: (error: CodedError) => void;
  /** The next state; undefined once the signal is aborted. */
  next: () => Promise<Challenge | undefined>;
};

/**
 * Buffer between the hub and a reader of one challenge. It never delivers a state twice or an older one after a newer one, regardless of
 * their source (events and their duplicates, polling, the first read). A slow reader skips states: only the newest one waits.
 */
export const createWatcher = (signal: AbortSignal): Watcher => {
  let reached = -1;
  let waiting: Challenge | undefined;
  let failure: CodedError | undefined;
  let wake: () => void = () => undefined;
  signal.addEventListener('abort', () => wake(), { once: true });
  return {
    deliver: (challenge) => {
      if (failure !== undefined || progressOf(challenge.status) <= reached) return;
      reached = progressOf(challenge.status);
      waiting = challenge;
      wake();
    },
    fail: (error) => {
      failure ??= error;
      waiting = undefined;
      wake();
    },
    next: async () => {
      for (;;) {
        if (signal.aborted) return undefined;
        if (failure !== undefined) throw failure;
        if (waiting !== undefined) {
          const next = waiting;
          waiting = undefined;
          return next;
        }
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
  };
};
