import type { OutboxRelay } from '@florin/data/outbox';
import { CodedError } from '@florin/rpc/errors';
import type { Runtime } from '@florin/rpc/runtime';
import type { Account } from '../domain/account.ts';
import type { Assets } from '../domain/assets.ts';
import type { BlockStore, CheckpointStore, EntryReader, PageStore, ProjectionAudit } from '../journal/ports.ts';
import type { Shards } from '../shards/shards.ts';
import type { Accounts } from '../store/accounts.ts';
import type { MovementClaims } from '../store/movement-claims.ts';
import type { Movements } from '../store/movements.ts';
import type { References } from '../store/references.ts';

/** What the handlers are made of. */
export type Dependencies = {
  assets: Assets;
  accounts: Accounts;
  references: References;
  movements: Movements;
  claims: MovementClaims;
  entries: EntryReader;
  shards: Shards;
  /** Says that an account has a deposit to screen. */
  screenSoon: (accountId: string) => void;
  blocks: BlockStore;
  pages: PageStore;
  checkpoints: CheckpointStore;
  audit: ProjectionAudit;
  runtime: Runtime;
  relay: OutboxRelay;
};

/** @throws CodedError ACCOUNT_NOT_FOUND */
export const requireAccount = (account: Account | undefined): Account => {
  if (account === undefined) throw new CodedError('ACCOUNT_NOT_FOUND');
  return account;
};
