import { randomUUID } from 'node:crypto';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { streamOf } from '@florin/data/outbox';
import { OnboardingStatus } from '@florin/proto/identity/v1/onboarding_service';
import { KycStatus } from '@florin/proto/identity/v1/user';
import { signDelivery, waitFor } from '@florin/rpc/testing';
import { afterAll, describe, expect, it } from 'vitest';
import { createOnboardingWorld, type Person, SECRET } from '../testing/onboarding-world.ts';
import { as, signIn } from '../testing/world.ts';

const { world, clients, newPerson, kycOf, accept, event, deliver } = await createOnboardingWorld();
afterAll(() => world.close());

describe('events of the KYC provider', () => {
  it('move the check once each and publish events without personal data', async () => {
    const person = await newPerson();
    const review = event(person, 2, 'in_review');
    expect(await deliver(event(person, 1, 'pending'))).toMatchObject({ applied: true });
    expect(await deliver(review)).toMatchObject({ applied: true });
    expect(await deliver(review)).toMatchObject({ applied: false });
    expect(await kycOf(person)).toBe(KycStatus.IN_REVIEW);
    const { user } = await clients.threeds.getUser({ userId: person.userId });
    expect(user?.kycStatus).toBe(KycStatus.IN_REVIEW);
    const payloads = await waitFor('both events', async () => {
      const entries = (await world.redis.xRevRange(streamOf('identity'), '+', '-', { COUNT: 200 })) ?? [];
      const ours = entries.flatMap(({ message }) =>
        message['aggregateId'] === person.userId && message['type'] === 'user.kyc_changed' ? [message['payload']] : [],
      );
      return ours.length < 2 ? undefined : ours.reverse().map((payload) => JSON.parse(payload ?? '{}') as object);
    });
    expect(payloads).toEqual(
      ['pending', 'in_review'].map((state) => ({ userId: person.userId, partnerId: 'florin', state, status: state })),
    );
  });

  it('lead to the state of the newest one in any order', async () => {
    const words = ['documents_requested', 'pending', 'in_review', 'resubmission_requested', 'in_review', 'approved'];
    for (let round = 0; round < 4; round += 1) {
      const person = await newPerson();
      const events = words.map((word, index) => event(person, index + 1, word));
      const shuffled = [...events, ...events].sort(() => Math.random() - 0.5);
      await Promise.all(shuffled.map((one) => deliver(one)));
      expect(await kycOf(person)).toBe(KycStatus.APPROVED);
      expect(await deliver(event(person, 7, 'pending'))).toMatchObject({ applied: false });
      expect(await kycOf(person)).toBe(KycStatus.APPROVED);
    }
  });

  it('that repeat a state make older ones stale', async () => {
    const person = await newPerson();
    await deliver(event(person, 3, 'in_review'));
    await deliver(event(person, 5, 'in_review'));
    expect(await deliver(event(person, 4, 'resubmission_requested'))).toMatchObject({ applied: false });
    expect(await kycOf(person)).toBe(KycStatus.IN_REVIEW);
  });

  it('list the checks of all users that are in review, by user, with their begin', async () => {
    const [first, second, decided] = [await newPerson(), await newPerson(), await newPerson()];
    for (const person of [first, second, decided]) await deliver(event(person, 1, 'in_review'));
    await deliver(event(decided, 2, 'approved'));
    const list = async (cursor = '') => clients.people.kyc.listKycReviews({ page: { limit: 100, cursor } });
    const { reviews, page } = await list();
    const ids = reviews.map(({ userId }) => userId);
    expect([ids, page?.nextCursor]).toEqual([[...ids].sort(), '']);
    expect(ids).toEqual(expect.arrayContaining([first.userId, second.userId]));
    expect(ids).not.toContain(decided.userId);
    const review = reviews.find(({ userId }) => userId === first.userId);
    expect(review).toMatchObject({ profileId: first.profileId, since: timestampFromDate(world.clock.now()) });
    await expect(list('bogus')).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
  });

  it('are rejected unless a recent signature covers their bytes', async () => {
    const person = await newPerson();
    const approved = event(person, 1, 'approved');
    const refused = { code: 'INVALID_SIGNATURE' };
    const ago = (seconds: number) => new Date(world.clock.now().getTime() - seconds * 1000);
    await expect(deliver(approved, { signature: '' })).rejects.toMatchObject(refused);
    await expect(deliver(approved, { secret: 'another secret altogether' })).rejects.toMatchObject(refused);
    await expect(deliver(approved, { at: ago(302) })).rejects.toMatchObject(refused);
    await expect(deliver(approved, { at: ago(-302) })).rejects.toMatchObject(refused);
    await expect(
      deliver(approved, { signature: signDelivery(JSON.stringify(event(person, 1, 'rejected')), world.clock.now(), SECRET) }),
    ).rejects.toMatchObject(refused);
    // The signature is verified before the body is parsed.
    await expect(deliver('no JSON', { signature: 't=1,v1=00' })).rejects.toMatchObject(refused);
    expect(await kycOf(person)).toBe(KycStatus.NOT_STARTED);
    await deliver(approved, { at: ago(290) });
    expect(await kycOf(person)).toBe(KycStatus.APPROVED);
  });

  it('are rejected without a configured secret and from callers without the scope', async () => {
    const silent = world.clientsOf((await world.start({}, { KYC_WEBHOOK_SECRET: '' })).url);
    const body = new TextEncoder().encode('{}');
    const signature = signDelivery(body, world.clock.now(), '');
    await expect(silent.kyc.receiveEvent({ body, signature })).rejects.toMatchObject({ code: 'INVALID_SIGNATURE' });
    const { userToken } = await newPerson();
    await expect(clients.kyc.receiveEvent({ body, signature }, as(userToken))).rejects.toMatchObject({ code: 'FORBIDDEN' });
  });

  it.each([
    ['no JSON', 'approved', 'VALIDATION_FAILED'],
    ['no object', '[]', 'VALIDATION_FAILED'],
    ['broken UTF-8 in place of text', '"\ud800"', 'VALIDATION_FAILED'],
    ['an unknown state', { id: 'e', profileId: randomUUID(), sequence: 1, status: 'promoted' }, 'VALIDATION_FAILED'],
    ['an unknown profile', { id: 'e', profileId: randomUUID(), sequence: 1, status: 'approved' }, 'KYC_PROFILE_NOT_FOUND'],
  ])('are rejected with %s', async (_what, content, code) => {
    await expect(deliver(content)).rejects.toMatchObject({ code });
  });
});

