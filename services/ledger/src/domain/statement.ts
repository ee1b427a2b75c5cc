import { type Assets, findToken } from '@florin/rpc/assets';
import type { Amount } from '@florin/rpc/money';
import { derivedId } from '@florin/rpc/runtime';
import { touchedBy } from './apply-entry.ts';
import { decodeEntry, type Entry, type EntryKind, type Transfer } from './entry.ts';
import { postingOf } from './hold.ts';
import { BOOKED_BUCKETS, type Bucket, isSystemName, type SystemAccount, userAccount } from './ledger-account.ts';
import { decodeCursor, encodeCursor } from './page-cursor.ts';
import type { EntryRow } from './projection.ts';

export type StatementKind = 'deposit' | 'withdrawal' | 'card_payment' | 'transfer' | 'reversal';

/** The change by one entry to the booked balance of one token of an account. */
export type StatementLine = {
  /** Derived from the entry: the same for every reader. */
  id: string;
  kind: StatementKind;
  /** UUID of the deposit, withdrawal, hold or entry; of a reversal the hold or entry that is reversed. */
  reference: string;
  txHash: string | undefined;
  /** UUID of the posting of a hold. */
  postingId: string | undefined;
  token: string;
  decimals: number;
  currency: string;
  /** Signed. */
  amount: Amount;
  /** Booked balance after the entry; below zero when the account owes. */
  balanceAfter: Amount;
  /** Part of the amount that repaid debt. */
  debtRepaid: Amount;
  /** Part of the amount that was not covered and became debt. */
  debtIncurred: Amount;
  /** The system account on the other side; undefined if it is a user's account, or there are several. */
  counterparty: SystemAccount | undefined;
  at: Date;
};

/** Where a page of lines ends: after line `line` (from 0) of the entry at `position`. */
export type LinePlace = { position: number; line: number };

/** A line with its place. */
export type PlacedLine = StatementLine & { place: LinePlace };

const KINDS: Partial<Record<EntryKind, StatementKind>> = {
  'deposit.approved': 'deposit',
  'deposit.reversed': 'reversal',
  'withdrawal.completed': 'withdrawal',
  'hold.posted': 'card_payment',
  // Dust that leaves with the close.
  'account.closed': 'transfer',
  transfer: 'transfer',
  reversal: 'reversal',
};

/** The changes of an entry to some of an account's buckets in one token. */
const changeOf = (transfers: readonly Transfer[], accountId: string, token: string, buckets: readonly Bucket[]) => {
  const names = new Set(buckets.map((bucket) => userAccount(accountId, bucket)));
  let credited = 0n;
  let debited = 0n;
  for (const transfer of transfers) {
    if (transfer.token !== token) continue;
    if (names.has(transfer.credit)) credited += transfer.amount;
    if (names.has(transfer.debit)) debited += transfer.amount;
  }
  return { credited, debited };
};

/** The other side of an entry's transfers between an account's booked buckets in one token and others. */
const counterpartyOf = (transfers: readonly Transfer[], accountId: string, token: string): SystemAccount | undefined => {
  const names = new Set(BOOKED_BUCKETS.map((bucket) => userAccount(accountId, bucket)));
  const others = transfers
    .filter((transfer) => transfer.token === token && names.has(transfer.debit) !== names.has(transfer.credit))
    .map(({ debit, credit }) => (names.has(debit) ? credit : debit));
  const [other, ...more] = new Set(others);
  return other !== undefined && more.length === 0 && isSystemName(other) ? other : undefined;
};

/** The token as the entry describes it; else as it is configured now. @throws Error for a token that is neither */
const tokenOf = ({ data }: Entry, symbol: string, assets: Assets): { decimals: number; currency: string } => {
  const { decimals, currency } = data;
  if (decimals !== undefined && currency !== undefined) return { decimals: Number(decimals), currency };
  const token = findToken(assets, symbol);
  if (token === undefined) throw new Error(`the journal has entries in ${symbol}, which ASSETS does not name any more`);
  return token;
};

const lineId = (entryId: string, accountId: string, token: string): string =>
  derivedId(`florin/statement/${entryId}/${accountId}/${token}`);

/** The lines that a booked entry puts on an account's statement, one for each token that it touches there. */
export const statementLines = (row: Pick<EntryRow, 'line' | 'position' | 'at'>, accountId: string, assets: Assets): PlacedLine[] => {
  const entry = decodeEntry(row.line);
  const kind = KINDS[entry.kind];
  if (kind === undefined) return [];
  const { movementId, holdId, reverses, txHash } = entry.data;
  return touchedBy(entry.transfers)
    .map((touched, index) => ({ ...touched, balanceAfter: entry.booked[index] }))
    .filter((touched) => touched.accountId === accountId)
    .map(({ token, balanceAfter }, line) => {
      if (balanceAfter === undefined) throw new Error(`${entry.id} lacks a booked balance`);
      const { decimals, currency } = tokenOf(entry, token, assets);
      const booked = changeOf(entry.transfers, accountId, token, BOOKED_BUCKETS);
      const debt = changeOf(entry.transfers, accountId, token, ['debt']);
      return {
        id: lineId(entry.id, accountId, token),
        kind,
        reference: movementId ?? holdId ?? reverses ?? entry.id,
        txHash,
        postingId: entry.kind === 'hold.posted' ? postingOf(entry.id) : undefined,
        token,
        decimals,
        currency,
        amount: booked.credited - booked.debited,
        balanceAfter,
        debtRepaid: debt.credited,
        debtIncurred: debt.debited,
        counterparty: counterpartyOf(entry.transfers, accountId, token),
        at: row.at,
        place: { position: row.position, line },
      };
    });
};

/** A place in a statement as an opaque text. */
export const encodePlace = ({ position, line }: LinePlace): string => `${encodeCursor(position)}.${line}`;

/** Undefined unless the text is exactly what `encodePlace` makes. */
export const decodePlace = (cursor: string): LinePlace | undefined => {
  const dot = cursor.indexOf('.');
  const position = decodeCursor(cursor.slice(0, dot));
  const line = Number(cursor.slice(dot + 1));
  if (position === undefined || !Number.isSafeInteger(line) || line < 0) return undefined;
  return encodePlace({ position, line }) === cursor ? { position, line } : undefined;
};
