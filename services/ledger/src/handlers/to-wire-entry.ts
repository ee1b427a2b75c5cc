import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { type EntrySchema, type MovementFactsSchema, EntryKind as WireKind } from '@florin/proto/ledger/v1/entry';
import { decodeEntry, type Entry, type EntryKind, isForced } from '../domain/entry.ts';
import { metadataOf } from '../domain/metadata.ts';
import { blockOf } from '../domain/position.ts';
import type { EntryRow } from '../domain/projection.ts';

const KIND: Readonly<Record<EntryKind, WireKind>> = {
  'account.opened': WireKind.ACCOUNT,
  'account.activated': WireKind.ACCOUNT,
  'account.blocked': WireKind.ACCOUNT,
  'account.unblocked': WireKind.ACCOUNT,
  'account.closed': WireKind.ACCOUNT,
  transfer: WireKind.TRANSFER,
  'hold.created': WireKind.HOLD_CREATED,
  'hold.increased': WireKind.HOLD_INCREASED,
  'hold.decreased': WireKind.HOLD_DECREASED,
  'hold.extended': WireKind.HOLD_EXTENDED,
  'hold.posted': WireKind.HOLD_POSTED,
  'hold.voided': WireKind.HOLD_VOIDED,
  'hold.expired': WireKind.HOLD_EXPIRED,
  'deposit.seen': WireKind.DEPOSIT,
  'deposit.approved': WireKind.DEPOSIT,
  'deposit.rejected': WireKind.DEPOSIT,
  'deposit.reversed': WireKind.DEPOSIT,
  'withdrawal.created': WireKind.WITHDRAWAL,
  'withdrawal.processing': WireKind.WITHDRAWAL,
  'withdrawal.completed': WireKind.WITHDRAWAL,
  'withdrawal.failed': WireKind.WITHDRAWAL,
  reversal: WireKind.REVERSAL,
};

export const toWireKind = (kind: EntryKind): WireKind => KIND[kind];

const holdOf = ({ id, kind, data }: Entry): string => (kind === 'hold.created' ? id : (data['holdId'] ?? ''));

/** The facts of a movement; an entry that moves money states token and amount by its transfer. */
const movementOf = ({ data, transfers: [transfer] }: Entry): MessageInitShape<typeof MovementFactsSchema> | undefined => {
  const { movementId, token, amount, decimals, currency, txHash } = data;
  if (movementId === undefined) return undefined;
  return {
    id: movementId,
    token: token ?? transfer?.token ?? '',
    amount: amount ?? transfer?.amount.toString() ?? '',
    ...(decimals === undefined ? {} : { decimals: Number(decimals) }),
    currency: currency ?? '',
    txHash: txHash ?? '',
  };
};

/** An entry with its place, however it was read. */
export const placedToWire = (
  entry: Entry,
  { shard, n, at }: { shard: string; n: number; at: Date },
): MessageInitShape<typeof EntrySchema> => {
  const metadata = metadataOf(entry.data);
  const movement = movementOf(entry);
  return {
    id: entry.id,
    kind: KIND[entry.kind],
    accountId: entry.accountId,
    transfers: entry.transfers.map(({ debit, credit, token, amount }) => ({ debit, credit, token, amount: amount.toString() })),
    createdAt: timestampFromDate(at),
    block: BigInt(n),
    ...(metadata === undefined ? {} : { metadata: { ...metadata, labels: { ...metadata.labels } } }),
    forced: isForced(entry),
    reverses: entry.data['reverses'] ?? '',
    holdId: holdOf(entry),
    shard,
    ...(movement === undefined ? {} : { movement }),
  };
};

export const toWireEntry = (
  { line, at, position }: Pick<EntryRow, 'line' | 'at' | 'position'>,
  shard: string,
): MessageInitShape<typeof EntrySchema> => placedToWire(decodeEntry(line), { shard, n: blockOf(position), at });
