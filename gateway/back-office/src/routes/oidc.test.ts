import { CodedError } from '@florin/rpc/errors';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Browser } from '../testing/browser.ts';
import { type Account, CLIENT, startOidcProvider } from '../testing/oidc-provider.ts';
import { type BackOffice, createWorld, ORIGIN, type World } from '../testing/world.ts';

const accounts: Record<string, Account> = {
  ann: { email: 'Ann@example.org', email_verified: true, name: 'Ann Analyst', groups: ['support', 'viewer', 'something-else'] },
  bob: { email: 'bob@example.org', email_verified: true, groups: ['king'] },
  eve: { email: 'invited@example.org', email_verified: false, groups: ['admin'] },
  invited: { email: 'invited@example.org', email_verified: true, groups: ['admin'] },
};

let provider: Awaited<ReturnType<typeof startOidcProvider>>;
let world: World;
let office: BackOffice;
const settings = () => ({
  OIDC_ISSUER: provider.issuer,
  OIDC_CLIENT_ID: CLIENT.id,
  OIDC_CLIENT_SECRET: CLIENT.secret,
  OIDC_NAME: 'Example',
});
beforeAll(async () => {
  provider = await startOidcProvider(`${ORIGIN}/sign-in/oidc/callback`, accounts);
  world = await createWorld({ ...settings(), OIDC_ROLES_CLAIM: 'groups' });
  office = await world.start();
});
afterAll(async () => {
  await world?.close();
  await provider?.close();
});

/** Signs in at the provider. @returns the path of the back office to which the provider sends the browser */
const goThrough = async (browser: Browser, name: string): Promise<string> => {
  const { status, headers } = await browser.ask('GET /sign-in/oidc');
  expect(status).toBe(303);
  expect(new URL(headers.get('location') ?? '').searchParams.get('max_age')).toBe('300');
  const { origin, pathname, search } = await provider.signIn(headers.get('location') ?? '', name);
  expect(origin).toBe(ORIGIN);
  return `${pathname}${search}`;
};
const signIn = async (browser: Browser, name: string) => {
  const { status, headers } = await browser.ask(`GET ${await goThrough(browser, name)}`, { headers: { 'sec-fetch-site': 'cross-site' } });
  return { status, location: headers.get('location') };
};
/** Begins a link in a session, and signs in at the provider. @returns the path to which the provider sends the browser */
const beginLink = async (browser: Pick<Browser, 'ask'>, name: string): Promise<string> => {
  const { status, body } = await browser.ask('POST /api/session/provider');
  expect({ status, body }).toMatchObject({ status: 200, body: { url: expect.any(String) } });
  const { pathname, search } = await provider.signIn(String(body['url']), name);
  return `${pathname}${search}`;
};
const finish = async (browser: Pick<Browser, 'ask'>, path: string) => {
  const { status, headers } = await browser.ask(`GET ${path}`, { headers: { 'sec-fetch-site': 'cross-site' } });
  return { status, location: headers.get('location') };
};
const failure = (code: string) => ({ status: 303, location: expect.stringMatching(new RegExp(`^/\\?error=${code}&request=.+`)) });

