export type ProfileToCreate = {
  /** The idempotency key: one profile per user, however often it is asked for. */
  userId: string;
  email: string;
  /** Token of an identity check that the person did elsewhere. */
  shareToken?: string | undefined;
};

/** A page of the provider on which a person hands in documents. Its address is a secret. */
export type KycSession = { url: string; expiresAt: Date };

/** Whoever checks identities. Rejects when nothing came about; a repeat is always safe. What comes of a check, it tells by events. */
export type KycProvider = {
  /** @returns id of the profile, a UUID */
  createProfile: (profile: ProfileToCreate) => Promise<string>;
  createSession: (profileId: string) => Promise<KycSession>;
};
