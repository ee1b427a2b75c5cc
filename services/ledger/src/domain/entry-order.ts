import type { Amount } from '@florin/rpc/money';
import type { HoldPart } from './account-state.ts';
import type { Move } from './apply-entry.ts';
import type { Intent } from './draft-block.ts';
import { holdOrdered, MAX_PARTS } from './hold.ts';
import { type Side, userAccount } from './ledger-account.ts';
import { type Metadata, metadataProblem } from './metadata.ts';
import type { SystemAccounts } from './system-accounts.ts';
import { transferOrdered } from './transfer-order.ts';

/** One of the transfers that a caller orders, as it came over the wire. */
export type TransferText = { debit: string; credit: string; token: string; amount: string };

export type EntryText = {
  entryId: string;
  transfers: readonly TransferText[];
  holdExpiresAt?: Date | undefined;
  forced?: boolean;
  metadata?: Metadata | undefined;
  /** Shard of a system entry; empty for the first one. */
  shard?: string;
};

/** Why an order is refused without a look at any account, in the order of the checks. */
export type OrderFault = 'INVALID' | 'AMOUNT_INVALID' | 'TOKEN_NOT_SUPPORTED' | 'ACCOUNTS_IN_DIFFERENT_SHARDS';

export type OrderRules = {
  isToken: (symbol: string) => boolean;
  shardOf: (accountId: string) => string;
  isShard: (shard: string) => boolean;
  systemAccounts: SystemAccounts;
};

/** An order that could be carried out, and where. */
export type Order = {
  shard: string;
  intent: Intent;
  /** True if it names a system account that is not open, or no user account and not only positions with the card network. */
  reserved: boolean;
};

const DEFAULT_SHARD = '0';

const MAX_TRANSFERS = 100;

/** More than any token's supply, less than uint256. */
const AMOUNT = /^[1-9][0-9]{0,59}$/;

/** A UUID (RFC 9562) in one spelling. */
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

const SETTLING = '/settling';

const hasUpperCase = (text: string): boolean => /[A-Z]/.test(text);

const isLowerCase = ({ debit, credit }: TransferText): boolean => !hasUpperCase(debit) && !hasUpperCase(credit);

const lowerCase = (transfers: readonly TransferText[]): readonly TransferText[] =>
  transfers.every(isLowerCase)
    ? transfers
    : transfers.map((transfer) => ({ ...transfer, debit: transfer.debit.toLowerCase(), credit: transfer.credit.toLowerCase() }));

/** A user's available money is named by the UUID alone, settling and system money as in the journal. Undefined for any other text. */
const readSide = (text: string, systemAccounts: SystemAccounts): Side | undefined => {
  if (UUID.test(text)) return { owner: 'user', accountId: text, bucket: 'available' };
  const accountId = text.endsWith(SETTLING) ? text.slice(0, -SETTLING.length) : '';
  if (UUID.test(accountId)) return { owner: 'user', accountId, bucket: 'settling' };
  return systemAccounts.has(text) ? { owner: 'system', name: text } : undefined;
};

/** The sides of transfers. */
export type Sides = {
  /** The debited and the credited side of each transfer, in turn. */
  all: Side[];
  /** User accounts, in the order in which they appear, with repetitions. */
  users: string[];
  /** True if a system account is named that is not open. */
  reserved: boolean;
};

/** @returns false when the side is not a ledger account that orders may name */
const takeSide = (sides: Sides, place: number, text: string, systemAccounts: SystemAccounts): boolean => {
  const side = readSide(text, systemAccounts);
  if (side === undefined) return false;
  sides.all[place] = side;
  if (side.owner === 'user') sides.users.push(side.accountId);
  else if (systemAccounts.get(text)?.open !== true) sides.reserved = true;
  return true;
};

/** @returns undefined when a side is not a ledger account that orders may name, or both sides of a transfer are the same */
const sidesOf = (transfers: readonly TransferText[], systemAccounts: SystemAccounts): Sides | undefined => {
  const sides: Sides = { all: new Array<Side>(2 * transfers.length), users: [], reserved: false };
  let place = 0;
  for (const { debit, credit } of transfers) {
    if (debit === credit || !takeSide(sides, place, debit, systemAccounts) || !takeSide(sides, place + 1, credit, systemAccounts))
      return undefined;
    place += 2;
  }
  return sides;
};

/** Each text once. Most orders have two: a list of just these takes a fifth of the memory of one that has grown, and lives until its block is written. */
const unique = ([first, second, ...more]: readonly string[]): readonly string[] => {
  if (more.length > 0 && first !== undefined && second !== undefined) return [...new Set([first, second, ...more])];
  if (first === undefined) return [];
  return second === undefined || first === second ? [first] : [first, second];
};

const isOfCards = (side: Side, systemAccounts: SystemAccounts): boolean =>
  side.owner === 'system' && systemAccounts.get(side.name)?.ofCards === true;

