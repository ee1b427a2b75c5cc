import { AccountStatus } from '@florin/proto/ledger/v1/account';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { interruptRegistration } from '../testing/interrupt-registration.ts';
import { as, type Clients, createWorld, emailCode, newEmail, newWallet, signIn, type World } from '../testing/world.ts';
import { registrationLockKey } from './lock.ts';

/** Every call that an undisturbed registration makes, in order. */
const CALLS = [
  'walletClaims.ownerOf',
  'registrations.find',
  'walletClaims.ownerOf',
  'emailClaims.ownerOf',
  'registrations.begin',
  'kyc.createProfile',
  'registrations.advance',
  'ledger.open',
  'ledger.activate',
  'registrations.advance',
  'emailClaims.claim',
  'walletClaims.claim',
  'registrations.advance',
  'users.add',
  'registrations.advance',
];
const USER_WRITTEN = CALLS.indexOf('users.add');

type Interrupt = (name: string, index: number, work: () => Promise<unknown>) => Promise<unknown>;

const undisturbed: Interrupt = (_name, _index, work) => work();
let interrupt = undisturbed;
let calls: string[] = [];

const around = interruptRegistration((name, work) => {
  calls.push(name);
  return interrupt(name, calls.length - 1, work);
});

let world: World;
/** The process that is killed, and its successor. They share only the engines. */
let doomed: Clients;
let next: Clients;

beforeAll(async () => {
  world = await createWorld();
  doomed = world.clientsOf((await world.start({ aroundRegistration: around })).url);
  next = world.clientsOf((await world.start()).url);
});
afterAll(() => world.close());
beforeEach(() => {
  interrupt = undisturbed;
  calls = [];
});

const prepare = async () => {
  const wallet = newWallet();
  const email = newEmail();
  const { accessToken, refreshToken } = await signIn(next, wallet);
  const otp = await emailCode(next, accessToken, email);
  return { wallet, email, accessToken, refreshToken, otp };
};
type Person = Awaited<ReturnType<typeof prepare>>;

const registerWith = ({ users }: Clients, { email, otp, accessToken }: Pick<Person, 'email' | 'otp' | 'accessToken'>) =>
  users.registerUser({ email, otp }, as(accessToken));
const registrationOf = ({ wallet }: Person) => world.collection('registrations').findOne({ _id: wallet.address.toLowerCase() });
const accountsOf = ({ wallet }: Person) =>
  [...world.ledger.accounts.values()].filter(({ safeOwnerAddress }) => safeOwnerAddress === wallet.address);

/** The code of a registration during which this call has failed. */
const codeOf = (call: string): string => (call === 'kyc.createProfile' ? 'PROFILE_CREATION_FAILED' : 'INTERNAL_ERROR');

/** Resumes after the kill and checks that everything exists once, with the ids chosen before it. */
const resume = async (person: Person, userWasWritten: boolean) => {
  const before = await registrationOf(person);
  if (userWasWritten) await expect(registerWith(next, person)).rejects.toMatchObject({ code: 'USER_ALREADY_EXISTS' });
  else await expect(registerWith(next, person)).resolves.toMatchObject({ userId: expect.any(String) });
  await expectOneUser(person, before?.['userId']);
};

const expectOneUser = async (person: Person, expectedId: unknown) => {
  const { tokens } = await next.auth.refreshSession({ refreshToken: person.refreshToken });
  const userId = tokens?.userId ?? '';
  if (expectedId !== undefined) expect(userId).toBe(expectedId);
  expect(await world.usersOf(person.email)).toMatchObject([{ _id: userId }]);
  expect(await world.collection('email_claims').findOne({ _id: world.emailClaimId(person.email) })).toMatchObject({ userId });
  expect(await world.collection('wallet_claims').findOne({ _id: person.wallet.address.toLowerCase() })).toMatchObject({ userId });
  expect(accountsOf(person)).toMatchObject([{ userId, status: AccountStatus.ACTIVE }]);
};

