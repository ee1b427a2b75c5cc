/** Scopes that the 3DS RPCs require of a service token. */
export const THREEDS_SCOPES = {
  readChallenges: 'threeds.challenges.read',
  writeChallenges: 'threeds.challenges.write',
  /** Changes of all users' challenges; for the gateway. */
  watchChallenges: 'threeds.challenges.watch',
  /** Uses cardholders' approvals up; for the card service. */
  consumeAuthentications: 'threeds.authentications.consume',
} as const;
