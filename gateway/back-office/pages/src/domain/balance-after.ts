import type { MoneyAccount } from '@florin/back-office/contract';

type Transfer = { debit: string; credit: string; amount: string; decimals: number; currency: string };

export type Change = { currency: string; decimals: number; before: string; after: string };

const changeOf = ({ debit, credit, amount }: Transfer, accountId: string): bigint =>
  (credit === accountId ? BigInt(amount) : 0n) - (debit === accountId ? BigInt(amount) : 0n);

/** An amount in units of 10^-from, in units of 10^-to; what is below one unit is left out. */
const scaled = (amount: bigint, from: number, to: number): bigint =>
  to >= from ? amount * 10n ** BigInt(to - from) : amount / 10n ** BigInt(from - to);

/** Returns the spendable balances of an account before and after transfers, by currency. Below zero, the order fails. */
export const balancesAfter = ({ id, balances }: MoneyAccount, transfers: readonly Transfer[]): Change[] =>
  balances.flatMap(({ currency, decimals, spendable }) => {
    const moves = transfers.filter((move) => move.currency === currency && changeOf(move, id) !== 0n);
    if (moves.length === 0) return [];
    const change = moves.reduce((sum, move) => sum + scaled(changeOf(move, id), move.decimals, decimals), 0n);
    return [{ currency, decimals, before: spendable, after: (BigInt(spendable) + change).toString() }];
  });
