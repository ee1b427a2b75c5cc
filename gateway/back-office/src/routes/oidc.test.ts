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
  const { origin, pathname, search } = await provider.signIn(headers.get('location') ?? '', name);
  expect(origin).toBe(ORIGIN);
  return `${pathname}${search}`;
};
const signIn = async (browser: Browser, name: string) => {
  const { status, headers } = await browser.ask(`GET ${await goThrough(browser, name)}`, { headers: { 'sec-fetch-site': 'cross-site' } });
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
    expect(call?.['content'].call.subjects).toEqual({ operator_id: String(dan?.['_id']), roles: 'viewer' });
    await own.close();
  }, 60_000);

  it('gives an operator to one of two people with the same address at once, and to nobody who was disabled at that moment', async () => {
    const own = await createWorld({ ...settings(), OIDC_ROLES_CLAIM: 'groups' });
    let waiting: (() => void)[] | undefined;
    let meanwhile = async (): Promise<unknown> => undefined;
    const process = await own.start({
      wrapAuditLog: (log) => ({
        ...log,
        begin: async (call) => {
          const begun = await log.begin(call);
          if (waiting === undefined) return begun;
          const together = waiting;
          // Both were recognized before either of them is stored.
          await new Promise<void>((resolve) => {
            together.push(resolve);
            if (together.length === 2) for (const go of together) go();
          });
          await meanwhile();
          return begun;
        },
      }),
    });
    const { email, id } = await process.operator('viewer');
    const twins = ['first-twin', 'second-twin'];
    for (const name of twins) accounts[name] = { email, email_verified: true, groups: ['support'] };
    const attempt = async () => {
      waiting = [];
      const browsers = twins.map(() => process.newBrowser());
      const answers = await Promise.all(twins.map((name, index) => signIn(browsers[index] as Browser, name)));
      waiting = undefined;
      return { browsers, locations: answers.map(({ location }) => location) };
    };
    const { browsers, locations } = await attempt();
    const winner = locations.indexOf('/');
    expect(locations[1 - winner]).toEqual(failure('FORBIDDEN').location);
    expect((await browsers[winner]?.session())?.operator).toMatchObject({ id, email, roles: ['support'] });
    expect((await browsers[1 - winner]?.ask('GET /api/session'))?.status).toBe(401);
    expect((await signIn(process.newBrowser(), twins[1 - winner] ?? '')).location).toEqual(failure('FORBIDDEN').location);

    const operators = own.connection.collection<{ _id: string }>('operators');
    await operators.updateOne({ _id: id }, { $unset: { oidc: '' } });
    meanwhile = () => operators.updateOne({ _id: id }, { $set: { status: 'disabled' } });
    expect((await attempt()).locations).toEqual(twins.map(() => failure('FORBIDDEN').location));
    expect(await operators.findOne({ _id: id })).not.toHaveProperty('oidc');
    await own.close();
  }, 60_000);

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
  it('those who were invited sign in, by the address that the provider has verified', async () => {
    const own = await createWorld(settings());
    const process = await own.start();
    const link = (await own.command('invite', 'invited@example.org', '--role', 'viewer')).out;
    expect(await signIn(process.newBrowser(), 'invited')).toEqual(failure('FORBIDDEN'));
    await process.newBrowser().enrol(link);
    expect(await signIn(process.newBrowser(), 'eve')).toEqual(failure('FORBIDDEN'));
    const browser = process.newBrowser();
    expect(await signIn(browser, 'invited')).toEqual({ status: 303, location: '/' });
    expect((await browser.session()).operator).toMatchObject({ email: 'invited@example.org', roles: ['viewer'] });
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
