import { LRUCache } from 'lru-cache';
import type { Challenge } from '../domain/challenge.ts';

/** About a kilobyte each. */
const MAX_REMEMBERED = 5000;

/** The challenges that this process has seen most recently, as it last saw them. Looking one up does not count as seeing it. */
export const createRememberedChallenges = () => {
  const seen = new LRUCache<string, Challenge>({ max: MAX_REMEMBERED });
  return {
    get: (id: string): Challenge | undefined => seen.peek(id),
    remember: (challenge: Challenge): Challenge => {
      seen.set(challenge.id, challenge);
      return challenge;
    },
  };
};
