import { CodedError } from '../errors/index.ts';
import { pause } from '../time/index.ts';
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

/** The revoked sessions known to a process. A check is a lookup in a map, so that every request can afford one. */
export type RevokedSessions = {
  /**
   * Returns undefined when the session is known to be valid. After five seconds without news it returns a promise that waits briefly for
   * news, because a process that was paused catches up within that time.
   * @throws CodedError UNAUTHORIZED when the session was revoked. The promise rejects with SERVICE_UNAVAILABLE when there is still no
   * news, or when there were more revocations than can be kept
   */
  check: (sessionId: string) => Promise<void> | undefined;
  /** Records revocations. Sessions that are already known as revoked are ignored. */
  add: (sessionIds: readonly string[]) => void;
  /** Records news: at this moment, all revocations so far have been added. */
  heard: () => void;
  /** Calls back once the session is revoked, immediately if it already is. @returns the function that unsubscribes */
  onRevoked: (sessionId: string, callback: () => void) => () => void;
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
  /** Session id → time at which it may be forgotten, the oldest first. */
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

  const statusOf = (sessionId: string): 'good' | 'unknown' => {
    if (known.has(sessionId)) throw tokenRejected('revoked');
    const time = now();
    return time - heardAt > MAX_SILENCE_MS || time < incompleteUntil ? 'unknown' : 'good';
  };

  return {
    check: (sessionId) => {
      if (statusOf(sessionId) === 'good') return undefined;
      return pause(PATIENCE_MS).then(() => {
        if (statusOf(sessionId) === 'unknown') throw new CodedError('SERVICE_UNAVAILABLE', { message: 'revoked sessions are unknown' });
      });
    },
    add: (sessionIds) => {
      const time = now();
      forgetExpired(time);
      for (const sessionId of sessionIds) {
        if (known.has(sessionId)) continue;
        if (known.size >= maxSessions) incompleteUntil = time + REVOCATION_KEPT_MS;
        else known.set(sessionId, time + REVOCATION_KEPT_MS);
        for (const callback of [...(waiting.get(sessionId) ?? [])]) callback();
        waiting.delete(sessionId);
      }
    },
    heard: () => {
      heardAt = now();
    },
    onRevoked: (sessionId, callback) => {
      if (known.has(sessionId)) {
        callback();
        return () => undefined;
      }
      const callbacks = waiting.get(sessionId) ?? new Set();
      waiting.set(sessionId, callbacks.add(callback));
      return () => {
        callbacks.delete(callback);
        if (callbacks.size === 0 && waiting.get(sessionId) === callbacks) waiting.delete(sessionId);
      };
    },
  };
};
