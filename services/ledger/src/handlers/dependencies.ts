import type { OutboxRelay } from '@florin/data/outbox';
import type { Assets } from '@florin/rpc/assets';
import { CodedError } from '@florin/rpc/errors';
import type { Amount } from '@florin/rpc/money';
import type { Runtime } from '@florin/rpc/runtime';
import type { PublicKey, SigningKey } from '@florin/rpc/signing-key';
import type { Address } from 'viem';
import type { Account } from '../domain/account.ts';
import type { ApprovalRules } from '../domain/approval-window.ts';
import type { SystemAccounts } from '../domain/system-accounts.ts';
import type { Halts } from '../halting/halts.ts';
import type { SnapshotRounds } from '../heads/start-snapshots.ts';
import type { BlockStore } from '../journal/ports.ts';
import type { KytScreener } from '../ports/kyt-screener.ts';
import type { FindArchive } from '../reading/archived.ts';
import type { Shards } from '../shards/shards.ts';
import type { Accounts } from '../store/accounts.ts';
import type { AdjustmentStore } from '../store/adjustments.ts';
import type { ApprovalWindowStore } from '../store/approval-windows.ts';
import type { HeadStore } from '../store/heads.ts';
import type { MovementClaims } from '../store/movement-claims.ts';
import type { Movements } from '../store/movements.ts';
import type { References } from '../store/references.ts';
import type { Screenings } from '../store/screenings.ts';
import type { SnapshotStore } from '../store/snapshots.ts';
import type { LimitsOf } from './collection-limits.ts';

/** The dependencies of the handlers. */
export type Dependencies = {
  assets: Assets;
  systemAccounts: SystemAccounts;
  /** When an adjustment needs a second person's approval, and how long it waits for it. */
  approval: ApprovalRules & { expiresMs: number };
  approvalWindows: ApprovalWindowStore;
  adjustments: AdjustmentStore;
  accounts: Accounts;
  /** True if an account becomes active only once its Safe is confirmed. */
  accountsNeedSafe: boolean;
  /** Second owner of the Safes of new accounts (EIP-55). */
  platformOwner: Address | undefined;
  references: References;
  movements: Movements;
  screenings: Pick<Screenings, 'ids'>;
  claims: MovementClaims;
  shards: Shards;
  /** Undefined: an external system screens deposits, and nobody recipients. */
  screener: KytScreener | undefined;
  /** Called when an account has a deposit to screen. */
  screenSoon: (accountId: string) => void;
  blocks: BlockStore;
  findArchive: FindArchive;
  heads: Pick<HeadStore, 'newest' | 'newestWithRoot' | 'findWithRoot'>;
  snapshots: SnapshotStore;
  /** Begins snapshots as of some blocks. @returns false while others that were ordered are being made */
  makeSnapshot: SnapshotRounds['make'];
  /** Undefined: no heads are signed. */
  headSigner: SigningKey | undefined;
  /** Keys whose heads are valid, the one that signs first. */
  headKeys: readonly PublicKey[];
  /** The least amount of a deposit of a token that is credited. */
  minimumOf: (token: string) => Amount;
  /** Limits of new holds of an account. */
  limitsOf: LimitsOf;
  halts: Omit<Halts, 'tokens' | 'close'>;
  runtime: Runtime;
  relay: OutboxRelay;
};

/** @throws CodedError ACCOUNT_NOT_FOUND */
export const requireAccount = (account: Account | undefined): Account => {
  if (account === undefined) throw new CodedError('ACCOUNT_NOT_FOUND');
  return account;
};
