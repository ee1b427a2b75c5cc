/** provisioning → active ⇄ blocked → closed, and provisioning → closed. Closed is final. */
export const ACCOUNT_STATUSES = ['provisioning', 'active', 'blocked', 'closed'] as const;
export type AccountStatus = (typeof ACCOUNT_STATUSES)[number];

/** The choices of the opener of an account. */
export type AccountContent = {
  userId: string;
  kycProfileId: string;
  /** EIP-55 address of the Safe's first owner, to which the Safe's address commits. */
  safeOwnerAddress: string;
};

/** The Safe account of a user. Holds no money: that is in the journal, which also decides about `status`. */
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
  /** When onboarding approved it, unless that was taken back. Kept where accounts need a Safe. */
  approvedAt?: Date;
  /** When its Safe was found deployed and verified. */
  safeConfirmedAt?: Date;
  /** When its Safe was found to be not what the account needs, unless it was confirmed since: never together with `safeConfirmedAt`. */
  safeRevokedAt?: Date;
  /** When its Safe was found to have a history for which it is never confirmed again. */
  safeHistoryDiffersAt?: Date;
  /** When somebody decided to block it, unless that was taken back; absent when something happened to its Safe. */
  decidedBlockAt?: Date;
  /** Id of its successor. */
  successorAccountId?: string;
  /** Id of the account that it succeeds. */
  formerAccountId?: string;
  /** EIP-55 address of the Safe's owner today, once a recovery has exchanged the first one. */
  exchangedOwnerAddress?: string;
  /** When the wallet that owns its Safe was found to be none of its user's any more. */
  safeOwnerRevokedAt?: Date;
  /** EIP-55 address of the wallet that is to become the owner in the place of the revoked one, or of the owner that was put back. */
  safeReplacementAddress?: string;
  /** Most that is collected from its Safe in a day, by token, as the Safe allows it: amounts in the token's smallest unit. Absent: the Safe allows nothing. */
  collectionLimits?: readonly { token: string; amount: string }[];
  provisionedAt?: Date;
  closedAt?: Date;
};

/** EIP-55 address of the wallet that owns an account's Safe today. */
export const safeOwnerOf = ({ safeOwnerAddress, exchangedOwnerAddress }: Account): string => exchangedOwnerAddress ?? safeOwnerAddress;
