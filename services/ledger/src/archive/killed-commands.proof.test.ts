import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openRedis } from '@florin/data/redis';
import type { Environment } from '@florin/rpc/config';
import { quietLogger } from '@florin/rpc/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { auditDatabase, countDocuments, type Database, openDatabase } from '../testing/audit-database.ts';
import { fillLedger } from '../testing/fill-ledger.ts';
import { countSteps, killCommand, runCommand } from '../testing/run-command.ts';
import { viewOf } from '../testing/view-of-users.ts';
import { ledgerEnvironment, startLedger, type TestLedger } from '../testing/world.ts';
import { RestoreError } from './assert-restored.ts';

const environment = ledgerEnvironment({ LEDGER_HEAD_MS: '50' });
const head = { LEDGER_HEAD_KEY: environment['LEDGER_HEAD_KEY'] ?? '' };
const directory = mkdtempSync(join(tmpdir(), 'florin-killed-'));
const at = (name: string): string => join(directory, name);

/** The first step, the last, and some in between, spread evenly. */
const spread = (steps: number, between: number): number[] => [
  1,
  ...Array.from({ length: between }, (_, index) => Math.round((steps * (index + 1)) / (between + 1))),
  steps,
];

/** Lets the leases of a killed command lapse at once. */
const lapseLeases = async (of: Environment): Promise<void> => {
  const redis = await openRedis(String(of['REDIS_URL']), quietLogger);
  await redis.del(`florin:ledger:lease:${String(of['MONGODB_DATABASE'])}:0`);
  redis.destroy();
};

let ledger: TestLedger;
let accounts: Awaited<ReturnType<typeof fillLedger>>;
let view = '';
beforeAll(async () => {
  ledger = await startLedger(environment);
  accounts = await fillLedger(ledger);
  view = await viewOf(ledger, accounts);
}, 60_000);
afterAll(async () => {
  await ledger.close();
  rmSync(directory, { recursive: true });
});

describe('an export', () => {
  it('that is killed leaves no file under its name, and is repeated', async () => {
    const file = at('journal.gz');
    let kills = 0;
    let ended = await killCommand(environment, 1, 'export', file);
    for (; ended.signal === 'SIGKILL'; ended = await killCommand(environment, kills + 1, 'export', file)) {
      kills += 1;
      if (existsSync(file)) expect(readFileSync(file).length).toBeGreaterThan(0);
    }
    expect(kills).toBeGreaterThan(1);
    // The last step removes the second name of a file that is complete.
    expect(ended).toMatchObject({ code: 1, output: expect.stringContaining('FILE_EXISTS') });
    const restored = ledgerEnvironment(head);
    expect(await runCommand(restored, 'import', file)).toMatchObject({ code: 0 });
    expect(await auditDatabase(restored)).toMatchObject({ ok: true });
  }, 120_000);
});

describe('an import', () => {
  it('that is killed at any step prevents the start until it is begun anew', async () => {
    const file = at('to-import.gz');
    expect(await runCommand(environment, 'export', file)).toMatchObject({ code: 0 });
    const steps = await countSteps(ledgerEnvironment(head), 'import', file);
    const target = ledgerEnvironment(head);
    const database = await openDatabase(target);
    let halfWritten = 0;
    for (const step of spread(steps, 6)) {
      expect(await killCommand(target, step, 'import', file)).toMatchObject({ signal: 'SIGKILL' });
      const pending = (await database.collection('imports').countDocuments()) > 0;
      // Before its first write an import has done nothing.
      expect([step, pending]).toEqual([step, step > 1]);
      if (!pending) expect(await countDocuments(target)).toBe(0);
      else await expect(startLedger(target)).rejects.toThrow(RestoreError);
      halfWritten += Number((await database.collection('blocks').countDocuments()) > 0);
      await lapseLeases(target);
    }
    expect(halfWritten).toBeGreaterThan(2);
    await database.close();
    expect(await runCommand(target, 'import', file)).toMatchObject({ code: 0 });
    expect(await auditDatabase(target)).toMatchObject({ ok: true });
    const copy = await startLedger(target);
    expect(await viewOf(copy, accounts)).toBe(view);
    await copy.close();
  }, 240_000);
});

