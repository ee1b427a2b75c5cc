import type { Hex } from '@florin/evm/hex';
import type { BackupKey, DelaySettings, OwnerSignature, SafeParties } from '@florin/evm/safe';
import type { Address } from 'viem';

/** The parties of a Safe, and how its Delay module is set up. */
export type SafePlan = {
  parties: SafeParties;
  delay: DelaySettings;
  /** Absent: a lost owner cannot be exchanged. */
  backup?: BackupKey;
  /** The platform's signature over the set-up; absent where the user alone signs it, and once the Safe has been changed. */
  signature?: OwnerSignature;
};

/** In what a Safe on chain differs from what an account needs. */
export type SafeFinding =
  /** There is no code at the address. */
  | 'not_deployed'
  /** A contract that all Safes share is not the pinned one. */
  | 'contract_not_pinned'
  /** The proxy, its master copy or its fallback handler is another contract. */
  | 'code_differs'
  | 'guard_set'
  /** Not exactly the user's wallet and the platform's key. */
  | 'owners_differ'
  /** Not both owners must sign. */
  | 'threshold_differs'
  /** Not exactly the Delay module, and with a backup key that of the recovery. */
  | 'modules_differ'
  /** The module of the recovery is another one, or somebody else may use it, or a request waits in it that the platform did not sign. */
  | 'recovery_differs'
  /** The Delay module's code, owner, target, cooldown, expiration or guard is another one. */
  | 'delay_differs'
  /** Someone else than the user's wallet may use the Delay module. */
  | 'delay_users_differ'
  /** The limit or the approval of a token is not the one of the set-up. */
  | 'collection_differs'
  /** The Delay module holds a transaction. */
  | 'exit_pending'
  /** It could not be inspected for too long, while others could. */
  | 'not_inspected'
  /** It holds what neither its views nor the approvals of its owner explain, as far as nodes show them. */
  | 'storage_differs'
  /** It has executed something besides the set-up and what the platform signed, or its storage has differed for a day. It is so for ever. */
  | 'history_differs';

/** relaying → verified or deviating; verified ⇄ deviating; deviating → relaying. Nothing follows on deviating with `history_differs`. */
export type SafeStatus = 'relaying' | 'verified' | 'deviating';

/** The Safe of an account from the moment its owner has signed the set-up. */
export type AccountSafe = SafeParties & {
  status: SafeStatus;
  /** How its Delay module is set up; absent until the first inspection of one that was set up before this was recorded. */
  delay?: DelaySettings;
  /** Absent: a lost owner cannot be exchanged. */
  backup?: BackupKey;
  /** The owner to whom the address commits, and the Delay module of the set-up, once a naming or a recovery has changed them. */
  first?: { owner: Address; delay: DelaySettings };
  /** The relayer's job that carries out the set-up. */
  jobId: string;
  /** The deviations that the last inspection found; empty when verified. */
  findings: readonly SafeFinding[];
  /** Block after which it was inspected last; absent before. */
  inspectedBlock?: number;
  /** Block up to which it has executed nothing but the set-up and what the platform signed; absent before the set-up was seen. */
  historyBlock?: number;
  /** When that was. */
  inspectedAt?: Date;
  /** Block with which what the account needs may have ended: the Safe is inspected once more when it is final. */
  recheckBlock?: number;
  /**
   * Tokens that its issuer has frozen for it, by contract in lower case, each with the block from which on an inspection decides whether that is over. Their
   * spending is blocked.
   */
  frozen?: Readonly<Record<Hex, number>>;
  /** Since when, and how often in a row, inspections have found `storage_differs`. */
  storageDiffers?: { since: Date; times: number };
  /** When it was first found to be what the account needs. */
  verifiedAt?: Date;
};
