import { openRedis } from '@florin/data/redis';
import { quietLogger } from '@florin/rpc/testing';
import mongoose from 'mongoose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createLeases } from '../shards/leases.ts';
import { untilProjected } from '../testing/audit-database.ts';
import { fillLedger } from '../testing/fill-ledger.ts';
import { runCommand, startCommand } from '../testing/run-command.ts';
import { ledgerEnvironment, startLedger } from '../testing/world.ts';
import { whileHolding } from './hold-shards.ts';

const environment = ledgerEnvironment({ JOURNAL_SHARDS: '2', JOURNAL_RUN_ENTRIES: '5' });
const derived = ['deposits', 'withdrawals', 'open_holds', 'pending_screenings', 'balance_pages'] as const;

const run = (...args: string[]) => runCommand(environment, ...args);

let database: mongoose.Connection;
const snapshot = async () => {
  const rows: Record<string, unknown[]> = {};
  for (const name of derived)
    rows[name] = await database
      .collection(name)
      .find({}, { projection: { dueAt: 0, attempts: 0 } })
      .sort({ _id: 1 })
      .toArray();
  rows['accounts'] = await database
    .collection('accounts')
    .find({}, { projection: { outbox: 0 } })
    .sort({ _id: 1 })
    .toArray();
  return rows;
};

/** Of a shard without entries, which a flush may have written. */
const EMPTY_PAGE = '[0,[]]';

/** The same with what the newest version of each page holds: versions, the blocks that they are as of, and empty pages depend on the time of flushes. */
const withTexts = ({ balance_pages: pages = [], ...rest }: Record<string, unknown[]>) => {
  const versions = pages as { shard: string; page: string; asOf: number; text: string }[];
  const newest = new Map(versions.toSorted((a, b) => a.asOf - b.asOf).map(({ shard, page, text }) => [`${shard}:${page}`, text]));
  return { ...rest, pages: Object.fromEntries([...newest].filter(([, text]) => text !== EMPTY_PAGE)) };
};

beforeAll(async () => {
  const ledger = await startLedger(environment);
  await fillLedger(ledger);
  database = await mongoose
    .createConnection(environment['MONGODB_URI'] ?? '', { dbName: environment['MONGODB_DATABASE'] ?? '' })
    .asPromise();
  await untilProjected(database);
  await ledger.close();
});
afterAll(() => database.close());

describe('npm run ledger', () => {
  it('is a process with an exit code', async () => {
    expect(await startCommand(environment, 'verify')).toMatchObject({ code: 0, output: expect.stringContaining('verified') });
    expect(await startCommand(environment, 'audit')).toMatchObject({ code: 2, output: expect.stringContaining('usage: npm run ledger') });
    const failed = await startCommand(environment, 'check-proof', '/does/not/exist');
    expect(failed).toMatchObject({ code: 1, output: expect.stringMatching(/^ledger: FILE_NOT_FOUND: /) });
  });

  it('prints its usage for an invalid command', async () => {
    for (const args of [
      [],
      ['audit'],
      ['verify', 'more'],
      ['prove', 'file'],
      ['archive', '--before', 'x', 'file'],
      ['export'],
      ['verify', '--account', 'a'],
    ]) {
      expect(await run(...args)).toMatchObject({ code: 2, output: expect.stringContaining('usage: npm run ledger') });
    }
  });

  it('verifies and reports the first block that disagrees', async () => {
    expect(await run('verify')).toMatchObject({ code: 0, output: expect.stringContaining('verified') });
    const entry = /\["deposit\/[^"]+\/resolved","deposit.approved"/;
    const row = await database.collection('blocks').findOne({ body: { $regex: entry } });
    const body = String(row?.['body']);
    await database.collection('blocks').updateOne({ _id: row?._id as never }, { $set: { body: body.replace('"100"', '"101"') } });
    const block = String(row?._id);
    const { code, output } = await run('verify');
    expect(code).toBe(1);
    expect(output).toContain(`FAIL  shard ${row?.['shard']}`);
    expect(output).toContain(`before block ${block}: `);
    await database.collection('blocks').updateOne({ _id: row?._id as never }, { $set: { body } });
    expect(await run('verify')).toMatchObject({ code: 0 });
  });

  it('restores lost documents and removes added ones', async () => {
    const before = await snapshot();
    expect((await database.collection('entry_run_parts').deleteMany({ _id: { $regex: /:rows/ } as never })).deletedCount).toBeGreaterThan(
      0,
    );
    await database.collection('deposits').updateMany({}, { $set: { status: 'approved', stage: 1 } });
    await database.collection('balance_pages').deleteMany({});
    await database.collection('withdrawals').insertOne({ _id: 'made up' as never, shard: '0', position: 1 });
    await database.collection('accounts').updateMany({}, { $set: { status: 'active' } });
    expect(await run('verify')).toMatchObject({ code: 1 });
    expect(await run('rebuild')).toMatchObject({ code: 0, output: expect.stringContaining('rebuilt') });
    expect(await run('verify')).toMatchObject({ code: 0 });
    const after = await snapshot();
    expect(withTexts(after)).toEqual(withTexts(before));
    const ledger = await startLedger(environment);
    expect(await ledger.verify()).toMatchObject({ ok: true });
    await ledger.close();
  });

  it('does not rebuild while another command holds a shard', async () => {
    const redis = await openRedis(String(environment['REDIS_URL']), quietLogger);
    const leases = createLeases(redis, { scope: String(environment['MONGODB_DATABASE']), leaseMs: 60_000 });
    const before = await snapshot();
    await whileHolding(leases, 60_000, ['1'], async () => {
      expect(await run('rebuild')).toMatchObject({
        code: 1,
        output: expect.stringContaining('SHARD_IN_USE: another command works on shard 1'),
      });
    });
    redis.destroy();
    expect(await snapshot()).toEqual(before);
  });

  it('does not rebuild while a ledger runs, and names its instance', async () => {
    const ledger = await startLedger(environment);
    const before = await snapshot();
    const { code, output } = await run('rebuild');
    expect(code).toBe(1);
    expect(output).toContain(`the ledger at ${ledger.url} owns shard`);
    expect(await snapshot()).toEqual(before);
    await ledger.close();
  });
});
