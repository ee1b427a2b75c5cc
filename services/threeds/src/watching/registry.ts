import { CodedError, type ErrorCode } from '@florin/rpc/errors';
import type { Challenge } from '../domain/challenge.ts';
import type { Watcher } from './watcher.ts';

/** Watchers per process. */
const MAX_WATCHERS = 20_000;

/** Streams per user: a few devices, each possibly twice while reconnecting. */
const MAX_WATCHERS_PER_USER = 50;

type Group = Map<string, Set<Watcher>>;

/** Maps challenges and users to their watchers. */
export const createRegistry = () => {
  const byChallenge: Group = new Map();
  const byUser: Group = new Map();
  let size = 0;

  const add = (group: Group, key: string, watcher: Watcher, limit: { most: number; code: ErrorCode }): (() => void) => {
    const watchers = group.get(key) ?? new Set();
    if (size >= MAX_WATCHERS) throw new CodedError('SERVICE_UNAVAILABLE', { message: 'the limit of watchers is reached' });
    if (watchers.size >= limit.most) throw new CodedError(limit.code, { message: 'the limit of streams is reached' });
    watchers.add(watcher);
    group.set(key, watchers);
    size += 1;
    return () => {
      if (!watchers.delete(watcher)) return;
      size -= 1;
      if (watchers.size === 0) group.delete(key);
    };
  };

  return {
    addForChallenge: (challengeId: string, watcher: Watcher) =>
      add(byChallenge, challengeId, watcher, { most: MAX_WATCHERS, code: 'SERVICE_UNAVAILABLE' }),
    addForUser: (userId: string, watcher: Watcher) =>
      add(byUser, userId, watcher, { most: MAX_WATCHERS_PER_USER, code: 'STREAM_LIMIT_REACHED' }),
    /** All watchers of a challenge. */
    of: ({ id, userId }: Pick<Challenge, 'id' | 'userId'>): Watcher[] => [...(byChallenge.get(id) ?? []), ...(byUser.get(userId) ?? [])],
    /** Watched challenges that were not terminal when last delivered. */
    openChallenges: (): string[] => {
      const watchers = [...byUser.values()].flatMap((group) => [...group]);
      return [...new Set([...byChallenge.keys(), ...watchers.flatMap((watcher) => watcher.open())])];
    },
    users: (): string[] => [...byUser.keys()],
    failAll: (error: CodedError): void => {
      for (const watchers of [...byChallenge.values(), ...byUser.values()]) for (const watcher of watchers) watcher.fail(error);
    },
  };
};

export type WatcherRegistry = ReturnType<typeof createRegistry>;
