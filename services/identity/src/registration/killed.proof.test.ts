import { AccountStatus } from '@florin/proto/ledger/v1/account';
import { pause } from '@florin/rpc/time';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Doom, type IdentityProcess, startIdentityProcess } from '../testing/identity-process.ts';
import { startTestKycServer } from '../testing/kyc-server.ts';
import { as, type Clients, createWorld, emailCode, newEmail, newWallet, signIn, type World } from '../testing/world.ts';
import { registrationLockKey } from './lock.ts';

const SHARE_TOKEN = 'shared elsewhere';

/** Each test starts two processes, possibly on a busy machine. */
const PATIENCE_MS = 60_000;

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

/** Restarts identity after the kill and repeats the request. */
const restartAndRepeat = async (entry: 'main' | 'doomed', person: Person) => {
  expect(await running?.ended).toBe('SIGKILL');
  running = undefined;
  kyc.hooks.at = () => undefined;
  world.ledger.hooks.around = (_call, work) => work();
  const before = await idsOf(person);
  // The lock of the killed call would expire twenty seconds after the call began.
  await world.redis.del(registrationLockKey(person.wallet.address));
  const { clients } = await process(entry);
  // The kill may have come after the user was written.
  await register(clients, person).catch((error: unknown) => expect(error).toMatchObject({ code: 'USER_ALREADY_EXISTS' }));
  await expectOneUser(clients, person, before);
};

describe('identity killed at a write of a registration', { timeout: PATIENCE_MS }, () => {
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

  it.each(dooms)('$when $call, time $nth, resumes with the same user', async (doom) => {
    const { identity, clients } = await process('doomed');
    const person = await prepare(clients);
    await identity.arm(doom);
    await expect(register(clients, person)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    await restartAndRepeat('doomed', person);
  });
});

describe('the production process, killed from outside', { timeout: PATIENCE_MS }, () => {
  beforeAll(async () => {
    running?.kill();
    await running?.ended;
    running = undefined;
  });

  it.each(['arrived', 'worked', 'answered'] as const)('resumes after a kill when its call to the KYC provider has %s', async (moment) => {
    const { identity, clients } = await process('main');
    const person = await prepare(clients);
    kyc.hooks.at = (reached) => {
      if (reached === moment) identity.kill();
    };
    await expect(register(clients, person)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect([...kyc.profiles.values()].filter(({ email }) => email === person.email)).toHaveLength(1);
    await restartAndRepeat('main', person);
  });

  it.each([
    ['open', 'arrived'],
    ['open', 'worked'],
    ['activate', 'arrived'],
    ['activate', 'worked'],
  ] as const)('resumes after a kill when its call %s to the ledger has %s', async (doomed, moment) => {
    const { identity, clients } = await process('main');
    const person = await prepare(clients);
    world.ledger.hooks.around = async (call, work) => {
      if (call === doomed && moment === 'arrived') identity.kill();
      work();
      if (call === doomed && moment === 'worked') identity.kill();
      // No response leaves before the process has ended.
      if (call === doomed) await identity.ended;
    };
    await expect(register(clients, person)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    await restartAndRepeat('main', person);
  });

  it.each([0, 15, 40, 90])('resumes after a kill within %d ms of the request', async (atMost) => {
    const { identity, clients } = await process('main');
    const person = await prepare(clients);
    const answer = register(clients, person).catch(() => undefined);
    await pause(Math.random() * atMost);
    identity.kill();
    await answer;
    await restartAndRepeat('main', person);
  });
});
