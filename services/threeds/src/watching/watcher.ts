import { CodedError } from '@florin/rpc/errors';
import type { Challenge } from '../domain/challenge.ts';
import { type ChallengeStatus, isTerminal } from '../domain/challenge-state.ts';

/** A state of a challenge, and the position in the event stream up to which its reader knows everything once it has read this. */
export type Update = { challenge: Challenge; position: string };

export type Watcher = {
  /** Names the states that its reader gets first; what was told in the meantime and is no news any more is dropped. */
  start: (first: readonly Update[]) => void;
  tell: (update: Update) => void;
  /** Ends it: `next` rejects with the error once it has nothing else to tell. */
  fail: (error: CodedError) => void;
  /** The next state; undefined once the signal aborted. */
  next: () => Promise<Update | undefined>;
  /** Ids of the challenges that it told and that can still change. */
  open: () => string[];
};

/** States that wait for a reader. A newer state takes the place of an older one of its challenge. */
const MAX_WAITING = 64;

/** Challenges whose last told state is remembered. */
const MAX_TOLD = 1000;

/** How far a challenge has come. It only ever grows, so that it orders what several paths tell of the same challenge. */
const progress = (status: ChallengeStatus): number => {
  if (status === 'pending') return 0;
  return isTerminal(status) ? 2 : 1;
};

/**
 * What stands between the hub and one reader: never tells a state twice or an older one after a newer one, wherever they come from
 * (events and their twins, polling, the first read), and never holds more than `MAX_WAITING` for a reader that is slow.
 */
export const createWatcher = (signal: AbortSignal): Watcher => {
  const told = new Map<string, number>();
  let waiting = new Map<string, Update>();
  let failure: CodedError | undefined;
  let wake: () => void = () => undefined;
  signal.addEventListener('abort', () => wake(), { once: true });

  const isNews = ({ challenge: { id, status } }: Update): boolean => {
    const reached = progress(status);
    if ((told.get(id) ?? -1) >= reached) return false;
    told.delete(id);
    told.set(id, reached);
    const oldest = told.size > MAX_TOLD ? told.keys().next().value : undefined;
    if (oldest !== undefined) told.delete(oldest);
    return true;
  };

  const tell = (update: Update): void => {
    if (failure !== undefined || !isNews(update)) return;
    // Last in line again, so that positions only grow.
    waiting.delete(update.challenge.id);
    waiting.set(update.challenge.id, update);
    if (waiting.size > MAX_WAITING) fail(new CodedError('SERVICE_UNAVAILABLE', { message: 'the reader is too slow' }));
    wake();
  };

  const fail = (error: CodedError): void => {
    failure ??= error;
    waiting.clear();
    wake();
  };

  return {
    tell,
    fail,
    start: (first) => {
      const meanwhile = waiting;
      waiting = new Map();
      told.clear();
      for (const update of first) isNews(update);
      for (const update of meanwhile.values()) tell(update);
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
    open: () => [...told].flatMap(([id, reached]) => (reached < 2 ? [id] : [])),
  };
};
