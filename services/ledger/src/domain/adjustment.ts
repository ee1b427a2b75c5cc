import type { Metadata } from './metadata.ts';

/** pending → approved → booked or failed, and pending → rejected or expired. One that needs no approval begins as approved. */
export const ADJUSTMENT_STATUSES = ['pending', 'approved', 'booked', 'rejected', 'failed', 'expired'] as const;
export type AdjustmentStatus = (typeof ADJUSTMENT_STATUSES)[number];

/** The work of an adjustment. Amounts are integer strings in the token's smallest unit. */
export type AdjustmentChange =
  | {
      kind: 'transfers';
      transfers: readonly { debit: string; credit: string; token: string; amount: string }[];
      forced: boolean;
      /** As given: empty unless it is a system entry. */
      shard: string;
    }
  | {
      kind: 'reversal';
      /** Empty for a system entry. */
      accountId: string;
      entryId: string;
      parts: readonly { transfer: number; amount: string }[];
      forced: boolean;
      shard: string;
    }
  | { kind: 'deposit_reversal'; depositId: string };

/** A movement of money that an operator orders. */
export type Adjustment = {
  id: string;
  /** Hash of what was ordered. */
  inputHash: string;
  /** Shard that it is booked in. */
  shard: string;
  status: AdjustmentStatus;
  change: AdjustmentChange;
  /** `approvedBy` is empty until a second person has approved. */
  metadata: Metadata;
  needsApproval: boolean;
  rejectedBy: string;
  /** Absent where nobody said why, also for those that earlier releases rejected. */
  rejectionReason?: string;
  /** Id of its entry; empty unless booked. */
  entryId: string;
  /** Code of the journal's refusal; empty unless failed. */
  failureCode: string;
  createdAt: Date;
  updatedAt: Date;
};

/** The movement of an adjustment: an amount of a token, and the ids of the accounts on both sides. */
export type Moved = { token: string; amount: bigint; accounts: readonly string[] };
