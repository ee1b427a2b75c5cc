import type { Challenge } from '../domain/challenge.ts';

/** About a kilobyte each. */
const MAX_REMEMBERED = 5000;

/** The challenges that this process has seen most recently, as it last saw them. */
export const createRememberedChallenges = () => {
  const seen = new Map<string, Challenge>();
  return {
    get: (id: string): Challenge | undefined => seen.get(id),
    remember: (challenge: Challenge): Challenge => {
      seen.delete(challenge.id);
      seen.set(challenge.id, challenge);
      const oldest = seen.size > MAX_REMEMBERED ? seen.keys().next().value : undefined;
      if (oldest !== undefined) seen.delete(oldest);
      return challenge;
    },
  };
};
