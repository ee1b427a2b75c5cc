/**
 * How far a registration has come. Each step is recorded after its work is done, and its work may be repeated:
 * - `started`: ids are chosen; they never change
 * - `profile_created`: the KYC provider has a profile
 * - `account_opened`: the ledger has an account
 * - `claimed`: e-mail and wallet are the user's. The point of no return: from here the only way is forward, with this e-mail
 * - `completed`: the user exists
 * - `abandoned`: the e-mail was claimed by somebody else meanwhile; what was made is being undone
 */
export type RegistrationStep = 'started' | 'profile_created' | 'account_opened' | 'claimed' | 'completed' | 'abandoned';

/** Whose e-mail, at which partner. */
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

/** Whether the e-mail may still be exchanged. */
export const isOpen = ({ step }: Registration): boolean => step === 'started' || step === 'profile_created' || step === 'account_opened';

export const isSameSubject = (a: RegistrationSubject, b: RegistrationSubject): boolean =>
  a.partnerId === b.partnerId && a.emailKey === b.emailKey;
