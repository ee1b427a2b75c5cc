import type { Output } from '@florin/client';
import type { Read } from '../../api/read-rows.ts';

/** A line of the statement. */
export type Line = Output<'userMovements.listStatement'>['data'][number];

type Token = Readonly<{ token: string; decimals: number; currency: string }>;

/** A token with its balance before and after a period, in its smallest unit. */
export type Balance = Token & { before: string | undefined; after: string };

/** The tokens without a line in a period; none where lines were left out. */
export const stillIn = <Of extends Pick<Token, 'token'>>({ rows, isWhole }: Read<Line>, tokens: readonly Of[]): Of[] =>
  isWhole ? tokens.filter(({ token }) => rows.every((line) => line.token !== token)) : [];

/**
 * The balances of each token before and after a period. What lines that were not read decide is left out.
 * @param period the lines of the period
 * @param tokens of the account; the first one is named even if it never moved
 * @param earlier the last line before the period of each token that has none in it
 */
export const balancesOf = (period: Read<Line>, tokens: readonly Token[], earlier: Read<Line>): Balance[] => {
  const moved = [...Map.groupBy(period.rows, ({ token }) => token).values()].flatMap((ofToken) => {
    const [last, first] = [ofToken[0], ofToken.at(-1)];
    if (last === undefined || first === undefined) return [];
    const { token, decimals, currency, balanceAfter: after } = last;
    const before = period.isWhole ? `${BigInt(first.balanceAfter) - BigInt(first.amount)}` : undefined;
    return [{ token, decimals, currency, before, after }];
  });
  const still = stillIn(period, tokens).flatMap(({ token, decimals, currency }) => {
    const ofFirst = token === tokens[0]?.token && earlier.isWhole ? '0' : undefined;
    const balance = earlier.rows.find((line) => line.token === token)?.balanceAfter ?? ofFirst;
    return balance === undefined ? [] : [{ token, decimals, currency, before: balance, after: balance }];
  });
  return [...moved, ...still];
};
