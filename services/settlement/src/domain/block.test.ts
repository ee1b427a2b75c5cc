import { generateKeyPairSync } from 'node:crypto';
import { createSigningKey, type SigningKey } from '@florin/rpc/signing-key';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Balance,
  Balances,
  type Block,
  type BookedRecord,
  closingBlock,
  DayRecords,
  EMPTY,
  type Head,
  isValidClose,
  judge,
  sumsOf,
  unbalanced,
} from './block.ts';
import { dayAfter, isDay, keyOf, legsOf, parse, positionOf, type SettlementRecord, spell } from './record.ts';

const newKey = (): SigningKey =>
  createSigningKey(generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' }) as Parameters<typeof createSigningKey>[0]);
const KEY = newKey();
const AT = new Date('2026-11-30T10:00:00.000Z');
const DAYS = ['2026-11-20', '2026-11-21', '2026-11-22', '2026-11-23'];

const amounts = fc.bigInt({ min: -(10n ** 15n), max: 10n ** 15n });
const nonZero = amounts.filter((amount) => amount !== 0n);
const common = {
  source: fc.constantFrom('processor', 'bank'),
  id: fc.integer({ min: 0, max: 40 }).map(String),
  date: fc.constantFrom(...DAYS),
  currency: fc.constantFrom('EUR', 'USD'),
};
const positions = fc
  .tuple(fc.constantFrom('visa', 'mastercard'), fc.constantFrom(...DAYS))
  .map(([network, day]) => positionOf(network, day));
const accounts = fc.oneof(positions, fc.constantFrom('bank', 'treasury', 'unexplained', 'receivable'));
const records: fc.Arbitrary<SettlementRecord> = fc.oneof(
  fc.record({
    ...common,
    kind: fc.constant('clearing' as const),
    network: fc.constantFrom('visa', 'mastercard'),
    amount: nonZero,
    ...{ interchange: amounts, schemeFee: amounts, processorFee: amounts },
    ...{ eventId: fc.string(), transactionId: fc.string(), acquirerReference: fc.constantFrom('', '7'.repeat(23)) },
  }),
  fc.record({
    ...common,
    kind: fc.constant('bank' as const),
    amount: nonZero,
    settles: fc.oneof(positions, fc.constantFrom('', 'treasury')),
  }),
  fc.record({ ...common, kind: fc.constant('collection' as const), amount: nonZero }),
  fc.record({
    ...common,
    kind: fc.constant('correction' as const),
    ...{ debit: accounts, credit: accounts, amount: nonZero.map((amount) => (amount < 0n ? -amount : amount)), note: fc.string() },
  }),
);

/** A journal in memory, as the store keeps it. */
const createJournal = () => {
  const blocks: Block[] = [];
  const head = (): Head => blocks.at(-1) ?? EMPTY;
  const booked = () => new Map(blocks.flatMap((block) => block.records).map((record): [string, BookedRecord] => [record.key, record]));
  const sums = (days: (day: string) => boolean): Balance[] => {
    const all = blocks.flatMap((block) => block.records.map(({ day, line }) => ({ day, record: parse(line) })));
    const total = new Balances();
    for (const { day, ...sum } of sumsOf(all)) if (days(day)) total.add(sum);
    return total.list();
  };
  return {
    blocks,
    head,
    booked,
    sums,
    importRecords: (batch: readonly SettlementRecord[]) => {
      const { block, outcomes } = judge(head(), batch, booked(), AT);
      if (block !== undefined) blocks.push(block);
      return outcomes;
    },
    close: (day: string): void => {
      const { closedDay } = head();
      if (day <= closedDay) return;
      const found = new DayRecords();
      for (const block of blocks) for (const record of block.records) if (record.day > closedDay && record.day <= day) found.add(record);
      blocks.push(closingBlock(head(), { day, ...found.state(), balances: sums((one) => one <= day) }, KEY, AT));
    },
  };
};

describe('a record', () => {
  it('is spelled in one way, from which it is read again', () => {
    fc.assert(fc.property(records, (record) => void expect(parse(spell(record))).toEqual(record)));
    for (const text of ['[]', '{}', '["clearing"]', '["bank","s","i","d","EUR","01",""]', ' ["collection","s","i","d","EUR","1"]'])
      expect(() => parse(text)).toThrow('not a settlement record');
  });

  it('has legs that add up to zero', () => {
    fc.assert(fc.property(records, (record) => void expect(legsOf(record).reduce((sum, { amount }) => sum + amount, 0n)).toBe(0n)));
  });

  it('owes the network the amount and its fees, less interchange', () => {
    const names = { eventId: '', transactionId: '', acquirerReference: '' };
    const fees = { interchange: 14n, schemeFee: 3n, processorFee: 2n };
    const one: SettlementRecord = {
      ...{ kind: 'clearing', source: 's', id: '1', date: '2026-11-20', currency: 'EUR', network: 'visa', amount: 2800n },
      ...{ ...fees, ...names },
    };
    expect(legsOf(one).find(({ account }) => account === 'payable/visa/2026-11-20')?.amount).toBe(-2791n);
  });

  it('has a day of the calendar', () => {
    expect(['2026-02-28', '2024-02-29'].every(isDay)).toBe(true);
    expect(['2026-02-29', '2026-13-01', '2026-1-1', '', 'today', '2026-11-31'].some(isDay)).toBe(false);
    expect(dayAfter('2026-12-31', 1)).toBe('2027-01-01');
  });
});

type Step = { import: SettlementRecord[] } | { close: string };
const steps: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.array(records, { maxLength: 6 }).map((batch): Step => ({ import: batch })) },
  { weight: 1, arbitrary: fc.constantFrom(...DAYS).map((day): Step => ({ close: day })) },
);

