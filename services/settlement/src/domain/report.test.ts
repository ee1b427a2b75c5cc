import { generateKeyPairSync } from 'node:crypto';
import { createSigningKey } from '@florin/rpc/signing-key';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Balances, type Block, type BookedRecord, type Close, closingBlock, DayRecords, EMPTY, judge, sumsOf } from './block.ts';
import { checkReport } from './check-report.ts';
import { keyOf, parse, type SettlementRecord } from './record.ts';
import { type Found, type Items, type Proofs, type Reserves, reportLines } from './report.ts';

const newKey = () =>
  createSigningKey(generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' }) as Parameters<typeof createSigningKey>[0]);
const KEY = newKey();
const AT = new Date('2026-11-25T10:00:00.000Z');
const DAY = '2026-11-23';

const clearing = (id: number, amount: bigint): SettlementRecord => ({
  ...{ kind: 'clearing', source: 'processor', id: String(id), date: DAY, currency: 'EUR', network: 'visa', amount },
  ...{ interchange: 14n, schemeFee: 3n, processorFee: 2n, eventId: '', transactionId: '', acquirerReference: '' },
});

/** A closed day with these records, after other days or none. */
const closed = (records: readonly SettlementRecord[], closedDay = '', opening: Close['balances'] = []): Block & { close: Close } => {
  const { block } = judge({ ...EMPTY, closedDay }, records, new Map(), AT);
  const [found, balances] = [new DayRecords(), new Balances(opening)];
  for (const record of block?.records ?? []) found.add(record);
  for (const { day: _day, ...sum } of sumsOf((block?.records ?? []).map(({ day, line }) => ({ day, record: parse(line) }))))
    balances.add(sum);
  const closing = closingBlock(block ?? { ...EMPTY, closedDay }, { day: DAY, ...found.state(), balances: balances.list() }, KEY, AT);
  return { ...closing, close: closing.close ?? expect.fail('no close') };
};

type Item = { record: SettlementRecord; match: Found };

const item = (id: string, more = {}) => ({ id, currency: 'EUR', ledger: 300n, books: 0n, since: AT, ...more });

const NOTHING: Items = { list: [], overdue: AT };

const proofsOf = (reserves: Reserves | Proofs | undefined): Proofs | undefined =>
  reserves === undefined || 'list' in reserves ? reserves : { list: [reserves], unproven: [] };

const write = async (items: readonly Item[], reserves?: Reserves | Proofs, key = KEY, open = NOTHING): Promise<string[]> => {
  const records = items.map(({ record }) => record);
  const { block } = judge(EMPTY, records, new Map(), AT);
  const matchOf = ({ key: name }: BookedRecord): Found => items.find(({ record }) => keyOf(record) === name)?.match ?? {};
  const some = async function* () {
    yield (block?.records ?? []).map((record) => ({ ...record, match: matchOf(record) }));
  };
  const text = (await Array.fromAsync(reportLines(closed(records), [], some(), proofsOf(reserves), open, key, AT))).join('');
  return text.split('\n').slice(0, -1);
};
const check = (lines: readonly string[], reserves?: Reserves | Proofs) =>
  checkReport(
    (async function* () {
      yield* lines;
    })(),
    proofsOf(reserves),
  );

const found = (accountId: string, billed: bigint): Found => ({
  found: { accountId, billedAmount: String(billed), billingCurrency: 'EUR' },
});

const reservesOf = (uncollected: bigint, treasury: bigint, held = 100n): Reserves => ({
  ...{ chainId: 100, block: 7, blockHash: '0x00', at: AT.toISOString(), hash: 'ab' },
  blocks: new Map(),
  accounts: [{ accountId: 'a', token: 'EURe', held, owed: 100n }],
  uncollected: new Map([['EUR', uncollected]]),
  treasury: new Map([['EUR', treasury]]),
});

describe('a report', () => {
  it('shows that three books agree', async () => {
    const items = [
      { record: clearing(1, 2800n), match: found('a', 2800n) },
      { record: clearing(2, -500n), match: found('a', -500n) },
      { record: { ...clearing(3, 0n), kind: 'collection', amount: 2000n } as SettlementRecord, match: {} },
    ];
    const reserves = reservesOf(300n, 2000n);
    const report = await check(await write(items, reserves), reserves);
    expect(report).toMatchObject({ day: DAY, records: 3, accounts: 1, safes: 1, differences: [], key: KEY.id, closeKey: KEY.id });
    expect(report.changes).toEqual(report.balances);
  });

  it('names each difference', async () => {
    const items = [
      { record: clearing(1, 2800n), match: { ...found('a', 2700n), exceptionId: 'y' } },
      { record: clearing(2, 500n), match: { exceptionId: 'x' } },
    ];
    const reserves = reservesOf(2700n, 5n, 99n);
    const { differences } = await check(await write(items, reserves), reserves);
    expect(differences.map((line) => JSON.parse(line) as string[])).toEqual([
      ['difference', 'amount', 'processor:1', 'EUR', '2800', 'EUR', '2700', 'y'],
      ['difference', 'unmatched', 'processor:2', 'EUR', '500', 'x'],
      ['difference', 'account', 'a', 'EUR', '2800', 'EUR', '2700'],
      ['difference', 'safe', 'a', 'EURe', '99', '100'],
      ['difference', 'uncollected', 'EUR', '3300', '2700'],
      ['difference', 'treasury', 'EUR', '0', '5'],
    ]);
  });

  it('gives a Safe that has become short since an earlier proof time for its refund, and names one that was short before', async () => {
    const name = {
      ...{ chainId: 100, block: 6, blockHash: '0x01', hash: 'cd' },
      at: new Date(AT.getTime() - 24 * 3_600_000).toISOString(),
    };
    const since = (short: readonly string[]): Reserves => ({ ...reservesOf(0n, 0n, 99n), earlier: { name, short: new Set(short) } });
    const recent = await write([], since([]));
    expect(recent).toContain('["safe","a","EURe","99","100","since"]');
    expect(await check(recent, since([]))).toMatchObject({ differences: [], returning: 1 });
    expect(await check(recent)).toMatchObject({ differences: [], returning: 1 });
    const lasting = await write([], since(['a EURe']));
    expect(await check(lasting, since(['a EURe']))).toMatchObject({
      differences: ['["difference","safe","a","EURe","99","100"]'],
      returning: 0,
    });
    // A report that claims otherwise is found out by the proofs.
    await expect(check(recent, since(['a EURe']))).rejects.toThrow('the Safe of account a is not as');
    await expect(check(recent, reservesOf(0n, 0n, 99n))).rejects.toThrow('the Safe of account a is not as');
    const same = { ...since([]), earlier: { name: { ...name, at: AT.toISOString() }, short: new Set<string>() } };
    await expect(check(await write([], same))).rejects.toThrow('not of a day before');
  });

  it('lists what explains the totals, and names what has waited too long', async () => {
    const items = [{ record: clearing(1, 2800n), match: found('a', 2800n) }];
    const [young, old] = [new Date(AT.getTime() + 1), new Date(AT.getTime() - 1)];
    const list = [
      { id: 'before', currency: 'EUR', ledger: 50n, books: 0n, since: old },
      { id: 'collection/c', currency: 'EUR', ledger: -1000n, books: 0n, since: young },
      { id: 'p/a', currency: 'EUR', ledger: 300n, books: 0n, since: young },
    ];
    // 28.00 and 3.00 and 0.50 were spent, of which 10.00 were collected.
    const reserves = reservesOf(2150n, 1000n);
    const lines = await write(items, reserves, KEY, { list, overdue: AT });
    expect(await check(lines, reserves)).toMatchObject({
      ...{ differences: [], items: 3, overdue: AT.toISOString(), before: [{ currency: 'EUR', amount: 50n }] },
    });
    expect(lines.filter((line) => line.startsWith('["total"'))).toEqual([
      '["total","uncollected","EUR","2800","2150","-650"]',
      '["total","treasury","EUR","0","1000","1000"]',
    ]);
    const late = await write(items, reserves, KEY, { list, overdue: new Date(young.getTime() + 1) });
    const { differences } = await check(late, reserves);
    expect(differences.map((line) => JSON.parse(line) as string[])).toEqual([
      ['difference', 'item', 'collection/c', 'EUR', '-1000', '0', young.toISOString()],
      ['difference', 'item', 'p/a', 'EUR', '300', '0', young.toISOString()],
    ]);
    // A difference is the rest that items do not explain.
    const lost = reservesOf(2149n, 1000n);
    expect((await check(await write(items, lost, KEY, { list, overdue: AT }), lost)).differences).toEqual([
      '["difference","uncollected","EUR","2800","2149","-650"]',
    ]);
  });

  it.each<[string, Items, string]>([
    ['of no time', { list: [item('p/a', { since: new Date(AT.getTime() - 1) })], overdue: AT }, '["items","x"]'],
    ['of a time that makes nothing overdue', { list: [], overdue: new Date(0) }, ''],
    ['newer than the report', { list: [item('p/a', { since: new Date('2100-01-01') })], overdue: AT }, ''],
    ['twice', { list: [item('p/a'), item('p/a')], overdue: AT }, ''],
    ['in another order', { list: [item('p/b'), item('p/a')], overdue: AT }, ''],
    ['from before the first record, and with one', { list: [item('before', { books: 1n })], overdue: AT }, ''],
  ])('does not pass with items %s', async (_what, open, line) => {
    const items = [{ record: clearing(1, 2800n), match: found('a', 2800n) }];
    const lines = await write(items, undefined, KEY, open);
    const changed = line === '' ? lines : lines.map((one) => (one.startsWith('["items"') ? line : one));
    await expect(check(changed)).rejects.toThrow(/item|time|record/);
  });

  it('names conversions, which are no differences', async () => {
    const items = [
      { record: clearing(1, 9000n), match: found('a', 9090n) },
      { record: clearing(2, -500n), match: found('a', -499n) },
    ];
    const lines = await write(items);
    expect(lines.filter((line) => /conversion|account"/.test(line))).toEqual([
      '["conversion","processor:1","EUR","9000","9090"]',
      '["conversion","processor:2","EUR","-500","-499"]',
      '["account","a","EUR","8500","EUR","8591","91"]',
    ]);
    expect(await check(lines)).toMatchObject({ differences: [] });
  });

  it('shows that the records lead from the balances before to those of the close', async () => {
    const before = [
      { account: 'bank', currency: 'EUR', amount: 7n },
      { account: 'treasury', currency: 'EUR', amount: -7n },
    ];
    const block = closed([clearing(1, 2800n)], '2026-11-22', before);
    const records = async function* () {
      const { block: booked } = judge({ ...EMPTY, closedDay: '2026-11-22' }, [clearing(1, 2800n)], new Map(), AT);
      yield (booked?.records ?? []).map((record) => ({ ...record, match: found('a', 2800n) }));
    };
    const from = async (opening: Close['balances']) =>
      (await Array.fromAsync(reportLines(block, opening, records(), undefined, NOTHING, KEY, AT))).join('').split('\n').slice(0, -1);
    expect(await check(await from(before))).toMatchObject({ previousDay: '2026-11-22', differences: [] });
    await expect(check(await from([]))).rejects.toThrow('do not lead to the balances');
  });

  it('does not pass with a line that was changed, removed, added or exchanged', async () => {
    const items = Array.from({ length: 4 }, (_, id) => ({
      record: clearing(id, BigInt(id + 1)),
      match: found(`a${id % 2}`, BigInt(id + 1)),
    }));
    const lines = await write(items, reservesOf(10n, 0n));
    await check(lines);
    const index = fc.nat(lines.length - 1);
    const change = fc.tuple(fc.constantFrom('change', 'remove', 'double', 'exchange'), index, index);
    await fc.assert(
      fc.asyncProperty(change, async ([how, at, other]) => {
        const changed = [...lines];
        if (how === 'change') changed[at] = (lines[at] ?? '').replace(/[0-9]/, (digit) => String((Number(digit) + 1) % 10));
        else if (how === 'remove') changed.splice(at, 1);
        else if (how === 'double') changed.splice(at, 0, lines[at] ?? '');
        else [changed[at], changed[other]] = [lines[other] ?? '', lines[at] ?? ''];
        fc.pre(changed.join('\n') !== lines.join('\n'));
        await expect(check(changed)).rejects.toThrow();
      }),
      { numRuns: 60 },
    );
  });

  it('is not believed by another signer: differences and totals follow from its lines', async () => {
    const forger = newKey();
    const items = [{ record: clearing(1, 2800n), match: { ...found('a', 2700n), exceptionId: 'y' } }];
    const lines = await write(items, reservesOf(2800n, 0n), forger);
    expect(await check(lines)).toMatchObject({ key: forger.id, closeKey: KEY.id });
    // The forger leaves the difference out, and signs again what is left.
    const without = (await write([{ record: clearing(1, 2800n), match: found('a', 2800n) }], reservesOf(2800n, 0n), forger)).map((line) =>
      line.replace('["account","a","EUR","2800","EUR","2800"]', '["account","a","EUR","2800","EUR","2700"]'),
    );
    await expect(check(without)).rejects.toThrow('the difference ["difference","account"');
  });

  it('adds up the proofs of several chains, and names a chain without one', async () => {
    const items = [{ record: clearing(1, 2800n), match: found('a', 2800n) }];
    const chainOf = (chainId: number, uncollected: bigint, held = 100n): Reserves => ({
      ...{ ...reservesOf(uncollected, 0n, held), chainId, hash: `of ${chainId}` },
    });
    const both: Proofs = { list: [chainOf(10, 800n), chainOf(100, 2000n)], unproven: [] };
    const lines = await write(items, both);
    expect(await check(lines, both)).toMatchObject({ differences: [], safes: 2, reserves: [expect.any(String), expect.any(String)] });
    const short: Proofs = { list: [chainOf(10, 800n, 99n), chainOf(100, 2000n)], unproven: [] };
    expect((await check(await write(items, short), short)).differences).toEqual(['["difference","safe","a","EURe","99","100"]']);
    const lacking: Proofs = { list: [chainOf(100, 2000n)], unproven: [10] };
    const named = await write(items, lacking);
    expect((await check(named, lacking)).differences).toEqual([
      '["difference","unproven",10]',
      '["difference","uncollected","EUR","2800","2000"]',
    ]);
    // What is compared with other proofs than it names, or hides a chain, does not pass.
    await expect(check(lines, { ...both, list: [chainOf(10, 800n)] })).rejects.toThrow('not those that the report names');
    await expect(check(lines, { ...both, list: [chainOf(10, 800n), chainOf(100, 2000n, 101n)] })).rejects.toThrow('the Safe of account a');
    await expect(check(named, { ...lacking, unproven: [] })).rejects.toThrow('the chains without a proof');
    await expect(check(await write(items, { ...both, list: both.list.toReversed() }))).rejects.toThrow('in their order');
  });

  it('is compared with the proof of reserves that it names', async () => {
    const items = [{ record: clearing(1, 2800n), match: found('a', 2800n) }];
    const lines = await write(items, reservesOf(2800n, 0n));
    await expect(check(lines, { ...reservesOf(2800n, 0n), hash: 'cd' })).rejects.toThrow('not the one');
    await expect(check(lines, reservesOf(2900n, 0n))).rejects.toThrow('totals');
    await expect(check(lines, reservesOf(2800n, 0n, 101n))).rejects.toThrow('the Safe of account a');
  });
});