describe('pages of the KYC provider', () => {
  it('are returned again while they are valid, one per user', async () => {
    const [person, other] = [await newPerson(), await newPerson()];
    const open = ({ userToken }: Person) => clients.kyc.createKycSession({}, as(userToken));
    const first = await open(person);
    expect(first.url).toMatch(/^https:/);
    expect(await open(person)).toEqual(first);
    expect((await open(other)).url).not.toBe(first.url);
    expect(await clients.onboarding.getOnboarding({}, as(person.userToken))).toMatchObject({ url: '' });
    await accept(person);
    expect(await clients.onboarding.getOnboarding({}, as(person.userToken))).toMatchObject({
      status: OnboardingStatus.ACTION_COMPLETE_KYC,
      url: first.url,
      kycStatus: KycStatus.NOT_STARTED,
    });
    world.clock.advanceSeconds(3600);
    const { accessToken } = await signIn(clients, person.wallet);
    expect((await open({ ...person, userToken: accessToken })).url).not.toBe(first.url);
  });

  it('require a check that waits for documents', async () => {
    const person = await newPerson();
    await deliver(event(person, 1, 'in_review'));
    await expect(clients.kyc.createKycSession({}, as(person.userToken))).rejects.toMatchObject({ code: 'KYC_STATE_CONFLICT' });
    await deliver(event(person, 2, 'resubmission_requested'));
    await expect(clients.kyc.createKycSession({}, as(person.userToken))).resolves.toBeDefined();
  });

  it('that cannot be opened do not hide the status', async () => {
    const kyc = {
      createProfile: () => Promise.reject(new Error('must not be called')),
      createSession: () => Promise.reject(new Error('unavailable')),
    };
    const broken = world.clientsOf((await world.start({ kyc })).url);
    const person = await newPerson();
    await accept(person);
    await expect(broken.kyc.createKycSession({}, as(person.userToken))).rejects.toMatchObject({ code: 'KYC_SESSION_FAILED' });
    expect(await broken.onboarding.getOnboarding({}, as(person.userToken))).toMatchObject({
      status: OnboardingStatus.ACTION_COMPLETE_KYC,
      url: '',
    });
  });
});

describe('the sandbox', () => {
  const move = ({ userToken }: Person, status: KycStatus) => clients.sandbox.moveKyc({ status }, as(userToken));

  it('moves a check as events do', async () => {
    const person = await newPerson();
    await move(person, KycStatus.IN_REVIEW);
    await move(person, KycStatus.RESUBMISSION_REQUESTED);
    await move(person, KycStatus.RESUBMISSION_REQUESTED);
    await move(person, KycStatus.APPROVED);
    await move(person, KycStatus.REJECTED);
    await expect(move(person, KycStatus.APPROVED)).rejects.toMatchObject({ code: 'KYC_STATE_CONFLICT' });
    expect(await kycOf(person)).toBe(KycStatus.REJECTED);
    for (const status of [KycStatus.UNSPECIFIED, KycStatus.NOT_STARTED, 99 as KycStatus]) {
      await expect(move(person, status)).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
    }
  });
});
