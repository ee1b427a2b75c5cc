import { describe, expect, it } from 'vitest';
import { type Entry, explainedBy, itemOf, type Part, partOf, partsOf } from './item.ts';
import type { SettlementRecord } from './record.ts';

const AT = new Date('2026-11-24T10:00:00Z');
const DAY = '2026-11-24';
const [PAYMENT, ACCOUNT, OTHER] = ['1', '2', '3'].map((digit) => `${digit.repeat(8)}-0000-4000-8000-${digit.repeat(12)}`) as [
  string,
  string,
  string,
];

const scaleOf = (token: string) => ({
  ...{ currency: token === 'USDX' ? 'USD' : 'EUR', decimals: 18, currencyDecimals: 2, chainId: token === 'EURC' ? 10 : 100 },
});
const cents = (amount: bigint): string => String(amount * 10n ** 16n);
const entry = (...transfers: Entry['transfers']): Entry => ({
  ...{ id: 'e', shard: '0', block: 1, at: AT, reference: PAYMENT, transfers },
});
const spent = (token: string, amount: bigint, account = ACCOUNT) => ({
  ...{ debit: `${account}/held`, credit: `${account}/settling`, token, amount: cents(amount) },
});

const clearing: SettlementRecord = {
  ...{ kind: 'clearing', source: 'processor', id: 'r', date: DAY, currency: 'USD', network: 'visa', amount: 10_000n },
  ...{ interchange: 0n, schemeFee: 0n, processorFee: 0n, eventId: '', transactionId: '', acquirerReference: '' },
};
const correction = (currency: string, debit: string, credit: string, amount: bigint, note: string): SettlementRecord => ({
  ...{ kind: 'correction', source: 'operator', id: `${debit} ${currency}`, date: DAY, currency, debit, credit, amount, note },
});

/** The items of parts that differ. */
const differing = (parts: readonly (Part | undefined)[]) => {
  const byItem = Map.groupBy(
    parts.filter((part) => part !== undefined),
    ({ item, currency }) => `${item} ${currency}`,
  );
  return [...byItem.values()].flatMap((some) => {
    const [{ item: id, currency } = { item: '', currency: '' }] = some;
    return itemOf({ id, currency, parts: some }, { day: DAY }) ?? [];
  });
};

describe('the parts of an entry', () => {
  it('are one for each account, currency and chain, whatever tokens it moves', () => {
    const moved = [spent('EURe', 300n), spent('EURm', 9n), spent('EURC', 200n), spent('USDX', 100n), spent('EURe', 7n, OTHER)];
    const parts = partsOf(entry(...moved), scaleOf);
    expect(parts.map(({ item, currency, amount }) => [item, currency, amount])).toEqual([
      [`${PAYMENT}/${ACCOUNT}`, 'EUR', 309n],
      [`${PAYMENT}/${ACCOUNT}`, 'EUR', 200n],
      [`${PAYMENT}/${ACCOUNT}`, 'USD', 100n],
      [`${PAYMENT}/${OTHER}`, 'EUR', 7n],
    ]);
    expect(new Set(parts.map(({ key }) => key)).size).toBe(4);
  });

  it('count up to the block of the ledger that the proof of their chain states', () => {
    const parts = partsOf(entry(spent('EURe', 300n), spent('EURC', 200n)), scaleOf);
    const ledgerAt = (...heads: [chainId: number, block: number][]) => {
      const proofs = heads.map(([chainId, block]) => ({ chainId, blocks: new Map([['0', block]]) }));
      return itemOf({ id: 'i', currency: 'EUR', parts }, { day: DAY, proofs })?.ledger;
    };
    expect([ledgerAt([10, 0], [100, 1]), ledgerAt([10, 1], [100, 0]), ledgerAt([10, 1], [100, 1])]).toEqual([300n, 200n, 500n]);
  });

  it('belong to the account that has spent', () => {
    const moved = { debit: `${OTHER}/available`, credit: `${ACCOUNT}/settling`, token: 'EURe', amount: cents(5n) };
    expect(partsOf(entry(moved), scaleOf)).toMatchObject([{ item: `${PAYMENT}/${ACCOUNT}`, amount: 5n }]);
  });
});

