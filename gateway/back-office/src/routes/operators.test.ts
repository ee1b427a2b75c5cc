import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BackOffice, createWorld, type World } from '../testing/world.ts';

const REASON = 'new colleague in support';

let world: World;
let office: BackOffice;
let admin: Awaited<ReturnType<BackOffice['operator']>>;
beforeAll(async () => {
  world = await createWorld();
  office = await world.start();
  admin = await office.operator('admin');
});
afterAll(() => world.close());

const log = () => world.connection.collection('audit_events').find().sort({ _id: 1 }).toArray();

describe('operators', () => {
  it('are invited by an administrator, listed, and disabled, which ends their sessions at once', async () => {
    const body = { email: 'Sue@Example.org', roles: ['support'], reason: REASON };
    const invited = await admin.ask('POST /api/operators/invitations', { body });
    expect(invited).toMatchObject({ status: 201, body: { url: expect.stringContaining('/enrol#'), expiresAt: expect.any(String) } });
    const sue = office.newBrowser();
    await sue.enrol(String(invited.body['url']));
    const { operator } = await sue.session();
    const listed = await admin.ask('GET /api/operators');
    expect(listed.body['operators']).toContainEqual(
      expect.objectContaining({
        id: operator.id,
        email: 'sue@example.org',
        roles: ['support'],
        status: 'active',
        passkeys: [expect.objectContaining({ id: expect.any(String) })],
      }),
    );
    const disable = () => admin.ask(`POST /api/operators/${operator.id}/disable`, { body: { reason: 'has left the company' } });
    expect((await disable()).body).toMatchObject({ status: 'disabled' });
    expect((await sue.ask('GET /api/session')).status).toBe(401);
    expect((await sue.signIn()).status).toBe(401);
    expect((await disable()).body).toMatchObject({ status: 'disabled' });
    expect((await admin.ask('POST /api/operators/invitations', { body })).status).toBe(403);
  });

  it('come in by no link whose maker was disabled, manages operators no more, or has lost a passkey since', async () => {
    const makers = await Promise.all([0, 1, 2, 3].map(() => office.operator('admin')));
    const links = await Promise.all(
      makers.map(async (maker, index) => {
        const body = { email: `by-link-${index}@example.org`, roles: ['admin'], reason: REASON };
        return String((await maker.ask('POST /api/operators/invitations', { body })).body['url']);
      }),
    );
    const [disabled, demoted, robbed] = makers;
    await admin.ask(`POST /api/operators/${disabled?.id}/disable`, { body: { reason: 'has left the company' } });
    const { out } = await world.command('invite', demoted?.email ?? '', '--role', 'viewer');
    await office.newBrowser().enrol(out.trim());
    const listed = await admin.ask('GET /api/operators');
    const found = (listed.body['operators'] as { id: string; passkeys: { id: string }[] }[]).find(({ id }) => id === robbed?.id);
    const end = `POST /api/operators/${robbed?.id}/passkeys/${found?.passkeys[0]?.id}/end`;
    expect((await admin.ask(end, { body: { reason: 'her key was stolen' } })).status).toBe(200);
    const statuses: number[] = [];
    for (const link of links) statuses.push((await office.newBrowser().enrol(link)).status);
    expect(statuses).toEqual([404, 404, 404, 200]);
  });

  it('are invited under a fresh confirmation only, also to the own account', async () => {
    const stale = await office.operator('admin');
    const unconfirmed = { $set: { confirmedAt: new Date(Date.now() - 3_600_000) } };
    await world.connection.collection('operator_sessions').updateMany({ operatorId: stale.id }, unconfirmed);
    const invite = () =>
      stale.ask('POST /api/operators/invitations', { body: { email: stale.email, roles: ['admin', 'finance'], reason: REASON } });
    expect(await invite()).toMatchObject({ status: 403, body: { error: 'REAUTHENTICATION_REQUIRED' } });
    expect((await stale.ask('GET /api/operators')).status).toBe(200);
    await stale.confirm();
    expect((await invite()).status).toBe(201);
  });

  it('do not disable themselves, and nobody who does not exist', async () => {
    const disable = (id: string) => admin.ask(`POST /api/operators/${id}/disable`, { body: { reason: REASON } });
    expect((await disable(admin.id)).status).toBe(403);
    expect((await disable(crypto.randomUUID())).status).toBe(404);
  });

  it('have one account for a mailbox, also when two links of it are used at once', async () => {
    const invite = (email: string) => admin.ask('POST /api/operators/invitations', { body: { email, roles: ['viewer'], reason: REASON } });
    const links = await Promise.all(['twin@example.org', 'twin+2@example.org'].map(async (email) => (await invite(email)).body['url']));
    const browsers = links.map(() => office.newBrowser());
    const answers = await Promise.all(browsers.map((browser, index) => browser.enrol(String(links[index]))));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(answers.find(({ status }) => status === 409)?.body).toMatchObject({ error: 'OPERATOR_EXISTS' });
    const winner = answers.findIndex(({ status }) => status === 200);
    const { operator } = (await browsers[winner]?.session()) ?? {};
    for (const email of ['Twin+3@example.org', 'twin+office@EXAMPLE.org']) {
      expect(await invite(email)).toMatchObject({ status: 409, body: { error: 'OPERATOR_EXISTS' } });
      expect(await world.command('invite', email, '--role', 'viewer')).toMatchObject({ code: 1, out: '' });
    }
    expect((await invite(operator?.email ?? '')).status).toBe(201);
    await admin.ask(`POST /api/operators/${operator?.id}/disable`, { body: { reason: REASON } });
    expect((await invite('twin+3@example.org')).status).toBe(201);
  });

  it.each([
    ['without a reason', { email: 'a@example.org', roles: ['viewer'] }],
    ['with a short reason', { email: 'a@example.org', roles: ['viewer'], reason: 'because' }],
    ['without a role', { email: 'a@example.org', roles: [], reason: REASON }],
    ['with an unknown role', { email: 'a@example.org', roles: ['king'], reason: REASON }],
    ['without an address', { email: 'nobody', roles: ['viewer'], reason: REASON }],
  ])('are not invited %s', async (_what, body) => {
    const before = (await log()).length;
    const answer = await admin.ask('POST /api/operators/invitations', { body });
    expect(answer).toMatchObject({ status: 422, body: { error: 'VALIDATION_FAILED', requestId: expect.any(String) } });
    expect(await log()).toHaveLength(before);
  });
});

