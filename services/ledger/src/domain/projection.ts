import type { AccountStatus } from './account.ts';
import { statusAfter } from './account-change.ts';
import { touchedBy } from './apply-entry.ts';
import { type Block, entriesOf } from './block.ts';
import type { Entry, EntryKind } from './entry.ts';
import { type MovementChange, movementChange } from './movement.ts';
import { positionOf } from './position.ts';

/** An entry as it can be found: by its id, or by an account and newest first. */
export type EntryRow = {
  id: string;
  kind: EntryKind;
  inputHash: string;
  /** Users' accounts whose money it moves. */
  accounts: string[];
  position: number;
  /** Whether it changes what is booked, so that a statement shows it. */
  booked: boolean;
  at: Date;
  /** The entry itself (`encodeEntry`). */
  line: string;
};

/** A status that the journal decided, and the kind of entry that says so. */
export type AccountChange = { accountId: string; status: AccountStatus; was: EntryKind; at: Date; position: number };

/** A hold that became open, or ended. */
export type HoldChange = { kind: 'opened'; holdId: string; accountId: string; expiresAt: Date } | { kind: 'ended'; holdId: string };

/** What a block does to everything that is written behind the journal. */
export type BlockProjection = {
  n: number;
  entries: EntryRow[];
  movements: MovementChange[];
  accounts: AccountChange[];
  holds: HoldChange[];
};

/** Kinds that change what is booked: the rest moves money between the buckets of one account, or waits to be cleared. */
const BOOKED: ReadonlySet<EntryKind> = new Set(['transfer', 'hold.posted', 'deposit.approved', 'withdrawal.completed']);

const holdChange = ({ id, kind, accountId, data }: Entry): HoldChange | undefined => {
  const { holdId, expiresAt } = data;
  if (kind === 'hold.created' && expiresAt !== undefined) return { kind: 'opened', holdId: id, accountId, expiresAt: new Date(expiresAt) };
  return kind.startsWith('hold.') && holdId !== undefined ? { kind: 'ended', holdId } : undefined;
};

/** @param entries the block's own, when they are at hand */
export const projectBlock = (block: Block, entries: readonly Entry[] = entriesOf(block)): BlockProjection => {
  const { n, at, lines } = block;
  const projection: BlockProjection = { n, entries: [], movements: [], accounts: [], holds: [] };
  entries.forEach((entry, index) => {
    const { id, kind, inputHash, accountId, transfers } = entry;
    projection.entries.push({
      id,
      kind,
      inputHash,
      accounts: [...new Set(touchedBy(transfers).map((one) => one.accountId))],
      position: positionOf(n, index),
      booked: BOOKED.has(kind),
      at,
      line: lines[index] ?? '',
    });
    const movement = movementChange(entry, { n, index, at });
    if (movement !== undefined) projection.movements.push(movement);
    const status = statusAfter(kind);
    if (status !== undefined) projection.accounts.push({ accountId, status, was: kind, at, position: positionOf(n, index) });
    const hold = holdChange(entry);
    if (hold !== undefined) projection.holds.push(hold);
  });
  return projection;
};
