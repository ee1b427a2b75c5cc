import { createAuditLog } from '@florin/data/audit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AuditCall, AuditCalls } from '../contract/index.ts';
import { type BackOffice, createWorld, type World } from '../testing/world.ts';

const REASON = 'new colleague in support';
const INVITE = { email: 'logged@example.org', roles: ['viewer'], reason: REASON };

let world: World;
let admin: Awaited<ReturnType<BackOffice['operator']>>;
beforeAll(async () => {
  world = await createWorld();
  admin = await (await world.start()).operator('admin');
});
afterAll(() => world.close());

type Stored = { _id: number; at: Date; content: { kind: string; callSequence?: number; call?: { reason: string } }; hash: string };
const stored = () => world.connection.collection<Stored>('audit_events');

const read = async (query = ''): Promise<AuditCalls> => {
  const { status, body } = await admin.ask(`GET /api/audit?${query}`);
  expect(status).toBe(200);
  return body as AuditCalls;
};
const invite = (body: object = INVITE) => admin.ask('POST /api/operators/invitations', { body });

describe('the audit log', () => {
  it('has what was done, by whom, why and how it ended, newest first, and its own reading', async () => {
    const { headers } = await invite();
    await admin.ask(`POST /api/operators/${crypto.randomUUID()}/disable`, { body: { reason: REASON } });
    const { calls, removedThrough } = await read(`operatorId=${admin.id}`);
    expect(removedThrough).toBe(0);
    expect(calls.slice(0, 3)).toMatchObject([
      { operation: 'audit.read', isThisReading: true, subjects: { operator_id: admin.id } },
      { operation: 'operators.disable', outcome: { code: 'NOT_FOUND' } },
      {
        operatorId: admin.id,
        operatorName: 'Olga Operator',
        operation: 'operators.invite',
        reason: REASON,
        requestId: headers.get('x-request-id'),
        outcome: { code: 'OK', at: expect.any(String) },
      },
    ]);
    expect(calls[0]).not.toHaveProperty('outcome');
    expect(calls.map(({ sequence }) => sequence)).toEqual(calls.map(({ sequence }) => sequence).sort((a, b) => b - a));
    const records = await stored().find().sort({ _id: -1 }).limit(1).toArray();
    expect(records[0]?.content).toMatchObject({ kind: 'outcome', code: 'OK', callSequence: calls[0]?.sequence });
    expect(JSON.stringify(await stored().find().toArray())).not.toContain(INVITE.email);
  });

  it('is read downwards to its first call, each call once, while more are recorded', async () => {
    const log = createAuditLog(world.connection, world.clock.now, new Uint8Array(32));
    const call = {
      actor: `operator:${admin.id}`,
      rpc: 'people.read',
      reason: REASON,
      requestId: 'r',
      subjects: {},
      request: new Uint8Array(),
    };
    await Promise.all(Array.from({ length: 120 }, () => log.record(call, 'OK')));
    const seen: AuditCall[] = [];
    let pages = 0;
    for (let before: number | undefined; ; pages += 1) {
      const { calls, nextBefore } = await read(before === undefined ? '' : `before=${before}`);
      seen.push(...calls);
      if (nextBefore === undefined) break;
      before = nextBefore;
    }
    expect(pages).toBeGreaterThan(0);
    const numbers = seen.map(({ sequence }) => sequence);
    expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => b - a));
    const calls = await stored()
      .find({ 'content.kind': 'call', _id: { $lte: numbers[0] ?? 0 } })
      .toArray();
    expect(numbers).toEqual(calls.map(({ _id }) => _id).sort((a, b) => b - a));
  });

  it('is filtered by time and operation, and says which query is wrong', async () => {
    const before = world.clock.now().toISOString();
    world.clock.advanceSeconds(60);
    const after = world.clock.now().toISOString();
    await invite();
    const operations = async (query: string) => (await read(query)).calls.map(({ operation }) => operation);
    expect(await operations(`from=${after}`)).toEqual(['audit.read', 'operators.invite']);
    expect((await read(`to=${after}`)).calls.every(({ at }) => at < after)).toBe(true);
    expect(new Set(await operations('operation=operators.invite'))).toEqual(new Set(['operators.invite']));
    await admin.ask(`POST /api/operators/${crypto.randomUUID()}/disable`, { body: { reason: REASON } });
    const failed = await read('code=NOT_FOUND');
    expect(new Set(failed.calls.map(({ operation, outcome }) => `${operation} ${outcome?.code}`))).toEqual(
      new Set(['operators.disable NOT_FOUND']),
    );
    expect(failed.codes).toEqual(expect.arrayContaining(['NOT_FOUND', 'OK']));
    expect((await admin.ask('GET /api/audit?code=NEVER_MET')).status).toBe(422);
    expect((await read()).operations).toEqual(expect.arrayContaining(['audit.read', 'operators.invite']));
    const unknown = await admin.ask('GET /api/audit?operation=operators.Invite');
    expect(unknown).toMatchObject({ status: 422, body: { error: 'VALIDATION_FAILED' } });
    expect(JSON.stringify(unknown.body)).toContain('operation');
    for (const query of ['before=0', 'operation=$ne', 'code=ok', 'after=1', `from=${after}&to=${before}`, 'from=yesterday', 'userId=x']) {
      expect([query, (await admin.ask(`GET /api/audit?${query}`)).status]).toEqual([query, 422]);
    }
  });

  it('says so when no outcome was recorded', async () => {
    await invite();
    const [, { sequence = 0 } = {}] = (await read()).calls;
    const outcome = await stored().findOneAndDelete({ 'content.callSequence': sequence });
    const call = (await read()).calls.find((one) => one.sequence === sequence);
    expect(call).toMatchObject({ operation: 'operators.invite' });
    expect(call).not.toHaveProperty('outcome');
    expect(call).not.toHaveProperty('isThisReading');
    if (outcome !== null) await stored().insertOne(outcome);
  });
});