describe('the audit log', () => {
  const subjectsOf = async (operation: string) =>
    (await log()).map(({ content }) => content.call).findLast((call) => call?.rpc === operation)?.subjects;

  it('has whom a link was for and what it grants, when it is made and when it is used', async () => {
    const { id, email } = await office.operator('viewer');
    const body = { email, roles: ['finance', 'viewer'], reason: REASON };
    const { body: invitation } = await admin.ask('POST /api/operators/invitations', { body });
    expect(await subjectsOf('operators.invite')).toEqual({ operator_id: id, roles: 'finance viewer' });
    await office.newBrowser().enrol(String(invitation['url']));
    expect(await subjectsOf('operators.enrol')).toEqual({ operator_id: id, roles: 'finance viewer' });
    await world.command('invite', email, '--role', 'admin');
    expect(await subjectsOf('operators.invite')).toEqual({ operator_id: id, roles: 'admin' });
  });

  it('has one name for what an operation is about, however its path writes it', async () => {
    const { id } = await office.operator('viewer');
    const disable = (one: string) => admin.ask(`POST /api/operators/${one.toUpperCase()}/disable`, { body: { reason: REASON } });
    expect((await disable(admin.id)).status).toBe(403);
    expect((await disable(id)).body).toMatchObject({ status: 'disabled' });
    expect(await subjectsOf('operators.disable')).toEqual({ operator_id: id });
  });
});