describe('the journal', () => {
  it('books each record once, on an open day, in books that add up to zero, and never changes a closed day', () => {
    fc.assert(
      fc.property(fc.array(steps, { maxLength: 12 }), (plan) => {
        const journal = createJournal();
        const standing = new Map<string, string>();
        for (const step of plan) {
          const { closedDay } = journal.head();
          if ('close' in step) journal.close(step.close);
          else {
            for (const [index, { outcome, day }] of journal.importRecords(step.import).entries()) {
              const record = step.import[index] as SettlementRecord;
              if (outcome !== 'booked') continue;
              expect(standing.has(keyOf(record))).toBe(false);
              standing.set(keyOf(record), spell(record));
              expect(day > closedDay && day >= record.date).toBe(true);
            }
          }
          expect(unbalanced(journal.sums(() => true))).toEqual([]);
        }
        expect(new Map([...journal.booked()].map(([key, { line }]) => [key, line]))).toEqual(standing);
        // Every close still states what the journal says of its days.
        for (const block of journal.blocks) {
          if (block.close === undefined) continue;
          const { close } = block;
          expect(isValidClose(close, block)).toBe(true);
          expect(journal.sums((day) => day <= close.day)).toEqual(close.balances);
          const found = new DayRecords();
          for (const { day, line } of journal.booked().values()) if (day > close.previousDay && day <= close.day) found.add({ day, line });
          expect(found.state()).toEqual({ records: close.records, recordsHash: close.recordsHash });
        }
      }),
      { numRuns: 150 },
    );
  });

  it('comes to the same balances in any order of imports, cut and repeated in any way', () => {
    const distinct = fc.uniqueArray(records, { selector: keyOf, maxLength: 20 });
    fc.assert(
      fc.property(distinct, fc.infiniteStream(fc.nat()), (all, random) => {
        const straight = createJournal();
        straight.importRecords(all);
        const other = createJournal();
        const next = (below: number): number => (random.next().value ?? 0) % below;
        const shuffled = all.map((record) => ({ record, at: next(1000) })).toSorted((a, b) => a.at - b.at);
        for (let at = 0; at < shuffled.length; at += 1) {
          const batch = shuffled.slice(Math.max(0, at - next(3)), at + 1 + next(3)).map(({ record }) => record);
          other.importRecords(batch);
        }
        expect(other.sums(() => true)).toEqual(straight.sums(() => true));
      }),
    );
  });

  it('does not accept a close that was changed, or signed by another key', () => {
    const journal = createJournal();
    journal.importRecords([{ kind: 'collection', source: 's', id: '1', date: '2026-11-20', currency: 'EUR', amount: 5n }]);
    journal.close('2026-11-20');
    const block = journal.blocks.at(-1) as Block;
    const close = block.close ?? expect.fail('no close');
    expect(isValidClose(close, block)).toBe(true);
    expect(isValidClose({ ...close, records: 2 }, block)).toBe(false);
    expect(isValidClose({ ...close, day: '2026-11-21' }, block)).toBe(false);
    expect(isValidClose({ ...close, balances: [] }, block)).toBe(false);
    expect(isValidClose(close, { ...block, previousHash: '00' })).toBe(false);
    expect(isValidClose({ ...close, key: newKey().publicKey }, block)).toBe(false);
  });
});
