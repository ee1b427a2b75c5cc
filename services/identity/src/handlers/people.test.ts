import { randomUUID } from 'node:crypto';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { OnboardingStatus } from '@florin/proto/identity/v1/onboarding_service';
import { KycStatus } from '@florin/proto/identity/v1/user';
import { AccountStatus } from '@florin/proto/ledger/v1/account';
import { waitFor } from '@florin/rpc/testing';
import { afterAll, describe, expect, it } from 'vitest';
import { createOnboardingWorld, type Person } from '../testing/onboarding-world.ts';
import { as, signIn } from '../testing/world.ts';

const { world, clients, newPerson, kycOf, accept, explain, event, deliver, accountOf } = await createOnboardingWorld();
afterAll(() => world.close());

const { people } = clients;
const idsOf = ({ users }: { users: { id: string }[] }) => users.map(({ id }) => id);

describe('FindUsers', () => {
  it('finds a user by any spelling of the e-mail address or wallet, and nobody else', async () => {
    const [person] = [await newPerson(), await newPerson()];
    const { user } = await people.users.getUser({ userId: person.userId });
    const email = user?.email ?? '';
    const wallet = user?.wallets[0]?.address ?? '';
    for (const value of [email, ` ${email.toUpperCase()} `]) {
      expect(await people.users.findUsers({ key: { case: 'email', value } })).toMatchObject({ users: [{ id: person.userId, email }] });
    }
    for (const value of [wallet, wallet.toLowerCase()]) {
      expect(idsOf(await people.users.findUsers({ key: { case: 'wallet', value } }))).toEqual([person.userId]);
    }
    expect((await people.users.findUsers({ key: { case: 'email', value: 'nobody@example.org' } })).users).toEqual([]);
    expect((await people.users.findUsers({ key: { case: 'wallet', value: `0x${'1'.repeat(40)}` } })).users).toEqual([]);
  });

  it('needs a key, and the scope', async () => {
    await expect(people.users.findUsers({})).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
    await expect(people.users.findUsers({ key: { case: 'email', value: 'nobody' } })).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
    await expect(people.users.findUsers({ key: { case: 'wallet', value: '0x1' } })).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
    const asOther = clients.users.findUsers({ key: { case: 'email', value: 'a@example.org' } });
    await expect(asOther).rejects.toMatchObject({ code: 'FORBIDDEN' });
  });
});

describe('CountUsers', () => {
  it('counts those who have registered since a time', async () => {
    const since = timestampFromDate(new Date());
    const future = timestampFromDate(new Date(Date.now() + 3_600_000));
    const before = await people.users.countUsers({ since: [since] });
    await newPerson();
    await newPerson();
    const after = await people.users.countUsers({ since: [since, future] });
    expect(after.since.map(Number)).toEqual([Number(before.since[0]) + 2, 0]);
    expect(after.total).toBeGreaterThanOrEqual(0n);
    expect((await people.users.countUsers({})).since).toEqual([]);
  });

  it('counts those who have registered between times', async () => {
    const bounds = [-60_000, 0, 3_600_000, 7_200_000].map((offset) => timestampFromDate(new Date(Date.now() + offset)));
    await newPerson();
    const { between, since } = await people.users.countUsers({ bounds, since: bounds.slice(1, 2) });
    expect(between).toHaveLength(3);
    expect(between.slice(1)).toEqual([since[0], 0n]);
    expect(Number(between[1])).toBeGreaterThan(0);
    expect((await people.users.countUsers({ bounds: bounds.slice(0, 1) })).between).toEqual([]);
  });

  it('takes times between which it counts in ascending order only, and of a month at most', async () => {
    const at = (days: number) => timestampFromDate(new Date(Date.now() - days * 86_400_000));
    for (const bounds of [[at(1), at(2)], [at(32), at(0)], Array.from({ length: 33 }, (_, index) => at((33 - index) / 2))]) {
      await expect(people.users.countUsers({ bounds })).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
    }
  });

  it('needs the scope, and at most four times', async () => {
    const since = Array.from({ length: 5 }, () => timestampFromDate(new Date()));
    await expect(people.users.countUsers({ since })).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
    await expect(clients.users.countUsers({})).rejects.toMatchObject({ code: 'FORBIDDEN' });
  });
});

describe('ListUserSessions', () => {
  it('returns the active sessions of a user, a page at a time', async () => {
    const person = await newPerson();
    await signIn(clients, person.wallet);
    const first = await people.sessions.listUserSessions({ userId: person.userId, page: { limit: 1, cursor: '' } });
    const second = await people.sessions.listUserSessions({
      userId: person.userId,
      page: { limit: 5, cursor: first.page?.nextCursor ?? '' },
    });
    const own = await clients.sessions.listSessions({}, as(person.userToken));
    expect([...first.sessions, ...second.sessions].map(({ id }) => id)).toEqual(own.sessions.map(({ id }) => id));
    expect(first.sessions.some(({ current }) => current)).toBe(false);
    await clients.sessions.endAllSessions({}, as(person.userToken));
    expect((await people.sessions.listUserSessions({ userId: person.userId })).sessions).toEqual([]);
  });

  it('needs a user, and the scope', async () => {
    await expect(people.sessions.listUserSessions({ userId: randomUUID() })).rejects.toMatchObject({ code: 'USER_NOT_FOUND' });
    await expect(clients.sessions.listUserSessions({ userId: randomUUID() })).rejects.toMatchObject({ code: 'FORBIDDEN' });
  });
});

