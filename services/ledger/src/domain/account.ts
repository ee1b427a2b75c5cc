/** provisioning → active ⇄ blocked → closed, and provisioning → closed. Closed is final. */
export type AccountStatus = 'provisioning' | 'active' | 'blocked' | 'closed';

/** What the opener of an account chooses. */
export type AccountContent = {
  userId: string;
  kycProfileId: string;
  /** EIP-55 address. */
  safeOwnerAddress: string;
};

/** The Safe account of a user. Holds no money: that is in the journal. */
export type Account = AccountContent & {
  id: string;
  /** EIP-55 address. */
  safeAddress: string;
  chainId: number;
  chainName: string;
  reference: string;
  nativeCurrency: string;
  additionalCurrencies: readonly string[];
  status: AccountStatus;
  createdAt: Date;
  updatedAt: Date;
  provisionedAt?: Date;
  closedAt?: Date;
};

/** From which states a state can be reached. The store makes a condition of its write out of this. */
export const REACHABLE_FROM: Readonly<Record<AccountStatus, readonly AccountStatus[]>> = {
  provisioning: [],
  active: ['provisioning', 'blocked'],
  blocked: ['active'],
  // The journal decides that an account ends; by then nothing of its record stands against it.
  closed: ['provisioning', 'active', 'blocked'],
};
