import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Passkeys } from '../contract/index.ts';
import { createBrowser } from '../testing/browser.ts';
import { type BackOffice, createWorld, ORIGIN, type World } from '../testing/world.ts';

const REASON = 'the laptop was left in a train';

type Operator = Awaited<ReturnType<BackOffice['operator']>>;
type Asking = Pick<Operator, 'ask'>;

let world: World;
let office: BackOffice;
let admin: Operator;
beforeAll(async () => {
  world = await createWorld();
  office = await world.start();
  admin = await office.operator('admin');
});
afterAll(() => world.close());

const listOf = async ({ ask }: Asking) => ((await ask('GET /api/session/passkeys')).body as Passkeys).passkeys;
const end = ({ ask }: Asking, id: string) => ask(`POST /api/session/passkeys/${id}/end`, { body: { reason: REASON } });
const endAs = (by: Asking, operatorId: string, id: string) =>
  by.ask(`POST /api/operators/${operatorId}/passkeys/${id}/end`, { body: { reason: REASON } });

/** An operator with a passkey, and another device of theirs with another one, which has signed in with it. */
const withTwo = async () => {
  const laptop = await office.operator('viewer');
  const phone = createBrowser(office.app.url, ORIGIN);
  for (const [name, value] of laptop.cookies) phone.cookies.set(name, value);
  expect((await phone.addPasskey()).status).toBe(200);
  expect((await phone.signIn()).status).toBe(200);
  expect((await laptop.signIn()).status).toBe(200);
  const [first, second] = await listOf(laptop);
  return { laptop, phone, first: first?.id ?? '', second: second?.id ?? '' };
};

