import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { type EntrySchema, EntryKind as WireKind } from '@florin/proto/ledger/v1/entry';
import { decodeEntry, type EntryKind } from '../domain/entry.ts';
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
  'hold.posted': WireKind.HOLD_POSTED,
  'hold.voided': WireKind.HOLD_VOIDED,
  'hold.expired': WireKind.HOLD_EXPIRED,
  'deposit.seen': WireKind.DEPOSIT,
  'deposit.approved': WireKind.DEPOSIT,
  'deposit.rejected': WireKind.DEPOSIT,
  'withdrawal.created': WireKind.WITHDRAWAL,
  'withdrawal.processing': WireKind.WITHDRAWAL,
  'withdrawal.completed': WireKind.WITHDRAWAL,
  'withdrawal.failed': WireKind.WITHDRAWAL,
};

export const toWireEntry = ({ line, at, position }: Pick<EntryRow, 'line' | 'at' | 'position'>): MessageInitShape<typeof EntrySchema> => {
  const { id, kind, accountId, transfers } = decodeEntry(line);
  return {
    id,
    kind: KIND[kind],
    accountId,
    transfers: transfers.map(({ debit, credit, token, amount }) => ({ debit, credit, token, amount: amount.toString() })),
    createdAt: timestampFromDate(at),
    block: BigInt(blockOf(position)),
  };
};
