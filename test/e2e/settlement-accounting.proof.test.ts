import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, it } from 'vitest';
import { findDebianProgram } from '../../scripts/find-debian-program.ts';
import { FORMATS } from '../../services/settlement/src/domain/accounting.ts';
import { type SettlementRecord, spell } from '../../services/settlement/src/domain/record.ts';

const directory = mkdtempSync(join(tmpdir(), 'florin-accounting-'));
afterAll(() => rmSync(directory, { recursive: true }));

const hledger = await findDebianProgram({ name: 'hledger', from: 'hledger' }, (line) => process.stderr.write(`${line}\n`));

const common = { source: 'processor', date: '2026-11-22', currency: 'EUR' };
const RECORDS: readonly SettlementRecord[] = [
  {
    ...{ ...common, kind: 'clearing', id: 'a=(1)', network: 'visa', amount: 2800n, interchange: 14n, schemeFee: 3n, processorFee: 2n },
    ...{ eventId: '', transactionId: '', acquirerReference: '' },
  },
  { ...common, kind: 'collection', id: '2', amount: 2000n },
  { ...common, kind: 'bank', id: '3', amount: -7n, settles: '' },
  { ...common, kind: 'bank', id: '4', amount: 123_456n, settles: 'treasury', currency: 'JPY' },
  { ...common, kind: 'correction', id: '5', debit: 'processor_fees', credit: 'unexplained', amount: 7n, note: '(a) * ! = "x"  y, z: 1' },
];

it.skipIf(hledger === undefined)('hledger reads the journal, and comes to the same balances', async () => {
  const file = join(directory, 'day.journal');
  const { header, entry } = FORMATS.journal;
  writeFileSync(file, header + RECORDS.map((record) => entry({ day: '2026-11-23', line: spell(record) })).join(''));
  const ask = async (...args: string[]) => (await promisify(execFile)(hledger ?? '', ['-f', file, ...args])).stdout;
  await ask('check');
  const rows = (await ask('balance', '--flat', '-O', 'csv')).trim().split('\n').sort();
  expect(rows).toEqual(
    [
      '"account","balance"',
      '"assets:bank","-0.07 EUR, 123456 JPY"',
      '"assets:receivable","8.00 EUR"',
      '"assets:treasury","20.00 EUR, -123456 JPY"',
      '"expenses:processor_fees","0.09 EUR"',
      '"expenses:scheme_fees","0.03 EUR"',
      '"income:interchange","-0.14 EUR"',
      '"liabilities:payable:visa:2026-11-22","-27.91 EUR"',
      '"total","0"',
    ].sort(),
  );
});
