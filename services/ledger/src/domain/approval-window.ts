import { foldName } from '@florin/rpc/actors';
import type { Moved } from './adjustment.ts';
import { isSystemName } from './ledger-account.ts';

/** An order without approval, as it counts for one actor or one account. */
export type Counted = { id: string; at: Date; amounts: readonly (readonly [token: string, amount: string])[] };

/** The limit of orders without a second person's approval: at most `limitOf(token)` within `windowMs`. */
export type ApprovalRules = { windowMs: number; limitOf: (token: string) => bigint };

/** Orders that are counted at most for one actor or account; what comes then needs approval. */
const MAX_COUNTED = 1000;

/**
 * The ids of the accounts that two sides of a transfer name: of the users, or of the system accounts when there is none.
 * @param names as in an order (`<account id>`, `<account id>/settling`) or in the journal (`<account id>/<bucket>`)
 */
export const accountsOfSides = (names: readonly string[]): string[] => {
  const users = names.filter((name) => !isSystemName(name));
  return [...new Set((users.length > 0 ? users : names).map((name) => name.replace(/\/.*$/, '').toLowerCase()))];
};

/** Keys of the sums that the orders of an actor for accounts count in. */
export const sumsOf = (actor: string, accounts: readonly string[]): string[] => [
  `actor:${foldName(actor)}`,
  ...accounts.map((id) => `account:${id}`),
];

/** The sums that an order counts in: its actor with all that it moves, and each account with what it moves there. */
export const countedFor = (actor: string, moved: readonly Moved[]): Map<string, [token: string, amount: string][]> => {
  const sums = new Map<string, Map<string, bigint>>();
  const add = (key: string, { token, amount }: Moved): void => {
    const tokens = sums.get(key) ?? new Map<string, bigint>();
    sums.set(key, tokens.set(token, (tokens.get(token) ?? 0n) + amount));
  };
  for (const one of moved) for (const key of sumsOf(actor, one.accounts)) add(key, one);
  return new Map([...sums].map(([key, tokens]) => [key, [...tokens].map(([token, sum]): [string, string] => [token, sum.toString()])]));
};

const recentIn = (counted: readonly Counted[], at: Date, windowMs: number): Counted[] =>
  counted.filter((one) => one.at.getTime() > at.getTime() - windowMs);

const totalOf = (counted: readonly Counted[], token: string): bigint =>
  counted.flatMap(({ amounts }) => amounts).reduce((sum, [of, amount]) => (of === token ? sum + BigInt(amount) : sum), 0n);

/** Returns how much more of a token can be counted at a time beside the orders of the last `windowMs`. */
export const leftIn = (counted: readonly Counted[], token: string, at: Date, { windowMs, limitOf }: ApprovalRules): bigint => {
  const recent = recentIn(counted, at, windowMs);
  const left = limitOf(token) - totalOf(recent, token);
  return recent.length >= MAX_COUNTED || left < 0n ? 0n : left;
};

const isRepeat = (one: Counted, other: Counted): boolean =>
  one.id === other.id && JSON.stringify(one.amounts) === JSON.stringify(other.amounts);

/**
 * Counts an order beside those of the last `windowMs`. One that is counted again, because its call is repeated, counts once. Orders of one id
 * and different amounts count each: of those that race, the one that is booked need not be the one that was counted last.
 * @returns what is counted then; undefined when a token's limit would be exceeded
 */
export const countIn = (counted: readonly Counted[], order: Counted, { windowMs, limitOf }: ApprovalRules): Counted[] | undefined => {
  const others = recentIn(counted, order.at, windowMs).filter((one) => !isRepeat(one, order));
  const all = [...others, order];
  if (others.length >= MAX_COUNTED || order.amounts.some(([token]) => totalOf(all, token) > limitOf(token))) return undefined;
  return all;
};
