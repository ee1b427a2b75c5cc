import { waitFor } from '@florin/rpc/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createFakePersonalData } from '../testing/fake-personal-data.ts';
import { type Interruption, interruptCalls } from '../testing/interrupt-registration.ts';
import { as, type Clients, createWorld, newEmail, newUser, newWallet, signIn, type World } from '../testing/world.ts';
import type { ErasureParts } from './erase-user.ts';

/** The calls of an undisturbed erasure, in order. */
const CALLS = [
  'erasures.find',
  'users.find',
  'personalData.check',
  'erasures.begin',
  'personalData.closeAccount',
  'erasures.advance',
  'users.beginErasure',
  'users.findErasing',
  'sessions.endAllOf',
  'personalData.eraseElsewhere',
  'erasures.advance',
  'users.beginErasure',
  'users.findErasing',
  'sessions.endAllOf',
  'sessionStore.forgetOrigins',
  'acceptances.forgetIps',
  'registrations.removeOf',
  'outbox.forget',
  'users.erase',
  'erasures.advance',
  'erasures.find',
];
/** The call with which a request is recorded. */
const BEGUN = CALLS.indexOf('erasures.begin');

const DAY_SECONDS = 24 * 60 * 60;
const undisturbed: Interruption = (_name, work) => work();
let interrupt: (name: string, at: number, work: () => Promise<unknown>) => Promise<unknown> = (_name, _at, work) => work();
let calls: string[] = [];
const elsewhere = createFakePersonalData();

const around = interruptCalls<ErasureParts>(
  ['erasures', 'users', 'personalData', 'sessions', 'sessionStore', 'acceptances', 'registrations', 'outbox'],
  (name, work) => {
    // The sweeper's own rounds.
    if (name === 'erasures.takeDue') return work();
    calls.push(name);
    return interrupt(name, calls.length - 1, work);
  },
);

let world: World;
/** The process that is killed, and its successor. They share only the engines. */
let doomed: Clients;
let next: Clients;
beforeAll(async () => {
  world = await createWorld({}, { personalData: elsewhere.client });
  doomed = world.clientsOf((await world.start({ aroundErasure: around })).url);
  next = world.clientsOf((await world.start()).url);
});
afterAll(() => world.close());
beforeEach(() => {
  interrupt = (_name, _at, work) => undisturbed('', work);
  calls = [];
});

type Person = Awaited<ReturnType<typeof newUser>>;

const userOf = ({ userId }: Person) => world.collection('users').findOne({ _id: userId });
const claimsOf = async ({ userId }: Person) =>
  (await Promise.all(['email_claims', 'wallet_claims'].map((name) => world.collection(name).countDocuments({ userId })))).reduce(
    (a, b) => a + b,
  );

const mailsTo = async ({ email }: Person) => (await next.sandbox.listOutboxMessages({ to: email })).messages;

const expectErased = async (person: Person) => {
  const { userId, wallet } = person;
  const user = await userOf(person);
  expect(user).toMatchObject({ wallets: [], erasedAt: expect.any(Date), partnerId: 'florin', kycProfileId: expect.any(String) });
  // The relay counts what has left the outbox, once something has.
  const fields = Object.keys(user ?? {}).filter((field) => field !== 'relayed');
  expect(fields.sort()).toEqual(
    ['_id', 'accountId', 'createdAt', 'erasedAt', 'isErasing', 'kycProfileId', 'kycStatus', 'outbox', 'partnerId', 'wallets'].sort(),
  );
  expect(await world.collection('registrations').findOne({ _id: wallet.address.toLowerCase() })).toBeNull();
  const sessions = await world.collection('sessions').find({ wallet: wallet.address }).toArray();
  for (const session of sessions) {
    expect(session).not.toHaveProperty('ip');
    expect(session).not.toHaveProperty('userAgent');
  }
  expect(await world.collection('wallet_epochs').findOne({ wallet: wallet.address.toLowerCase() })).toMatchObject({ epoch: 1 });
  expect(elsewhere.closed.has(userId) && elsewhere.erased.has(userId)).toBe(true);
  expect(await claimsOf(person)).toBe(2);
  expect(await mailsTo(person)).toEqual([]);
};

