import { createHash } from 'node:crypto';
import { systemRuntime } from '@florin/rpc/runtime';
import { quietLogger } from '@florin/rpc/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openStore, type Store } from '../store/index.ts';
import { testEngines } from '../testing/index.ts';
import { type AuditLog, createAuditLog } from './index.ts';

const CALL = {
  actor: 'ada',
  rpc: 'x.Service/Do',
  reason: 'a test',
  requestId: 'r',
  subjects: { account_id: 'a' },
  request: new Uint8Array([1]),
};
const HASH_KEY = new Uint8Array(32).fill(7);

let stores: Store[];
let logs: AuditLog[];
beforeAll(async () => {
  const { mongodbUri: uri, database } = testEngines();
  stores = await Promise.all([0, 1].map(() => openStore({ uri, database, poolSize: 8, logger: quietLogger })));
  logs = stores.map(({ connection }) => createAuditLog(connection, systemRuntime.now, HASH_KEY));
});
afterAll(() => Promise.all(stores.map((store) => store.close())));

const events = () => {
  const collection = stores[0]?.connection.collection<{ _id: number; hash: string; content: object }>('audit_events');
  if (collection === undefined) throw new Error('no store');
  return collection;
};
beforeEach(async () => {
  await events().deleteMany({});
  logs = stores.map(({ connection }) => createAuditLog(connection, systemRuntime.now, HASH_KEY));
});

const record = async (log: AuditLog | undefined, actor = 'ada'): Promise<void> => {
  const recordOutcome = await log?.begin({ ...CALL, actor });
  await recordOutcome?.('OK');
};

