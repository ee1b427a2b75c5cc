import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAuthenticator } from '../testing/authenticator.ts';
import type { Browser } from '../testing/browser.ts';
import { type BackOffice, createWorld, ORIGIN, type World } from '../testing/world.ts';

let world: World;
let office: BackOffice;
beforeAll(async () => {
  world = await createWorld();
  office = await world.start();
});
afterAll(() => world.close());

const invite = async (email: string, ...roles: string[]): Promise<string> =>
  (await world.command('invite', email, ...roles.flatMap((role) => ['--role', role]))).out;

const errorOf = ({ body }: { body: Record<string, unknown> }) => body['error'];

describe('the first operator', () => {
  it('enrols by the link of the command line, which works once', async () => {
    const fresh = await createWorld();
    const process = await fresh.start();
    const browser = process.newBrowser();
    expect((await browser.ask('GET /api/sign-in')).body).toEqual({ hasOperators: false });
    const { out: link, code } = await fresh.command('first', 'Admin@Example.org', '--role', 'admin');
    expect([code, link]).toEqual([0, expect.stringMatching(/^http:\/\/localhost:8090\/enrol#[\w-]{43}$/)]);
    const enrolled = await browser.enrol(link);
    expect(enrolled).toMatchObject({
      status: 200,
      body: { operator: { email: 'admin@example.org', name: 'Olga Operator', roles: ['admin'] } },
    });
    expect(enrolled.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^florin-office=[\w-]{43}; Path=\/; Max-Age=28800; HttpOnly; SameSite=Strict$/),
    ]);
    expect((await browser.ask('GET /api/sign-in')).body).toEqual({ hasOperators: true });
    expect(await process.newBrowser().enrol(link)).toMatchObject({ status: 404, body: { error: 'NOT_FOUND' } });
    expect((await fresh.command('first', 'other@example.org', '--role', 'admin')).out).toBe('');
    expect(JSON.stringify(await fresh.connection.collection('invitations').find().toArray())).toBe('[]');
    await fresh.close();
  });

  it.each([
    [[]],
    [['invite']],
    [['invite', 'nobody', '--role', 'admin']],
    [['invite', 'a@example.org', '--role', 'king']],
    [['invite', 'a@example.org']],
  ])('is not invited by the arguments %j', async (args) => {
    expect(await world.command(...args)).toMatchObject({ code: 2, out: '', errors: expect.stringContaining('usage') });
  });
});

describe('an invitation', () => {
  it('makes one operator when two browsers use it at once', async () => {
    const link = await invite('race@example.org', 'viewer');
    const outcomes = await Promise.all([1, 2, 3].map(() => office.newBrowser().enrol(link)));
    expect(outcomes.map(({ status }) => status).sort()).toEqual([200, 404, 404]);
    const found = await world.connection.collection('operators').find({ email: 'race@example.org' }).toArray();
    expect(found.map(({ passkeys }) => passkeys.length)).toEqual([1]);
  });

  it('ends with the next one of the same person', async () => {
    const first = await invite('late@example.org', 'viewer');
    const second = await invite('late@example.org', 'support');
    expect(errorOf(await office.newBrowser().enrol(first))).toBe('NOT_FOUND');
    expect((await office.newBrowser().enrol(second)).body).toMatchObject({ operator: { roles: ['support'] } });
  });

  it('expires after a day', async () => {
    const own = await createWorld();
    const process = await own.start();
    const { out } = await own.command('invite', 'late@example.org', '--role', 'viewer');
    own.clock.advanceSeconds(86_400 + 60);
    expect(errorOf(await process.newBrowser().enrol(out))).toBe('NOT_FOUND');
    await own.close();
  });

  it('gives an operator another passkey, and the roles of the invitation', async () => {
    const { email, id, signIn } = await office.operator('viewer');
    const other = office.newBrowser();
    expect((await other.enrol(await invite(email, 'support', 'viewer'))).body).toMatchObject({
      operator: { id, roles: ['support', 'viewer'] },
    });
    expect((await signIn()).body).toMatchObject({ operator: { id } });
    expect((await other.signIn()).body).toMatchObject({ operator: { id } });
  });
});

describe('a session', () => {
  const tokenOf = (browser: Pick<Browser, 'cookies'>) => browser.cookies.get('florin-office') ?? '';
  const withToken = (token: string) => {
    const thief = office.newBrowser();
    thief.cookies.set('florin-office', token);
    return thief;
  };

  it('gets another token by a confirmation, which a thief of the former one does not share', async () => {
    const operator = await office.operator('viewer');
    world.clock.advanceSeconds(301);
    const thief = withToken(tokenOf(operator));
    expect((await thief.session()).steppedUpUntil).toBeUndefined();
    expect((await operator.confirm()).body).toMatchObject({ steppedUpUntil: expect.any(String) });
    expect((await operator.session()).steppedUpUntil).toEqual(expect.any(String));
    // Requests that were under way go on, and confirm nothing.
    expect((await thief.session()).steppedUpUntil).toBeUndefined();
    world.clock.advanceSeconds(10);
    expect((await thief.ask('GET /api/session')).status).toBe(401);
    expect((await operator.ask('GET /api/session')).status).toBe(200);
  });

  it('ends when its browser signs in again', async () => {
    const operator = await office.operator('viewer');
    const thief = withToken(tokenOf(operator));
    await operator.signIn();
    expect((await thief.ask('GET /api/session')).status).toBe(401);
  });

  it('is listed for its operator, who ends the others', async () => {
    const operator = await office.operator('viewer');
    const elsewhere = { ...office.newBrowser() };
    await elsewhere.enrol(await invite(operator.email, 'viewer'));
    const list = async () =>
      (await operator.ask('GET /api/session/sessions')).body['sessions'] as { id: string; current: boolean; by: string }[];
    const [other] = (await list()).filter(({ current }) => !current);
    expect(await list()).toEqual(expect.arrayContaining([expect.objectContaining({ current: true, by: 'passkey' })]));
    const stranger = await office.operator('viewer');
    const end = `POST /api/session/sessions/${other?.id}/end`;
    expect((await stranger.ask(end)).status).toBe(404);
    expect((await operator.ask(end)).body).toMatchObject({ status: 'ended' });
    expect((await operator.ask(end)).status).toBe(404);
    expect((await elsewhere.ask('GET /api/session')).status).toBe(401);
    expect((await list()).map(({ current }) => current)).toEqual([true]);
  });
});

describe('sign-in by passkey', () => {
  it('begins a session of its own, and ends it', async () => {
    const operator = await office.operator('viewer');
    const before = operator.cookies.get('florin-office');
    expect((await operator.signIn()).status).toBe(200);
    expect(operator.cookies.get('florin-office')).not.toBe(before);
    expect((await operator.ask('DELETE /api/session')).status).toBe(204);
    expect(operator.cookies.size).toBe(0);
    expect(errorOf(await operator.ask('GET /api/session'))).toBe('UNAUTHORIZED');
  });

  const answered = async (browser: Browser, respond: (ceremony: { options: Record<string, unknown> }) => Record<string, unknown>) => {
    const { body } = await browser.ask('POST /api/sign-in/passkey/options');
    const { ceremonyId, options } = body as { ceremonyId: string; options: Record<string, unknown> };
    const response = respond({ options });
    return { send: () => browser.ask('POST /api/sign-in/passkey', { body: { ceremonyId, response } }), response, ceremonyId };
  };

  it('takes an answer once, also of two that come at once', async () => {
    const operator = await office.operator('viewer');
    const { send } = await answered(operator, operator.authenticator.get);
    const outcomes = await Promise.all([send(), send(), send()]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual([200, 401, 401]);
    expect(errorOf(await send())).toBe('UNAUTHORIZED');
  });

  it('does not take an answer to another question', async () => {
    const operator = await office.operator('viewer');
    const { response } = await answered(operator, operator.authenticator.get);
    const { ceremonyId } = await answered(operator, operator.authenticator.get);
    expect(await operator.ask('POST /api/sign-in/passkey', { body: { ceremonyId, response } })).toMatchObject({ status: 401 });
  });

  it('does not take an unknown passkey, one of another origin, one without its user, or a changed answer', async () => {
    const operator = await office.operator('viewer');
    const strangers = [
      createAuthenticator({ origin: ORIGIN }),
      createAuthenticator({ origin: 'http://localhost:9999' }),
      createAuthenticator({ origin: ORIGIN, verifiesUser: false }),
    ];
    const genuine = operator.authenticator.get;
    const wrong = [
      ...strangers.map(({ get }) => get),
      ...strangers.map(({ get }) => (ceremony: { options: Record<string, unknown> }) => ({
        ...get(ceremony),
        id: genuine(ceremony)['id'],
      })),
      (ceremony: { options: Record<string, unknown> }) => {
        const answer = genuine(ceremony) as { response: { signature: string } };
        return { ...answer, response: { ...answer.response, signature: Buffer.alloc(70, 1).toString('base64url') } };
      },
    ];
    for (const respond of wrong) {
      const { send } = await answered(operator, respond);
      expect(await send()).toMatchObject({ status: 401, body: { error: 'UNAUTHORIZED', message: 'the passkey was not accepted' } });
    }
  });

  it('does not enrol with the id of a passkey that another operator has', async () => {
    const victim = await office.operator('viewer');
    const { body: question } = await victim.ask('POST /api/sign-in/passkey/options');
    const credentialId = String(victim.authenticator.get(question as { options: Record<string, unknown> })['id']);
    const browser = office.newBrowser();
    const token = new URL(await invite('same-id@example.org', 'viewer')).hash.slice(1);
    const { body } = await browser.ask('POST /api/enrolment/options', { body: { token } });
    const response = createAuthenticator({ origin: ORIGIN, credentialId }).create(body as { options: Record<string, unknown> });
    const answer = { token, name: 'Mallory', ceremonyId: body['ceremonyId'], response };
    expect(await browser.ask('POST /api/enrolment', { body: answer })).toMatchObject({ status: 401 });
    expect((await victim.signIn()).body).toMatchObject({ operator: { id: victim.id } });
  });

  it('is of one operator when several make one with the same id at once', async () => {
    const own = await createWorld();
    let together: (() => void)[] | undefined;
    const process = await own.start({
      wrapAuditLog: (log) => ({
        ...log,
        begin: async (call) => {
          const begun = await log.begin(call);
          const waiting = together;
          if (waiting === undefined) return begun;
          // All of them were found to be new before one of them is stored.
          await new Promise<void>((resolve) => {
            waiting.push(resolve);
            if (waiting.length === 3) for (const go of waiting) go();
          });
          return begun;
        },
      }),
    });
    const member = await process.operator('viewer');
    const credentialId = Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('base64url');
    const prepare = async (path: string, browser: Pick<Browser, 'ask'>, more: object) => {
      const authenticator = createAuthenticator({ origin: ORIGIN, credentialId });
      const { body } = await browser.ask(`POST ${path}/options`, { body: 'token' in more ? { token: more.token } : {} });
      const response = authenticator.create(body as { options: Record<string, unknown> });
      return { authenticator, send: () => browser.ask(`POST ${path}`, { body: { ...more, ceremonyId: body['ceremonyId'], response } }) };
    };
    const tokens = await Promise.all(
      ['one@example.org', 'two@example.org'].map(async (email) =>
        new URL((await own.command('invite', email, '--role', 'viewer')).out).hash.slice(1),
      ),
    );
    const rivals = await Promise.all([
      ...tokens.map((token) => prepare('/api/enrolment', process.newBrowser(), { token, name: 'Rival' })),
      prepare('/api/session/passkeys', member, {}),
    ]);
    together = [];
    const answers = await Promise.all(rivals.map(({ send }) => send()));
    together = undefined;
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401]);
    const owners = await own.connection.collection('operators').find({ 'passkeys.id': credentialId }).toArray();
    expect(owners).toHaveLength(1);
    const winner = rivals[answers.findIndex(({ status }) => status === 200)];
    const browser = process.newBrowser();
    const { body } = await browser.ask('POST /api/sign-in/passkey/options');
    const response = winner?.authenticator.get(body as { options: Record<string, unknown> });
    expect(await browser.ask('POST /api/sign-in/passkey', { body: { ceremonyId: body['ceremonyId'], response } })).toMatchObject({
      status: 200,
      body: { operator: { id: String(owners[0]?._id) } },
    });
    await own.close();
  }, 60_000);

  it.each([
    ['without an id', {}],
    ['with an object for its id', { id: { toString: 1, valueOf: 1 }, response: {} }],
    ['with a query for its id', { id: { $ne: '' }, response: {} }],
    ['without the authenticator’s answer', { id: 'AAAA' }],
    ['with transports of any kind', { id: 'AAAA', response: { transports: [{ $set: {} }] } }],
  ])('says what is wrong with an answer %s', async (_what, response) => {
    const browser = office.newBrowser();
    const { body } = await browser.ask('POST /api/sign-in/passkey/options');
    const answer = { ceremonyId: body['ceremonyId'], response };
    expect(await browser.ask('POST /api/sign-in/passkey', { body: answer })).toMatchObject({
      status: 422,
      body: { error: 'VALIDATION_FAILED', message: expect.stringMatching(/^response\./) },
    });
  });

  it('does not enrol with a passkey that does not verify its user', async () => {
    const browser = office.newBrowser();
    const token = new URL(await invite('unverified@example.org', 'viewer')).hash.slice(1);
    const { body } = await browser.ask('POST /api/enrolment/options', { body: { token } });
    const response = createAuthenticator({ origin: ORIGIN, verifiesUser: false }).create(body as { options: Record<string, unknown> });
    const answer = { token, name: 'Nobody', ceremonyId: body['ceremonyId'], response };
    expect(await browser.ask('POST /api/enrolment', { body: answer })).toMatchObject({ status: 401 });
  });
});

