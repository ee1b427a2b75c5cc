import { timestampDate } from '@bufbuild/protobuf/wkt';
import type { EventTypeName } from '@florin/proto/events/v1/event-types';
import { type Entry, EntryKind } from '@florin/proto/ledger/v1/entry';
import { type Fields, listedData, movementStatus } from '../domain/event-data.ts';
import { type FeedEvent, keyOf } from '../domain/feed-event.ts';

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

/** Returns true if this release knows a kind of entries. A later release may write others. */
export const isKnownKind = (kind: EntryKind): boolean => kind === EntryKind.DEPOSIT || kind === EntryKind.WITHDRAWAL || kind in TYPES;

/** The type of event that an entry of a known kind is; undefined if it is none. */
const typeOf = (entry: Entry): EventTypeName | undefined => {
  if (entry.kind === EntryKind.DEPOSIT) return depositType(entry);
  if (entry.kind === EntryKind.WITHDRAWAL) return withdrawalType(entry);
  return TYPES[entry.kind];
};

/** Returns the movement's data from the entry of a deposit or a withdrawal. Entries of release 0.2 do not have it. */
const movementData = (type: EventTypeName, { kind, movement }: Entry): Fields => {
  if (movement === undefined) return {};
  const { id, token, amount, decimals, currency, txHash } = movement;
  const stated = Object.entries({ token, amount, currency, txHash }).filter(([, value]) => value !== '');
  return {
    [kind === EntryKind.DEPOSIT ? 'depositId' : 'withdrawalId']: id,
    ...Object.fromEntries(stated),
    ...(decimals === undefined ? {} : { decimals }),
    status: movementStatus(type),
  };
};

const isMovement = ({ kind }: Entry): boolean => kind === EntryKind.DEPOSIT || kind === EntryKind.WITHDRAWAL;

/** The subject of an entry's event: the deposit or the withdrawal, of which `numberChanges` counts the events, or the entry itself, which changes once. */
const subjectOf = (entry: Entry): Pick<FeedEvent, 'subject' | 'subjectSequence' | 'formerKey'> => {
  const own = { subject: `entry/${entry.shard}/${entry.id}`, subjectSequence: 1 };
  if (!isMovement(entry) || entry.movement === undefined) return own;
  const kind = entry.kind === EntryKind.DEPOSIT ? 'deposit' : 'withdrawal';
  return { subject: `${kind}/${entry.movement.id}`, subjectSequence: 1, formerKey: keyOf(own) };
};

/** An id of an event that every reading of the entry derives. */
export type EntryEventId = (entry: Pick<Entry, 'shard' | 'id'>) => string;

/** The event of an entry of a known kind. Undefined for entries that are no events. */
export const entryEvent = (entry: Entry, idOf: EntryEventId): FeedEvent | undefined => {
  const type = typeOf(entry);
  if (type === undefined) return undefined;
  const { id: entryId, accountId, transfers, holdId, reverses, createdAt } = entry;
  if (createdAt === undefined) throw new Error(`the entry ${entryId} has no time`);
  const moved = transfers.map(({ debit, credit, token, amount }) => ({ debit, credit, token, amount }));
  const optional = { ...(holdId === '' ? {} : { holdId }), ...(reverses === '' ? {} : { reverses }) };
  const data = { entryId, ...(accountId === '' ? {} : { accountId }), transfers: moved, ...optional, ...movementData(type, entry) };
  return {
    id: idOf(entry),
    type,
    at: timestampDate(createdAt),
    ...subjectOf(entry),
    data: listedData(type, data),
  };
};
