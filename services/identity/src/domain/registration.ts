/**
 * Step of a registration. Each step is recorded after its work is done, and its work can be repeated:
 * - `started`: ids are chosen and never change
 * - `profile_created`: the KYC provider has a profile
 * - `account_opened`: the ledger has an account
 * - `claimed`: e-mail address and wallet belong to the user. From here the registration can only be completed, with this e-mail
 *   address
 * - `completed`: the user exists
 * - `abandoned`: another user claimed the e-mail address; what was created is being undone
 */
export type RegistrationStep = 'started' | 'profile_created' | 'account_opened' | 'claimed' | 'completed' | 'abandoned';

/** The e-mail address, and the partner at which it registers. */
export type RegistrationSubject = { partnerId: string; email: string; emailKey: string };

export type Registration = RegistrationSubject & {
  /** EIP-55. */
  wallet: string;
  userId: string;
  accountId: string;
  kycProfileId?: string | undefined;
  step: RegistrationStep;
  createdAt: Date;
  updatedAt: Date;
};

/** Reports whether the e-mail address may still change. */
export const isOpen = ({ step }: Registration): boolean => step === 'started' || step === 'profile_created' || step === 'account_opened';

export const isSameSubject = (a: RegistrationSubject, b: RegistrationSubject): boolean =>
  a.partnerId === b.partnerId && a.emailKey === b.emailKey;
