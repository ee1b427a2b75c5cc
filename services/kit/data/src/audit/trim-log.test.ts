import { fakeClock, quietLogger } from '@florin/rpc/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openStore, type Store } from '../store/index.ts';
import { testEngines } from '../testing/index.ts';
import { type AuditModel, type AuditRecord, auditModel, hashRecord } from './audit-record.ts';
import { type AuditLog, createAuditLog, startAuditRetention, trimAuditLogs } from './index.ts';
import { trimLog } from './trim-log.ts';

const DAY_SECONDS = 86_400;
const CALL = { actor: 'ada', rpc: 'x.Service/Do', reason: 'a test', requestId: 'r', subjects: {}, request: new Uint8Array([1]) };

const { mongodbUri: uri, database } = testEngines();

let store: Store;
beforeAll(async () => {
  store = await openStore({ uri, database, poolSize: 8, logger: quietLogger });
});
afterAll(async () => {
  await store.connection.dropDatabase();
  await store.close();
});

const events = () => store.connection.collection<AuditRecord>('audit_events');
const newLog = (now: () => Date): AuditLog => createAuditLog(store.connection, now, new Uint8Array(32));

/** A log with three calls (records 1 to 6) on each of three days, and the time at which the second day begins, a day and a half ago. */
const threeDays = async () => {
  const clock = fakeClock(new Date(Date.now() - 2.5 * DAY_SECONDS * 1000));
  const log = newLog(clock.now);
  const days: Date[] = [];
  for (let day = 0; day < 3; day += 1) {
    days.push(clock.now());
    for (let n = 0; n < 3; n += 1) await log.record(CALL, 'OK');
    clock.advanceSeconds(DAY_SECONDS);
  }
  return { log, clock, secondDay: days[1] as Date };
};
const sequences = async () => (await events().find().sort({ _id: 1 }).toArray()).map(({ _id }) => _id);
const from = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, n) => first + n);

beforeEach(async () => {
  await events().deleteMany({});
});

describe('trimming', () => {
  it('removes the records before a time, and leaves a chain that verifies and says where it starts', async () => {
    const { log, secondDay } = await threeDays();
    const before = await log.verify(0);
    await log.trim(secondDay);
    expect(await sequences()).toEqual(from(7, 19));
    expect(await log.verify(0)).toMatchObject({ checkedTo: 19, firstBadSequence: 0, removedThrough: 6 });
    expect(await log.verify(3)).toMatchObject({ checkedTo: 19, firstBadSequence: 0 });
    const judging = createAuditLog(store.connection, () => new Date(), new Uint8Array(32), 2);
    expect(await judging.verify(0)).toMatchObject({ checkedTo: 19, firstBadSequence: 0, removedThrough: 6 });
    expect(await log.verify(18, before.hash)).toMatchObject({ checkedTo: 19, firstBadSequence: 0 });
    await log.record(CALL, 'OK');
    expect(await newLog(() => new Date()).verify(0)).toMatchObject({ checkedTo: 21, firstBadSequence: 0, removedThrough: 6 });
  });

  it('changes nothing when nothing is old enough, and when it is repeated', async () => {
    const { log, secondDay } = await threeDays();
    await log.trim(new Date(0));
    expect(await sequences()).toEqual(from(1, 18));
    await log.trim(secondDay);
    await log.trim(secondDay);
    expect(await sequences()).toEqual(from(7, 19));
  });

  it('keeps the chain when every record is removed, and removes earlier removals', async () => {
    const { log, clock, secondDay } = await threeDays();
    await log.trim(secondDay);
    clock.advanceSeconds(DAY_SECONDS);
    await log.trim(clock.now());
    expect(await sequences()).toEqual([20]);
    expect(await log.verify(0)).toMatchObject({ checkedTo: 20, firstBadSequence: 0, removedThrough: 19 });
    await log.record(CALL, 'OK');
    expect(await sequences()).toEqual([20, 21, 22]);
  });

  it('completes the removal of a process that was killed', async () => {
    const { log, secondDay } = await threeDays();
    const old = await events()
      .find({ _id: { $lte: 6 } })
      .toArray();
    await log.trim(secondDay);
    await events().insertMany(old.slice(3));
    expect(await log.verify(0)).toMatchObject({ checkedTo: 19, firstBadSequence: 0, removedThrough: 6 });
    await log.trim(secondDay);
    expect(await sequences()).toEqual(from(7, 19));
  });

  it('is done by several replicas at once, while calls are recorded', async () => {
    const { log, clock, secondDay } = await threeDays();
    const replicas = [log, newLog(clock.now), newLog(clock.now)];
    await Promise.all([...replicas.map((replica) => replica.trim(secondDay)), ...replicas.map((replica) => replica.record(CALL, 'OK'))]);
    expect((await sequences())[0]).toBe(7);
    expect(await log.verify(0)).toMatchObject({ firstBadSequence: 0, removedThrough: 6 });
  });

  it('is not disturbed by another replica that removes the records while they are read', async () => {
    const { log, secondDay } = await threeDays();
    const model = auditModel(store.connection);
    let reads = 0;
    /** Of the first reading of records, the other replica is ahead. */
    async function* readAfterOther(filter: object): AsyncGenerator<AuditRecord> {
      reads += 1;
      if (reads === 1) await log.trim(secondDay);
      yield* model.find(filter).sort({ _id: 1 }).lean().cursor();
    }
    const chain = (filter: object) => ({
      sort: () => chain(filter),
      limit: () => chain(filter),
      lean: () => chain(filter),
      cursor: () => readAfterOther(filter),
    });
    const overtaken = new Proxy(model, { get: (target, name) => (name === 'find' ? chain : Reflect.get(target, name)) }) as AuditModel;
    const neverAppends = () => Promise.reject(new Error('there is nothing left to remove'));
    await trimLog(overtaken, neverAppends, secondDay);
    expect(reads).toBe(1);
    expect(await sequences()).toEqual(from(7, 19));
    expect(await log.verify(0)).toMatchObject({ firstBadSequence: 0, removedThrough: 6 });
  });

  it('removes nothing because of a removal that a process has made up, and tells of it', async () => {
    const { log, clock, secondDay } = await threeDays();
    const last = (await events().findOne({ _id: 18 })) as AuditRecord;
    const content = { kind: 'trim', removedThrough: 18, removedHash: last.hash } as const;
    const forged = { _id: 19, at: clock.now(), content };
    await events().insertOne({ ...forged, hash: hashRecord(last.hash, forged) });
    await expect(log.trim(secondDay)).rejects.toThrow('record 19 says that records are removed before their time');
    expect(await sequences()).toEqual(from(1, 19));
    const judging = createAuditLog(store.connection, clock.now, new Uint8Array(32), 3);
    expect(await judging.verify(0)).toMatchObject({ firstBadSequence: 19 });
    expect(await judging.verify(18, last.hash)).toMatchObject({ firstBadSequence: 19 });
  });

  it.each<[string, () => Promise<unknown>]>([
    ['was changed', () => events().updateOne({ _id: 4 }, { $set: { 'content.code': 'FORBIDDEN' } })],
    ['is missing', () => events().deleteOne({ _id: 4 })],
    ['is the last of them and missing', () => events().deleteOne({ _id: 6 })],
  ])('removes nothing when a record %s', async (_what, tamper) => {
    const { log, secondDay } = await threeDays();
    await tamper();
    const before = await sequences();
    await expect(log.trim(secondDay)).rejects.toThrow('not trimmed');
    expect(await sequences()).toEqual(before);
    expect(await log.verify(0)).toMatchObject({ removedThrough: 0 });
  });

  it.each<[string, () => Promise<unknown>, number]>([
    ['the first kept record is removed', () => events().deleteOne({ _id: 7 }), 7],
    ['a removal is moved forward', () => events().updateOne({ _id: 19 }, { $set: { 'content.removedThrough': 9 } }), 10],
    ['the hash of a removal is changed', () => events().updateOne({ _id: 19 }, { $set: { 'content.removedHash': 'f'.repeat(64) } }), 7],
    ['a removal is removed', () => events().deleteOne({ _id: 19 }), 1],
  ])('does not hide that %s', async (_what, tamper, bad) => {
    const { log, secondDay } = await threeDays();
    await log.trim(secondDay);
    await tamper();
    expect(await log.verify(0)).toMatchObject({ firstBadSequence: bad });
  });

  it('does not vouch for a kept hash of a record that was removed', async () => {
    const { log, secondDay } = await threeDays();
    const { hash = '' } = (await events().findOne({ _id: 3 })) ?? {};
    await log.trim(secondDay);
    expect(await log.verify(3, hash)).toMatchObject({ firstBadSequence: 3 });
    const { removedHash } = ((await events().findOne({ _id: 19 }))?.content ?? {}) as { removedHash?: string };
    expect(await log.verify(6, removedHash)).toMatchObject({ checkedTo: 19, firstBadSequence: 0 });
  });
});

