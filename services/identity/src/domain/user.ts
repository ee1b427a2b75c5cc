import type { KycState } from './kyc.ts';

export type Wallet = {
  /** EIP-55. */
  address: string;
  /** Whether it registered the user. */
  primary: boolean;
};

/** A registered person. */
export type User = {
  id: string;
  partnerId: string;
  /** As typed; `emailKey` decides sameness. */
  email: string;
  emailKey: string;
  /** The primary one first. */
  wallets: Wallet[];
  kycStatus: KycState;
  kycProfileId: string;
  /** When the provider moved the check last. */
  kycChangedAt?: Date | undefined;
  accountId: string;
  createdAt: Date;
};

/** The form of an address that is compared and stored as `_id`; its EIP-55 form is for people and for the wire. */
export const walletKeyOf = (address: string): string => address.toLowerCase();
