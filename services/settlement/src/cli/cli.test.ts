import { spawn } from 'node:child_process';
import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openStore, type Store } from '@florin/data/store';
import { testEngines } from '@florin/data/testing';
import { DEFAULT_ASSETS } from '@florin/rpc/assets';
import { quietLogger } from '@florin/rpc/testing';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { createCursorStore } from '../store/cursors.ts';
import { createMatchStore } from '../store/matches.ts';
import { createReportStore } from '../store/reports.ts';
import { type Proven, proofOfReserves, TREASURY } from '../testing/proof-of-reserves.ts';
import { runCommandLine } from './run-command-line.ts';

const NOW = new Date('2026-11-25T12:00:00Z');
const dayLater = (days: number) => new Date(NOW.getTime() + days * 86_400_000);
const MAIN = fileURLToPath(new URL('./main.ts', import.meta.url));
const KILLER = createRequire(import.meta.url).resolve('@florin/data/testing/kill-at-step');
const SETTLEMENT_KEY = JSON.stringify({ ...generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' }), kid: 'settlement' });

/** The zeros after a whole EURe. */
const EURE = '0'.repeat(18);

/** The token of another chain than the default one, as a proof names it, and the assets with both. */
const OPTIMISM = { chainId: 10, token: 'EURb', contract: `0x${'0b'.repeat(20)}` };
const TWO_CHAINS = {
  ...DEFAULT_ASSETS,
  chains: [...DEFAULT_ASSETS.chains, { id: OPTIMISM.chainId, name: 'Optimism' }],
  tokens: [
    ...DEFAULT_ASSETS.tokens,
    { symbol: OPTIMISM.token, decimals: 18, currency: 'EUR', chainId: OPTIMISM.chainId, address: OPTIMISM.contract },
  ],
};

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

const runAt = async (at: Date, ...args: string[]) => {
  let output = '';
  const stream = { write: (text: string) => (output += text) };
  return { code: await runCommandLine({ args, environment, now: () => at, out: stream, err: stream }), output };
};
const run = (...args: string[]) => runAt(NOW, ...args);

const write = (name: string, text: string): string => {
  const path = join(directory, name);
  writeFileSync(path, text);
  return path;
};

const HEADER = 'kind,id,date,currency,amount,network,interchange';
const clearings = (count: number, from = 0): string =>
  [HEADER, ...Array.from({ length: count }, (_, at) => `clearing,r${from + at},2026-11-23,EUR,28.00,visa,0.14`), ''].join('\n');

/** A statement with one entry. */
const statementOf = (id: string, opening: string, amount: string, remittance: string, reference = ''): string => {
  const signed = (text: string) =>
    `<Amt Ccy="EUR">${text.replace('-', '')}</Amt><CdtDbtInd>${text.startsWith('-') ? 'DBIT' : 'CRDT'}</CdtDbtInd>`;
  const balance = (type: string, text: string) => `<Bal><Tp><CdOrPrtry><Cd>${type}</Cd></CdOrPrtry></Tp>${signed(text)}</Bal>`;
  const closing = (Number(opening) + Number(amount)).toFixed(2);
  return `<Document><BkToCstmrStmt><Stmt><Id>${id}</Id><Acct><Id><IBAN>DE02</IBAN></Id></Acct>${balance('OPBD', opening)}${balance('CLBD', closing)}
    <Ntry>${signed(amount)}<Sts>BOOK</Sts><BookgDt><Dt>2026-11-24</Dt></BookgDt>
    <AcctSvcrRef>${reference}</AcctSvcrRef><NtryDtls><TxDtls><RmtInf><Ustrd>${remittance}</Ustrd></RmtInf></TxDtls></NtryDtls></Ntry></Stmt></BkToCstmrStmt></Document>`;
};

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
    const statement = write('statement.xml', statementOf('1', '0.00', '-33432.00', 'payable/visa/2026-11-23'));
    expect(await run('import', statement)).toMatchObject({ code: 0 });
    expect(await total('payable/visa/2026-11-23')).toBe(0);
    const closed = await run('close', '2026-11-24');
    expect(closed).toMatchObject({ code: 0, output: expect.stringContaining('Records: 1201.') });
    expect(await run('close', '2026-11-24')).toEqual(closed);
  });

  it('books a statement that begins where the books end, and is not missing one, there twice or of another account', async () => {
    const take = (id: string, opening: string, amount: string, reference = '') =>
      run('import', write(`${id}.xml`, statementOf(id, opening, amount, '', reference)));
    const booked = { code: 0, output: expect.stringMatching(/booked: 1\./) };
    const differs = { code: 1, output: expect.stringContaining('settle: BALANCE_DIFFERS: statement') };
    expect(await take('first', '100.00', '5.00')).toMatchObject(differs);
    expect(await take('first', '0.00', '100.00')).toMatchObject(booked);
    expect(await take('third', '105.00', '1.00')).toMatchObject(differs);
    expect(await take('second', '100.00', '5.00')).toMatchObject(booked);
    expect(await take('third', '105.00', '1.00')).toMatchObject(booked);
    // The same statement again, and its content under another id.
    expect(await take('second', '100.00', '5.00')).toMatchObject({ code: 0, output: expect.stringContaining('before: 1.') });
    expect(await take('double', '100.00', '5.00')).toMatchObject(differs);
    // One without movements, before the last one.
    expect(await take('quiet', '100.00', '0.00')).toMatchObject({ code: 0 });
    // A reference that another movement has.
    expect(await take('fourth', '106.00', '2.00', 'third/1')).toMatchObject({
      code: 1,
      output: expect.stringContaining('CONFLICTING: statement fourth of account DE02: another movement is booked under the id third/1'),
    });
    environment['SETTLEMENT_BANK_ACCOUNTS'] = 'DE03 DE04';
    expect(await take('payroll', '106.00', '-50.00')).toMatchObject({ code: 1, output: expect.stringContaining('ACCOUNT_UNKNOWN') });
    expect(await total('bank')).toBe(10_600);
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
    const proven = {
      ...{ accountId: randomUUID(), at: '2026-11-25T00:00:00.000Z', held: `906${EURE}`, owed: `906${EURE}`, treasury: `5${EURE}` },
      totals: [
        ['available', `816${EURE}`],
        ['settling', `90${EURE}`],
        ['system/other', `-900${EURE}`],
        ['system/settlement', `-6${EURE}`],
      ] as const,
    };
    const proof = write('proof.jsonl', proofOfReserves(proven));
    const rests = ['--reserves', proof, '--treasury', TREASURY];
    const cursors = createCursorStore(store.connection);
    const waits = async (problem: string) => {
      for (const proven of [[], rests])
        expect(await run('report', '2026-11-23', report, ...proven)).toMatchObject({ code: 1, output: expect.stringContaining(problem) });
    };
    await waits('matched up to block 0 of 1');
    await cursors.reach(1);
    await waits('is read up to nowhere');
    await cursors.move('0', { position: '1', hash: '', completeAt: new Date('2026-11-23T23:59:59Z') });
    await waits('is read up to 2026-11-23');
    await cursors.move('0', { position: '1', hash: '', completeAt: NOW });
    const same = await run('report', '2026-11-23', report, ...rests, '--earlier', proof);
    expect(same).toMatchObject({ code: 1, output: expect.stringContaining('12 to 30 hours older') });
    const earlier = write('earlier.jsonl', proofOfReserves({ ...proven, at: '2026-11-24T00:00:00.000Z' }));
    rests.push('--earlier', earlier);
    const written = await run('report', '2026-11-23', report, ...rests);
    expect(written.code).toBe(1);
    expect(written.output).toContain('EUR: receivable 8400 and items 0; not collected, by the ledger: 8400.\n');
    expect(written.output).toContain('EUR: treasury 0 and items 0; in the treasuries, on chain: 500.\n');
    expect(written.output.split('\n').filter((line) => line.startsWith('["difference"'))).toEqual([
      '["difference","unmatched","processor:r2","EUR","2800",""]',
      '["difference","treasury","EUR","0","500"]',
    ]);
    const reports = createReportStore(store.connection);
    const verdict = {
      day: '2026-11-23',
      madeAt: NOW,
      differences: 2,
      comparesChain: true,
      digest: expect.stringMatching(/^[0-9a-f]{64}$/),
    };
    expect(await reports.latest(1)).toMatchObject([verdict]);
    const offline = { args: ['verify', report, ...rests], environment: {}, now: () => NOW };
    let output = '';
    const stream = { write: (text: string) => (output += text) };
    expect(await runCommandLine({ ...offline, out: stream, err: stream })).toBe(1);
    expect(output).toBe(written.output);
    expect(await run('verify', report, '--key', 'other')).toMatchObject({ code: 1, output: expect.stringContaining('not with other') });
    // A treasury that nobody vouches for does not count, and neither does a changed file, or one with a contract of its own.
    const proofs = ['--reserves', proof, '--earlier', earlier];
    expect(await run('verify', report, ...proofs)).toMatchObject({ code: 1, output: expect.stringContaining('totals') });
    expect(await run('verify', report, '--reserves', proof)).toMatchObject({
      code: 1,
      output: expect.stringContaining('the earlier proof'),
    });
    const changed = write('changed.jsonl', readFileSync(proof, 'utf8').replace(`["EURe","5${EURE}"]`, `["EURe","0${EURE}"]`));
    const worthless = write('worthless.jsonl', proofOfReserves({ ...proven, contract: `0x${'01'.repeat(20)}` }));
    for (const [file, problem] of [
      [changed, 'proves nothing'],
      [worthless, 'names the contract'],
    ] as const)
      expect(await run('verify', report, '--reserves', file)).toMatchObject({ code: 1, output: expect.stringContaining(problem) });
    // It is not written over.
    expect(await run('report', '2026-11-23', report)).toMatchObject({ code: 1, output: expect.stringContaining('is there already') });
    expect(await run('verify', join(directory, 'none'))).toMatchObject({ code: 1, output: expect.stringContaining('no such file') });
    await matches.put([match(2)]);
    rmSync(report);
    expect(await run('report', '2026-11-23', report)).toMatchObject({ code: 0, output: expect.stringContaining('The books agree.') });
    rmSync(report);
    await run('import', write('records.csv', clearings(1, 3).replace('2026-11-23', '2026-11-24')));
    await run('close', '2026-11-24');
    await matches.put([{ ...match(3), day: '2026-11-24' }]);
    const early = write('early.jsonl', proofOfReserves({ ...proven, at: '2026-11-24T23:00:00.000Z' }));
    const untimely = await run('report', '2026-11-24', report, '--reserves', early);
    expect(untimely).toMatchObject({ code: 1, output: expect.stringContaining('needs one of the 26 hours after the day') });
    await cursors.reach(3);
    expect(await run('report', '2026-11-24', report)).toMatchObject({ code: 0, output: expect.stringContaining('The books agree.') });
    expect(await reports.latest(1)).toMatchObject([{ day: '2026-11-24', differences: 0, comparesChain: false }]);
    rmSync(report);
  });

  it('compares with the proofs of all chains in one report, and names a chain without one', async () => {
    environment['ASSETS'] = JSON.stringify(TWO_CHAINS);
    await run('import', write('records.csv', clearings(3)));
    await run('close', '2026-11-23');
    const found = { paymentId: 'p', accountId: 'a', billedAmount: '2800', billingCurrency: 'EUR' };
    const matched = [0, 1, 2].map((at) => ({ key: `processor:r${at}`, day: '2026-11-23', bookedAt: NOW, found }));
    await createMatchStore(store.connection).put(matched);
    const cursors = createCursorStore(store.connection);
    await cursors.reach(1);
    await cursors.move('0', { position: '1', hash: '', completeAt: NOW });
    // Of 84.00 that are spent and not collected, 80.00 are on one chain, and 4.00 on the other.
    const proofOf = (at: string, spent: string, more: Partial<Proven> = {}) =>
      proofOfReserves({
        ...{ accountId: randomUUID(), at, held: `90${EURE}`, owed: `90${EURE}`, treasury: '1' },
        totals: [
          ['settling', `${spent}${EURE}`],
          ['system/other', `-${spent}${EURE}`],
        ],
        ...more,
      });
    const [at, before, ofOther] = ['2026-11-25T00:00:00.000Z', '2026-11-24T00:00:00.000Z', OPTIMISM];
    const gnosis = ['--reserves', write('gnosis.jsonl', proofOf(at, '80')), '--earlier', write('before.jsonl', proofOf(before, '80'))];
    const optimism = ['--reserves', write('optimism.jsonl', proofOf(at, '4', ofOther))];
    const report = join(directory, 'chains.jsonl');
    const both = await run('report', '2026-11-23', report, ...optimism, ...gnosis);
    expect(both).toEqual({
      code: 0,
      output: expect.stringMatching(/of chain 10 at .*, block 7 of chain 100 at .*: 2\..*The books agree/s),
    });
    expect(await run('verify', report, ...gnosis, ...optimism)).toEqual(both);
    expect(await run('verify', report, ...optimism)).toMatchObject({ code: 1, output: expect.stringContaining('not those that') });
    rmSync(report);
    const twice = await run('report', '2026-11-23', report, ...gnosis, ...gnosis.slice(0, 2));
    expect(twice).toMatchObject({ code: 1, output: expect.stringContaining('of the same chain') });
    const alone = await run('report', '2026-11-23', report, ...gnosis);
    expect(alone).toMatchObject({ code: 1, output: expect.stringContaining('["difference","unproven",10]') });
    expect(await run('verify', report, ...gnosis)).toEqual(alone);
    rmSync(report);
  });

  /** Books a day's clearings that the ledger agrees with, and starts a gateway that serves proofs by chain: their text, or the error it rejects the request with. */
  const prepareDaily = async () => {
    await run('import', write('records.csv', clearings(3)));
    const found = { paymentId: 'p', accountId: 'a', billedAmount: '2800', billingCurrency: 'EUR' };
    const matched = [0, 1, 2].map((at) => ({ key: `processor:r${at}`, day: '2026-11-23', bookedAt: NOW, found }));
    await createMatchStore(store.connection).put(matched);
    const cursors = createCursorStore(store.connection);
    await cursors.reach(3);
    await cursors.move('0', { position: '1', hash: '', completeAt: dayLater(3) });
    const served = new Map<number, { text: string } | { error: string }>();
    const gateway = createServer(({ url = '' }, response) => {
      const chainId = Number(new URL(url, 'http://gateway').searchParams.get('chainId'));
      const proof = served.get(chainId) ?? { error: 'RESERVES_NOT_FOUND' };
      const isThere = 'text' in proof;
      response.writeHead(isThere ? 200 : proof.error === 'RESERVES_NOT_FOUND' ? 404 : 503, { 'content-type': 'application/json' });
      response.end(JSON.stringify(isThere ? { chainId, block: 7, parts: 1, ...proof } : proof));
    });
    await once(gateway.listen(0, '127.0.0.1'), 'listening');
    onTestFinished(() => void gateway.close());
    const accountId = randomUUID();
    const daily = mkdtempSync(join(directory, 'daily-'));
    const url = `http://127.0.0.1:${(gateway.address() as AddressInfo).port}`;
    return {
      cursors,
      daily,
      served,
      serve: (at: string, held = '90', more: Partial<Proven> = {}) => {
        const totals = [
          ['settling', `84${EURE}`],
          ['system/other', `-84${EURE}`],
        ] as const;
        const proven = { accountId, at, held: `${held}${EURE}`, owed: `90${EURE}`, treasury: '1', totals, ...more };
        served.set(proven.chainId ?? 100, { text: proofOfReserves(proven) });
      },
      report: (at: Date, ...more: string[]) => runAt(at, 'daily', daily, '--url', url, ...more),
    };
  };

  it('reports a day each day, with the newest proofs of the platform and those of the day before', async () => {
    const { daily, served, serve, report } = await prepareDaily();
    expect(await report(NOW)).toMatchObject({ code: 1, output: expect.stringContaining('has no proof of reserves') });
    serve('2026-11-25T01:00:00.000Z');
    expect(await report(NOW)).toMatchObject({ code: 1, output: expect.stringContaining('2026-11-24 is not closed') });
    const first = await report(NOW, '--close');
    expect(first).toMatchObject({ code: 0, output: expect.stringContaining('The books agree.') });
    expect(await report(NOW, '--close')).toMatchObject({ code: 0, output: expect.stringContaining('there already') });
    // The Safe is short since the proof of the day before, which is kept.
    serve('2026-11-26T00:30:00.000Z', '89');
    const second = await report(dayLater(1), '--close');
    expect(second).toMatchObject({ code: 0, output: expect.stringContaining('may wait for refunds: 1.') });
    const files = ['100-2026-11-25T01:00:00.000Z.reserves', '100-2026-11-26T00:30:00.000Z.reserves'];
    expect(readdirSync(daily).sort()).toEqual([...files, '2026-11-24.report', '2026-11-25.report']);
    // A proof that does not check is not kept.
    served.set(100, { text: 'x' });
    expect(await report(NOW)).toMatchObject({ code: 1, output: expect.stringContaining('proves nothing') });
    expect(readdirSync(daily)).toHaveLength(4);
  });

  it('reports a day although the proofs of one chain stand still, which is a difference', async () => {
    environment['ASSETS'] = JSON.stringify(TWO_CHAINS);
    const { daily, serve, report } = await prepareDaily();
    serve('2026-11-25T01:00:00.000Z');
    serve('2026-11-23T01:00:00.000Z', '90', OPTIMISM);
    expect(await report(NOW, '--close')).toMatchObject({ code: 1, output: expect.stringContaining('["difference","unproven",10]') });
    expect(readdirSync(daily)).toContain('2026-11-24.report');
    // The scheduler tries a failed job again.
    expect(await report(NOW, '--close')).toMatchObject({ code: 1, output: expect.stringContaining('there already') });
    const later = await report(dayLater(1), '--close');
    expect(later).toMatchObject({ code: 1, output: expect.stringContaining('of the last 26 hours') });
  });

  it('closes no day that it cannot report yet, and reports first an earlier day that was closed and not reported', async () => {
    const { cursors, daily, serve, report } = await prepareDaily();
    serve('2026-11-25T01:00:00.000Z');
    await cursors.reopen('0');
    expect(await report(NOW, '--close')).toMatchObject({ code: 1, output: expect.stringContaining('is read up to nowhere') });
    expect(await run('balances')).toMatchObject({ output: expect.stringContaining('No day is closed.') });
    // As if it had been killed between close and report.
    await run('close', '2026-11-24');
    await cursors.move('0', { position: '1', hash: '', completeAt: dayLater(5) });
    serve('2026-11-26T00:30:00.000Z');
    expect(await report(dayLater(1), '--close')).toMatchObject({
      code: 0,
      output: expect.stringMatching(/up to 2026-11-24.*up to 2026-11-25/s),
    });
    const days = async () => (await createReportStore(store.connection).latest(10)).map(({ day }) => day);
    expect(await days()).toEqual(['2026-11-25', '2026-11-24']);
    // No proof is left of the time after the next one.
    await runAt(dayLater(2), 'close', '2026-11-26');
    serve('2026-11-29T00:30:00.000Z');
    const command = `run settle -- report 2026-11-26 ${join(daily, '2026-11-26.report')}`;
    expect(await report(dayLater(4), '--close')).toMatchObject({ code: 1, output: expect.stringContaining(command) });
    expect(await runAt(dayLater(4), ...command.split(' ').slice(3))).toMatchObject({ code: 0 });
    await cursors.reach(5);
    expect(await report(dayLater(4), '--close')).toMatchObject({ code: 0 });
    expect(await days()).toEqual(['2026-11-28', '2026-11-26', '2026-11-25', '2026-11-24']);
  });

  it('closes no day while the proof of a chain cannot be read, and one without the proof of a chain that has none', async () => {
    environment['ASSETS'] = JSON.stringify(TWO_CHAINS);
    const { daily, served, serve, report } = await prepareDaily();
    serve('2026-11-25T01:00:00.000Z');
    served.set(10, { error: 'SERVICE_UNAVAILABLE' });
    expect(await report(NOW, '--close')).toMatchObject({ code: 1, output: expect.stringContaining('503 SERVICE_UNAVAILABLE') });
    expect(await run('balances')).toMatchObject({ output: expect.stringContaining('No day is closed.') });
    served.delete(10);
    expect(await report(NOW, '--close')).toMatchObject({ code: 1, output: expect.stringContaining('["difference","unproven",10]') });
    expect(readdirSync(daily)).toContain('2026-11-24.report');
  });

  it('reports the records of many blocks in their order, each with what is known of it', async () => {
    const count = 9;
    for (let at = 0; at < count; at += 1) await run('import', write('records.csv', clearings(1, at)));
    await run('close', '2026-11-23');
    const found = { paymentId: 'p', accountId: 'a', billedAmount: '2800', billingCurrency: 'EUR' };
    const matched = Array.from({ length: count }, (_, at) => `processor:r${at}`).filter((key) => key !== 'processor:r5');
    await createMatchStore(store.connection).put(matched.map((key) => ({ key, day: '2026-11-23', bookedAt: NOW, found })));
    const cursors = createCursorStore(store.connection);
    await cursors.reach(count);
    await cursors.move('0', { position: '1', hash: '', completeAt: NOW });
    const report = join(directory, 'many.jsonl');
    expect(await run('report', '2026-11-23', report)).toMatchObject({ code: 1, output: expect.stringContaining('Differences: 1.') });
    const lines = readFileSync(report, 'utf8').split('\n');
    const ids = lines.flatMap((line) => /^\["record",.*"(r\d+)"/.exec(line)?.[1] ?? []);
    expect(ids).toEqual(Array.from({ length: count }, (_, at) => `r${at}`));
    const after = lines.findIndex((line) => line.includes('"r5"'));
    expect(lines[after + 1]).toBe('["difference","unmatched","processor:r5","EUR","2800",""]');
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
