import type { KycState } from './kyc.ts';

export type Wallet = {
  /** EIP-55. */
  address: string;
  /** True if it registered the user, or replaced the wallet that did. */
  primary: boolean;
  /** End of its cooling time: until then it may sign in, but not approve anything. Absent for the wallet that registered the user. */
  approvesFrom?: Date | undefined;
};

/** A registered person. */
export type User = {
  id: string;
  partnerId: string;
  /** As typed. */
  email: string;
  /** Primary wallet first. */
  wallets: Wallet[];
  kycStatus: KycState;
  kycProfileId: string;
  /** When the identity check last changed its state. */
  kycChangedAt?: Date | undefined;
  /** When the provider took back its approval; absent while it approves, and before. */
  kycRevokedAt?: Date | undefined;
  accountId: string;
  createdAt: Date;
  /** Present once the user's erasure has begun: nobody signs in as the user any more. */
  isErasing?: boolean | undefined;
};

/** Form of an address for comparisons and `_id`s. The EIP-55 form is for display and the wire. */
export const walletKeyOf = (address: string): string => address.toLowerCase();
