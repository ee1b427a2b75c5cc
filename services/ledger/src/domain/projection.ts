import type { AccountStatus } from './account.ts';
import { statusAfter } from './account-change.ts';
import { type Block, entriesOf } from './block.ts';
import type { Entry, EntryKind } from './entry.ts';
import { isBookedAccount } from './ledger-account.ts';
import { type MovementChange, movementChange } from './movement.ts';
import { positionOf } from './position.ts';

/** An entry as it can be found: by its id, or by an account and newest first. */
export type EntryRow = {
  position: number;
  at: Date;
  /** True if it changes what is booked, so that a statement shows it. */
  booked: boolean;
  /** The entry itself (`encodeEntry`). */
  line: string;
};

/** A status that the journal decided, and the kind of entry that decided it. */
export type AccountChange = { accountId: string; status: AccountStatus; was: EntryKind; at: Date; position: number };

/** A hold that became open, expires later, or ended. */
export type HoldChange =
  | { kind: 'opened'; holdId: string; accountId: string; expiresAt: Date }
  | { kind: 'extended'; holdId: string; expiresAt: Date }
  | { kind: 'ended'; holdId: string };

/** The changes of a block to everything that is written behind the journal. */
export type BlockProjection = {
  n: number;
  /** How many entries it has. */
  entries: number;
  movements: MovementChange[];
  accounts: AccountChange[];
  holds: HoldChange[];
};

/** Kinds that can change what is booked: the others move money between the buckets of one account, or wait to be cleared. */
const BOOKED: ReadonlySet<EntryKind> = new Set([
  'transfer',
  'hold.posted',
  'deposit.approved',
  'deposit.reversed',
  'withdrawal.completed',
  'reversal',
  // Dust that leaves with the close.
  'account.closed',
]);

/** Reports whether a statement shows the entry. Settling money and uncleared deposits are not booked. */
export const isBooked = ({ kind, transfers }: Entry): boolean =>
  BOOKED.has(kind) && transfers.some(({ debit, credit }) => isBookedAccount(debit) || isBookedAccount(credit));

const HOLD_ENDS: ReadonlySet<EntryKind> = new Set(['hold.posted', 'hold.voided', 'hold.expired']);

const holdChange = ({ id, kind, accountId, data }: Entry): HoldChange | undefined => {
  const { holdId, expiresAt, keepOpen, late } = data;
  if (kind === 'hold.created' && expiresAt !== undefined) return { kind: 'opened', holdId: id, accountId, expiresAt: new Date(expiresAt) };
  if (holdId === undefined || keepOpen !== undefined || late !== undefined) return undefined;
  if (HOLD_ENDS.has(kind)) return { kind: 'ended', holdId };
  return expiresAt === undefined ? undefined : { kind: 'extended', holdId, expiresAt: new Date(expiresAt) };
};

/** @param entries the block's own, when they are at hand */
export const projectBlock = (block: Block, entries: readonly Entry[] = entriesOf(block)): BlockProjection => {
  const { n, at } = block;
  const projection: BlockProjection = { n, entries: entries.length, movements: [], accounts: [], holds: [] };
  entries.forEach((entry, index) => {
    const { kind, accountId } = entry;
    if (kind === 'transfer') return;
    const movement = movementChange(entry, { n, index, at });
    if (movement !== undefined) projection.movements.push(movement);
    const status = statusAfter(kind);
    if (status !== undefined) projection.accounts.push({ accountId, status, was: kind, at, position: positionOf(n, index) });
    const hold = holdChange(entry);
    if (hold !== undefined) projection.holds.push(hold);
  });
  return projection;
};