describe('passkeys of an operator', () => {
  it('are listed without their keys, named, and say when they were last used', async () => {
    const { laptop, second } = await withTwo();
    const name = (text: string) => laptop.ask(`POST /api/session/passkeys/${second}/name`, { body: { name: text } });
    expect((await name('Phone')).status).toBe(200);
    const listed = await listOf(laptop);
    expect(listed).toEqual([
      { id: expect.stringMatching(/^[\da-f]{32}$/), createdAt: expect.any(String), lastUsedAt: expect.any(String) },
      { id: second, name: 'Phone', createdAt: expect.any(String), lastUsedAt: expect.any(String) },
    ]);
    expect(await name(' ')).toMatchObject({ status: 422 });
    const stranger = await office.operator('viewer');
    expect(await stranger.ask(`POST /api/session/passkeys/${second}/name`, { body: { name: 'Mine' } })).toMatchObject({ status: 404 });
    expect(await listOf(laptop)).toEqual(listed);
  });

  it('end with the sessions that were begun or confirmed with them, and with no others', async () => {
    const { laptop, phone, first, second } = await withTwo();
    const tablet = createBrowser(office.app.url, ORIGIN);
    for (const [name, value] of phone.cookies) tablet.cookies.set(name, value);
    expect((await end(phone, first)).body).toMatchObject({ status: 'ended' });
    expect((await laptop.ask('GET /api/session')).status).toBe(401);
    expect((await laptop.signIn()).status).toBe(401);
    expect((await phone.ask('GET /api/session')).status).toBe(200);
    expect((await tablet.ask('GET /api/session')).status).toBe(200);
    expect((await listOf(phone)).map(({ id }) => id)).toEqual([second]);
    expect(await end(phone, first)).toMatchObject({ status: 404 });
  });

  it('end a session that was confirmed with them, though another one has begun it', async () => {
    const { laptop, phone, second } = await withTwo();
    const cookie = laptop.cookies.get('florin-office') ?? '';
    phone.cookies.set('florin-office', cookie);
    expect((await phone.confirm()).status).toBe(200);
    expect((await laptop.signIn()).status).toBe(200);
    expect((await end(laptop, second)).status).toBe(200);
    expect((await phone.ask('GET /api/session')).status).toBe(401);
    expect((await laptop.ask('GET /api/session')).status).toBe(200);
  });

  it('do not end without a fresh confirmation, or without a reason', async () => {
    const own = await createWorld();
    const process = await own.start();
    const operator = await process.operator('viewer');
    const [only] = await listOf(operator);
    expect(await operator.ask(`POST /api/session/passkeys/${only?.id}/end`, { body: { reason: 'short' } })).toMatchObject({ status: 422 });
    own.clock.advanceSeconds(301);
    expect((await end(operator, only?.id ?? '')).body).toMatchObject({ error: 'REAUTHENTICATION_REQUIRED' });
    await own.close();
  });

  it('do not all end, also when the last two end at once', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { laptop, phone, first, second } = await withTwo();
      const answers = await Promise.all([end(phone, first), end(laptop, second)]);
      // The second request has no session any more, or learns that the passkey is the last one.
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      expect(answers.filter(({ status }) => status === 401 || status === 409)).toHaveLength(1);
      const winner = answers[0]?.status === 200 ? phone : laptop;
      const [left, ...more] = await listOf(winner);
      expect(more).toEqual([]);
      expect((await end(winner, left?.id ?? '')).body).toMatchObject({ error: 'LAST_PASSKEY' });
      expect((await winner.signIn()).status).toBe(200);
    }
  });

  it('end as the last one where the provider signs the operator in', async () => {
    const operator = await office.operator('viewer');
    const operators = world.connection.collection<{ _id: string }>('operators');
    await operators.updateOne({ _id: operator.id }, { $set: { oidc: `https://id.example.org ${operator.id}` } });
    const [only] = await listOf(operator);
    expect((await end(operator, only?.id ?? '')).status).toBe(200);
    expect((await operator.signIn()).status).toBe(401);
  });

  it('are ended by an administrator for somebody else, also the last one, after which a new link lets them in again', async () => {
    const operator = await office.operator('viewer');
    const [only] = await listOf(operator);
    expect(await endAs(operator, admin.id, only?.id ?? '')).toMatchObject({ status: 403 });
    expect((await endAs(admin, operator.id, only?.id ?? '')).body).toMatchObject({ status: 'ended' });
    expect((await operator.ask('GET /api/session')).status).toBe(401);
    expect((await operator.signIn()).status).toBe(401);
    expect(await endAs(admin, operator.id, only?.id ?? '')).toMatchObject({ status: 404 });
    expect(await endAs(admin, crypto.randomUUID(), only?.id ?? '')).toMatchObject({ status: 404 });
    const [own] = await listOf(admin);
    expect(await endAs(admin, admin.id, own?.id ?? '')).toMatchObject({ status: 403 });

    const { out } = await world.command('invite', operator.email, '--role', 'viewer');
    const again = office.newBrowser();
    expect((await again.enrol(out)).body).toMatchObject({ operator: { id: operator.id } });
  });

  it('end a session of an earlier release too, of which it is not known how it was begun', async () => {
    const { laptop, phone, first } = await withTwo();
    const sessions = world.connection.collection<{ _id: string }>('operator_sessions');
    await sessions.updateMany({ operatorId: laptop.id }, { $unset: { passkeyIds: '' } });
    expect((await end(phone, first)).status).toBe(200);
    expect((await laptop.ask('GET /api/session')).status).toBe(401);
    expect((await phone.ask('GET /api/session')).status).toBe(401);
  });

  it('are in the audit log with who ended them, whose they were, and why', async () => {
    const operator = await office.operator('viewer');
    const [only] = await listOf(operator);
    await endAs(admin, operator.id, only?.id ?? '');
    const events = await world.connection.collection('audit_events').find().sort({ _id: -1 }).limit(2).toArray();
    expect(events.map(({ content }) => content.call?.rpc ?? content.code)).toEqual(['OK', 'operators.end-passkey']);
    expect(events[1]?.['content'].call).toMatchObject({
      actor: `operator:${admin.id}`,
      reason: REASON,
      subjects: { operator_id: operator.id, passkey_id: only?.id },
    });
  });
});