describe('a registration', () => {
  it('makes the calls that the tests below interrupt', async () => {
    const person = await prepare();
    await registerWith(doomed, person);
    expect(calls).toEqual(CALLS);
    expect(await registrationOf(person)).toMatchObject({ step: 'completed' });
    await expectOneUser(person, undefined);
  });

  it.each(CALLS.map((call, index) => [index, call] as const))('resumes after a failure before call %i, %s', async (index, name) => {
    const person = await prepare();
    interrupt = async (_name, at, work) => {
      if (at === index) throw new Error('killed before');
      return work();
    };
    await expect(registerWith(doomed, person)).rejects.toMatchObject({ code: codeOf(name) });
    expect(calls).toHaveLength(index + 1);
    await resume(person, index > USER_WRITTEN);
  });

  it.each(CALLS.map((call, index) => [index, call] as const))('resumes after a failure after call %i, %s', async (index, name) => {
    const person = await prepare();
    interrupt = async (_name, at, work) => {
      const result = await work();
      if (at === index) throw new Error('killed after');
      return result;
    };
    await expect(registerWith(doomed, person)).rejects.toMatchObject({ code: codeOf(name) });
    await resume(person, index >= USER_WRITTEN);
  });

  it.each(CALLS.map((call, index) => [index, call] as const))(
    'creates one user when the process hangs in call %i, %s, until its lock has expired',
    async (index) => {
      const person = await prepare();
      let wake = (): void => undefined;
      const asleep = new Promise<void>((resolve) => {
        wake = resolve;
      });
      let fellAsleep = (): void => undefined;
      const sleeping = new Promise<void>((resolve) => {
        fellAsleep = resolve;
      });
      interrupt = async (_name, at, work) => {
        if (at === index) {
          fellAsleep();
          await asleep;
        }
        return work();
      };
      const zombie = registerWith(doomed, person).catch((error: unknown) => error);
      await sleeping;
      await expect(registerWith(next, person)).rejects.toMatchObject({ code: 'USER_REGISTRATION_IN_PROGRESS' });
      // The lock expires.
      await world.redis.del(registrationLockKey(person.wallet.address));
      const before = await registrationOf(person);
      await resume(person, index > USER_WRITTEN);
      wake();
      await zombie;
      expect(await registrationOf(person)).toMatchObject({ step: 'completed' });
      await expectOneUser(person, before?.['userId']);
    },
  );

  it('returns SERVICE_UNAVAILABLE while the ledger is unavailable, and keeps the code usable', async () => {
    const person = await prepare();
    for (const call of ['open', 'activate'] as const) {
      world.ledger.failing.add(call);
      await expect(registerWith(next, person)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
      world.ledger.failing.delete(call);
    }
    await resume(person, false);
  });

  it('keeps its ids when it is resumed with another e-mail address', async () => {
    const person = await prepare();
    interrupt = async (name, _at, work) => {
      // After the e-mail address was claimed, before the step was recorded.
      if (name === 'walletClaims.claim') throw new Error('killed');
      return work();
    };
    await expect(registerWith(doomed, person)).rejects.toMatchObject({ code: 'INTERNAL_ERROR' });
    const before = await registrationOf(person);
    const email = newEmail();
    const otp = await emailCode(next, person.accessToken, email);
    expect(await registerWith(next, { ...person, email, otp })).toMatchObject({ userId: before?.['userId'] });
    await expectOneUser({ ...person, email }, before?.['userId']);
    // The first address is free again.
    const other = await prepare();
    const again = await emailCode(next, other.accessToken, person.email);
    await expect(registerWith(next, { ...other, email: person.email, otp: again })).resolves.toMatchObject({ userId: expect.any(String) });
  });

  it('is completed with its e-mail address once that is claimed', async () => {
    const person = await prepare();
    interrupt = async (name, _at, work) => {
      if (name === 'users.add') throw new Error('killed');
      return work();
    };
    await expect(registerWith(doomed, person)).rejects.toMatchObject({ code: 'INTERNAL_ERROR' });
    const before = await registrationOf(person);
    expect(before).toMatchObject({ step: 'claimed' });
    const email = newEmail();
    const otp = await emailCode(next, person.accessToken, email);
    await expect(registerWith(next, { ...person, email, otp })).rejects.toMatchObject({ code: 'USER_ALREADY_EXISTS' });
    await expectOneUser(person, before?.['userId']);
  });

  it('is undone by the next call when it lost its e-mail address and the ledger was unavailable', async () => {
    const person = await prepare();
    const rival = await prepare();
    const rivalOtp = await emailCode(next, rival.accessToken, person.email);
    interrupt = async (name, _at, work) => {
      if (name === 'emailClaims.claim') await registerWith(next, { ...rival, email: person.email, otp: rivalOtp });
      return work();
    };
    world.ledger.failing.add('close');
    await expect(registerWith(doomed, person)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    interrupt = undisturbed;
    expect(await registrationOf(person)).toMatchObject({ step: 'abandoned' });
    world.ledger.failing.delete('close');
    await expect(registerWith(next, person)).rejects.toMatchObject({ code: 'USER_ALREADY_EXISTS' });
    expect(await registrationOf(person)).toBeNull();
    expect(accountsOf(person)).toMatchObject([{ status: AccountStatus.CLOSED }]);
    const email = newEmail();
    const otp = await emailCode(next, person.accessToken, email);
    await expect(registerWith(next, { ...person, email, otp })).resolves.toMatchObject({ userId: expect.any(String) });
  });
});
