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
        const body = { email: `by-link-${index}@example.org`, roles: ['support'], reason: REASON };
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

  it('lose roles at once, and get none in this way; nobody takes their own', async () => {
    const sue = await office.operator('finance', 'support');
    const keep = (id: string, roles: string[]) =>
      admin.ask(`POST /api/operators/${id}/roles`, { body: { roles, reason: 'works elsewhere now' } });
    // There is no ledger here.
    expect((await sue.ask('GET /api/adjustments')).status).toBe(503);
    for (const roles of [['finance', 'admin'], ['viewer']]) expect((await keep(sue.id, roles)).status).toBe(404);
    expect((await keep(sue.id, ['support'])).body).toMatchObject({ status: 'kept' });
    expect((await sue.ask('GET /api/adjustments')).status).toBe(403);
    expect((await sue.session()).operator.roles).toEqual(['support']);
    expect((await keep(sue.id, ['finance'])).status).toBe(404);
    for (const roles of [['support'], [], []]) expect((await keep(sue.id, roles)).status).toBe(200);
    expect((await sue.session()).operator.roles).toEqual([]);
    expect((await keep(admin.id, ['admin'])).status).toBe(403);
    expect((await sue.ask(`POST /api/operators/${admin.id}/roles`, { body: { roles: ['admin'], reason: REASON } })).status).toBe(403);
    const kept = (await log()).filter(({ content }) => content.call?.rpc === 'operators.keep-roles');
    expect(kept.map(({ content }) => content.call.subjects)).toContainEqual({ operator_id: sue.id, roles: 'support' });
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

describe('a link that gives rights over money or operators', () => {
  type Admin = Awaited<ReturnType<BackOffice['operator']>>;
  const invite = async (by: Admin, email: string, ...roles: string[]) =>
    (await by.ask('POST /api/operators/invitations', { body: { email, roles, reason: REASON } })).body;
  const openOf = async (by: Admin, email: string) =>
    ((await by.ask('GET /api/operators/invitations')).body['invitations'] as { id: string; email: string; waits: boolean }[]).find(
      (one) => one.email === email,
    );
  const approve = (by: Admin, id: string) =>
    by.ask(`POST /api/operators/invitations/${id}/approve`, { body: { reason: 'knows her from work' } });

  it.each([['finance'], ['admin'], ['compliance']])('waits for a second administrator: %s', async (role) => {
    const second = await office.operator('admin');
    const email = `${role}-${crypto.randomUUID()}@example.org`;
    const { url, waits } = await invite(admin, email, role, 'viewer');
    expect(waits).toBe(true);
    const browser = office.newBrowser();
    expect(await browser.enrol(String(url))).toMatchObject({ status: 409, body: { error: 'INVITATION_WAITS' } });
    const open = await openOf(second, email);
    expect(open).toMatchObject({ waits: true, roles: [role, 'viewer'], invitedBy: { id: admin.id } });
    const id = open?.id ?? '';
    expect(await approve(admin, id)).toMatchObject({ status: 403, body: { error: 'SELF_APPROVAL' } });
    expect((await approve(await office.operator('support'), id)).status).toBe(403);
    expect((await browser.enrol(String(url))).status).toBe(409);
    const approved = await Promise.all([approve(second, id), approve(second, id)]);
    expect(approved.map(({ status }) => status)).toEqual([200, 200]);
    expect(await openOf(second, email)).toMatchObject({ waits: false });
    expect((await browser.enrol(String(url))).status).toBe(200);
    expect((await approve(second, id)).status).toBe(404);
  });

  it('waits too when it leads to an account that has such rights, whatever it gives', async () => {
    const approver = await office.operator('finance');
    const { url, waits } = await invite(admin, approver.email, 'viewer');
    expect(waits).toBe(true);
    expect(await office.newBrowser().enrol(String(url))).toMatchObject({ status: 409, body: { error: 'INVITATION_WAITS' } });
  });

  it('waits when somebody uses the account already: the passkey of whoever opens it would stay when the account gets rights', async () => {
    const colleague = await office.operator('support');
    const { url, waits } = await invite(admin, colleague.email, 'support');
    expect(waits).toBe(true);
    expect(await office.newBrowser().enrol(String(url))).toMatchObject({ status: 409, body: { error: 'INVITATION_WAITS' } });
  });

  it('is approved by nobody whom its maker has let in, over any number of links', async () => {
    const second = await office.operator('admin');
    const puppetEmail = `puppet-${crypto.randomUUID()}@example.org`;
    const { url } = await invite(admin, puppetEmail, 'admin');
    await approve(second, (await openOf(second, puppetEmail))?.id ?? '');
    const puppet = office.newBrowser();
    await puppet.enrol(String(url));
    const email = `next-${crypto.randomUUID()}@example.org`;
    await invite(admin, email, 'finance');
    const id = (await openOf(admin, email))?.id ?? '';
    expect(await approve(puppet as Admin, id)).toMatchObject({ status: 403, body: { error: 'SELF_APPROVAL' } });
  });

  it('lets nobody in when the one who approved it was disabled, and ends when an administrator says so', async () => {
    const second = await office.operator('admin');
    const [one, two] = [`a-${crypto.randomUUID()}@example.org`, `b-${crypto.randomUUID()}@example.org`];
    const links = [await invite(admin, one, 'finance'), await invite(admin, two, 'finance')];
    for (const email of [one, two]) await approve(second, (await openOf(admin, email))?.id ?? '');
    const id = (await openOf(admin, two))?.id;
    expect((await admin.ask(`POST /api/operators/invitations/${id}/end`, { body: { reason: REASON } })).body).toMatchObject({
      status: 'ended',
    });
    expect(await openOf(admin, two)).toBeUndefined();
    await admin.ask(`POST /api/operators/${second.id}/disable`, { body: { reason: 'has left the company' } });
    for (const { url } of links) expect((await office.newBrowser().enrol(String(url))).status).toBe(404);
  });

  it('does not wait without such rights, or from the command line', async () => {
    const { url, waits } = await invite(admin, `viewer-${crypto.randomUUID()}@example.org`, 'support', 'viewer');
    expect(waits).toBe(false);
    expect((await office.newBrowser().enrol(String(url))).status).toBe(200);
    expect((await office.operator('finance', 'admin')).id).toBeDefined();
  });

  it('ties nobody to whoever had let in an account that nobody could use any more', async () => {
    const email = `anew-${crypto.randomUUID()}@example.org`;
    const browser = office.newBrowser();
    await browser.enrol(String((await invite(admin, email, 'viewer'))['url']));
    const { operator } = await browser.session();
    const stored = () => world.connection.collection<{ _id: string }>('operators').findOne({ _id: operator.id });
    expect(await stored()).toMatchObject({ letInBy: [admin.id] });
    const listed = (await admin.ask('GET /api/operators')).body['operators'] as { id: string; passkeys: { id: string }[] }[];
    const passkeyId = listed.find(({ id }) => id === operator.id)?.passkeys[0]?.id;
    await admin.ask(`POST /api/operators/${operator.id}/passkeys/${passkeyId}/end`, { body: { reason: 'is let in anew' } });
    await office.newBrowser().enrol((await world.command('invite', email, '--role', 'viewer')).out);
    expect(await stored()).not.toHaveProperty('letInBy');
  });
});

describe('the audit log', () => {
  const subjectsOf = async (operation: string) =>
    (await log()).map(({ content }) => content.call).findLast((call) => call?.rpc === operation)?.subjects;

  it('has whom a link was for and what it grants, when it is made and when it is used', async () => {
    const email = `new-${crypto.randomUUID()}@example.org`;
    const body = { email, roles: ['support', 'viewer'], reason: REASON };
    const { body: invitation } = await admin.ask('POST /api/operators/invitations', { body });
    const invited = await subjectsOf('operators.invite');
    expect(invited).toEqual({ operator_id: expect.any(String), roles: 'support viewer' });
    await office.newBrowser().enrol(String(invitation['url']));
    expect(await subjectsOf('operators.enrol')).toEqual(invited);
    await world.command('invite', email, '--role', 'admin');
    expect(await subjectsOf('operators.invite')).toEqual({ ...invited, roles: 'admin' });
  });

  type Call = { rpc: string; actor: string; reason: string; subjects: Record<string, string> };
  const callsSince = async (sequence: number): Promise<Call[]> =>
    (await log()).filter(({ _id }) => Number(_id) > sequence).flatMap(({ content }) => (content.call as Call | undefined) ?? []);
  const lastSequence = async () => Number((await log()).at(-1)?._id);

  it('has every attempt that was refused: of a role, a passkey, a link and a token', async () => {
    const viewer = await office.operator('viewer');
    const before = await lastSequence();
    const forbidden = ['GET /api/operators', 'POST /api/operators/invitations', 'GET /api/audit'];
    for (const target of forbidden) expect((await viewer.ask(target)).status).toBe(403);
    const stranger = office.newBrowser();
    expect((await stranger.enrol(`http://localhost:8090/enrol#${'x'.repeat(43)}`)).status).toBe(404);
    stranger.cookies.set('florin-office', 'y'.repeat(43));
    expect((await stranger.ask('GET /api/session')).status).toBe(401);
    expect((await office.newBrowser().signIn()).status).toBe(401);
    const calls = (await callsSince(before)).filter(({ rpc }) => rpc === 'session.refused');
    const address = expect.stringMatching(/127\.0\.0\.1$/);
    expect(calls.map(({ actor, reason, subjects }) => [actor, reason, subjects])).toEqual([
      ...forbidden.map((target) => [`operator:${viewer.id}`, target, { address }]),
      ['unknown', 'a link that lets nobody in', { address }],
      ['unknown', 'a token that no session has', { address }],
      ['unknown', 'a passkey that was not accepted', { address, passkey_id: expect.stringMatching(/^[\da-f]{32}$/) }],
    ]);
    const outcomes = (await log()).filter(({ _id }) => Number(_id) > before).flatMap(({ content }) => content.code ?? []);
    expect(outcomes).toEqual(['FORBIDDEN', 'FORBIDDEN', 'FORBIDDEN', 'NOT_FOUND', 'UNAUTHORIZED', 'UNAUTHORIZED']);
  });

  it('has confirmations and the ends of sessions', async () => {
    const operator = await office.operator('viewer');
    const before = await lastSequence();
    await operator.confirm();
    await operator.ask('DELETE /api/session');
    expect((await callsSince(before)).map(({ rpc, actor }) => [rpc, actor])).toEqual([
      ['session.step-up', `operator:${operator.id}`],
      ['session.sign-out', `operator:${operator.id}`],
    ]);
  });

  it('has one name for what an operation is about, however its path writes it', async () => {
    const { id } = await office.operator('viewer');
    const disable = (one: string) => admin.ask(`POST /api/operators/${one.toUpperCase()}/disable`, { body: { reason: REASON } });
    expect((await disable(admin.id)).status).toBe(403);
    expect((await disable(id)).body).toMatchObject({ status: 'disabled' });
    expect(await subjectsOf('operators.disable')).toEqual({ operator_id: id });
  });

  it('has attempts without a confirmation, as a thief of a cookie makes them, and with a session that is over', async () => {
    const operator = await office.operator('viewer', 'finance');
    const before = await lastSequence();
    world.clock.advanceSeconds(301);
    const attempts = ['POST /api/session/passkeys/options', 'POST /api/adjustments'];
    for (const target of attempts) expect((await operator.ask(target)).body).toMatchObject({ error: 'REAUTHENTICATION_REQUIRED' });
    world.clock.advanceSeconds(901);
    expect((await operator.ask('GET /api/session/sessions')).status).toBe(401);
    const calls = (await callsSince(before)).filter(({ rpc }) => rpc === 'session.refused');
    expect(calls.map(({ actor, reason }) => [actor, reason])).toEqual([
      ...attempts.map((target) => [`operator:${operator.id}`, target]),
      ['unknown', 'the token of a session that is over'],
    ]);
  });
});