describe('what the network has paid, or is paid, without an account', () => {
  const moved = (debit: string, credit: string, amount: bigint) => entry({ debit, credit, token: 'EURe', amount: cents(amount) });

  it('is an item of the disputes of a payment, or of a report in suspense', () => {
    expect(differing(partsOf(moved('settlement', 'disputes', 700n), scaleOf))).toMatchObject([
      { id: `disputes/${PAYMENT}`, ledger: -700n },
    ]);
    expect(differing(partsOf(moved('suspense', 'settlement', 300n), scaleOf))).toMatchObject([{ id: `suspense/${PAYMENT}`, ledger: 300n }]);
    // Another system account is one of the payment.
    expect(differing(partsOf(moved('fees', 'settlement', 5n), scaleOf))).toMatchObject([{ id: `${PAYMENT}/`, ledger: 5n }]);
  });

  it('is an item each, whatever an entry moves together', () => {
    const both = (...accounts: string[]) =>
      partsOf(
        entry(...accounts.map((credit, index) => ({ debit: 'settlement', credit, token: 'EURe', amount: cents(BigInt(index + 1)) }))),
        scaleOf,
      );
    const items = (parts: readonly Part[]) => parts.map(({ item, amount }) => [item, amount]);
    expect(items(both('disputes', 'fees'))).toEqual([
      [`disputes/${PAYMENT}`, -1n],
      [`${PAYMENT}/`, -2n],
    ]);
    expect(items(both('fees', 'disputes', 'suspense'))).toEqual([
      [`${PAYMENT}/`, -1n],
      [`disputes/${PAYMENT}`, -2n],
      [`suspense/${PAYMENT}`, -3n],
    ]);
    const keys = both('fees', 'disputes', 'suspense').map(({ key }) => key);
    expect([keys[0], new Set(keys).size]).toEqual(['0/e//EUR', 3]);
  });

  it('agrees with the record of a report in suspense, and with a correction for disputes that were won', () => {
    const suspended = partsOf(moved('suspense', 'settlement', 10_000n), scaleOf);
    const record = partOf({ ...clearing, currency: 'EUR' }, DAY, AT, { suspenseId: PAYMENT });
    expect(differing([...suspended, record])).toEqual([]);
    const won = partsOf(moved('settlement', 'disputes', 700n), scaleOf);
    const paid = partOf(correction('EUR', 'bank', 'receivable', 700n, `disputes/${PAYMENT}`), DAY, AT);
    expect(differing([...won, paid])).toEqual([]);
  });
});

describe('the part of a record', () => {
  it('is in its own currency, so that items explain the totals, and corrections close them', () => {
    const parts = [
      ...partsOf(entry(spent('EURe', 9000n)), scaleOf),
      partOf(clearing, DAY, AT, { found: { paymentId: PAYMENT, accountId: ACCOUNT } }),
    ];
    const items = differing(parts);
    expect(items.map(({ currency, ledger, books }) => [currency, ledger, books])).toEqual([
      ['EUR', 9000n, 0n],
      ['USD', 0n, 10_000n],
    ]);
    // `receivable` has 100.00 USD, and the ledger 90.00 EUR.
    expect(explainedBy(items)).toEqual(
      new Map([
        ['uncollected EUR', 9000n],
        ['uncollected USD', -10_000n],
      ]),
    );
    const note = `${PAYMENT}/${ACCOUNT}`;
    const exchange = [correction('EUR', 'receivable', 'losses', 9000n, note), correction('USD', 'losses', 'receivable', 10_000n, note)];
    expect(differing([...parts, ...exchange.map((record) => partOf(record, DAY, AT))])).toEqual([]);
  });

  it.each([
    ['the key of a record', 'processor:r'],
    ['a payment', `${PAYMENT}/${ACCOUNT}`],
    ['an entry without an account', `${PAYMENT}/`],
    ['a movement', 'collection/e'],
    ['disputes', `disputes/${PAYMENT}`],
    ['a report in suspense', `suspense/${PAYMENT}`],
  ])('of a correction belongs to the item that its note names: %s', (_what, note) => {
    expect(partOf(correction('USD', 'losses', 'receivable', 10_000n, note), DAY, AT)?.item).toBe(note);
  });

  it('of a correction with another note belongs to none', () => {
    expect(partOf(correction('USD', 'losses', 'receivable', 1n, 'see the letter of: visa'), DAY, AT)?.item).toBe('operator:losses USD');
  });
});
