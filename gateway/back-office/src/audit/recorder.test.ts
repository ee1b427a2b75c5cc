import { createAuditLog } from '@florin/data/audit';
import { openStore } from '@florin/data/store';
import { testEngines } from '@florin/data/testing';
import { CodedError } from '@florin/rpc/errors';
import { quietLogger } from '@florin/rpc/testing';
import { afterAll, describe, expect, it } from 'vitest';
import { createWorld } from '../testing/world.ts';
import { createRecorder, createRefusalRecorder, type RecordCall, type Recorded } from './recorder.ts';

const { mongodbUri, database } = testEngines();
const store = await openStore({ uri: mongodbUri, database, poolSize: 2, logger: quietLogger });
afterAll(async () => {
  await store.connection.dropDatabase();
  await store.close();
});

const CALL: Recorded = {
  actor: 'operator:1',
  operation: 'people.read',
  reason: 'asked by the person',
  requestId: 'request-1',
  subjects: { user_id: 'u1' },
  request: { secret: 'what was asked for' },
};

describe('a recorded call', () => {
  const log = createAuditLog(store.connection, () => new Date(), new Uint8Array(32));
  const kinds = async () => (await log.list({ afterSequence: 0, limit: 500 })).map(({ content }) => content);

  it('is in the log before the work, and its outcome before the answer', async () => {
    const record = createRecorder(log);
    let during: number | undefined;
    const work = async () => {
      during = (await kinds()).length;
      return 'done';
    };
    expect(await record(CALL, work)).toBe('done');
    expect(during).toBe(1);
    expect(await kinds()).toMatchObject([
      { kind: 'call', call: { rpc: 'people.read', actor: 'operator:1' } },
      { kind: 'outcome', code: 'OK' },
    ]);
    expect(JSON.stringify(await kinds())).not.toContain('what was asked for');
  });

  it('has the code of a failure', async () => {
    const fail = () => Promise.reject(new CodedError('NOT_FOUND'));
    await expect(createRecorder(log)(CALL, fail)).rejects.toThrow('NOT_FOUND');
    expect((await kinds()).at(-1)).toMatchObject({ kind: 'outcome', code: 'NOT_FOUND' });
  });

  it('is not done when it cannot be recorded, and not answered when its outcome cannot', async () => {
    const down = () => Promise.reject(new CodedError('SERVICE_UNAVAILABLE'));
    let done = 0;
    const work = async () => {
      done += 1;
    };
    await expect(createRecorder({ begin: down })(CALL, work)).rejects.toThrow('SERVICE_UNAVAILABLE');
    expect(done).toBe(0);
    await expect(createRecorder({ begin: async () => down })(CALL, work)).rejects.toThrow('SERVICE_UNAVAILABLE');
    expect(done).toBe(1);
  });
});

describe('the back office whose audit log takes nothing', () => {
  it('signs nobody in, and shows and does nothing', async () => {
    const world = await createWorld();
    let isDown = false;
    const { operator, newBrowser } = await world.start({
      wrapAuditLog: (log) => ({
        ...log,
        begin: (call) => (isDown ? Promise.reject(new CodedError('SERVICE_UNAVAILABLE')) : log.begin(call)),
      }),
    });
    const admin = await operator('admin');
    const before = await world.connection.collection('operators').countDocuments();
    isDown = true;
    const answers = await Promise.all([
      admin.ask('GET /api/operators'),
      admin.ask('GET /api/audit'),
      admin.ask('POST /api/operators/invitations', { body: { email: 'x@example.org', roles: ['admin'], reason: 'a good reason' } }),
    ]);
    for (const { status, body } of answers) {
      expect(status).toBe(503);
      expect(Object.keys(body).sort()).toEqual(['error', 'message', 'requestId']);
    }
    expect((await admin.signIn()).status).toBe(503);
    expect(await world.connection.collection('operators').countDocuments()).toBe(before);
    expect(await world.connection.collection('invitations').countDocuments()).toBe(0);
    isDown = false;
    const invited = (email: string, role: string) => world.command('invite', email, '--role', role);
    const [{ out: first }, { out: more }] = [await invited('new@example.org', 'viewer'), await invited(admin.email, 'finance')];
    const newcomer = newBrowser();
    isDown = true;
    for (const link of [first, more]) expect((await newcomer.enrol(link)).status).toBe(503);
    expect(await world.connection.collection('operators').countDocuments()).toBe(before);
    expect((await admin.session()).operator.roles).toEqual(['admin']);
    isDown = false;
    expect((await newcomer.enrol(first)).status).toBe(200);
    await world.close();
  });
});

describe('refused attempts', () => {
  it('of all strangers, and of each operator, are recorded one by one up to sixty a minute, and then ever fewer with their number', async () => {
    const recorded: Recorded[] = [];
    const record: RecordCall = (call, work) => {
      recorded.push(call);
      return work();
    };
    let now = Date.parse('2026-01-31T12:00:10Z');
    const refused = createRefusalRecorder(record, () => now);
    const from = { requestId: 'r', address: '192.0.2.1' };
    const what = 'a token that no session has';
    const attempt = async (actor?: string): Promise<void> => {
      const refusal = refused(from, { what, ...(actor === undefined ? {} : { actor }) }, () =>
        Promise.reject(new CodedError('UNAUTHORIZED')),
      );
      await expect(refusal).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
    };
    for (let count = 0; count < 500; count += 1) await attempt();
    expect(recorded.map(({ reason }) => reason)).toEqual([
      ...Array.from({ length: 60 }, () => what),
      ...[64, 128, 256].map((count) => `${what}; refusal ${count} of this minute, not all are recorded`),
    ]);
    recorded.length = 0;
    for (let count = 0; count < 100; count += 1) await attempt('operator:1');
    expect(recorded).toHaveLength(61);
    now = Date.parse('2026-01-31T12:01:00Z');
    await attempt();
    expect(recorded.at(-1)).toMatchObject({ actor: 'unknown', reason: what });
  });
});