describe('a rebuild', () => {
  it('that is killed at any step is completed by the next start, or by the next rebuild', async () => {
    const target = ledgerEnvironment(head);
    const file = at('to-rebuild.gz');
    expect(await runCommand(environment, 'export', file)).toMatchObject({ code: 0 });
    expect(await runCommand(target, 'import', file)).toMatchObject({ code: 0 });
    const steps = await countSteps(target, 'rebuild');
    for (const [index, step] of spread(steps, 2).entries()) {
      expect(await killCommand(target, step, 'rebuild')).toMatchObject({ signal: 'SIGKILL' });
      await lapseLeases(target);
      if (index % 2 === 0) continue;
      const copy = await startLedger(target);
      expect(await viewOf(copy, accounts)).toBe(view);
      await copy.close();
      expect(await auditDatabase(target)).toMatchObject({ ok: true });
    }
    expect(await runCommand(target, 'rebuild')).toMatchObject({ code: 0 });
    expect(await auditDatabase(target)).toMatchObject({ ok: true });
  }, 240_000);
});

describe('an archive', () => {
  // The token of the ledger's clients lives for five minutes, which the tests before may take on a busy machine.
  beforeAll(async () => {
    await ledger.close();
    ledger = await startLedger(environment);
  }, 60_000);

  const restore = async (files: readonly string[]): Promise<void> => {
    const rest = at('rest.gz');
    expect(await runCommand(environment, 'export', rest)).toMatchObject({ code: 0 });
    const restored = ledgerEnvironment(head);
    expect(await runCommand(restored, 'import', ...files, rest)).toMatchObject({ code: 0 });
    const copy = await startLedger(restored);
    expect(await viewOf(copy, accounts)).toBe(await viewOf(ledger, accounts));
    await copy.close();
  };
  /** A snapshot, and blocks after it that the stored balances contain. */
  const grow = async (database: Database): Promise<number> => {
    expect(await runCommand(environment, 'snapshot')).toMatchObject({ code: 0 });
    const [snapshot] = await database.collection('snapshots').find({}).sort({ n: -1 }).limit(1).toArray();
    const [, account] = accounts;
    if (account === undefined) throw new Error('no accounts');
    await ledger.fund(account, 'EURe', '7');
    await ledger.close();
    ledger = await startLedger(environment);
    return Number(snapshot?.['n']);
  };

  it('that is killed at any step loses no block, and is completed by the next', async () => {
    const database = await openDatabase(environment);
    const stored = (n: number) => database.collection('blocks').countDocuments({ n: { $lte: n } });
    const files: string[] = [];
    let from = 0;
    let step = 0;
    for (let ended = false; !ended; ) {
      step += 1;
      const n = await grow(database);
      const file = at(`archive-${step}.gz`);
      const args = ['archive', '--before', '1000000', file];
      const killed = await killCommand(environment, step, ...args);
      ended = killed.signal === null;
      if (ended) expect(killed).toMatchObject({ code: 0 });
      const marked = (await database.collection('snapshots').countDocuments({ n, archive: true })) === 1;
      // A block that is gone is in a complete file.
      if (marked) files.push(file);
      else expect(await stored(n)).toBe(n - from);
      expect(await auditDatabase(environment)).toMatchObject({ ok: true });
      await ledger.close();
      ledger = await startLedger(environment);
      expect(await ledger.verify()).toMatchObject({ ok: true });
      if (!marked) {
        const next = at(`archive-${step}-again.gz`);
        expect(await runCommand(environment, 'archive', '--before', '1000000', next)).toMatchObject({ code: 0 });
        files.push(next);
      } else if (!ended) {
        expect(await runCommand(environment, ...args.with(-1, at('nothing.gz')))).toMatchObject({
          code: 1,
          output: expect.stringContaining('NOTHING_TO_ARCHIVE'),
        });
      }
      expect(await stored(n)).toBe(0);
      from = n;
    }
    expect(step).toBeGreaterThan(3);
    await restore(files);
    await database.close();
  }, 300_000);
});
