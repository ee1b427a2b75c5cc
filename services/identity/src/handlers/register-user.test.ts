import { streamOf } from '@florin/data/outbox';
import { KycStatus } from '@florin/proto/identity/v1/user';
import { AccountStatus } from '@florin/proto/ledger/v1/account';
import { waitFor } from '@florin/rpc/testing';
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { as, type Clients, createWorld, emailCode, newEmail, newUser, newWallet, signIn, type World, wrong } from '../testing/world.ts';

let world: World;
let clients: Clients;

beforeAll(async () => {
  world = await createWorld({
    PARTNERS: JSON.stringify([
      { id: 'florin', name: 'Florin', domains: [] },
      { id: 'other', name: 'Other', domains: ['other.example.com'] },
    ]),
  });
  clients = world.clientsOf((await world.start()).url);
});
afterAll(() => world.close());

const register = (token: string, email: string, otp: string, shareToken = '') =>
  clients.users.registerUser({ email, otp, shareToken }, as(token));
const accountsOf = (owner: string) => [...world.ledger.accounts.values()].filter(({ safeOwnerAddress }) => safeOwnerAddress === owner);
const usersOf = (email: string) => world.usersOf(email);

describe('RegisterUser', () => {
  it('creates a user with a profile, an active account and a user token of the same session', async () => {
    const { wallet, email, userId, userToken, walletToken } = await newUser(clients);
    const claims = decodeJwt(userToken);
    expect(claims).toMatchObject({ uid: userId, sub: wallet.address, pid: 'florin', sid: decodeJwt(walletToken)['sid'] });
    const { user } = await clients.users.getCurrentUser({}, as(userToken));
    expect(user).toMatchObject({
      id: userId,
      partnerId: 'florin',
      email,
      wallets: [{ address: wallet.address, primary: true }],
      kycStatus: KycStatus.NOT_STARTED,
      kycProfileId: expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
    expect(world.ledger.accounts.get(user?.accountId ?? '')).toEqual({
      userId,
      kycProfileId: user?.kycProfileId,
      safeOwnerAddress: wallet.address,
      status: AccountStatus.ACTIVE,
    });
    expect((await clients.threeds.getUser({ userId })).user).toEqual(user);
    expect((await clients.threeds.getUser({ userId: userId.toUpperCase() })).user).toEqual(user);
  });

  it('publishes one event without personal data', async () => {
    const { userId, email } = await newUser(clients);
    const event = await waitFor('the event', async () => {
      const entries = await world.redis.xRevRange(streamOf('identity'), '+', '-', { COUNT: 200 });
      return entries?.find(({ message }) => message['aggregateId'] === userId)?.message;
    });
    expect(event['type']).toBe('user.registered');
    expect(Object.keys(JSON.parse(event['payload'] ?? '{}')).sort()).toEqual(['accountId', 'partnerId', 'userId']);
    expect(JSON.stringify(event)).not.toContain(email);
    await waitFor('an empty outbox', async () => {
      const user = await world.collection('users').findOne({ _id: userId });
      return Array.isArray(user?.['outbox']) && user['outbox'].length === 0 ? true : undefined;
    });
  });

  it('leaves the account in provisioning while onboarding is incomplete', async () => {
    const strict = world.clientsOf((await world.start({}, { ONBOARDING: 'kyc' })).url);
    const { wallet } = await newUser(strict);
    expect(accountsOf(wallet.address)).toMatchObject([{ status: AccountStatus.PROVISIONING }]);
  });

  it('returns USER_ALREADY_EXISTS for a repeat, a user token and another session of the wallet', async () => {
    const { wallet, email, otp, walletToken, userToken } = await newUser(clients);
    await expect(register(walletToken, email, otp)).rejects.toMatchObject({ code: 'USER_ALREADY_EXISTS' });
    await expect(register(userToken, email, otp)).rejects.toMatchObject({ code: 'USER_ALREADY_EXISTS' });
    const { accessToken } = await signIn(clients, wallet, 'other.example.com', 'https://other.example.com/');
    const second = newEmail();
    await expect(register(accessToken, second, await emailCode(clients, accessToken, second))).rejects.toMatchObject({
      code: 'USER_ALREADY_EXISTS',
    });
    expect(accountsOf(wallet.address)).toHaveLength(1);
  });

  it('reveals that an e-mail address is taken only to a caller who has proven it, and creates nothing', async () => {
    const { email } = await newUser(clients);
    world.clock.advanceSeconds(3600);
    const wallet = newWallet();
    const { accessToken } = await signIn(clients, wallet);
    await expect(register(accessToken, email, '123456')).rejects.toMatchObject({ code: 'INVALID_OTP' });
    const otp = await emailCode(clients, accessToken, email.toUpperCase());
    await expect(register(accessToken, email, wrong(otp))).rejects.toMatchObject({ code: 'INVALID_OTP' });
    await expect(register(accessToken, email.toUpperCase(), otp)).rejects.toMatchObject({ code: 'USER_ALREADY_EXISTS' });
    expect(accountsOf(wallet.address)).toHaveLength(0);
    expect(await world.collection('registrations').findOne({ _id: wallet.address.toLowerCase() })).toBeNull();
    const mine = newEmail();
    await expect(register(accessToken, mine, await emailCode(clients, accessToken, mine))).resolves.toBeDefined();
  });

  it('allows one user per partner for an e-mail address', async () => {
    const { email } = await newUser(clients);
    world.clock.advanceSeconds(3600);
    const { accessToken } = await signIn(clients, newWallet(), 'other.example.com', 'https://other.example.com/');
    const { userId } = await register(accessToken, email, await emailCode(clients, accessToken, email));
    expect((await clients.threeds.getUser({ userId })).user).toMatchObject({ partnerId: 'other', email });
    expect(await clients.threeds.getUserPartner({ userId })).toMatchObject({ partnerId: 'other', registered: true });
  });

  it('creates one user for concurrent registrations of a wallet', async () => {
    const wallet = newWallet();
    const email = newEmail();
    const tokens = await Promise.all(Array.from({ length: 6 }, async () => (await signIn(clients, wallet)).accessToken));
    const otp = await emailCode(clients, tokens[0] ?? '', email);
    const all = await Promise.allSettled(tokens.map((token) => register(token, email, otp)));
    expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const one of all) {
      if (one.status === 'rejected') expect(['USER_REGISTRATION_IN_PROGRESS', 'USER_ALREADY_EXISTS']).toContain(one.reason.code);
    }
    expect(await usersOf(email)).toHaveLength(1);
    expect(accountsOf(wallet.address)).toHaveLength(1);
  });

  it('returns USER_REGISTRATION_IN_PROGRESS while a registration of the wallet runs', async () => {
    let finish = (): void => undefined;
    const running = new Promise<void>((resolve) => {
      finish = resolve;
    });
    let reached = (): void => undefined;
    const atProvider = new Promise<void>((resolve) => {
      reached = resolve;
    });
    const kyc = {
      createProfile: async () => {
        reached();
        await running;
        return '0190a5d0-0000-7000-8000-000000000000';
      },
      createSession: () => Promise.reject(new Error('must not be called')),
    };
    const slow = world.clientsOf((await world.start({ kyc })).url);
    const email = newEmail();
    const { accessToken } = await signIn(clients, newWallet());
    const otp = await emailCode(clients, accessToken, email);
    const first = slow.users.registerUser({ email, otp }, as(accessToken));
    await atProvider;
    await expect(register(accessToken, email, otp)).rejects.toMatchObject({ code: 'USER_REGISTRATION_IN_PROGRESS' });
    finish();
    await expect(first).resolves.toBeDefined();
  });

  it('gives an e-mail address to one of two concurrent wallets, closes the account of the other and lets it register again', async () => {
    const email = newEmail();
    const wallets = [newWallet(), newWallet()];
    const tokens = await Promise.all(wallets.map(async (wallet) => (await signIn(clients, wallet)).accessToken));
    const otps: string[] = [];
    for (const token of tokens) otps.push(await emailCode(clients, token, email));
    // Neither call sees the other's claim before both have opened accounts.
    let arrived = 0;
    let open = (): void => undefined;
    const both = new Promise<void>((resolve) => {
      open = resolve;
    });
    const { url } = await world.start({
      aroundRegistration: (parts) => ({
        ...parts,
        emailClaims: {
          ...parts.emailClaims,
          claim: async (...args) => {
            arrived += 1;
            if (arrived === 2) open();
            await both;
            return parts.emailClaims.claim(...args);
          },
        },
      }),
    });
    const racing = world.clientsOf(url);
    const results = await Promise.allSettled(
      tokens.map((token, index) => racing.users.registerUser({ email, otp: otps[index] ?? '' }, as(token))),
    );
    const loser = results.findIndex(({ status }) => status === 'rejected');
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(results[loser]).toMatchObject({ reason: { code: 'USER_ALREADY_EXISTS' } });
    expect(await usersOf(email)).toHaveLength(1);

    const lost = wallets[loser];
    expect(accountsOf(lost?.address ?? '')).toMatchObject([{ status: AccountStatus.CLOSED }]);
    const token = tokens[loser] ?? '';
    const other = newEmail();
    await expect(register(token, other, await emailCode(clients, token, other))).resolves.toBeDefined();
    expect(accountsOf(lost?.address ?? '').map(({ status }) => status)).toEqual([AccountStatus.CLOSED, AccountStatus.ACTIVE]);
  });

  it('returns PROFILE_CREATION_FAILED when the provider fails, keeps the code usable and creates no user', async () => {
    const wallet = newWallet();
    const email = newEmail();
    const { accessToken } = await signIn(clients, wallet);
    const otp = await emailCode(clients, accessToken, email);
    await expect(register(accessToken, email, otp, 'fail')).rejects.toMatchObject({ code: 'PROFILE_CREATION_FAILED' });
    await expect(register(accessToken, email, otp, 'fail')).rejects.toMatchObject({ code: 'PROFILE_CREATION_FAILED' });
    expect(await usersOf(email)).toHaveLength(0);
    expect(accountsOf(wallet.address)).toHaveLength(0);
    await expect(register(accessToken, email, otp, 'good')).resolves.toBeDefined();
  });

  it.each([
    ['', '123456'],
    ['person', '123456'],
    ['person@example.org', ''],
    ['person@example.org', 'x'.repeat(65)],
  ])('rejects %j with %j', async (email, otp) => {
    const { accessToken } = await signIn(clients, newWallet());
    await expect(register(accessToken, email, otp)).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
  });

  it('requires a wallet token', async () => {
    await expect(clients.users.registerUser({ email: newEmail(), otp: '123456' })).rejects.toMatchObject({ code: 'FORBIDDEN' });
  });
});

describe('reading users', () => {
  it('returns several to a service, each once, without those that do not exist', async () => {
    const [one, other] = [await newUser(clients), await newUser(clients)];
    const unknown = '0190a5d0-0000-7000-8000-000000000000';
    const userIds = [one.userId, unknown, other.userId, one.userId.toUpperCase()];
    const { users } = await clients.threeds.batchGetUsers({ userIds });
    expect(users).toHaveLength(2);
    for (const { userId } of [one, other]) {
      expect(users.find(({ id }) => id === userId)).toEqual((await clients.threeds.getUser({ userId })).user);
    }
    expect((await clients.threeds.batchGetUsers({ userIds: [] })).users).toEqual([]);
    for (const bad of [['x'], Array.from({ length: 101 }, () => one.userId)]) {
      await expect(clients.threeds.batchGetUsers({ userIds: bad })).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
    }
    await expect(clients.users.batchGetUsers({ userIds })).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await expect(clients.users.batchGetUsers({ userIds }, as(one.userToken))).rejects.toMatchObject({ code: 'FORBIDDEN' });
  });

  it('returns only records that the caller may read', async () => {
    await expect(clients.threeds.getUser({ userId: '0190a5d0-0000-7000-8000-000000000000' })).rejects.toMatchObject({
      code: 'USER_NOT_FOUND',
    });
    await expect(clients.threeds.getUser({ userId: 'x' })).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
    await expect(clients.threeds.getUserPartner({ userId: '0190a5d0-0000-7000-8000-000000000000' })).rejects.toMatchObject({
      code: 'USER_NOT_FOUND',
    });
    await expect(clients.threeds.getUserPartner({ userId: 'x' })).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
    await expect(clients.users.getUserPartner({ userId: 'x' })).rejects.toMatchObject({ code: 'FORBIDDEN' });
    const { accessToken } = await signIn(clients, newWallet());
    await expect(clients.users.getCurrentUser({}, as(accessToken))).rejects.toMatchObject({ code: 'USER_NOT_REGISTERED' });
    await expect(clients.users.getUser({ userId: 'x' })).rejects.toMatchObject({ code: 'FORBIDDEN' });
  });
});