describe('audit log', () => {
  it('keeps calls and outcomes of two replicas in one chain without gaps', async () => {
    await Promise.all(Array.from({ length: 40 }, (_, n) => record(logs[n % 2], `actor-${n}`)));
    const records = await logs[0]?.list({ afterSequence: 0, limit: 100 });
    expect(records?.map(({ _id }) => _id)).toEqual(Array.from({ length: 80 }, (_, n) => n + 1));
    const calls = records?.filter(({ content }) => content.kind === 'call').map(({ _id }) => _id);
    const answered = records?.flatMap(({ content }) => (content.kind === 'outcome' ? [content.callSequence] : []));
    expect(answered?.sort((a, b) => a - b)).toEqual(calls);
    expect(await logs[1]?.verify(0)).toMatchObject({ checkedTo: 80, firstBadSequence: 0 });
  });

  it('lists the calls of one actor', async () => {
    await record(logs[0], 'ada');
    await record(logs[0], 'bob');
    const calls = await logs[1]?.list({ afterSequence: 0, limit: 10, actor: 'bob' });
    expect(calls?.map(({ _id }) => _id)).toEqual([3]);
  });

  it('lists the calls of an RPC, about an identifier, and of a period', async () => {
    const log = createAuditLog((stores[0] as Store).connection, () => clock, HASH_KEY);
    let clock = new Date('2026-01-01T00:00:00Z');
    const begin = (call: Partial<typeof CALL>) => log.begin({ ...CALL, ...call });
    await begin({ rpc: 'x.Service/Do', subjects: { account_id: 'a' } });
    clock = new Date('2026-01-02T00:00:00Z');
    await begin({ rpc: 'x.Service/Undo', subjects: { account_id: 'b' } });
    const ids = async (filter: object) => (await log.list({ afterSequence: 0, limit: 10, ...filter })).map(({ _id }) => _id);
    expect(await ids({ rpc: 'x.Service/Undo' })).toEqual([2]);
    expect(await ids({ subject: { field: 'account_id', id: 'a' } })).toEqual([1]);
    expect(await ids({ subject: { field: 'card_id', id: 'a' } })).toEqual([]);
    expect(await ids({ from: clock })).toEqual([2]);
    expect(await ids({ to: clock })).toEqual([1]);
    expect(await log.lastSequence()).toBe(2);
  });

  it('lists calls with their outcomes, newest first, from any of them downwards', async () => {
    const log = createAuditLog((stores[0] as Store).connection, () => clock, HASH_KEY);
    let clock = new Date('2026-01-01T00:00:00Z');
    const begin = (actor: string, userId: string) => log.begin({ ...CALL, actor, subjects: { user_id: userId } });
    const [first, second] = [await begin('ada', 'u1'), await begin('bob', 'u2')];
    clock = new Date('2026-01-02T00:00:00Z');
    await second('FORBIDDEN');
    await first('OK');
    await begin('ada', 'u2');
    const calls = async (filter: object = {}) =>
      (await log.listCalls({ limit: 10, ...filter })).map(({ _id, call, outcome }) => [_id, call.actor, outcome?.code]);
    const [ada, bob, interrupted] = [
      [1, 'ada', 'OK'],
      [2, 'bob', 'FORBIDDEN'],
      [5, 'ada', undefined],
    ];
    expect(await calls()).toEqual([interrupted, bob, ada]);
    expect(await calls({ limit: 2 })).toEqual([interrupted, bob]);
    expect(await calls({ limit: 2, beforeSequence: 2 })).toEqual([ada]);
    expect(await calls({ actor: 'ada' })).toEqual([interrupted, ada]);
    expect(await calls({ subject: { field: 'user_id', id: 'u2' } })).toEqual([interrupted, bob]);
    expect(await calls({ code: 'FORBIDDEN' })).toEqual([bob]);
    expect(await calls({ code: 'OK', actor: 'ada' })).toEqual([ada]);
    expect(await calls({ code: 'FORBIDDEN', actor: 'ada' })).toEqual([]);
    expect(await calls({ code: 'FORBIDDEN', beforeSequence: 2 })).toEqual([]);
    expect(await log.listCodes()).toEqual(['FORBIDDEN', 'OK']);
    expect(await calls({ to: clock })).toEqual([bob, ada]);
    expect(await calls({ from: clock })).toEqual([interrupted]);
    const [, , { outcome } = {}] = await log.listCalls({ limit: 3 });
    expect(outcome).toEqual({ code: 'OK', at: clock });
    await stores[0]?.ready();
    const indexes = await events().indexes();
    expect(indexes.filter(({ sparse }) => sparse).map(({ key }) => Object.keys(key)[0])).toEqual(
      expect.arrayContaining(['content.callSequence', 'content.call.subjects.user_id', 'content.call.rpc', 'content.code']),
    );
  });

  it('finds the calls that ended with a code among many others', async () => {
    const log = createAuditLog((stores[0] as Store).connection, systemRuntime.now, HASH_KEY);
    const rpcs = Array.from({ length: 1100 }, (_, n) => (n % 550 === 0 ? 'x.Service/Undo' : 'x.Service/Do'));
    await Promise.all(rpcs.map((rpc, n) => log.record({ ...CALL, rpc }, n === 0 ? 'OK' : 'FORBIDDEN')));
    const ids = async (filter: object) => (await log.listCalls({ limit: 2, ...filter })).map(({ _id }) => _id);
    expect(await ids({ code: 'OK' })).toEqual([1]);
    expect(await ids({ code: 'FORBIDDEN' })).toEqual([2199, 2197]);
    expect(await ids({ code: 'FORBIDDEN', rpc: 'x.Service/Undo' })).toEqual([1101]);
    expect(await ids({ code: 'NOT_FOUND' })).toEqual([]);
  });

  it.each<[string, () => Promise<unknown>, number]>([
    ['a changed reason', () => events().updateOne({ _id: 3 }, { $set: { 'content.call.reason': 'another' } }), 3],
    ['a changed outcome', () => events().updateOne({ _id: 4 }, { $set: { 'content.code': 'FORBIDDEN' } }), 4],
    ['a changed time', () => events().updateOne({ _id: 2 }, { $set: { at: new Date(0) } }), 2],
    ['a removed record', () => events().deleteOne({ _id: 5 }), 5],
  ])('names the first record after %s', async (_what, tamper, bad) => {
    for (let n = 0; n < 3; n += 1) await record(logs[0]);
    await tamper();
    expect(await logs[0]?.verify(0)).toMatchObject({ checkedTo: bad - 1, firstBadSequence: bad });
  });

  it('notices a log that was rewritten or cut short since a hash was kept', async () => {
    for (let n = 0; n < 2; n += 1) await record(logs[0]);
    const kept = await logs[0]?.verify(0);
    await events().deleteMany({});
    for (let n = 0; n < 2; n += 1) await record(createAuditLog((stores[0] as Store).connection, systemRuntime.now, HASH_KEY), 'mallory');
    expect(await logs[1]?.verify(0)).toMatchObject({ firstBadSequence: 0 });
    expect(await logs[1]?.verify(4, kept?.hash)).toMatchObject({ firstBadSequence: 4 });
    await events().deleteOne({ _id: 4 });
    expect(await logs[1]?.verify(4, kept?.hash)).toMatchObject({ firstBadSequence: 4 });
  });

  it('resumes the chain after a restart', async () => {
    await record(logs[0]);
    await record(createAuditLog((stores[1] as Store).connection, systemRuntime.now, HASH_KEY));
    expect(await logs[0]?.verify(2)).toMatchObject({ checkedTo: 4, firstBadSequence: 0 });
  });

  it('appends the records of many callers together, in the order of their calls', async () => {
    let inserts = 0;
    const connection = (stores[0] as Store).connection;
    const collection = connection.collection('audit_events');
    const insertMany = collection.insertMany.bind(collection);
    collection.insertMany = ((...args: Parameters<typeof insertMany>) => {
      inserts += 1;
      return insertMany(...args);
    }) as typeof insertMany;
    await Promise.all(Array.from({ length: 200 }, (_, n) => logs[0]?.record({ ...CALL, actor: `actor-${n}` }, 'OK')));
    collection.insertMany = insertMany;
    expect(inserts).toBeLessThan(10);
    const records = (await logs[0]?.list({ afterSequence: 0, limit: 500 })) ?? [];
    expect(records.flatMap(({ content }) => (content.kind === 'call' ? [content.call.actor] : []))).toEqual(
      Array.from({ length: 200 }, (_, n) => `actor-${n}`),
    );
    for (const { _id, content } of records) if (content.kind === 'outcome') expect(content.callSequence).toBe(_id - 1);
    expect(await logs[1]?.verify(0)).toMatchObject({ checkedTo: 400, firstBadSequence: 0 });
  });

  it('keeps each outcome with its call while replicas race', async () => {
    const replicas = [...logs, createAuditLog((stores[0] as Store).connection, systemRuntime.now, HASH_KEY)];
    const racing = replicas.flatMap((log, replica) =>
      Array.from({ length: 60 }, (_, n) => log.record({ ...CALL, actor: `${replica}-${n}` }, n % 2 === 0 ? 'OK' : 'FORBIDDEN')),
    );
    await Promise.all(racing);
    const records = await logs[0]?.list({ afterSequence: 0, limit: 500 });
    expect(records).toHaveLength(360);
    const actors = new Map(records?.flatMap(({ _id, content }) => (content.kind === 'call' ? [[_id, content.call.actor]] : [])));
    expect(new Set(actors.values()).size).toBe(180);
    for (const { content } of records ?? []) {
      if (content.kind !== 'outcome') continue;
      const number = Number(actors.get(content.callSequence)?.split('-')[1]);
      expect(content.code).toBe(number % 2 === 0 ? 'OK' : 'FORBIDDEN');
    }
    expect(await logs[1]?.verify(0)).toMatchObject({ checkedTo: 360, firstBadSequence: 0 });
  });

  it('has hashes of requests that depend on the key', async () => {
    const other = createAuditLog((stores[0] as Store).connection, systemRuntime.now, new Uint8Array(32));
    await logs[0]?.begin(CALL);
    await other.begin(CALL);
    await logs[0]?.begin({ ...CALL, request: new Uint8Array([2]) });
    const records = await logs[0]?.list({ afterSequence: 0, limit: 10 });
    const hashes = records?.map(({ content }) => (content.kind === 'call' ? content.call.requestHash : ''));
    expect(new Set(hashes).size).toBe(3);
    expect(hashes).not.toContain(createHash('sha256').update(CALL.request).digest('hex'));
  });
});
