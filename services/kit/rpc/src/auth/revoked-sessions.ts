import { CodedError } from '../errors/index.ts';
import { pause } from '../time.ts';
import { tokenRejected } from './token-problem.ts';
import { ACCESS_TOKEN_LIFE_MS } from './user-token.ts';

/** How long a revocation is kept: the lifetime of an access token and five minutes for clock skew, in milliseconds. */
export const REVOCATION_KEPT_MS = ACCESS_TOKEN_LIFE_MS + 5 * 60 * 1000;

/** Maximum number of revocations kept: about a thousand per second, and some hundred megabytes. */
const MAX_SESSIONS = 1_000_000;

/** After this long without news (a call of `heard`), it is unknown whether a session was revoked. */
const MAX_SILENCE_MS = 5000;

/** How long a request waits for news before it is rejected. */
const PATIENCE_MS = 250;

/** The revocations known to a process, by name (see revocation-names.ts). A check is a few lookups in a map, so that every request can afford one. */
export type RevokedSessions = {
  /**
   * Returns undefined when none of the names is revoked. After five seconds without news it returns a promise that waits briefly for
   * news, because a process that was paused catches up within that time.
   * @throws CodedError UNAUTHORIZED when one of them was revoked. The promise rejects with SERVICE_UNAVAILABLE when there is still no
   * news, or when there were more revocations than can be kept
   */
  check: (...names: readonly string[]) => Promise<void> | undefined;
  /** Records revocations. Those that are already known are ignored. */
  add: (names: readonly string[]) => void;
  /** Records news: at this moment, all revocations so far have been added. */
  heard: () => void;
  /** Calls back once one of the names is revoked, immediately if one already is. @returns the function that unsubscribes */
  onRevoked: (names: readonly string[], callback: () => void) => () => void;
};

/**
 * Creates an empty set of revoked sessions, without news so far.
 * @param options `now` is a monotonic clock in milliseconds
 */
export const createRevokedSessions = ({
  now = () => performance.now(),
  maxSessions = MAX_SESSIONS,
}: {
  now?: () => number;
  maxSessions?: number;
} = {}): RevokedSessions => {
  /** Name → time at which it may be forgotten, the oldest first. */
  const known = new Map<string, number>();
  const waiting = new Map<string, Set<() => void>>();
  let heardAt = Number.NEGATIVE_INFINITY;
  /** Until this time, a revocation that exceeded the limit may still matter. */
  let incompleteUntil = Number.NEGATIVE_INFINITY;

  const forgetExpired = (time: number): void => {
    for (const [sessionId, until] of known) {
      if (time < until) return;
      known.delete(sessionId);
    }
  };

  const statusOf = (names: readonly string[]): 'good' | 'unknown' => {
    if (names.some((name) => known.has(name))) throw tokenRejected('revoked');
    const time = now();
    return time - heardAt > MAX_SILENCE_MS || time < incompleteUntil ? 'unknown' : 'good';
  };

  return {
    check: (...names) => {
      if (statusOf(names) === 'good') return undefined;
      return pause(PATIENCE_MS).then(() => {
        if (statusOf(names) === 'unknown') throw new CodedError('SERVICE_UNAVAILABLE', { message: 'revoked sessions are unknown' });
      });
    },
    add: (names) => {
      const time = now();
      forgetExpired(time);
      for (const name of names) {
        if (known.has(name)) continue;
        if (known.size >= maxSessions) incompleteUntil = time + REVOCATION_KEPT_MS;
        else known.set(name, time + REVOCATION_KEPT_MS);
        for (const callback of [...(waiting.get(name) ?? [])]) callback();
        waiting.delete(name);
      }
    },
    heard: () => {
      heardAt = now();
    },
    onRevoked: (names, callback) => {
      if (names.some((name) => known.has(name))) {
        callback();
        return () => undefined;
      }
      const subscriptions = names.map((name) => {
        const callbacks = waiting.get(name) ?? new Set();
        waiting.set(name, callbacks.add(callback));
        return () => {
          callbacks.delete(callback);
          if (callbacks.size === 0 && waiting.get(name) === callbacks) waiting.delete(name);
        };
      });
      return () => {
        for (const unsubscribe of subscriptions) unsubscribe();
      };
    },
  };
};