describe('an erasure', () => {
  it('makes the calls that the tests below interrupt', async () => {
    const person = await newUser(next);
    expect(await mailsTo(person)).not.toEqual([]);
    await doomed.erasure.eraseUser({}, as(person.userToken));
    expect(calls).toEqual(CALLS);
    await expectErased(person);
  });

  it.each(CALLS.map((call, index) => [index, call] as const))('is completed after a failure at call %i, %s', async (index) => {
    for (const when of ['before', 'after'] as const) {
      const person = await newUser(next);
      calls = [];
      interrupt = async (_name, at, work) => {
        if (at === index && when === 'before') throw new Error('killed before');
        const result = await work();
        if (at === index) throw new Error('killed after');
        return result;
      };
      await expect(doomed.erasure.eraseUser({}, as(person.userToken))).rejects.toMatchObject({ code: 'INTERNAL_ERROR' });
      interrupt = (_name, _at, work) => work();
      if (index % 2 === 0 || index < BEGUN || (index === BEGUN && when === 'before')) {
        await next.office.eraseUser({ userId: person.userId });
      } else {
        world.clock.advanceSeconds(31);
        await waitFor('the sweeper', async () => ((await userOf(person))?.['erasedAt'] === undefined ? undefined : true));
      }
      await expectErased(person);
    }
  });

  it('is repeated with the same result', async () => {
    const person = await newUser(next);
    const first = await next.office.eraseUser({ userId: person.userId });
    world.clock.advanceSeconds(60);
    expect(await next.office.eraseUser({ userId: person.userId })).toEqual(first);
  });

  it('is told to services apart from persons who are not known, and only once it is done', async () => {
    const [person, other] = [await newUser(next), await newUser(next)];
    const unknown = crypto.randomUUID();
    const told = () => next.threeds.batchGetUsers({ userIds: [person.userId, unknown, other.userId] });
    interrupt = async (name, _at, work) => {
      if (name === 'users.erase') expect(await told()).toMatchObject({ erasedUserIds: [] });
      return work();
    };
    await doomed.erasure.eraseUser({}, as(person.userToken));
    expect(calls).toContain('users.erase');
    expect(await told()).toMatchObject({ users: [{ id: other.userId }], erasedUserIds: [person.userId] });
  });

  it('has one result for many concurrent calls', async () => {
    const person = await newUser(next);
    const answers = await Promise.all(Array.from({ length: 8 }, () => next.office.eraseUser({ userId: person.userId })));
    for (const answer of answers) expect(answer).toEqual(answers[0]);
    await expectErased(person);
  });

  it('ends the token and the session', async () => {
    const person = await newUser(next);
    await next.erasure.eraseUser({}, as(person.userToken));
    await expect(next.users.getCurrentUser({}, as(person.userToken))).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
    await expect(next.auth.refreshSession({ refreshToken: person.refreshToken })).rejects.toMatchObject({ code: 'INVALID_REFRESH_TOKEN' });
  });

  it('ends the sessions before anything is erased elsewhere, and erases that once more when the claims are released', async () => {
    const person = await newUser(next);
    interrupt = async (name, _at, work) => {
      if (name === 'personalData.eraseElsewhere')
        await expect(next.users.getCurrentUser({}, as(person.userToken))).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
      return work();
    };
    await doomed.erasure.eraseUser({}, as(person.userToken));
    // A token whose end was not heard of yet has left a record behind.
    elsewhere.erased.delete(person.userId);
    world.clock.advanceSeconds(30 * DAY_SECONDS + 60);
    await waitFor('the last pass', async () => (elsewhere.erased.has(person.userId) ? true : undefined));
  });

  it('lets the person register anew when the claims are released, and not before', async () => {
    const person = await newUser(next, newWallet(), newEmail());
    const { claimsReleasedAt } = await next.office.eraseUser({ userId: person.userId });
    expect(claimsReleasedAt).toBeDefined();
    await expect(newUser(next, person.wallet)).rejects.toMatchObject({ code: 'USER_ALREADY_EXISTS' });
    await expect(newUser(next, newWallet(), person.email)).rejects.toMatchObject({ code: 'USER_ALREADY_EXISTS' });
    world.clock.advanceSeconds(30 * DAY_SECONDS + 60);
    await waitFor('the release', async () => ((await claimsOf(person)) === 0 ? true : undefined));
    const again = await newUser(next, person.wallet, person.email);
    expect(again.userId).not.toBe(person.userId);
  });

  it.each([
    ['check', 'USER_HAS_OPEN_CHALLENGES'],
    ['close', 'USER_HAS_BALANCE'],
    ['close', 'USER_HAS_OPEN_HOLDS'],
    ['close', 'USER_IS_BLOCKED'],
  ] as const)('is refused when the %s raises %s, and changes nothing', async (where, code) => {
    const person = await newUser(next);
    elsewhere.refusals.set(person.userId, { [where]: code });
    // Besides the events, which their relay removes once they are published.
    const stored = async () => ({ ...(await userOf(person)), outbox: undefined, relayed: undefined });
    const before = await stored();
    await expect(next.erasure.eraseUser({}, as(person.userToken))).rejects.toMatchObject({ code });
    expect(await stored()).toEqual(before);
    expect(await world.collection('erasures').findOne({ _id: person.userId })).toBeNull();
    expect(await next.users.getCurrentUser({}, as(person.userToken))).toMatchObject({ user: { email: person.email } });
    elsewhere.refusals.delete(person.userId);
    await next.erasure.eraseUser({}, as(person.userToken));
    await expectErased(person);
  });

  it('of a blocked user needs the back office', async () => {
    const person = await newUser(next);
    elsewhere.refusals.set(person.userId, { close: 'USER_IS_BLOCKED' });
    await next.office.eraseUser({ userId: person.userId });
    await expectErased(person);
  });

  it('needs a recent sign-in of the user, who can erase nobody else', async () => {
    const [person, other] = [await newUser(next), await newUser(next)];
    await expect(next.erasure.eraseUser({ userId: other.userId }, as(person.userToken))).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await expect(next.erasure.eraseUser({})).rejects.toMatchObject({ code: 'FORBIDDEN' });
    world.clock.advanceSeconds(6 * 60);
    await expect(next.erasure.eraseUser({}, as(person.userToken))).rejects.toMatchObject({ code: 'REAUTHENTICATION_REQUIRED' });
    const { accessToken } = await signIn(next, person.wallet);
    await next.erasure.eraseUser({}, as(accessToken));
    await expectErased(person);
  });

  it.each([
    ['', 'VALIDATION_FAILED'],
    ['x', 'VALIDATION_FAILED'],
    ['01890a5d-ac96-774b-bcce-b302099a8057', 'USER_NOT_FOUND'],
  ])('of user id %j by the back office returns %s', async (userId, code) => {
    await expect(next.office.eraseUser({ userId })).rejects.toMatchObject({ code });
  });
});
