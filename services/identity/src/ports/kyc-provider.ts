export type ProfileToCreate = {
  /** The idempotency key: one profile per user, however often it is asked for. */
  userId: string;
  email: string;
  /** Token of an identity check that the person did elsewhere. */
  shareToken?: string | undefined;
};

/** Whoever checks identities. Rejects when no profile came about; a repeat is always safe. */
export type KycProvider = {
  /** @returns id of the profile, a UUID */
  createProfile: (profile: ProfileToCreate) => Promise<string>;
};
