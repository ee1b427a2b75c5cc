import fc from 'fast-check';
import { expect, it } from 'vitest';
import { formatCsv } from './serve-csv.ts';

it.each([
  [['a', 'b c', ''], 'a,b c,\r\n'],
  [['1,5', 'say "x"', 'two\nlines'], '"1,5","say ""x""","two\nlines"\r\n'],
  [['-12.50', '-3', '0'], '-12.50,-3,0\r\n'],
  [['=1+1', '+49', '-x', '@SUM(A1)', '\tx', '-1-1'], "'=1+1,'+49,'-x,'@SUM(A1),'\tx,'-1-1\r\n"],
  [['=HYPERLINK("http://x","y")'], '"\'=HYPERLINK(""http://x"",""y"")"\r\n'],
])('formats %j', (row, text) => {
  expect(formatCsv([row])).toBe(text);
});

/** Parses CSV as specified in RFC 4180. */
const parse = (text: string): string[][] => {
  const rows: string[][] = [];
  let row: string[] = [];
  for (const [, quoted, plain = '', end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/g)) {
    row.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    if (end === ',') continue;
    rows.push(row);
    row = [];
  }
  return rows;
};

it('parses back to its input, without cells that a spreadsheet evaluates', () => {
  const cell = fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom(...'=+-@,"\r\n\t1.x') }));
  fc.assert(
    fc.property(fc.array(fc.array(cell, { minLength: 1, maxLength: 5 }), { maxLength: 5 }), (rows) => {
      const read = parse(formatCsv(rows));
      expect(read.map((row) => row.length)).toEqual(rows.map((row) => row.length));
      read.flat().forEach((text, index) => {
        const written = rows.flat()[index] ?? '';
        expect([written, `'${written}`]).toContain(text);
        expect(/^[=+@\t\r]/.test(text) || (text.startsWith('-') && !/^-\d+(?:\.\d+)?$/.test(text))).toBe(false);
      });
    }),
  );
});
