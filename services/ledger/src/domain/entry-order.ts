import type { Intent } from './draft-block.ts';
import { holdOrdered } from './hold.ts';
import { isSystemAccount, OPEN_SYSTEM_ACCOUNTS, userAccount } from './ledger-account.ts';
import { type TransferOrder, transferOrdered } from './transfer-order.ts';

/** One of the transfers that a caller orders, as it came over the wire. */
export type TransferText = { debit: string; credit: string; token: string; amount: string };

export type EntryText = { entryId: string; transfers: readonly TransferText[]; holdExpiresAt?: Date | undefined };

/** Why an order is refused before anybody looks at an account, in the order of the checks. */
export type OrderFault = 'INVALID' | 'AMOUNT_INVALID' | 'TOKEN_NOT_SUPPORTED' | 'ACCOUNTS_IN_DIFFERENT_SHARDS';

export type OrderRules = {
  isToken: (symbol: string) => boolean;
  shardOf: (accountId: string) => string;
};

/** An order that could be carried out, and where. */
export type Order = { shard: string; accountId: string; intent: Intent };

const MAX_TRANSFERS = 100;

/** More than any token's supply, less than uint256. */
const AMOUNT = /^[1-9][0-9]{0,59}$/;

/** A UUID (RFC 9562) in one spelling. */
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

const isOpenSystemAccount = (text: string): boolean => isSystemAccount(text) && OPEN_SYSTEM_ACCOUNTS.includes(text);

const lowerCase = ({ debit, credit, token, amount }: TransferText): TransferText => ({
  debit: debit.toLowerCase(),
  credit: credit.toLowerCase(),
  token,
  amount,
});

/** Users' accounts among the sides; undefined when a side is no account, or both are the same. */
const usersOf = (transfers: readonly TransferText[]): string[] | undefined => {
  const users: string[] = [];
  for (const { debit, credit } of transfers) {
    if (debit === credit) return undefined;
    if (UUID.test(debit)) users.push(debit);
    else if (!isOpenSystemAccount(debit)) return undefined;
    if (UUID.test(credit)) users.push(credit);
    else if (!isOpenSystemAccount(credit)) return undefined;
  }
  return users;
};

/** A UUID holds hyphens, the name of a system account none. */
const sideName = (side: string): string => (side.includes('-') ? userAccount(side, 'available') : side);

/** Reads what a caller ordered. By hand and not by a schema: a call brings a thousand of them. */
export const readOrder = (entry: EntryText, rules: OrderRules): Order | OrderFault => {
  const id = entry.entryId.toLowerCase();
  const transfers = entry.transfers.map(lowerCase);
  const users = usersOf(transfers);
  const accountId = users?.[0];
  if (users === undefined || accountId === undefined || transfers.length > MAX_TRANSFERS || !UUID.test(id)) return 'INVALID';
  const [first] = transfers;
  // A hold takes from the user and gives to a system account.
  const isHold = entry.holdExpiresAt !== undefined;
  if (isHold && (transfers.length !== 1 || first?.debit !== accountId || users.length > 1)) return 'INVALID';
  if (!transfers.every(({ amount }) => AMOUNT.test(amount))) return 'AMOUNT_INVALID';
  if (!transfers.every(({ token }) => rules.isToken(token))) return 'TOKEN_NOT_SUPPORTED';
  const shard = rules.shardOf(accountId);
  if (users.some((user) => user !== accountId && rules.shardOf(user) !== shard)) return 'ACCOUNTS_IN_DIFFERENT_SHARDS';
  if (entry.holdExpiresAt !== undefined && first !== undefined) {
    const { token, credit, amount } = first;
    const hold = { id, accountId, token, amount: BigInt(amount), credit, expiresAt: entry.holdExpiresAt };
    return { shard, accountId, intent: holdOrdered(hold) };
  }
  const order: TransferOrder = {
    id,
    accountId,
    transfers: transfers.map(({ debit, credit, token, amount }) => ({
      debit: sideName(debit),
      credit: sideName(credit),
      token,
      amount: BigInt(amount),
    })),
  };
  return { shard, accountId, intent: transferOrdered(order) };
};
