import { timestampDate } from '@bufbuild/protobuf/wkt';
import type { EventTypeName } from '@florin/proto/events/v1/event-types';
import { type Entry, EntryKind } from '@florin/proto/ledger/v1/entry';
import type { FeedEvent } from '../domain/feed-event.ts';
import { listedData } from '../domain/feed-event.ts';

/** Undefined for kinds that are no events: the ledger tells changes of accounts by itself. */
const TYPES: Readonly<Partial<Record<EntryKind, EventTypeName | undefined>>> = {
  [EntryKind.ACCOUNT]: undefined,
  [EntryKind.TRANSFER]: 'entry.transferred',
  [EntryKind.REVERSAL]: 'entry.reversed',
  [EntryKind.HOLD_CREATED]: 'hold.created',
  [EntryKind.HOLD_POSTED]: 'hold.posted',
  [EntryKind.HOLD_VOIDED]: 'hold.voided',
  [EntryKind.HOLD_EXPIRED]: 'hold.expired',
  [EntryKind.HOLD_INCREASED]: 'hold.increased',
  [EntryKind.HOLD_DECREASED]: 'hold.decreased',
  [EntryKind.HOLD_EXTENDED]: 'hold.extended',
};

const credits = ({ transfers }: Entry, name: string): boolean => transfers.some(({ credit }) => credit === name);

const depositType = (entry: Entry): EventTypeName => {
  if (entry.id.endsWith('/seen')) return 'deposit.seen';
  if (credits(entry, 'chain')) return 'deposit.reversed';
  return credits(entry, 'refused') ? 'deposit.rejected' : 'deposit.approved';
};

const withdrawalType = (entry: Entry): EventTypeName => {
  if (entry.id.endsWith('/created')) return 'withdrawal.created';
  if (entry.id.endsWith('/processing')) return 'withdrawal.processing';
  return credits(entry, 'chain') ? 'withdrawal.completed' : 'withdrawal.failed';
};

/** Reports whether this release knows a kind of entries. What one of a later release means, only that release can tell. */
export const isKnownKind = (kind: EntryKind): boolean => kind === EntryKind.DEPOSIT || kind === EntryKind.WITHDRAWAL || kind in TYPES;

/** The type of event that an entry of a known kind is; undefined if it is none. */
const typeOf = (entry: Entry): EventTypeName | undefined => {
  if (entry.kind === EntryKind.DEPOSIT) return depositType(entry);
  if (entry.kind === EntryKind.WITHDRAWAL) return withdrawalType(entry);
  return TYPES[entry.kind];
};

/** An id of an event that every reading of the entry derives. */
export type EntryEventId = (entry: Pick<Entry, 'shard' | 'id'>) => string;

/**
 * The event of an entry of a known kind. An entry is a subject of its own, which changes once: when it is written. Undefined for entries that are no events.
 */
export const entryEvent = (entry: Entry, idOf: EntryEventId): FeedEvent | undefined => {
  const type = typeOf(entry);
  if (type === undefined) return undefined;
  const { id: entryId, shard, accountId, transfers, holdId, reverses, createdAt } = entry;
  if (createdAt === undefined) throw new Error(`the entry ${entryId} has no time`);
  const moved = transfers.map(({ debit, credit, token, amount }) => ({ debit, credit, token, amount }));
  const optional = { ...(holdId === '' ? {} : { holdId }), ...(reverses === '' ? {} : { reverses }) };
  const data = { entryId, ...(accountId === '' ? {} : { accountId }), transfers: moved, ...optional };
  return {
    id: idOf(entry),
    type,
    at: timestampDate(createdAt),
    subject: `entry/${shard}/${entryId}`,
    subjectSequence: 1,
    data: listedData(type, data),
  };
};
