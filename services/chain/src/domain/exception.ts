import type { SafeTransfer } from './transfer.ts';

/**
 * Why a transfer needs a person: the ledger refused to book it (`refused`), or money left a Safe without the platform (`left`), which is
 * booked and blocks the account.
 */
export type ExceptionKind = 'refused' | 'left';

/** open → closed. */
export type ExceptionStatus = 'open' | 'closed';

/** A transfer that needs a person. */
export type WatchException = {
  /** UUID, derived from the transfer. */
  id: string;
  kind: ExceptionKind;
  status: ExceptionStatus;
  /** Error code of the ledger; only of a refused one. */
  code?: string;
  transfer: SafeTransfer;
  createdAt: Date;
  closedBy?: string;
  note?: string;
};
