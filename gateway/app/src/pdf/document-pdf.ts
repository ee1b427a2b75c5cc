import { type Mark, PAGE, writePdf } from './write-pdf.ts';

/** A row of a document in words. */
export type Row = Readonly<{ day: string; what: string; more: string[]; amount: string; balance: string }>;

/** A document, for example a statement, or a receipt, which has no lines, in words in the language of its reader. */
export type DocumentText = Readonly<{
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

/** Lays a document out in pages of A4. */
export const documentPdf = ({ title, language, facts, lines, note }: DocumentText): string => {
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