describe('a verification', () => {
  const verify = async () => (await admin.ask('GET /api/audit/verification')).body;
  const command = (...more: string[]) => world.command('verify-audit-log', ...more);

  it('finds the record of which one byte was changed, in the pages and at the command line', async () => {
    expect(await verify()).toMatchObject({ firstBadSequence: 0 });
    const whole = await command();
    expect(whole).toMatchObject({
      code: 0,
      errors: '',
      out: expect.stringMatching(/^back-office: \d+ records are intact \d+:[0-9a-f]{64}$/),
    });
    const kept = whole.out.split(' ').at(-1) ?? '';
    expect(await command('--after', kept)).toMatchObject({ code: 0 });

    const record = await stored().findOne({ 'content.call.reason': REASON });
    if (record === null) throw new Error('nothing was recorded');
    await stored().updateOne({ _id: record._id }, { $set: { 'content.call.reason': REASON.replace('new', 'nex') } });
    expect(await verify()).toMatchObject({ firstBadSequence: record._id });
    expect(await command()).toMatchObject({ code: 1, out: `back-office: record ${record._id} is missing or was changed` });

    await stored().replaceOne({ _id: record._id }, record);
    expect(await verify()).toMatchObject({ firstBadSequence: 0 });
    expect(await command()).toMatchObject({ code: 0 });
  });

  it('finds a log that was rewritten since a hash was kept', async () => {
    expect(await command('--after', `1:${'0'.repeat(64)}`)).toMatchObject({ code: 1, out: expect.stringContaining('record 1 ') });
  });

  it.each([['--after', '1'], ['--role', 'admin'], ['somebody@example.org']])('is not asked with %s %s', async (...more) => {
    expect(await command(...more)).toMatchObject({ code: 2, out: '', errors: expect.stringContaining('verify-audit-log') });
  });
});
