export type ProfileToCreate = {
  /** Idempotency key: a user has one profile, however often it is requested. */
  userId: string;
  email: string;
  /** Token of an identity check that the user completed elsewhere. */
  shareToken?: string | undefined;
};

/** A page of the provider on which a user submits documents. Its URL is secret. */
export type KycSession = { url: string; expiresAt: Date };

/** Checks identities. Calls reject on failure and can be repeated. Results arrive as events. */
export type KycProvider = {
  /** @returns id of the profile, a UUID */
  createProfile: (profile: ProfileToCreate) => Promise<string>;
  createSession: (profileId: string) => Promise<KycSession>;
};
