import type { Amount } from '@florin/rpc/money';

/** Name of the page that holds a shard's system accounts. */
export const SYSTEM_PAGE = 'system';

/** Balances of the shard's system accounts by `<name>/<token>`, and how many accounts were ever opened in it. */
export type SystemState = { accounts: number; balances: Map<string, Amount> };

type Text = [accounts: number, balances: [key: string, amount: string][]];

export const encodeSystem = (accounts: number, balances: ReadonlyMap<string, Amount>): string =>
  JSON.stringify([
    accounts,
    [...balances]
      .filter(([, amount]) => amount !== 0n)
      .map(([key, amount]): Text[1][number] => [key, amount.toString()])
      .sort(),
  ] satisfies Text);

/** @param text as `encodeSystem` made it; without one, the state of a new shard */
export const decodeSystem = (text = '[0,[]]'): SystemState => {
  const [accounts, balances] = JSON.parse(text) as Text;
  return { accounts, balances: new Map(balances.map(([key, amount]) => [key, BigInt(amount)])) };
};
