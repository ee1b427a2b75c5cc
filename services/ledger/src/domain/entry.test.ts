import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeEntry, type Entry, encodeEntry } from './entry.ts';

const text = fc.string({ unit: 'binary', maxLength: 8 });
const entry: fc.Arbitrary<Entry> = fc.record({
  id: text,
  kind: fc.constantFrom('transfer', 'hold.created'),
  accountId: text,
  inputHash: text,
  transfers: fc.array(fc.record({ debit: text, credit: text, token: text, amount: fc.bigInt() }), { maxLength: 2 }),
  booked: fc.array(fc.bigInt(), { maxLength: 3 }),
  data: fc.dictionary(fc.stringMatching(/^[a-z]{1,3}$/), text, { maxKeys: 2, noNullPrototype: true }),
});

describe('the line of an entry', () => {
  it('is the JSON of its fields, whatever they contain, and is read back as it was', () => {
    fc.assert(
      fc.property(entry, (one) => {
        const { id, kind, accountId, inputHash, transfers, booked, data } = one;
        const legs = transfers.map(({ debit, credit, token, amount }) => [debit, credit, token, `${amount}`]);
        const facts = Object.entries(data).sort(([a], [b]) => (a < b ? -1 : 1));
        expect(encodeEntry(one)).toBe(JSON.stringify([id, kind, accountId, inputHash, legs, booked.map(String), facts]));
        expect(decodeEntry(encodeEntry(one))).toEqual(one);
      }),
    );
  });
});
