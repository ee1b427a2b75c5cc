/** Scopes that the 3DS RPCs require of a service token. */
export const THREEDS_SCOPES = {
  readChallenges: 'threeds.challenges.read',
  writeChallenges: 'threeds.challenges.write',
  watchChallenges: 'threeds.challenges.watch',
} as const;
