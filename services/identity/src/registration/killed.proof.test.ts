import { AccountStatus } from '@florin/proto/ledger/v1/account';
import { waitFor } from '@florin/rpc/testing';
import { pause } from '@florin/rpc/time';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Doom, type IdentityProcess, startIdentityProcess } from '../testing/identity-process.ts';
import { startTestKycServer } from '../testing/kyc-server.ts';
import { as, type Clients, createWorld, emailCode, newEmail, newWallet, signIn, type World } from '../testing/world.ts';
import { registrationLockKey } from './lock.ts';

const SHARE_TOKEN = 'shared elsewhere';

/** For tests that start processes, possibly on a busy machine. */
const PATIENCE_MS = 120_000;

let world: World;
let kyc: Awaited<ReturnType<typeof startTestKycServer>>;
let running: IdentityProcess | undefined;

beforeAll(async () => {
  kyc = await startTestKycServer();
  world = await createWorld({ KYC_URL: kyc.url, KYC_TOKEN: 'kyc-token', KYC_WEBHOOK_SECRET: 'secret of the KYC provider' });
});
afterEach(() => {
  kyc.hooks.at = () => undefined;
  world.ledger.hooks.around = (_call, work) => work();
});
afterAll(async () => {
  running?.kill();
  await running?.ended;
  await world?.close();
  await kyc?.close();
});

/** The running process, or a new one after a kill, as a supervisor starts it. */
const process = async (entry: 'main' | 'doomed'): Promise<{ identity: IdentityProcess; clients: Clients }> => {
  running ??= await startIdentityProcess(entry, world.env);
  return { identity: running, clients: world.clientsOf(running.url) };
};

const prepare = async (clients: Clients) => {
  const wallet = newWallet();
  const email = newEmail();
  const { accessToken, refreshToken } = await signIn(clients, wallet);
  return { wallet, email, accessToken, refreshToken, otp: await emailCode(clients, accessToken, email) };
};
type Person = Awaited<ReturnType<typeof prepare>>;

const register = ({ users }: Clients, { email, otp, accessToken }: Person) =>
  users.registerUser({ email, otp, shareToken: SHARE_TOKEN }, as(accessToken));

const idsOf = async ({ wallet }: Person) => {
  const registration = await world.collection('registrations').findOne({ _id: wallet.address.toLowerCase() });
  return { userId: registration?.['userId'], accountId: registration?.['accountId'] };
};

/** Expects one user with the ids chosen before the kill, and one of each of its records. */
const expectOneUser = async (clients: Clients, person: Person, before: Awaited<ReturnType<typeof idsOf>>) => {
  const { tokens } = await clients.auth.refreshSession({ refreshToken: person.refreshToken });
  const userId = tokens?.userId ?? '';
  if (before.userId !== undefined) expect(userId).toBe(before.userId);
  const wallet = person.wallet.address;
  expect(await world.usersOf(person.email)).toMatchObject([{ _id: userId }]);
  expect(await world.collection('email_claims').find({ userId }).toArray()).toMatchObject([{ _id: world.emailClaimId(person.email) }]);
  expect(await world.collection('wallet_claims').find({ userId }).toArray()).toMatchObject([{ _id: wallet.toLowerCase() }]);
  const profiles = [...kyc.profiles].filter(([, profile]) => profile.email === person.email);
  expect(profiles).toEqual([[userId, { profileId: expect.any(String), email: person.email, shareToken: SHARE_TOKEN }]]);
  const [, profile] = profiles[0] ?? [];
  const accounts = [...world.ledger.accounts].filter(([, account]) => account.safeOwnerAddress === wallet);
  expect(accounts).toEqual([
    [
      before.accountId ?? expect.any(String),
      { userId, kycProfileId: profile?.profileId, safeOwnerAddress: wallet, status: AccountStatus.ACTIVE },
    ],
  ]);
};

/** Starts the production process after a kill, as a supervisor does. */
const restart = async (): Promise<void> => {
  expect(await running?.ended).toBe('SIGKILL');
  running = undefined;
  kyc.hooks.at = () => undefined;
  world.ledger.hooks.around = (_call, work) => work();
  await process('main');
};

/** Repeats the request of a person after the restart. */
const repeat = async (person: Person): Promise<void> => {
  const { clients } = await process('main');
  const before = await idsOf(person);
  // The lock of the killed call would expire twenty seconds after the call began.
  await world.redis.del(registrationLockKey(person.wallet.address));
  // The kill may have come after the user was written.
  await register(clients, person).catch((error: unknown) => expect(error).toMatchObject({ code: 'USER_ALREADY_EXISTS' }));
  await expectOneUser(clients, person, before);
};

