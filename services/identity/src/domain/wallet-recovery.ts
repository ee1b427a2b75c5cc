import type { ErrorCode } from '@florin/rpc/errors';

/** pending → approved → completed or failed, and pending → rejected. */
export const RECOVERY_STATUSES = ['pending', 'approved', 'completed', 'rejected', 'failed'] as const;
export type RecoveryStatus = (typeof RECOVERY_STATUSES)[number];

/** The ordered transaction. Addresses are EIP-55. */
export type RecoveryOrder = {
  userId: string;
  lostWallet: string;
  replacementWallet: string;
  actor: string;
  reason: string;
};

/** Replacement of a wallet that its user lost, ordered by one person and approved by another one. */
export type WalletRecovery = RecoveryOrder & {
  /** UUID chosen by the caller. */
  id: string;
  status: RecoveryStatus;
  /** Empty until a second person has approved. */
  approvedBy: string;
  /** Empty unless rejected. */
  rejectedBy: string;
  /** Why it could not be carried out; empty unless failed. */
  failureCode: ErrorCode | '';
  /** True once the ledger was told that the lost wallet owns no Safe that may be used; absent in those that an older release completed. */
  ownerRevoked?: boolean;
  createdAt: Date;
  updatedAt: Date;
};

/** Reports whether two orders with the same id are the same. */
export const isSameOrder = (a: RecoveryOrder, b: RecoveryOrder): boolean =>
  a.userId === b.userId &&
  a.lostWallet === b.lostWallet &&
  a.replacementWallet === b.replacementWallet &&
  a.actor === b.actor &&
  a.reason === b.reason;