describe('sign-in at an OpenID provider', () => {
  it('brings an operator with the roles that the provider gives, and finds the same one again', async () => {
    const browser = office.newBrowser();
    expect((await browser.ask('GET /api/sign-in')).body).toMatchObject({ oidc: { name: 'Example' } });
    expect(await signIn(browser, 'ann')).toEqual({ status: 303, location: '/' });
    const session = await browser.session();
    expect(session).toMatchObject({ operator: { email: 'ann@example.org', name: 'Ann Analyst', roles: ['viewer', 'support'] } });
    expect(session.steppedUpUntil).toBeUndefined();
    expect([...browser.cookies.keys()]).toEqual(['florin-office']);
    accounts['ann'] = { ...accounts['ann'], email: 'changed@example.org', email_verified: true, groups: ['finance'] };
    const again = office.newBrowser();
    await signIn(again, 'ann');
    expect((await again.session()).operator).toMatchObject({ id: session.operator.id, roles: ['finance'] });
  });

  it('brings nobody and changes no roles of whom the audit log does not know', async () => {
    let isDown = false;
    const own = await createWorld({ ...settings(), OIDC_ROLES_CLAIM: 'groups' });
    const process = await own.start({
      wrapAuditLog: (log) => ({
        ...log,
        begin: (call) => (isDown ? Promise.reject(new CodedError('SERVICE_UNAVAILABLE')) : log.begin(call)),
      }),
    });
    const operators = () => own.connection.collection('operators').find().toArray();
    accounts['dan'] = { email: 'dan@example.org', email_verified: true, groups: ['viewer'] };
    isDown = true;
    expect(await signIn(process.newBrowser(), 'dan')).toEqual(failure('SERVICE_UNAVAILABLE'));
    expect(await operators()).toEqual([]);
    isDown = false;
    expect(await signIn(process.newBrowser(), 'dan')).toEqual({ status: 303, location: '/' });
    accounts['dan'] = { ...accounts['dan'], groups: ['finance'] };
    isDown = true;
    expect(await signIn(process.newBrowser(), 'dan')).toEqual(failure('SERVICE_UNAVAILABLE'));
    const [dan] = await operators();
    expect(dan?.['roles']).toEqual(['viewer']);
    const [call] = await own.connection.collection('audit_events').find().sort({ _id: 1 }).limit(1).toArray();
    const provider_person = `${provider.issuer} dan`;
    expect(call?.['content'].call.subjects).toEqual({ operator_id: String(dan?.['_id']), roles: 'viewer', provider_person });
    await own.close();
  }, 60_000);

  it('links an operator to one of two people at once, and one person to one of two operators', async () => {
    const [one, two] = [await office.operator('viewer'), await office.operator('viewer')];
    for (const name of ['first-twin', 'second-twin'])
      accounts[name] = { email: `${name}@example.org`, email_verified: true, groups: ['support'] };
    const other = office.newBrowser();
    for (const [name, value] of one.cookies) other.cookies.set(name, value);
    const paths = [await beginLink(one, 'first-twin'), await beginLink(other, 'second-twin')];
    const answers = await Promise.all([finish(one, paths[0] ?? ''), finish(other, paths[1] ?? '')]);
    expect(answers.map(({ location }) => location).sort()).toEqual([failure('FORBIDDEN').location, '/passkeys']);
    const winner = answers[0]?.location === '/passkeys' ? 'first-twin' : 'second-twin';
    expect((await finish(two, await beginLink(two, winner))).location).toEqual(failure('FORBIDDEN').location);
  });

  it('takes no operator over by the address of the invitation, however it is verified', async () => {
    const { email, id } = await office.operator('finance', 'admin');
    accounts['namesake'] = { email, email_verified: true, groups: ['finance', 'admin'] };
    const thief = office.newBrowser();
    expect(await signIn(thief, 'namesake')).toEqual(failure('PROVIDER_NOT_LINKED'));
    expect((await thief.ask('GET /api/session')).status).toBe(401);
    const stored = await world.connection.collection<{ _id: string }>('operators').findOne({ _id: id });
    expect(stored).not.toHaveProperty('oidc');
    const refused = (await world.connection.collection('audit_events').find().sort({ _id: -1 }).limit(2).toArray())[1];
    expect(refused?.['content'].call).toMatchObject({
      actor: 'unknown',
      rpc: 'session.refused',
      subjects: { provider_person: `${provider.issuer} namesake`, address: expect.any(String) },
    });
  });

  it('links an operator whose session was confirmed by passkey, and whom the list and the log name', async () => {
    const owner = await office.operator('viewer');
    accounts['linked'] = { email: 'somebody@example.org', email_verified: true, groups: ['support'] };
    const person = `${provider.issuer} linked`;
    world.clock.advanceSeconds(301);
    expect((await owner.ask('POST /api/session/provider')).body).toMatchObject({ error: 'REAUTHENTICATION_REQUIRED' });
    await owner.confirm();
    expect(await finish(owner, await beginLink(owner, 'linked'))).toEqual({ status: 303, location: '/passkeys' });
    expect((await owner.ask('GET /api/session/passkeys')).body['provider']).toEqual({ issuer: provider.issuer, subject: 'linked' });
    const calls = (await world.connection.collection('audit_events').find().sort({ _id: 1 }).toArray()).flatMap(
      ({ content }) => (content as { call?: { rpc: string; subjects: object } }).call ?? [],
    );
    expect(calls.findLast(({ rpc }) => rpc === 'session.link-provider')?.subjects).toEqual({
      operator_id: owner.id,
      provider_person: person,
    });

    const browser = office.newBrowser();
    expect((await signIn(browser, 'linked')).location).toBe('/');
    expect((await browser.session()).operator.id).toBe(owner.id);
    const admin = await office.operator('admin');
    const listed = (await admin.ask('GET /api/operators')).body['operators'] as { id: string; provider?: object }[];
    expect(listed.find(({ id }) => id === owner.id)?.provider).toEqual({ issuer: provider.issuer, subject: 'linked' });

    // The end of the link ends the sessions by it, and no other one.
    const unlink = () => admin.ask(`POST /api/operators/${owner.id}/provider/unlink`, { body: { reason: 'was given to another person' } });
    expect((await unlink()).body).toMatchObject({ status: 'unlinked' });
    expect((await unlink()).status).toBe(404);
    expect((await browser.ask('GET /api/session')).status).toBe(401);
    expect((await owner.ask('GET /api/session')).status).toBe(200);
    expect((await signIn(office.newBrowser(), 'linked')).location).toBe('/');
  });

  it('links nobody in a session that has ended, by an answer to another question, or by another browser', async () => {
    accounts['late'] = { email: 'late@example.org', email_verified: true, groups: ['support'] };
    const operator = await office.operator('viewer');
    const path = await beginLink(operator, 'late');
    expect((await finish(office.newBrowser(), path)).location).toEqual(failure('UNAUTHORIZED').location);
    const kept = operator.cookies.get('florin-office-oidc') ?? '';
    const elsewhere = office.newBrowser();
    const own = await goThrough(elsewhere, 'late');
    const mixed = `${elsewhere.cookies.get('florin-office-oidc')}.${kept.split('.')[3]}`;
    elsewhere.cookies.set('florin-office-oidc', mixed);
    expect((await finish(elsewhere, own)).location).toEqual(failure('UNAUTHORIZED').location);
    const again = await beginLink(operator, 'late');
    await operator.ask('DELETE /api/session');
    expect((await finish(operator, again)).location).toEqual(failure('UNAUTHORIZED').location);
    expect(await world.connection.collection('operators').countDocuments({ oidc: `${provider.issuer} late` })).toBe(0);
  });

  it('brings nobody who has an account by another address of the same mailbox', async () => {
    const link = (await world.command('invite', 'mia@example.org', '--role', 'viewer')).out;
    await office.newBrowser().enrol(link);
    accounts['mia'] = { email: 'Mia+office@example.org', email_verified: true, groups: ['finance'] };
    expect(await signIn(office.newBrowser(), 'mia')).toEqual(failure('OPERATOR_EXISTS'));
    expect(await world.connection.collection('operators').countDocuments({ email: /^mia/ })).toBe(1);
  });

  it('is denied without a role, and to one who is disabled', async () => {
    expect(await signIn(office.newBrowser(), 'bob')).toEqual(failure('FORBIDDEN'));
    accounts['bob'] = { email: 'bob@example.org', email_verified: true, groups: ['viewer'] };
    const bob = office.newBrowser();
    await signIn(bob, 'bob');
    const admin = await office.operator('admin');
    const { operator } = await bob.session();
    await admin.ask(`POST /api/operators/${operator.id}/disable`, { body: { reason: 'has left the company' } });
    expect(await signIn(office.newBrowser(), 'bob')).toEqual(failure('FORBIDDEN'));
    expect((await bob.ask('GET /api/session')).status).toBe(401);
  });

  it('does not take an answer twice, in another browser, with another state, or without one', async () => {
    const browser = office.newBrowser();
    const path = await goThrough(browser, 'ann');
    const other = office.newBrowser();
    await other.ask('GET /sign-in/oidc');
    const answer = async (from: Browser, target: string) => {
      const { status, headers } = await from.ask(`GET ${target}`);
      return { status, location: headers.get('location') };
    };
    expect(await answer(office.newBrowser(), path)).toEqual(failure('UNAUTHORIZED'));
    expect(await answer(other, path)).toEqual(failure('UNAUTHORIZED'));
    const kept = browser.cookies.get('florin-office-oidc') ?? '';
    expect(await answer(browser, path)).toEqual({ status: 303, location: '/' });
    browser.cookies.set('florin-office-oidc', kept);
    expect(await answer(browser, path)).toEqual(failure('UNAUTHORIZED'));
    expect(await answer(office.newBrowser(), '/sign-in/oidc/callback?error=access_denied')).toEqual(failure('UNAUTHORIZED'));
  });

  it('lets an operator add a passkey, which confirms and signs in from then on', async () => {
    const browser = office.newBrowser();
    await signIn(browser, 'ann');
    expect((await browser.confirm()).status).toBe(403);
    expect((await browser.addPasskey()).body).toMatchObject({ steppedUpUntil: expect.any(String) });
    expect((await browser.confirm()).status).toBe(200);
    expect((await office.newBrowser().signIn()).status).toBe(401);
    expect((await browser.signIn()).status).toBe(200);
    world.clock.advanceSeconds(301);
    expect((await browser.addPasskey()).body).toMatchObject({ error: 'REAUTHENTICATION_REQUIRED' });
  });
});

