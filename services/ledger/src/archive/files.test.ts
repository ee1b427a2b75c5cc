import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { auditDatabase, countDocuments, openDatabase } from '../testing/audit-database.ts';
import { fillLedger } from '../testing/fill-ledger.ts';
import { runCommand } from '../testing/run-command.ts';
import { viewOf } from '../testing/view-of-users.ts';
import { ledgerEnvironment, startLedger, type TestLedger } from '../testing/world.ts';
import { RestoreError } from './assert-restored.ts';

const environment = ledgerEnvironment({ LEDGER_HEAD_MS: '50' });
const head = { LEDGER_HEAD_KEY: environment['LEDGER_HEAD_KEY'] ?? '' };
const directory = mkdtempSync(join(tmpdir(), 'florin-files-'));
const file = join(directory, 'journal.gz');
const inDirectory = (name: string) => join(directory, name);

let ledger: TestLedger;
let accounts: Awaited<ReturnType<typeof fillLedger>>;
let before = '';
beforeAll(async () => {
  ledger = await startLedger(environment);
  accounts = await fillLedger(ledger);
  before = await viewOf(ledger, accounts);
  expect(await runCommand(environment, 'export', file)).toMatchObject({ code: 0, output: expect.stringContaining(`wrote ${file}`) });
}, 60_000);
afterAll(async () => {
  await ledger.close();
  rmSync(directory, { recursive: true });
});

describe('an export', () => {
  it('of a ledger that runs, restored on an empty engine, gives the same balances and statements', async () => {
    const restored = ledgerEnvironment(head);
    expect(await runCommand(restored, 'import', file)).toMatchObject({ code: 0, output: expect.stringContaining('imported') });
    expect(await auditDatabase(restored)).toMatchObject({ ok: true });
    const copy = await startLedger(restored);
    expect(await viewOf(copy, accounts)).toBe(before);
    const [, account] = accounts;
    if (account === undefined) throw new Error('no accounts');
    await copy.fund(account, 'EURe', '7');
    expect(await copy.verify()).toMatchObject({ ok: true });
    await copy.close();
    // Once restored, it is not empty any more.
    expect(await runCommand(restored, 'import', file)).toMatchObject({ code: 1, output: expect.stringContaining('DATABASE_NOT_EMPTY') });
    expect(await auditDatabase(restored)).toMatchObject({ ok: true });
  });

  it('does not replace a file', async () => {
    const content = readFileSync(file);
    expect(await runCommand(environment, 'export', file)).toMatchObject({ code: 1, output: expect.stringContaining('FILE_EXISTS') });
    expect(readFileSync(file)).toEqual(content);
  });

  it('that is damaged is rejected, and nothing is written', async () => {
    const content = readFileSync(file);
    const text = gunzipSync(content).toString('utf8');
    const withoutLast = text.slice(0, text.lastIndexOf('\n', text.length - 2) + 1);
    const signatureAt = text.indexOf('"signature":"') + 20;
    const broken: Record<string, Buffer> = {
      truncated: content.subarray(0, content.length - 100),
      flipped: Buffer.from(content.map((byte, index) => (index === Math.floor(content.length / 2) ? byte ^ 1 : byte))),
      'not compressed': Buffer.from(text),
      'without its last line': gzipSync(withoutLast),
      'with another amount': gzipSync(text.replace('\\"100\\"', '\\"900\\"')),
      'with another signature': gzipSync(
        `${text.slice(0, signatureAt)}${text[signatureAt] === 'A' ? 'B' : 'A'}${text.slice(signatureAt + 1)}`,
      ),
      empty: Buffer.alloc(0),
    };
    const target = ledgerEnvironment(head);
    for (const [name, bytes] of Object.entries(broken)) {
      const path = inDirectory(`${name}.gz`);
      writeFileSync(path, bytes);
      const { code, output } = await runCommand(target, 'import', path);
      expect([name, code, output]).toEqual([name, 1, expect.stringContaining('FILE_BROKEN')]);
    }
    expect(await runCommand(target, 'import', inDirectory('none'))).toMatchObject({
      code: 1,
      output: expect.stringContaining('FILE_NOT_FOUND'),
    });
    expect(await countDocuments(target)).toBe(0);
  }, 180_000);

  it('whose import was killed prevents the start until it is imported again', async () => {
    const target = ledgerEnvironment(head);
    const database = await openDatabase(target);
    await database.collection('imports').insertOne({ _id: 'import' as never, startedAt: new Date() });
    await database.collection('blocks').insertOne({ _id: '0:1' as never, shard: '0', n: 1, left: 'behind' });
    await expect(startLedger(target)).rejects.toThrow(RestoreError);
    expect(await runCommand(target, 'import', file)).toMatchObject({ code: 0 });
    expect(await database.collection('imports').countDocuments()).toBe(0);
    await database.close();
    expect(await auditDatabase(target)).toMatchObject({ ok: true });
  });
});

