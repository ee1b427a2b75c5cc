/**
 * Step of an erasure. Each step is recorded after its work is done, and its work can be repeated:
 * - `requested`: nothing was changed yet; the ledger may still refuse to close the account
 * - `closed`: the account is closed. From here the erasure can only be completed
 * - `ended`: the card and 3-D Secure services have ended and erased what the user had there
 * - `erased`: sessions are ended and the personal data of the user is erased
 * - `released`: the e-mail address and the wallets may register again
 */
export type ErasureStep = 'requested' | 'closed' | 'ended' | 'erased' | 'released';

export type Erasure = {
  userId: string;
  step: ErasureStep;
  /** The call that may withdraw the request. A later call takes it over. */
  attempt: string;
  /** True if a block of the account does not prevent the erasure. */
  includeBlocked: boolean;
  requestedAt: Date;
  /** Present from `erased`. */
  erasedAt?: Date;
  /** Time at which the claims are released. Present from `erased`. */
  releaseAt?: Date;
};

export const isErased = ({ step }: Pick<Erasure, 'step'>): boolean => step === 'erased' || step === 'released';
