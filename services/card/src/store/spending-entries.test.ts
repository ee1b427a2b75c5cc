import fc from 'fast-check';
import { expect, it } from 'vitest';
import { packEntries, unpackEntries } from './spending-entries.ts';

const entries = fc.array(
  fc.record(
    {
      paymentId: fc.uuid(),
      increase: fc.constant(true),
      at: fc.date({ min: new Date(0), max: new Date('9999-12-31T23:59:59.999Z'), noInvalidDate: true }),
      atm: fc.boolean(),
      revision: fc.integer({ min: 0, max: 2 ** 32 - 1 }),
      amount: fc.bigInt({ min: 0n, max: 10n ** 30n }),
      reservations: fc.constant([]),
    },
    { requiredKeys: ['paymentId', 'at', 'atm', 'revision', 'amount', 'reservations'] },
  ),
);

it('returns the entries that were packed', () => {
  fc.assert(
    fc.property(entries, (given) => {
      expect(unpackEntries(packEntries(given))).toEqual(given);
    }),
  );
});

it('packs unpacked entries to the same bytes', () => {
  fc.assert(
    fc.property(entries, (given) => {
      const bytes = packEntries(given);
      expect(packEntries(unpackEntries(bytes)).equals(bytes)).toBe(true);
    }),
  );
});

it('rejects bytes that end within an entry', () => {
  const entry = { paymentId: crypto.randomUUID(), at: new Date(), atm: false, revision: 1, amount: 12n, reservations: [] };
  const bytes = packEntries([entry]);
  for (let length = 1; length < bytes.length; length += 1) expect(() => unpackEntries(bytes.subarray(0, length))).toThrow(RangeError);
});
