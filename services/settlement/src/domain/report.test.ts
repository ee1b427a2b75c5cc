import { generateKeyPairSync } from 'node:crypto';
import { createSigningKey } from '@florin/rpc/signing-key';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Balances, type Block, type BookedRecord, type Close, closingBlock, DayRecords, EMPTY, judge, sumsOf } from './block.ts';
import { keyOf, parse, type SettlementRecord } from './record.ts';
import { checkReport, type Found, type Reserves, reportLines } from './report.ts';

const newKey = () =>
  createSigningKey(generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' }) as Parameters<typeof createSigningKey>[0]);
const KEY = newKey();
const AT = new Date('2026-11-25T10:00:00.000Z');
const DAY = '2026-11-23';

const clearing = (id: number, amount: bigint): SettlementRecord => ({
  ...{ kind: 'clearing', source: 'processor', id: String(id), date: DAY, currency: 'EUR', network: 'visa', amount },
  ...{ interchange: 14n, schemeFee: 3n, processorFee: 2n, eventId: '', transactionId: '', acquirerReference: '' },
});

/** A closed day with these records. */
const closed = (records: readonly SettlementRecord[]): Block & { close: Close } => {
  const { block } = judge(EMPTY, records, new Map(), AT);
  const [found, balances] = [new DayRecords(), new Balances()];
  for (const record of block?.records ?? []) found.add(record);
  for (const { day: _day, ...sum } of sumsOf((block?.records ?? []).map(({ day, line }) => ({ day, record: parse(line) }))))
    balances.add(sum);
  const closing = closingBlock(block ?? EMPTY, { day: DAY, ...found.state(), balances: balances.list() }, KEY, AT);
  return { ...closing, close: closing.close ?? expect.fail('no close') };
};

type Item = { record: SettlementRecord; match: Found };

const write = async (items: readonly Item[], reserves?: Reserves, key = KEY): Promise<string[]> => {
  const records = items.map(({ record }) => record);
  const { block } = judge(EMPTY, records, new Map(), AT);
  const matchOf = ({ key: name }: BookedRecord): Found => items.find(({ record }) => keyOf(record) === name)?.match ?? {};
  const some = async function* () {
    yield (block?.records ?? []).map((record) => ({ ...record, match: matchOf(record) }));
  };
  const text = (await Array.fromAsync(reportLines(closed(records), some(), reserves, key, AT))).join('');
  return text.split('\n').slice(0, -1);
};
const check = (lines: readonly string[], reserves?: Reserves) =>
  checkReport(
    (async function* () {
      yield* lines;
    })(),
    reserves,
  );

const found = (accountId: string, billed: bigint): Found => ({
  found: { accountId, billedAmount: String(billed), billingCurrency: 'EUR' },
});

const reservesOf = (uncollected: bigint, treasury: bigint, held = 100n): Reserves => ({
  ...{ chainId: 100, block: 7, blockHash: '0x00', at: AT.toISOString(), hash: 'ab' },
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
      { record: clearing(1, 2800n), match: found('a', 2700n) },
      { record: clearing(2, 500n), match: { exceptionId: 'x' } },
    ];
    const reserves = reservesOf(2700n, 5n, 99n);
    const { differences } = await check(await write(items, reserves), reserves);
    expect(differences.map((line) => JSON.parse(line) as string[])).toEqual([
      ['difference', 'amount', 'processor:1', 'EUR', '2800', 'EUR', '2700', ''],
      ['difference', 'unmatched', 'processor:2', 'EUR', '500', 'x'],
      ['difference', 'account', 'a', 'EUR', '2800', 'EUR', '2700'],
      ['difference', 'safe', 'a', 'EURe', '99', '100'],
      ['difference', 'uncollected', 'EUR', '3300', '2700'],
      ['difference', 'treasury', 'EUR', '0', '5'],
    ]);
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
    const items = [{ record: clearing(1, 2800n), match: found('a', 2700n) }];
    const lines = await write(items, reservesOf(2800n, 0n), forger);
    expect(await check(lines)).toMatchObject({ key: forger.id, closeKey: KEY.id });
    // The forger leaves the difference out, and signs again what is left.
    const without = (await write([{ record: clearing(1, 2800n), match: found('a', 2800n) }], reservesOf(2800n, 0n), forger)).map((line) =>
      line.replace('["account","a","EUR","2800","EUR","2800"]', '["account","a","EUR","2800","EUR","2700"]'),
    );
    await expect(check(without)).rejects.toThrow('the difference ["difference","account"');
  });

  it('is compared with the proof of reserves that it names', async () => {
    const items = [{ record: clearing(1, 2800n), match: found('a', 2800n) }];
    const lines = await write(items, reservesOf(2800n, 0n));
    await expect(check(lines, { ...reservesOf(2800n, 0n), hash: 'cd' })).rejects.toThrow('not the one');
    await expect(check(lines, reservesOf(2900n, 0n))).rejects.toThrow('totals');
    await expect(check(lines, reservesOf(2800n, 0n, 101n))).rejects.toThrow('the Safe of account a');
  });
});