describe('a session', () => {
  it('ends when it is not used, and after its hours in any case', async () => {
    const own = await createWorld();
    const process = await own.start();
    const idle = await process.operator('viewer');
    const busy = await process.operator('viewer');
    for (let minutes = 10; minutes < 8 * 60; minutes += 10) {
      own.clock.advanceSeconds(600);
      expect((await busy.ask('GET /api/session')).status).toBe(200);
      if (minutes === 20) expect(errorOf(await idle.ask('GET /api/session'))).toBe('UNAUTHORIZED');
    }
    own.clock.advanceSeconds(600);
    expect(errorOf(await busy.ask('GET /api/session'))).toBe('UNAUTHORIZED');
    await own.close();
  });

  it('ends though a page that nobody looks at goes on asking for the overview', async () => {
    const own = await createWorld();
    const { ask } = await (await own.start()).operator('viewer');
    own.clock.advanceSeconds(600);
    expect((await ask('GET /api/overview')).status).toBe(200);
    own.clock.advanceSeconds(600);
    expect(errorOf(await ask('GET /api/session'))).toBe('UNAUTHORIZED');
    await own.close();
  }, 60_000);

  it('lives on by a list that its operator reads, and not by one that the page reads again', async () => {
    const own = await createWorld();
    const { ask } = await (await own.start()).operator('finance');
    const read = async (headers: Readonly<Record<string, string>> = {}) => {
      own.clock.advanceSeconds(600);
      return (await ask('GET /api/chain/halts', { headers })).status;
    };
    expect([await read(), await read(), await read({ 'x-polled': '1' }), await read()]).toEqual([200, 200, 200, 401]);
    await own.close();
  }, 60_000);

  it('is stored by a hash only', async () => {
    const { cookies, id } = await office.operator('viewer');
    const stored = await world.connection.collection('operator_sessions').find({ operatorId: id }).toArray();
    expect(stored).toHaveLength(1);
    expect(JSON.stringify(stored)).not.toContain(cookies.get('florin-office'));
  });

  it.each([
    ['a forged token', 'florin-office=AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'],
    ['none', ''],
    ['an object', 'florin-office={"$ne":""}'],
  ])('is not there with %s', async (_what, cookie) => {
    expect(await office.newBrowser().ask('GET /api/session', { headers: { cookie } })).toMatchObject({ status: 401 });
  });

  it('is not there when somebody has set a second cookie', async () => {
    const { ask, cookies } = await office.operator('viewer');
    const token = cookies.get('florin-office');
    expect(await ask('GET /api/session', { headers: { cookie: `florin-office=x; florin-office=${token}` } })).toMatchObject({
      status: 401,
    });
  });

  it('answers pages of its own origin only', async () => {
    const { ask } = await office.operator('admin');
    const headers: [string, Record<string, string>, number][] = [
      ['GET /api/session', { 'sec-fetch-site': 'same-site' }, 403],
      ['GET /api/session', { 'sec-fetch-site': 'cross-site' }, 403],
      ['DELETE /api/session', { origin: 'http://localhost:8080' }, 403],
      ['DELETE /api/session', { origin: '' }, 403],
      ['DELETE /api/session', { 'content-type': 'text/plain' }, 415],
      ['DELETE /api/session', { 'sec-fetch-site': 'cross-site' }, 403],
      ['GET /api/session', {}, 200],
    ];
    for (const [target, more, status] of headers) expect([target, (await ask(target, { headers: more })).status]).toEqual([target, status]);
  });

  it('is confirmed by a passkey for five minutes, of the same operator only', async () => {
    const own = await createWorld();
    const process = await own.start();
    const operator = await process.operator('finance');
    const other = await process.operator('finance');
    expect((await operator.session()).steppedUpUntil).toBeDefined();
    own.clock.advanceSeconds(301);
    expect((await operator.session()).steppedUpUntil).toBeUndefined();
    const { body } = await operator.ask('POST /api/session/step-up/options');
    const answer = { ceremonyId: body['ceremonyId'], response: other.authenticator.get(body as { options: Record<string, unknown> }) };
    expect(await operator.ask('POST /api/session/step-up', { body: answer })).toMatchObject({ status: 401 });
    expect((await operator.confirm()).body).toMatchObject({ steppedUpUntil: expect.any(String) });
    await own.close();
  });
});
