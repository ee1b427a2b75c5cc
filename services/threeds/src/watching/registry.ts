import { CodedError } from '@florin/rpc/errors';
import type { Challenge } from '../domain/challenge.ts';
import type { Reader } from './reader.ts';
import type { Watcher } from './watcher.ts';

/** Watchers of single challenges per process. */
const MAX_WATCHERS = 20_000;

/** Readers of all challenges per process: the gateways and access control servers of a platform. */
const MAX_READERS = 100;

const full = (): CodedError => new CodedError('SERVICE_UNAVAILABLE', { message: 'the limit of watchers is reached' });

/** Maps challenges to their watchers, and knows the readers of all challenges. */
export const createRegistry = () => {
  const byChallenge = new Map<string, Set<Watcher>>();
  const readers = new Set<Reader>();
  let size = 0;

  return {
    /** @throws CodedError SERVICE_UNAVAILABLE when this process has reached its limit of watchers */
    addWatcher: (challengeId: string, watcher: Watcher): (() => void) => {
      if (size >= MAX_WATCHERS) throw full();
      const watchers = byChallenge.get(challengeId) ?? new Set();
      watchers.add(watcher);
      byChallenge.set(challengeId, watchers);
      size += 1;
      return () => {
        if (!watchers.delete(watcher)) return;
        size -= 1;
        if (watchers.size === 0) byChallenge.delete(challengeId);
      };
    },
    /** @throws CodedError SERVICE_UNAVAILABLE when this process has reached its limit of readers */
    addReader: (reader: Reader): (() => void) => {
      if (readers.size >= MAX_READERS) throw full();
      readers.add(reader);
      return () => {
        readers.delete(reader);
      };
    },
    readers: (): Reader[] => [...readers],
    watchersOf: ({ id }: Pick<Challenge, 'id'>): Watcher[] => [...(byChallenge.get(id) ?? [])],
    /** Reports whether changes of the challenge are delivered to anyone. */
    isFollowed: (challengeId: string): boolean => readers.size > 0 || byChallenge.has(challengeId),
    watchedChallenges: (): string[] => [...byChallenge.keys()],
    failAll: (error: CodedError): void => {
      for (const watchers of byChallenge.values()) for (const watcher of watchers) watcher.fail(error);
      for (const reader of readers) reader.fail(error);
    },
  };
};
