import { readFileSync } from 'node:fs';
import { checkReserves, readPublishedHeads } from '@florin/evm/reserves';
import type { Assets } from '@florin/rpc/assets';
import { type Amount, toMinorUnits } from '@florin/rpc/money';
import type { Reserves } from '../domain/report.ts';

export type ReservesOptions = {
  /** Addresses whose holdings are the operator's. A file can name any. */
  treasuries: readonly string[];
  /** Copy of the published heads, with the keys that are accepted; undefined accepts the key in the file. */
  heads?: string | undefined;
  now: Date;
};

/** Accounts of the ledger with what cards have spent and was not collected. */
const UNCOLLECTED = ['settling', 'system/settlement'];

/**
 * Reads and checks a proof of reserves, of any age. Parts of a minor unit are dropped from totals.
 * @throws Error when it is none, was changed, leaves a token of its chain out that is owed, or names another contract
 */
export const readReserves = (
  path: string,
  { tokens, currencies }: Pick<Assets, 'tokens' | 'currencies'>,
  { treasuries, heads, now }: ReservesOptions,
): Reserves => {
  const checked = checkReserves(readFileSync(path, 'utf8'), {
    trusted: heads === undefined ? undefined : readPublishedHeads(readFileSync(heads, 'utf8')).keys,
    treasuries: treasuries.map((treasury) => treasury.toLowerCase()),
    tokensOf: (chainId) => {
      const own = tokens.filter((token) => token.chainId === chainId && token.address !== undefined);
      return {
        contracts: new Map(own.map(({ symbol, address = '' }) => [symbol, address])),
        elsewhere: new Set(tokens.filter((token) => !own.includes(token)).map(({ symbol }) => symbol)),
      };
    },
    now,
    maxAgeMs: Number.POSITIVE_INFINITY,
  });
  if ('problem' in checked) throw new Error(`${path} proves nothing: ${checked.problem}`);
  const { tokens: found, heads: stated, ...reserves } = checked.reserves;
  for (const { token, contract, fault } of found) {
    if (fault === 'not in the file')
      throw new Error(`${path} leaves out ${token}, which is owed: ASSETS has it on this chain, or not at all`);
    if (fault === 'another contract') throw new Error(`${path} names the contract ${contract} for ${token}, and ASSETS does not`);
  }

  /** Adds up the tokens of each currency. */
  const inCurrencies = (amountOf: (token: (typeof found)[number]) => Amount): Map<string, Amount> => {
    const sums = new Map<string, Amount>();
    for (const one of found) {
      const token = tokens.find(({ symbol }) => symbol === one.token);
      const currency = currencies.find(({ code }) => code === token?.currency);
      if (token === undefined || currency === undefined) throw new Error(`ASSETS has no token ${one.token}`);
      sums.set(currency.code, (sums.get(currency.code) ?? 0n) + toMinorUnits(amountOf(one), token.decimals, currency.decimals));
    }
    return sums;
  };
  return {
    ...reserves,
    blocks: new Map(stated.map(({ shard, n }) => [shard, n])),
    uncollected: inCurrencies(({ totals }) =>
      totals.filter(({ name }) => UNCOLLECTED.includes(name)).reduce((sum, { amount }) => sum + amount, 0n),
    ),
    treasury: inCurrencies(({ treasury }) => treasury),
  };
};