describe('retention of the audit log', () => {
  it.each([
    [2, from(7, 19)],
    [0, from(1, 18)],
  ])('of %d days', async (days, kept) => {
    const { log, clock } = await threeDays();
    const rounds = startAuditRetention({
      log,
      connection: store.connection,
      config: { AUDIT_RETENTION_DAYS: days, AUDIT_TRIMMING: 'process' },
      runtime: clock,
      logger: quietLogger,
    });
    await rounds.close();
    expect(await sequences()).toEqual(kept);
  });

  it('removes nothing before its time by a clock that is ahead', async () => {
    const { log, clock } = await threeDays();
    clock.advanceSeconds(DAY_SECONDS);
    const rounds = startAuditRetention({
      log,
      connection: store.connection,
      config: { AUDIT_RETENTION_DAYS: 2, AUDIT_TRIMMING: 'process' },
      runtime: clock,
      logger: quietLogger,
    });
    await rounds.close();
    expect(await sequences()).toEqual(from(7, 19));
  });

  it('is left to a job where there is one, which trims each log by itself', async () => {
    const { log, clock } = await threeDays();
    const other = await openStore({ uri, database: `${database}_other`, poolSize: 1, logger: quietLogger });
    await createAuditLog(other.connection, () => new Date(0), new Uint8Array(32)).record(CALL, 'OK');
    const config = { AUDIT_RETENTION_DAYS: 2, AUDIT_TRIMMING: 'job' } as const;
    const rounds = startAuditRetention({ log, connection: store.connection, config, runtime: clock, logger: quietLogger });
    await rounds.close();
    expect(await sequences()).toEqual(from(1, 18));

    const job = { uri, databases: [database, `${database}_other`], days: 2, runtime: clock, logger: quietLogger };
    const left = () => other.connection.collection('audit_events').countDocuments();
    await other.connection.collection('audit_events').dropIndexes();
    await events().updateOne({ _id: 4 }, { $set: { 'content.code': 'FORBIDDEN' } });
    expect(await trimAuditLogs(job)).toEqual([database]);
    expect([await sequences(), await left()]).toEqual([from(1, 18), 1]);
    // The process may not create them where the job trims.
    expect(await other.connection.collection('audit_events').indexes()).toHaveLength(6);
    await other.connection.dropDatabase();
    await other.close();
  });
});
