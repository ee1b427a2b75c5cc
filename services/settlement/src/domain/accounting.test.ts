import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FORMATS } from './accounting.ts';
import { type SettlementRecord, spell } from './record.ts';

const CLEARING: SettlementRecord = {
  ...{ kind: 'clearing', source: 'processor', id: '=r"1', date: '2026-11-22', currency: 'EUR', network: 'visa', amount: 2800n },
  ...{ interchange: 14n, schemeFee: 3n, processorFee: 0n, eventId: '', transactionId: '', acquirerReference: '' },
};
const booked = (record: SettlementRecord) => ({ day: '2026-11-23', line: spell(record) });

describe('the export for accounting', () => {
  it('has a line of CSV for each leg, in which no text is a formula', () => {
    expect(FORMATS.csv.entry(booked(CLEARING))).toBe(
      [
        '2026-11-23,2026-11-22,processor,"\'=r""1",clearing,receivable,EUR,28.00',
        '2026-11-23,2026-11-22,processor,"\'=r""1",clearing,interchange,EUR,-0.14',
        '2026-11-23,2026-11-22,processor,"\'=r""1",clearing,scheme_fees,EUR,0.03',
        '2026-11-23,2026-11-22,processor,"\'=r""1",clearing,payable/visa/2026-11-22,EUR,-27.89',
        '',
      ].join('\n'),
    );
  });

  it('has an entry of hledger for each record', () => {
    expect(FORMATS.journal.entry(booked(CLEARING))).toBe(`
2026-11-23=2026-11-22 clearing  ; record: processor:=r"1
    assets:receivable  28.00 EUR
    income:interchange  -0.14 EUR
    expenses:scheme_fees  0.03 EUR
    liabilities:payable:visa:2026-11-22  -27.89 EUR
`);
  });

  it('has entries of one shape, whatever texts records have, that add up to zero', () => {
    const note = fc.string({ minLength: 1 });
    fc.assert(
      fc.property(note, fc.bigInt({ min: 1n, max: 10n ** 15n }), fc.constantFrom('EUR', 'JPY', 'KWD'), (text, amount, currency) => {
        const common = { source: 'operator', id: 'c;1', date: '2026-11-23', currency };
        const record: SettlementRecord = { ...common, kind: 'correction', debit: 'bank', credit: 'unexplained', amount, note: text };
        const lines = FORMATS.journal.entry(booked(record)).split('\n');
        expect(lines).toHaveLength(5);
        expect(lines[1]).toMatch(/^2026-11-23=2026-11-23 correction [^;|]*; record: operator:c 1$/);
        const sum = lines.slice(2, 4).map((line) => {
          const [, decimal = ''] = /^ {4}[a-z:_]+ {2}(-?[0-9.]+) [A-Z]{3}$/.exec(line) ?? [];
          return BigInt(decimal.replace('.', ''));
        });
        expect(sum).toEqual([amount, -amount]);
      }),
    );
  });
});
