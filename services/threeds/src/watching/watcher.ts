import { CodedError } from '@florin/rpc/errors';
import type { Challenge } from '../domain/challenge.ts';
import { type ChallengeStatus, isTerminal } from '../domain/challenge-state.ts';

/** A state of a challenge, and the position in the event stream up to which its reader is current after reading it. */
export type Update = { challenge: Challenge; position: string };

export type Watcher = {
  /** Sets the states that the reader gets first; updates received in the meantime that are not newer are dropped. */
  start: (first: readonly Update[]) => void;
  deliver: (update: Update) => void;
  /** Ends the watch: discards waiting updates, and `next` rejects with the error. */
  fail: (error: CodedError) => void;
  /** The next state; undefined once the signal is aborted. */
  next: () => Promise<Update | undefined>;
  /** Ids of delivered challenges that can still change. */
  open: () => string[];
};

/** Updates waiting for a reader. A newer state replaces an older one of the same challenge. */
const MAX_WAITING = 64;

/** Challenges whose last delivered state is remembered. */
const MAX_DELIVERED = 1000;

/** Progress of a challenge. It never decreases, so it orders states that arrive on different paths. */
const progress = (status: ChallengeStatus): number => {
  if (status === 'pending') return 0;
  return isTerminal(status) ? 2 : 1;
};

/**
 * Buffer between the hub and one reader. It never delivers a state twice or an older one after a newer one, regardless of their source
 * (events and their duplicates, polling, the first read), and holds at most `MAX_WAITING` updates for a slow reader.
 */
export const createWatcher = (signal: AbortSignal): Watcher => {
  const delivered = new Map<string, number>();
  let waiting = new Map<string, Update>();
  let failure: CodedError | undefined;
  let wake: () => void = () => undefined;
  signal.addEventListener('abort', () => wake(), { once: true });

  const isNewer = ({ challenge: { id, status } }: Update): boolean => {
    const reached = progress(status);
    if ((delivered.get(id) ?? -1) >= reached) return false;
    delivered.delete(id);
    delivered.set(id, reached);
    const oldest = delivered.size > MAX_DELIVERED ? delivered.keys().next().value : undefined;
    if (oldest !== undefined) delivered.delete(oldest);
    return true;
  };

  const deliver = (update: Update): void => {
    if (failure !== undefined || !isNewer(update)) return;
    // Moves to the end of the queue, so that positions only grow.
    waiting.delete(update.challenge.id);
    waiting.set(update.challenge.id, update);
    if (waiting.size > MAX_WAITING)
      fail(new CodedError('SERVICE_UNAVAILABLE', { message: 'the reader is too slow: too many updates are waiting' }));
    wake();
  };

  const fail = (error: CodedError): void => {
    failure ??= error;
    waiting.clear();
    wake();
  };

  return {
    deliver,
    fail,
    start: (first) => {
      const meanwhile = waiting;
      waiting = new Map();
      delivered.clear();
      for (const update of first) isNewer(update);
      for (const update of meanwhile.values()) deliver(update);
    },
    next: async () => {
      for (;;) {
        if (signal.aborted) return undefined;
        if (failure !== undefined) throw failure;
        const [update] = waiting.values();
        if (update !== undefined) {
          waiting.delete(update.challenge.id);
          return update;
        }
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
    open: () => [...delivered].flatMap(([id, reached]) => (reached < 2 ? [id] : [])),
  };
};