const nameOf = (side: Side): string => (side.owner === 'system' ? side.name : userAccount(side.accountId, side.bucket));

/** Transfers as they are ordered, with their sides. */
const movesOf = (transfers: readonly TransferText[], sides: readonly Side[]): Move[] =>
  transfers.map(({ token, amount }, index) => {
    const from = sides[2 * index];
    const to = sides[2 * index + 1];
    if (from === undefined || to === undefined) throw new Error('a transfer has no sides');
    return { from, to, transfer: { debit: nameOf(from), credit: nameOf(to), token, amount: BigInt(amount) } };
  });

const isHoldShape = (transfers: readonly TransferText[], accountId: string, users: readonly string[]): boolean => {
  const token = transfers[0]?.token;
  const receivers = new Set(transfers.map(({ credit }) => credit));
  return (
    transfers.length <= MAX_PARTS &&
    receivers.size === transfers.length &&
    !receivers.has(accountId) &&
    users.every((user) => user === accountId) &&
    transfers.every((transfer) => transfer.debit === accountId && transfer.token === token)
  );
};

/** The transfers of a request about a hold, by receiver: of the same form as in the order that creates one. */
export const readParts = (
  accountId: string,
  given: readonly TransferText[],
  systemAccounts: SystemAccounts,
): { token: string; parts: HoldPart[]; reserved: boolean } | 'INVALID' | 'AMOUNT_INVALID' => {
  const transfers = lowerCase(given);
  const sides = sidesOf(transfers, systemAccounts);
  if (sides === undefined || !isHoldShape(transfers, accountId, sides.users)) return 'INVALID';
  if (!transfers.every(({ amount }) => AMOUNT.test(amount))) return 'AMOUNT_INVALID';
  const parts = transfers.map(({ credit, amount }): HoldPart => ({ credit, amount: BigInt(amount) satisfies Amount }));
  return { token: transfers[0]?.token ?? '', parts, reserved: sides.reserved };
};

/** Shard of the order; undefined when it names one that does not fit. */
const shardOfOrder = (accountId: string | undefined, shard: string, rules: OrderRules): string | undefined => {
  if (accountId !== undefined) return shard === '' ? rules.shardOf(accountId) : undefined;
  const named = shard === '' ? DEFAULT_SHARD : shard;
  return rules.isShard(named) ? named : undefined;
};

/** Reads what a caller ordered. Parses by hand, not with a schema: a call has up to a thousand orders. */
export const readOrder = (entry: EntryText, rules: OrderRules): Order | OrderFault => {
  const { systemAccounts } = rules;
  const id = hasUpperCase(entry.entryId) ? entry.entryId.toLowerCase() : entry.entryId;
  const transfers = lowerCase(entry.transfers);
  const sides = sidesOf(transfers, systemAccounts);
  if (sides === undefined || transfers.length === 0 || transfers.length > MAX_TRANSFERS || !UUID.test(id)) return 'INVALID';
  const { users } = sides;
  const [accountId] = users;
  const shard = shardOfOrder(accountId, entry.shard ?? '', rules);
  if (shard === undefined) return 'INVALID';
  if (entry.metadata !== undefined && (metadataProblem(entry.metadata) !== undefined || entry.metadata.approvedBy !== '')) return 'INVALID';
  const isHold = entry.holdExpiresAt !== undefined;
  if (isHold && (accountId === undefined || !isHoldShape(transfers, accountId, users))) return 'INVALID';
  if (!transfers.every(({ amount }) => AMOUNT.test(amount))) return 'AMOUNT_INVALID';
  if (!transfers.every(({ token }) => rules.isToken(token))) return 'TOKEN_NOT_SUPPORTED';
  if (users.some((user) => user !== accountId && rules.shardOf(user) !== shard)) return 'ACCOUNTS_IN_DIFFERENT_SHARDS';
  const reserved = sides.reserved || (accountId === undefined && !sides.all.every((side) => isOfCards(side, systemAccounts)));
  const { forced, metadata } = entry;
  if (entry.holdExpiresAt !== undefined && accountId !== undefined) {
    const parts = transfers.map(({ credit, amount }) => ({ credit, amount: BigInt(amount) }));
    const hold = {
      forced,
      metadata,
      systemAccounts,
      id,
      accountId,
      token: transfers[0]?.token ?? '',
      parts,
      expiresAt: entry.holdExpiresAt,
    };
    return { shard, reserved, intent: holdOrdered(hold) };
  }
  const moves = movesOf(transfers, sides.all);
  const ordered = moves.map(({ transfer }) => transfer);
  return {
    shard,
    reserved,
    intent: transferOrdered({
      id,
      accountId: accountId ?? '',
      transfers: ordered,
      moves,
      accounts: unique(users),
      forced,
      metadata,
      systemAccounts,
    }),
  };
};