describe('without a claim of roles', () => {
  it('those who were invited sign in once they have linked the person at the provider, and nobody by an address', async () => {
    const own = await createWorld(settings());
    const process = await own.start();
    const link = (await own.command('invite', 'invited@example.org', '--role', 'viewer')).out;
    expect(await signIn(process.newBrowser(), 'invited')).toEqual(failure('FORBIDDEN'));
    const enrolled = process.newBrowser();
    await enrolled.enrol(link);
    expect(await signIn(process.newBrowser(), 'invited')).toEqual(failure('PROVIDER_NOT_LINKED'));
    expect(await signIn(process.newBrowser(), 'eve')).toEqual(failure('FORBIDDEN'));
    expect((await finish(enrolled, await beginLink(enrolled, 'eve'))).location).toBe('/passkeys');
    const browser = process.newBrowser();
    expect(await signIn(browser, 'eve')).toEqual({ status: 303, location: '/' });
    expect((await browser.session()).operator).toMatchObject({ email: 'invited@example.org', roles: ['viewer'] });
    expect(await signIn(process.newBrowser(), 'invited')).toEqual(failure('PROVIDER_NOT_LINKED'));
    await own.close();
  });
});

describe('a provider that is away', () => {
  it('leaves the passkeys, and is told to the page', async () => {
    const own = await createWorld({ ...settings(), OIDC_ISSUER: 'http://127.0.0.1:9' });
    const process = await own.start();
    const { status, headers } = await process.newBrowser().ask('GET /sign-in/oidc');
    expect({ status, location: headers.get('location') }).toEqual(failure('SERVICE_UNAVAILABLE'));
    expect((await process.operator('viewer')).id).toBeDefined();
    await own.close();
  });

  it.each([
    [{ OIDC_ISSUER: 'https://id.example.org' }, 'OIDC_CLIENT_ID'],
    [{ OIDC_ISSUER: 'http://id.example.org' }, 'OIDC_ISSUER'],
  ])('or half configured does not start: %j', async (env, name) => {
    const own = await createWorld(env);
    await expect((async () => own.start())()).rejects.toThrow(name);
    await own.close();
  });
});
