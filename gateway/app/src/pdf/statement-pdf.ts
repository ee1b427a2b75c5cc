import type { Output } from '@florin/client';
import type { Read } from '../api/read-rows.ts';
import { type Mark, PAGE, writePdf } from './write-pdf.ts';

export type Line = Output<'userMovements.listStatement'>['data'][number];

/** A line of the statement in words. */
export type Row = Readonly<{ day: string; what: string; more: string[]; amount: string; balance: string }>;

/** A statement, or a receipt without lines, in words in the language of its reader. */
export type StatementText = Readonly<{
  title: string;
  language: string;
  /** Pairs below the title: account, period, and for each token the balance before and after. */
  facts: readonly (readonly [name: string, value: string])[];
  lines?: Readonly<{ columns: Readonly<Record<'day' | 'what' | 'amount' | 'balance', string>>; rows: readonly Row[] }>;
  /** In place of lines, or below them. */
  note: string | undefined;
}>;

const MARGIN = 48;
const [TOP, BOTTOM] = [PAGE.height - 64, 56];
const X = { day: MARGIN, what: 118, amount: 440, balance: PAGE.width - MARGIN } as const;
const [SIZE, SMALL, LEADING] = [9, 8, 12];

/** As many letters as fit between what a line is and its amount. */
const LETTERS = 48;

const cut = (text: string): string => (text.length > LETTERS ? `${text.slice(0, LETTERS - 1)}…` : text);

/** Breaks the value of a fact into lines as long as fit beside its name, between words where it can. */
const linesOf = (value: string): string[] => value.match(/\S.{0,63}(?=\s|$)|\S{1,64}/gu) ?? [value];

const at = (x: number, y: number, text: string, font: Mark['font'] = 'regular', size = SIZE): Mark => ({ x, y, size, text, font });
const amountAt = (x: number, y: number, text: string): Mark => ({ ...at(x, y, text, 'mono'), align: 'end' });

const rowAt = ({ day, what, more, amount, balance }: Row, y: number): Mark[] => [
  at(X.day, y, day),
  at(X.what, y, cut(what)),
  ...more.map((text, index) => at(X.what, y - LEADING * (index + 1), cut(text), 'regular', SMALL)),
  amountAt(X.amount, y, amount),
  amountAt(X.balance, y, balance),
];

const headsAt = ({ day, what, amount, balance }: Record<keyof typeof X, string>, y: number): Mark[] => [
  at(X.day, y, day, 'bold'),
  at(X.what, y, what, 'bold'),
  amountAt(X.amount, y, amount),
  amountAt(X.balance, y, balance),
];

/** Lays a statement out in pages of A4. */
export const statementPdf = ({ title, language, facts, lines, note }: StatementText): string => {
  const pages: Mark[][] = [];
  let y = 0;
  const turn = (): Mark[] => {
    const marks: Mark[] = [];
    pages.push(marks);
    y = TOP;
    return marks;
  };
  let page = turn();
  page.push(at(MARGIN, y, title, 'bold', 16));
  y -= 2 * LEADING;
  for (const [name, value] of facts) {
    page.push(at(MARGIN, y, name));
    for (const line of linesOf(value)) {
      page.push(at(200, y, line));
      y -= 1.25 * LEADING;
    }
  }
  y -= LEADING;
  if (lines !== undefined) {
    page.push(...headsAt(lines.columns, y));
    for (const row of lines.rows) {
      const height = LEADING * (row.more.length + 1) + 6;
      y -= 1.5 * LEADING;
      if (y - height < BOTTOM) {
        page = turn();
        page.push(...headsAt(lines.columns, y));
        y -= 1.5 * LEADING;
      }
      page.push(...rowAt(row, y));
      y -= LEADING * row.more.length;
    }
  }
  if (note !== undefined) page.push(at(MARGIN, y - 2 * LEADING, note));
  const numbered = pages.map((marks, index) => [...marks, amountAt(X.balance, 32, `${index + 1}/${pages.length}`)]);
  return writePdf({ title, language }, numbered);
};

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