describe('an archive', () => {
  it('leaves a journal that begins after a signed snapshot, and restores together with an export', async () => {
    const old = inDirectory('old.gz');
    expect(await runCommand(environment, 'archive', '--before', '1000000', old)).toMatchObject({
      code: 1,
      output: expect.stringContaining('SNAPSHOT_REQUIRED'),
    });
    expect(await runCommand(environment, 'snapshot')).toMatchObject({ code: 0 });
    const database = await openDatabase(environment);
    const snapshot = await database.collection('snapshots').findOne({});
    const n = Number(snapshot?.['n']);
    const [, account] = accounts;
    if (account === undefined) throw new Error('no accounts');
    await ledger.fund(account, 'EURe', '7');
    const view = await viewOf(ledger, accounts);
    // The balances are stored, so that no start needs the old blocks.
    await ledger.close();
    ledger = await startLedger(environment);
    const expectKept = async (code: string) => {
      const blocks = await database.collection('blocks').countDocuments();
      expect(await runCommand(environment, 'archive', '--before', '1000000', old)).toMatchObject({
        code: 1,
        output: expect.stringContaining(code),
      });
      expect(await database.collection('blocks').countDocuments()).toBe(blocks);
    };
    const parts = database.collection<{ _id: string }>('snapshot_parts');
    const lost = await parts.findOneAndDelete({ text: { $ne: '' } });
    await expectKept('SNAPSHOT_REQUIRED');
    if (lost !== null) await parts.insertOne(lost);
    for (const name of ['rows', 'positions']) {
      const runParts = database.collection<{ _id: string }>('entry_run_parts');
      const taken = await runParts.findOneAndDelete({ _id: { $regex: name } });
      await expectKept('RUNS_BROKEN');
      if (taken !== null) await runParts.insertOne(taken);
    }
    expect(await runCommand(environment, 'archive', '--before', '1000000', old)).toMatchObject({ code: 0 });
    expect(await database.collection('blocks').countDocuments({ n: { $lte: n } })).toBe(0);
    expect(await runCommand(environment, 'verify')).toMatchObject({ code: 0, output: expect.stringContaining(`from block ${n + 1} on`) });
    expect(await viewOf(ledger, accounts)).toBe(view);
    expect(await runCommand(environment, 'rebuild')).toMatchObject({ code: 1, output: expect.stringContaining('JOURNAL_ARCHIVED') });
    expect(await runCommand(environment, 'archive', '--before', '1000000', inDirectory('again.gz'))).toMatchObject({
      code: 1,
      output: expect.stringContaining('NOTHING_TO_ARCHIVE'),
    });

    // A snapshot is as good as its signed head.
    await database
      .collection('snapshot_parts')
      .updateOne({ text: { $regex: '"82"' } }, [
        { $set: { text: { $replaceOne: { input: '$text', find: '"82"', replacement: '"92"' } } } },
      ]);
    expect(await auditDatabase(environment)).toMatchObject({ ok: false });
    await database
      .collection('snapshot_parts')
      .updateOne({ text: { $regex: '"92"' } }, [
        { $set: { text: { $replaceOne: { input: '$text', find: '"92"', replacement: '"82"' } } } },
      ]);
    expect(await auditDatabase(environment)).toMatchObject({ ok: true });
    await database.close();

    const rest = inDirectory('rest.gz');
    expect(await runCommand(environment, 'export', rest)).toMatchObject({ code: 0 });
    const restored = ledgerEnvironment(head);
    for (const files of [[rest], [old], [rest, old]]) {
      expect(await runCommand(restored, 'import', ...files)).toMatchObject({ code: 1, output: expect.stringContaining('FILE_BROKEN') });
    }
    expect(await countDocuments(restored)).toBe(0);
    expect(await runCommand(restored, 'import', old, rest)).toMatchObject({ code: 0 });
    expect(await auditDatabase(restored)).toMatchObject({ ok: true });
    const copy = await startLedger(restored);
    expect(await viewOf(copy, accounts)).toBe(view);
    await copy.close();
  }, 120_000);
});

describe('a database that is not one copy', () => {
  it('does not start: balances newer than the journal', async () => {
    const torn = ledgerEnvironment({ ...head, LEDGER_HEAD_MS: '3600000' });
    const source = await startLedger(torn);
    const [first] = await fillLedger(source);
    // In the last block, which will be missing, and which no record names.
    await source.fund(first ?? expect.fail('no account'), 'EURe', '1');
    await source.close();
    const database = await openDatabase(torn);
    const [last] = await database.collection('blocks').find({}).sort({ n: -1 }).limit(1).toArray();
    await database.collection('blocks').deleteOne({ _id: last?._id as never });
    await database.collection('heads').deleteMany({});
    await expect(startLedger(torn)).rejects.toThrow(RestoreError);
    // Pages alone, as when the collections were copied one after another.
    await database.collection('checkpoints').deleteMany({});
    await expect(startLedger(torn)).rejects.toThrow(RestoreError);
    await database.close();
    expect(await runCommand(torn, 'rebuild')).toMatchObject({ code: 0 });
    const restored = await startLedger(torn);
    expect(await restored.verify()).toMatchObject({ ok: true });
    await restored.close();
  }, 60_000);
});
