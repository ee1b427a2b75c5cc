import { spawn } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openStore, type Store } from '@florin/data/store';
import { testEngines } from '@florin/data/testing';
import { quietLogger } from '@florin/rpc/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createMatchStore } from '../store/matches.ts';
import { runCommandLine } from './run-command-line.ts';

const NOW = new Date('2026-11-25T12:00:00Z');
const MAIN = fileURLToPath(new URL('./main.ts', import.meta.url));
const KILLER = createRequire(import.meta.url).resolve('@florin/data/testing/kill-at-step');
const SETTLEMENT_KEY = JSON.stringify({ ...generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' }), kid: 'settlement' });

const directory = mkdtempSync(join(tmpdir(), 'florin-settle-'));
let store: Store;
let environment: Record<string, string>;
beforeEach(async () => {
  const { mongodbUri: uri, database } = testEngines();
  environment = { MONGODB_URI: uri, MONGODB_DATABASE: database, SETTLEMENT_KEY };
  store = await openStore({ uri, database, poolSize: 1, logger: quietLogger });
  return () => rmSync(join(directory, 'records.csv'), { force: true });
});
afterEach(async () => {
  await store.connection.dropDatabase();
  await store.close();
});

const run = async (...args: string[]) => {
  let output = '';
  const stream = { write: (text: string) => (output += text) };
  return { code: await runCommandLine({ args, environment, now: () => NOW, out: stream, err: stream }), output };
};

const write = (name: string, text: string): string => {
  const path = join(directory, name);
  writeFileSync(path, text);
  return path;
};

const HEADER = 'kind,id,date,currency,amount,network,interchange';
const clearings = (count: number, from = 0): string =>
  [HEADER, ...Array.from({ length: count }, (_, at) => `clearing,r${from + at},2026-11-23,EUR,28.00,visa,0.14`), ''].join('\n');

const total = async (account: string): Promise<number> => {
  const { output } = await run('balances');
  return Number(new RegExp(`^${account} .* (-?\\d+)$`, 'm').exec(output)?.[1] ?? 0);
};

describe('npm run settle', () => {
  it('imports a file once, and a statement that closes the position', async () => {
    const file = write('records.csv', clearings(1200));
    expect(await run('import', file)).toEqual({ code: 0, output: 'Records booked: 1200. Booked before: 0. Conflicting: 0.\n' });
    expect(await run('import', file)).toEqual({ code: 0, output: 'Records booked: 0. Booked before: 1200. Conflicting: 0.\n' });
    expect(await total('payable/visa/2026-11-23')).toBe(-1200 * 2786);
    const statement = write(
      'statement.xml',
      `<Document><BkToCstmrStmt><Stmt><Id>1</Id><Ntry><Amt Ccy="EUR">33432.00</Amt><CdtDbtInd>DBIT</CdtDbtInd><Sts>BOOK</Sts><BookgDt><Dt>2026-11-24</Dt></BookgDt>
      <NtryDtls><TxDtls><RmtInf><Ustrd>payable/visa/2026-11-23</Ustrd></RmtInf></TxDtls></NtryDtls></Ntry></Stmt></BkToCstmrStmt></Document>`,
    );
    expect(await run('import', statement)).toMatchObject({ code: 0 });
    expect(await total('payable/visa/2026-11-23')).toBe(0);
    const closed = await run('close', '2026-11-24');
    expect(closed).toMatchObject({ code: 0, output: expect.stringContaining('Records: 1201.') });
    expect(await run('close', '2026-11-24')).toEqual(closed);
  });

  it('names records that conflict, and files that cannot be read', async () => {
    await run('import', write('records.csv', clearings(2)));
    const changed = write('records.csv', clearings(2).replace('r1,2026-11-23,EUR,28.00', 'r1,2026-11-23,EUR,29.00'));
    expect(await run('import', changed)).toMatchObject({ code: 1, output: expect.stringContaining('processor:r1: another record') });
    expect(await run('import', write('records.csv', `${HEADER}\nclearing,x,2026-02-30,EUR,1,visa,\n`))).toMatchObject({ code: 1 });
    expect(await run('import', join(directory, 'none.csv'))).toMatchObject({ code: 1, output: expect.stringContaining('no such file') });
    for (const args of [[], ['import'], ['close', '2026-11-25'], ['close', 'x'], ['balances', '--source', 'x'], ['other'], ['--what']])
      expect(await run(...args)).toMatchObject({ code: 2, output: expect.stringContaining('usage:') });
  });

  it('of two imports of one file at once, each record is booked by one', async () => {
    const file = write('records.csv', clearings(1500));
    const outcomes = await Promise.all([run('import', file), run('import', file)]);
    const booked = outcomes.map(({ output }) => Number(/booked: (\d+)/.exec(output)?.[1]));
    expect(outcomes.map(({ code }) => code)).toEqual([0, 0]);
    expect(booked.reduce((a, b) => a + b)).toBe(1500);
    expect(await total('receivable')).toBe(1500 * 2800);
  });

  it('books each record once when an import is killed at each write and repeated', async () => {
    const file = write('records.csv', clearings(1500));
    // Before the first block, before the second one, and before the third one.
    for (const step of [1, 2, 2]) {
      const env = { PATH: '', ...environment, KILL_AT_STEP: String(step), KILL_COLLECTIONS: 'blocks' };
      const child = spawn(process.execPath, ['--import', KILLER, MAIN, 'import', file], { env, stdio: 'ignore' });
      const [, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null];
      expect(signal).toBe('SIGKILL');
    }
    expect(await run('import', file)).toMatchObject({ code: 0, output: expect.stringMatching(/booked: 500\. Booked before: 1000\./) });
    expect(await total('receivable')).toBe(1500 * 2800);
  }, 240_000);

  it('writes a report of a closed day, which anyone can verify offline, with the proof of reserves', async () => {
    await run('import', write('records.csv', clearings(3)));
    const report = join(directory, 'report.jsonl');
    expect(await run('report', '2026-11-23', report)).toMatchObject({ code: 1, output: 'settle: 2026-11-23 is not closed\n' });
    await run('close', '2026-11-23');
    const match = (id: number) => ({
      ...{ key: `processor:r${id}`, day: '2026-11-23', bookedAt: NOW },
      found: { paymentId: `p${id}`, accountId: 'a', billedAmount: '2800', billingCurrency: 'EUR' },
    });
    const matches = createMatchStore(store.connection);
    await matches.put([match(0), match(1)]);
    // The ledger says that 84.00 are spent and not collected.
    const proof = write(
      'proof.jsonl',
      `["florin-reserves-2",100,7,"0x00","2026-11-25T00:00:00.000Z",[["EURe","0x00"]]]
["safe","a","0x01",["0x02"],[["EURe","900000000000000000000"]]]
["treasury","0x03",[["EURe","5000000000000000000"]]]
["owed","0","a",[["EURe","816000000000000000000"]]]
{"head":{},"publicKey":{},"totals":[["EURe/available","816000000000000000000"],["EURe/settling","90000000000000000000"],["EURe/system/settlement","-6000000000000000000"]],"chain":null}
["signature","k","x","s"]
`,
    );
    const written = await run('report', '2026-11-23', report, '--reserves', proof);
    expect(written.code).toBe(1);
    expect(written.output.split('\n').filter((line) => line.startsWith('["difference"'))).toEqual([
      '["difference","unmatched","processor:r2","EUR","2800",""]',
      '["difference","treasury","EUR","0","500"]',
    ]);
    const offline = { args: ['verify', report, '--reserves', proof], environment: {}, now: () => NOW };
    let output = '';
    const stream = { write: (text: string) => (output += text) };
    expect(await runCommandLine({ ...offline, out: stream, err: stream })).toBe(1);
    expect(output).toBe(written.output);
    expect(await run('verify', report, '--key', 'other')).toMatchObject({ code: 1, output: expect.stringContaining('not with other') });
    // It is not written over.
    expect(await run('report', '2026-11-23', report)).toMatchObject({ code: 1, output: expect.stringContaining('EEXIST') });
    expect(await run('verify', join(directory, 'none'))).toMatchObject({ code: 1, output: expect.stringContaining('no such file') });
    await matches.put([match(2)]);
    rmSync(report);
    expect(await run('report', '2026-11-23', report)).toMatchObject({ code: 0, output: expect.stringContaining('The books agree.') });
    rmSync(report);
  });

  it('exports a closed day for accounting', async () => {
    await run('import', write('records.csv', clearings(600)));
    await run('close', '2026-11-23');
    for (const [name, lines] of [
      ['day.csv', 1 + 600 * 3],
      ['day.journal', 1 + 600 * 5],
    ] as const) {
      const file = join(directory, name);
      expect(await run('export', '2026-11-23', file)).toEqual({ code: 0, output: 'Records exported: 600.\n' });
      expect(readFileSync(file, 'utf8').split('\n')).toHaveLength(lines + 1);
    }
    expect(await run('export', '2026-11-24', join(directory, 'other.csv'))).toMatchObject({ code: 1 });
  });
});
