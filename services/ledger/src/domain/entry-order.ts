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

type Sides = Pick<TransferText, 'debit' | 'credit'>;

const isPair = ({ debit, credit }: Sides): boolean =>
  debit !== credit && (UUID.test(debit) || isOpenSystemAccount(debit)) && (UUID.test(credit) || isOpenSystemAccount(credit));

const usersOf = (transfers: readonly Sides[]): string[] =>
  transfers.flatMap(({ debit, credit }) => [debit, credit]).filter((side) => UUID.test(side));

const lowerCase = ({ debit, credit, token, amount }: TransferText): TransferText => ({
  debit: debit.toLowerCase(),
  credit: credit.toLowerCase(),
  token,
  amount,
});

const sideName = (side: string): string => (isSystemAccount(side) ? side : userAccount(side, 'available'));

/** Reads what a caller ordered. By hand and not by a schema: a call brings a thousand of them. */
export const readOrder = (entry: EntryText, rules: OrderRules): Order | OrderFault => {
  const id = entry.entryId.toLowerCase();
  const transfers = entry.transfers.map(lowerCase);
  const [accountId, ...others] = usersOf(transfers);
  const isWhole = UUID.test(id) && transfers.length <= MAX_TRANSFERS && transfers.every(isPair);
  if (!isWhole || accountId === undefined) return 'INVALID';
  const [first] = transfers;
  // A hold takes from the user and gives to a system account.
  const isHold = entry.holdExpiresAt !== undefined;
  if (isHold && (transfers.length !== 1 || first?.debit !== accountId || others.length > 0)) return 'INVALID';
  if (!transfers.every(({ amount }) => AMOUNT.test(amount))) return 'AMOUNT_INVALID';
  if (!transfers.every(({ token }) => rules.isToken(token))) return 'TOKEN_NOT_SUPPORTED';
  const shard = rules.shardOf(accountId);
  if (others.some((other) => rules.shardOf(other) !== shard)) return 'ACCOUNTS_IN_DIFFERENT_SHARDS';
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