describe('EndUserSession', () => {
  it('ends a session of the user for good, also when it is repeated, and leaves the others', async () => {
    const person = await newPerson();
    await signIn(clients, person.wallet);
    const [newest, oldest] = (await people.sessions.listUserSessions({ userId: person.userId })).sessions;
    const end = { userId: person.userId, sessionId: oldest?.id ?? '' };
    for (const _repeat of [1, 2]) await people.sessions.endUserSession(end);
    await expect(clients.users.getCurrentUser({}, as(person.userToken))).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
    expect((await people.sessions.listUserSessions({ userId: person.userId })).sessions.map(({ id }) => id)).toEqual([newest?.id]);
  });

  it('needs a session of that user, and the scope', async () => {
    const [person, other] = [await newPerson(), await newPerson()];
    const [session] = (await people.sessions.listUserSessions({ userId: other.userId })).sessions;
    for (const sessionId of [session?.id ?? '', randomUUID()]) {
      await expect(people.sessions.endUserSession({ userId: person.userId, sessionId })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    }
    const end = { userId: other.userId, sessionId: session?.id ?? '' };
    await expect(people.sessions.endUserSession({ ...end, userId: randomUUID() })).rejects.toMatchObject({ code: 'USER_NOT_FOUND' });
    await expect(clients.sessions.endUserSession(end)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await clients.users.getCurrentUser({}, as(other.userToken));
  });
});

const onboard = async (person: Person): Promise<void> => {
  await accept(person);
  await deliver(event(person, 5, 'approved'));
  await explain(person);
};

describe('the onboarding of a person', () => {
  it('is shown to a service without the page of the provider', async () => {
    const person = await newPerson();
    await accept(person);
    const shown = await people.onboarding.getOnboarding({ userId: person.userId });
    expect(shown).toMatchObject({ status: OnboardingStatus.ACTION_COMPLETE_KYC, url: '' });
    expect((await clients.onboarding.getOnboarding({}, as(person.userToken))).url).not.toBe('');
    const named = clients.onboarding.getOnboarding({ userId: person.userId }, as(person.userToken));
    await expect(named).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
    await expect(people.onboarding.getOnboarding({})).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
  });
});

describe('TakeKycBack', () => {
  const takeBack = ({ userId }: Person, requestId: string = randomUUID()) => people.kyc.takeKycBack({ requestId, userId });

  it('puts an approved check into review and blocks the account, until the provider decides', async () => {
    const person = await newPerson();
    await onboard(person);
    expect(accountOf(person)?.status).toBe(AccountStatus.ACTIVE);
    expect(await takeBack(person)).toMatchObject({ status: KycStatus.IN_REVIEW });
    expect(await kycOf(person)).toBe(KycStatus.IN_REVIEW);
    expect(accountOf(person)?.status).toBe(AccountStatus.BLOCKED);
    // The provider's numbering goes on where it was.
    expect(await deliver(event(person, 6, 'approved'))).toMatchObject({ applied: true });
    expect(await kycOf(person)).toBe(KycStatus.APPROVED);
    expect(accountOf(person)?.status).toBe(AccountStatus.BLOCKED);
  });

  it('is done once, also by several at once, and not again by a repeat after a new approval', async () => {
    const person = await newPerson();
    await onboard(person);
    const requestId = randomUUID();
    const answers = await Promise.all([1, 2, 3].map(() => takeBack(person, requestId)));
    expect(answers.map(({ status }) => status)).toEqual([KycStatus.IN_REVIEW, KycStatus.IN_REVIEW, KycStatus.IN_REVIEW]);
    await deliver(event(person, 6, 'approved'));
    expect(await takeBack(person, requestId)).toMatchObject({ status: KycStatus.APPROVED });
    expect(await takeBack(person)).toMatchObject({ status: KycStatus.IN_REVIEW });
  });

  it('of nobody changes nothing, and leaves nothing to settle', async () => {
    const erased = await newPerson();
    await onboard(erased);
    // As an erasure leaves a user: the state of the check is kept.
    const gone = { $set: { isErasing: true, erasedAt: new Date(), wallets: [] }, $unset: { email: '' as const, kycEventIds: '' as const } };
    await world.collection('users').updateOne({ _id: erased.userId }, gone);
    const userIds = [erased.userId, randomUUID()];
    for (const userId of userIds) await expect(takeBack({ ...erased, userId })).rejects.toMatchObject({ code: 'USER_NOT_FOUND' });
    expect(await world.collection('users').findOne({ _id: erased.userId })).toMatchObject({ kycStatus: 'approved' });
    world.clock.advanceSeconds(11);
    const isSettled = async () =>
      (await world.collection('onboarding_marks').countDocuments({ userId: { $in: userIds } })) === 0 ? true : undefined;
    await waitFor('no marks', isSettled);
  });

  it('needs an approved check, a user, and the scope', async () => {
    const person = await newPerson();
    await expect(takeBack(person)).rejects.toMatchObject({ code: 'KYC_STATE_CONFLICT' });
    await expect(takeBack({ ...person, userId: randomUUID() })).rejects.toMatchObject({ code: 'USER_NOT_FOUND' });
    await expect(clients.kyc.takeKycBack({ requestId: randomUUID(), userId: person.userId })).rejects.toMatchObject({ code: 'FORBIDDEN' });
  });
});
