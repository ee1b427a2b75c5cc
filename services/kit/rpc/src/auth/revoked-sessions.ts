import { CodedError } from '../errors/index.ts';
import { pause } from '../time/index.ts';
import { ACCESS_TOKEN_LIFE_MS } from './user-token.ts';

/** A revocation is kept for longer than any access token of its session can live, whatever the clocks disagree about. */
export const REVOCATION_KEPT_MS = ACCESS_TOKEN_LIFE_MS + 5 * 60 * 1000;

/** Some hundred megabytes. A thousand revocations a second for all the time that they are kept. */
const MAX_SESSIONS = 1_000_000;

/** Without news for longer than this nobody can say that a session was not revoked. */
const MAX_SILENCE_MS = 5000;

/** How long a request waits for news before it is refused. */
const PATIENCE_MS = 250;

/** The revoked sessions that a process knows of. Asked on every request: a look into a map, no call to anybody. */
export type RevokedSessions = {
  /**
   * Answers nothing when all is well. Without news for more than five seconds it answers a promise that waits a moment for some: a process
   * that was paused finds them where it left off.
   * @throws CodedError UNAUTHORIZED when the session was revoked; or rejects with SERVICE_UNAVAILABLE when there is still no news of
   * revocations, or more of them than can be kept
   */
  check: (sessionId: string) => Promise<void> | undefined;
  /** Takes revocations in, known ones too. */
  add: (sessionIds: readonly string[]) => void;
  /** Says that everything revoked so far has been added. */
  heard: () => void;
  /** Calls back once the session is revoked, at once when it is. @returns how not to be called any more */
  onRevoked: (sessionId: string, callback: () => void) => () => void;
};

/** @param now a clock that never goes back, in milliseconds */
export const createRevokedSessions = ({
  now = () => performance.now(),
  maxSessions = MAX_SESSIONS,
}: {
  now?: () => number;
  maxSessions?: number;
} = {}): RevokedSessions => {
  /** Session → when it may be forgotten; the oldest first. */
  const known = new Map<string, number>();
  const waiting = new Map<string, Set<() => void>>();
  let heardAt = Number.NEGATIVE_INFINITY;
  /** Until then some revocation that could not be kept may matter. */
  let incompleteUntil = Number.NEGATIVE_INFINITY;

  const forgetOld = (time: number): void => {
    for (const [sessionId, until] of known) {
      if (time < until) return;
      known.delete(sessionId);
    }
  };

  const judge = (sessionId: string): 'good' | 'unknown' => {
    if (known.has(sessionId)) throw new CodedError('UNAUTHORIZED', { message: 'the session was revoked' });
    const time = now();
    return time - heardAt > MAX_SILENCE_MS || time < incompleteUntil ? 'unknown' : 'good';
  };

  return {
    check: (sessionId) => {
      if (judge(sessionId) === 'good') return undefined;
      return pause(PATIENCE_MS).then(() => {
        if (judge(sessionId) === 'unknown') throw new CodedError('SERVICE_UNAVAILABLE', { message: 'revoked sessions are not known' });
      });
    },
    add: (sessionIds) => {
      const time = now();
      forgetOld(time);
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