/** Registers a person who gets no answer. @returns the error */
const fail = (clients: Clients, person: Person): Promise<unknown> =>
  register(clients, person).then(
    () => expect.fail('the registration was answered'),
    (error: unknown) => error,
  );

describe('identity killed while registrations are at their writes', { timeout: PATIENCE_MS }, () => {
  const WRITES: [string, number][] = [
    ['registrations.begin', 1],
    ['registrations.advance', 1],
    ['registrations.advance', 2],
    ['emailClaims.claim', 1],
    ['walletClaims.claim', 1],
    ['registrations.advance', 3],
    ['users.add', 1],
    ['registrations.advance', 4],
  ];
  const dooms = WRITES.flatMap(([call, nth]) => (['before', 'after'] as const).map((when): Doom => ({ call, nth, when })));
  const people: Person[] = [];

  beforeAll(async () => {
    const { identity, clients } = await process('doomed');
    const answers: Promise<unknown>[] = [];
    for (const doom of dooms) {
      const person = await prepare(clients);
      people.push(person);
      const { stopped } = await identity.arm(doom);
      const answer = fail(clients, person);
      answers.push(answer);
      await Promise.race([stopped, answer.then((error) => expect.fail(`${doom.call} was not reached: ${String(error)}`))]);
    }
    identity.kill();
    await Promise.all(answers);
    await restart();
  }, PATIENCE_MS);

  it.each(dooms.map((doom, index) => ({ ...doom, index })))('$when $call, time $nth, resumes with the same user', async ({ index }) => {
    await repeat(people[index] ?? expect.fail('nobody'));
  });
});

describe('the production process, killed from outside', { timeout: PATIENCE_MS }, () => {
  /** The last is started when the others are where they are to be, and brings the kill. */
  const MOMENTS = [
    ['createProfile', 'arrived'],
    ['createProfile', 'worked'],
    ['open', 'arrived'],
    ['open', 'worked'],
    ['activate', 'arrived'],
    ['activate', 'worked'],
    ['createProfile', 'answered'],
  ] as const;
  const people: Person[] = [];

  beforeAll(async () => {
    const { identity, clients } = await process('main');
    for (const _ of MOMENTS) people.push(await prepare(clients));
    const held = new Set<number>();
    const reach = async (index: number, call: string, moment: string): Promise<void> => {
      if (MOMENTS[index]?.join() !== [call, moment].join()) return;
      if (moment === 'answered') return identity.kill();
      held.add(index);
      // No response leaves before the process has ended.
      await identity.ended;
    };
    kyc.hooks.at = (moment, email) =>
      reach(
        people.findIndex((one) => one.email === email),
        'createProfile',
        moment,
      );
    world.ledger.hooks.around = async (call, work, owner) => {
      const index = people.findIndex(({ wallet }) => wallet.address === owner);
      await reach(index, call, 'arrived');
      work();
      await reach(index, call, 'worked');
    };
    const answers = people.slice(0, -1).map((person) => fail(clients, person));
    await waitFor('the registrations to be at their moments', async () => held.size === answers.length || undefined, PATIENCE_MS);
    await Promise.all([...answers, fail(clients, people.at(-1) ?? expect.fail('nobody'))]);
    const asked = new Set(people.filter((_, index) => MOMENTS[index]?.[0] === 'createProfile').map(({ email }) => email));
    const made = () => [...kyc.profiles.values()].filter(({ email }) => asked.has(email)).length;
    await waitFor('the provider to have made the profiles', async () => made() === asked.size || undefined);
    await restart();
  }, PATIENCE_MS);

  it.each(MOMENTS.map(([call, moment], index) => ({ call, moment, index })))(
    'resumes after a kill when its call $call has $moment',
    async ({ index }) => {
      await repeat(people[index] ?? expect.fail('nobody'));
    },
  );

  it.each([0, 15, 40, 90])('resumes after a kill within %d ms of the request', async (atMost) => {
    const { identity, clients } = await process('main');
    const person = await prepare(clients);
    const answer = register(clients, person).catch(() => undefined);
    await pause(Math.random() * atMost);
    identity.kill();
    await answer;
    await restart();
    await repeat(person);
  });
});
