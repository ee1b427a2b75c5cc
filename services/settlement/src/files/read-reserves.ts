import { createHash } from 'node:crypto';
import type { Assets } from '@florin/rpc/assets';
import { type Amount, toMinorUnits } from '@florin/rpc/money';
import type { AccountReserves, Reserves } from '../domain/report.ts';
import { linesOf } from './lines.ts';

type Amounts = readonly (readonly [token: string, amount: string])[];

/**
 * Reads a proof of reserves, line by line. It is not checked: `npm run ledger -- check-reserves` does that, and a report names the file by its hash. Parts of a minor unit
 * are dropped from totals.
 * @throws Error when it is none
 */
export const readReserves = async (path: string, { tokens, currencies }: Pick<Assets, 'tokens' | 'currencies'>): Promise<Reserves> => {
  const hash = createHash('sha256');
  const accounts = new Map<string, AccountReserves>();
  const [uncollected, treasury] = [new Map<string, Amount>(), new Map<string, Amount>()];
  let header: readonly unknown[] | undefined;

  const put = (accountId: string, amounts: Amounts, field: 'held' | 'owed'): void => {
    for (const [token, amount] of amounts) {
      const key = `${accountId} ${token}`;
      const known = accounts.get(key) ?? { accountId, token, held: 0n, owed: 0n };
      accounts.set(key, { ...known, [field]: known[field] + BigInt(amount) });
    }
  };
  const addTo = (sums: Map<string, Amount>, token: string, amount: string): void => {
    sums.set(token, (sums.get(token) ?? 0n) + BigInt(amount));
  };

  for await (const line of linesOf(path)) {
    hash.update(`${line}\n`);
    if (line.startsWith('{')) {
      const { totals } = JSON.parse(line) as { totals: Amounts };
      for (const [name, amount] of totals) {
        const [token = '', ...account] = name.split('/');
        if (['settling', 'system/settlement'].includes(account.join('/'))) addTo(uncollected, token, amount);
      }
      continue;
    }
    const parts = JSON.parse(line) as readonly unknown[];
    if (header === undefined) {
      if (parts[0] !== 'florin-reserves-2') throw new Error('the file is not a proof of reserves');
      header = parts;
    } else if (parts[0] === 'safe') put(String(parts[1]), parts[4] as Amounts, 'held');
    else if (parts[0] === 'owed') put(String(parts[2]), parts[3] as Amounts, 'owed');
    else if (parts[0] === 'treasury') for (const [token, amount] of parts[2] as Amounts) addTo(treasury, token, amount);
  }
  if (header === undefined) throw new Error('the file is not a proof of reserves');

  /** Adds up the tokens of each currency. */
  const inCurrencies = (sums: ReadonlyMap<string, Amount>): Map<string, Amount> => {
    const found = new Map<string, Amount>();
    for (const [symbol, amount] of sums) {
      const token = tokens.find((one) => one.symbol === symbol);
      const currency = currencies.find(({ code }) => code === token?.currency);
      if (token === undefined || currency === undefined) throw new Error(`ASSETS has no token ${symbol}`);
      found.set(currency.code, (found.get(currency.code) ?? 0n) + toMinorUnits(amount, token.decimals, currency.decimals));
    }
    return found;
  };
  const order = ({ accountId, token }: AccountReserves): string => `${accountId} ${token}`;
  const [, chainId, block, blockHash, at] = header;
  return {
    ...{ chainId: Number(chainId), block: Number(block), blockHash: String(blockHash), at: String(at), hash: hash.digest('hex') },
    accounts: [...accounts.values()].toSorted((a, b) => (order(a) < order(b) ? -1 : 1)),
    uncollected: inCurrencies(uncollected),
    treasury: inCurrencies(treasury),
  };
};
