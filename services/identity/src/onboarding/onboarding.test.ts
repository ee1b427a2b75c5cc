import { randomUUID } from 'node:crypto';
import { streamOf } from '@florin/data/outbox';
import { OnboardingStatus } from '@florin/proto/identity/v1/onboarding_service';
import { KycStatus } from '@florin/proto/identity/v1/user';
import { AccountStatus } from '@florin/proto/ledger/v1/account';
import { signDelivery, waitFor } from '@florin/rpc/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { as, type Clients, createWorld, newUser, newWallet, signIn, type World } from '../testing/world.ts';

const SECRET = 'secret of the KYC provider';
const TERMS = [
  { type: 'general', name: 'General', url: 'https://terms.example.org/general', version: '1' },
  { type: 'card', name: 'Card', url: 'https://terms.example.org/card', version: '2026-03' },
];
const QUESTIONS = [
  { question: 'From where?', answers: ['Work', 'Luck'] },
  { question: 'How much?', answers: ['Little', 'Much'] },
];
const ANSWERS = [
  { question: 'From where?', answer: 'Work' },
  { question: 'How much?', answer: 'Little' },
];
const ACCEPTED = TERMS.map(({ type, version }) => ({ type, version }));

let world: World;
let clients: Clients;

beforeAll(async () => {
  world = await createWorld({
    ONBOARDING: 'kyc',
    TERMS: JSON.stringify(TERMS),
    SOURCE_OF_FUNDS: JSON.stringify(QUESTIONS),
    KYC_WEBHOOK_SECRET: SECRET,
  });
  clients = world.clientsOf((await world.start()).url);
});
afterAll(() => world.close());
beforeEach(() => world.ledger.failing.clear());

type Person = Awaited<ReturnType<typeof newUser>> & { profileId: string };

const newPerson = async (): Promise<Person> => {
  const user = await newUser(clients);
  const { profileId } = await clients.kyc.getKyc({}, as(user.userToken));
  return { ...user, profileId };
};
const accountOf = ({ userId }: Person) => [...world.ledger.accounts.values()].find((account) => account.userId === userId);
const accountIdOf = ({ userId }: Person) => [...world.ledger.accounts].find(([, account]) => account.userId === userId)?.[0] ?? '';
const statusOf = async ({ userToken }: Person, at = clients) => (await at.onboarding.getOnboarding({}, as(userToken))).status;
const kycOf = async ({ userToken }: Person) => (await clients.kyc.getKyc({}, as(userToken))).status;
const accept = ({ userToken }: Person, terms = ACCEPTED, at = clients) => at.terms.acceptTerms({ terms, ip: '203.0.113.7' }, as(userToken));
const explain = ({ userToken }: Person, answers = ANSWERS, at = clients) => at.funds.submitSourceOfFunds({ answers }, as(userToken));
const deliver = (event: object | string, options: { secret?: string; at?: Date; signature?: string } = {}) => {
  const body = new TextEncoder().encode(typeof event === 'string' ? event : JSON.stringify(event));
  const { secret = SECRET, at = world.clock.now() } = options;
  return clients.kyc.receiveEvent({ body, signature: options.signature ?? signDelivery(body, at, secret) });
};
const event = ({ profileId }: Person, sequence: number, status: string, id: string = randomUUID()) => ({ id, profileId, sequence, status });

describe('terms', () => {
  it('are listed for everybody, and with what was accepted for a user', async () => {
    const terms = TERMS.map(({ version, ...term }) => expect.objectContaining({ ...term, currentVersion: version }));
    expect((await clients.terms.listTerms({})).terms).toEqual(terms);
    const person = await newPerson();
    const before = await clients.terms.listUserTerms({}, as(person.userToken));
    expect(
      before.terms.map(({ term, accepted, acceptedVersion, acceptedAt }) => [term?.type, accepted, acceptedVersion, acceptedAt]),
    ).toEqual([
      ['general', false, '', undefined],
      ['card', false, '', undefined],
    ]);
    await accept(person, ACCEPTED.slice(1));
    const after = await clients.terms.listUserTerms({}, as(person.userToken));
    expect(after.terms.map(({ accepted, acceptedVersion }) => [accepted, acceptedVersion])).toEqual([
      [false, ''],
      [true, '2026-03'],
    ]);
    const other = await newPerson();
    expect((await clients.terms.listUserTerms({}, as(other.userToken))).terms.map(({ accepted }) => accepted)).toEqual([false, false]);
  });

  it('keep the first time of an acceptance, and where it came from', async () => {
    const person = await newPerson();
    await accept(person);
    const first = await clients.terms.listUserTerms({}, as(person.userToken));
    world.clock.advanceSeconds(60);
    await Promise.all([accept(person), accept(person)]);
    expect(await clients.terms.listUserTerms({}, as(person.userToken))).toEqual(first);
    const stored = await world.collection('term_acceptances').find({ userId: person.userId }).toArray();
    expect(stored).toHaveLength(2);
    expect(stored[0]).toMatchObject({ ip: '203.0.113.7' });
  });

  it.each([
    ['an unknown document', [...ACCEPTED, { type: 'other', version: '1' }], 'TERMS_VERSION_INVALID'],
    ['an old version', [{ type: 'general', version: '0' }], 'TERMS_VERSION_INVALID'],
    ['a version of another document', [{ type: 'general', version: '2026-03' }], 'TERMS_VERSION_INVALID'],
    ['a name of an object', [{ type: '__proto__', version: '1' }], 'TERMS_VERSION_INVALID'],
    ['nothing', [], 'VALIDATION_FAILED'],
    ['too many', Array.from({ length: 21 }, () => ({ type: 'general', version: '1' })), 'VALIDATION_FAILED'],
    ['an endless name', [{ type: 'x'.repeat(41), version: '1' }], 'VALIDATION_FAILED'],
  ])('refuse %s, and record nothing of it', async (_what, terms, code) => {
    const person = await newPerson();
    await expect(accept(person, terms)).rejects.toMatchObject({ code });
    expect(await world.collection('term_acceptances').countDocuments({ userId: person.userId })).toBe(0);
  });
});

describe('source of funds', () => {
  it('keeps each set of answers as a version, and the same again as none', async () => {
    const person = await newPerson();
    const read = () => clients.funds.getSourceOfFunds({}, as(person.userToken));
    expect(await read()).toMatchObject({ questions: QUESTIONS, answers: [], complete: false });
    await explain(person);
    await explain(person, [...ANSWERS].reverse());
    expect(await read()).toMatchObject({ answers: ANSWERS, complete: true });
    const changed = [{ question: 'From where?', answer: 'Luck' }, ...ANSWERS.slice(1)];
    await Promise.all(Array.from({ length: 5 }, () => explain(person, changed)));
    expect(await read()).toMatchObject({ answers: changed, complete: true });
    const stored = await world.collection('funds_answers').find({ userId: person.userId }).sort({ version: 1 }).toArray();
    expect(stored).toMatchObject([
      { version: 1, answers: ANSWERS },
      { version: 2, answers: changed },
    ]);
  });

  it.each([
    ['an unknown question', [...ANSWERS, { question: 'Why?', answer: 'So' }], 'answers.2.question: '],
    ['an answer that is not allowed', [{ question: 'From where?', answer: 'Theft' }], 'answers.0.answer: '],
    ['a question left out', ANSWERS.slice(1), 'answers: '],
    ['an endless answer', [{ question: 'From where?', answer: 'x'.repeat(201) }], 'answers.0.answer: '],
    ['too many answers', Array.from({ length: 31 }, () => ({ question: 'q', answer: 'a' })), 'answers: '],
  ])('refuses %s', async (_what, answers, message) => {
    const person = await newPerson();
    await expect(explain(person, answers)).rejects.toMatchObject({
      code: 'VALIDATION_FAILED',
      message: expect.stringContaining(message),
    });
    expect(await world.collection('funds_answers').countDocuments({ userId: person.userId })).toBe(0);
  });
});

describe('events of the KYC provider', () => {
  it('move the check, once each, and say so in an event without personal data', async () => {
    const person = await newPerson();
    const review = event(person, 2, 'in_review');
    expect(await deliver(event(person, 1, 'pending'))).toMatchObject({ applied: true });
    expect(await deliver(review)).toMatchObject({ applied: true });
    expect(await deliver(review)).toMatchObject({ applied: false });
    expect(await kycOf(person)).toBe(KycStatus.IN_REVIEW);
    const { user } = await clients.threeds.getUser({ userId: person.userId });
    expect(user?.kycStatus).toBe(KycStatus.IN_REVIEW);
    const told = await waitFor('both events', async () => {
      const entries = (await world.redis.xRevRange(streamOf('identity'), '+', '-', { COUNT: 200 })) ?? [];
      const ours = entries.flatMap(({ message }) =>
        message['aggregateId'] === person.userId && message['type'] === 'user.kyc_changed' ? [message['payload']] : [],
      );
      return ours.length < 2 ? undefined : ours.reverse().map((payload) => JSON.parse(payload ?? '{}') as object);
    });
    expect(told).toEqual(['PENDING', 'IN_REVIEW'].map((state) => ({ userId: person.userId, partnerId: 'florin', state })));
  });

  it('out of order end where the newest one says, and never go back', async () => {
    const words = ['documents_requested', 'pending', 'in_review', 'resubmission_requested', 'in_review', 'approved'];
    for (let round = 0; round < 4; round += 1) {
      const person = await newPerson();
      const events = words.map((word, index) => event(person, index + 1, word));
      const shuffled = [...events, ...events].sort(() => Math.random() - 0.5);
      await Promise.all(shuffled.map((one) => deliver(one)));
      expect(await kycOf(person)).toBe(KycStatus.APPROVED);
      expect(await deliver(event(person, 7, 'in_review'))).toMatchObject({ applied: false });
      expect(await deliver(event(person, 8, 'rejected'))).toMatchObject({ applied: false });
      expect(await kycOf(person)).toBe(KycStatus.APPROVED);
    }
  });

  it('that only repeat a state still make older ones stale', async () => {
    const person = await newPerson();
    await deliver(event(person, 3, 'in_review'));
    await deliver(event(person, 5, 'in_review'));
    expect(await deliver(event(person, 4, 'resubmission_requested'))).toMatchObject({ applied: false });
    expect(await kycOf(person)).toBe(KycStatus.IN_REVIEW);
  });

  it('are not believed unless they are signed, in time, over these bytes', async () => {
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
    // Before a word of it is read.
    await expect(deliver('no JSON', { signature: 't=1,v1=00' })).rejects.toMatchObject(refused);
    expect(await kycOf(person)).toBe(KycStatus.NOT_STARTED);
    await deliver(approved, { at: ago(290) });
    expect(await kycOf(person)).toBe(KycStatus.APPROVED);
  });

  it('are not believed at all without a secret, nor from whoever has no scope', async () => {
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
    ['nobody’s profile', { id: 'e', profileId: randomUUID(), sequence: 1, status: 'approved' }, 'KYC_PROFILE_NOT_FOUND'],
  ])('are refused with %s', async (_what, content, code) => {
    await expect(deliver(content)).rejects.toMatchObject({ code });
  });
});

describe('pages of the KYC provider', () => {
  it('are the same while they are valid, and each person’s own', async () => {
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

  it('are for whoever has something to hand in', async () => {
    const person = await newPerson();
    await deliver(event(person, 1, 'in_review'));
    await expect(clients.kyc.createKycSession({}, as(person.userToken))).rejects.toMatchObject({ code: 'KYC_STATE_CONFLICT' });
    await deliver(event(person, 2, 'resubmission_requested'));
    await expect(clients.kyc.createKycSession({}, as(person.userToken))).resolves.toBeDefined();
  });

  it('that cannot be had do not hide what has to be done', async () => {
    const kyc = {
      createProfile: () => Promise.reject(new Error('not meant to be asked')),
      createSession: () => Promise.reject(new Error('away')),
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

  it('moves a check on the ways that an event could', async () => {
    const person = await newPerson();
    await move(person, KycStatus.IN_REVIEW);
    await move(person, KycStatus.RESUBMISSION_REQUESTED);
    await move(person, KycStatus.RESUBMISSION_REQUESTED);
    await move(person, KycStatus.APPROVED);
    await expect(move(person, KycStatus.REJECTED)).rejects.toMatchObject({ code: 'KYC_STATE_CONFLICT' });
    expect(await kycOf(person)).toBe(KycStatus.APPROVED);
    for (const status of [KycStatus.UNSPECIFIED, KycStatus.NOT_STARTED, 99 as KycStatus]) {
      await expect(move(person, status)).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
    }
  });
});

describe('onboarding', () => {
  const approve = (person: Person) => deliver(event(person, 1, 'approved'));
  const STEPS = { accept, approve, explain } as const;
  const ORDERS = [
    ['accept', 'approve', 'explain'],
    ['accept', 'explain', 'approve'],
    ['approve', 'accept', 'explain'],
    ['approve', 'explain', 'accept'],
    ['explain', 'accept', 'approve'],
    ['explain', 'approve', 'accept'],
  ] as const;

  it.each(ORDERS)('activates the account after %s, %s, %s, and not before', async (...order) => {
    const person = await newPerson();
    for (const step of order) {
      expect(accountOf(person)?.status).toBe(AccountStatus.PROVISIONING);
      expect(await statusOf(person)).not.toBe(OnboardingStatus.COMPLETED);
      await STEPS[step](person);
    }
    expect(accountOf(person)?.status).toBe(AccountStatus.ACTIVE);
    expect(await statusOf(person)).toBe(OnboardingStatus.COMPLETED);
    expect(await world.collection('onboarding_marks').findOne({ userId: person.userId })).toBeNull();
  });

  it('activates when the last steps come at once', async () => {
    for (let round = 0; round < 5; round += 1) {
      const person = await newPerson();
      await Promise.all([accept(person), approve(person), explain(person)]);
      expect(accountOf(person)?.status).toBe(AccountStatus.ACTIVE);
    }
  });

  it('says what is next, in order', async () => {
    const person = await newPerson();
    expect(await statusOf(person)).toBe(OnboardingStatus.ACTION_ACCEPT_TOS);
    await accept(person);
    expect(await statusOf(person)).toBe(OnboardingStatus.ACTION_COMPLETE_KYC);
    await deliver(event(person, 1, 'pending'));
    expect(await statusOf(person)).toBe(OnboardingStatus.KYC_IN_REVIEW);
    await deliver(event(person, 2, 'resubmission_requested'));
    expect(await statusOf(person)).toBe(OnboardingStatus.ACTION_KYC_RESUBMISSION);
    await deliver(event(person, 3, 'approved'));
    expect(await statusOf(person)).toBe(OnboardingStatus.ACTION_COMPLETE_SOF);
    await explain(person);
    expect(await statusOf(person)).toBe(OnboardingStatus.COMPLETED);
  });

  it('ends with a rejection', async () => {
    const person = await newPerson();
    await deliver(event(person, 1, 'rejected'));
    expect(await statusOf(person)).toBe(OnboardingStatus.REJECTED);
    await accept(person);
    await explain(person);
    expect(await statusOf(person)).toBe(OnboardingStatus.REJECTED);
    expect(accountOf(person)?.status).toBe(AccountStatus.PROVISIONING);
  });

  it('asks for new terms again, and leaves the account active', async () => {
    const person = await newPerson();
    await Promise.all([accept(person), approve(person)]);
    await explain(person);
    const terms = JSON.stringify(TERMS.map((term) => ({ ...term, version: '9' })));
    const next = world.clientsOf((await world.start({}, { TERMS: terms })).url);
    expect(await statusOf(person, next)).toBe(OnboardingStatus.ACTION_ACCEPT_TOS);
    expect(accountOf(person)?.status).toBe(AccountStatus.ACTIVE);
    await expect(accept(person, ACCEPTED, next)).rejects.toMatchObject({ code: 'TERMS_VERSION_INVALID' });
    await accept(
      person,
      TERMS.map(({ type }) => ({ type, version: '9' })),
      next,
    );
    expect(await statusOf(person, next)).toBe(OnboardingStatus.COMPLETED);
  });

  it('is sealed by the sweeper when the ledger was away at the last step', async () => {
    const person = await newPerson();
    await accept(person);
    await explain(person);
    world.ledger.failing.add('activate');
    await approve(person);
    expect(await kycOf(person)).toBe(KycStatus.APPROVED);
    expect(accountOf(person)?.status).toBe(AccountStatus.PROVISIONING);
    await expect(statusOf(person)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    // Tried in vain, and not forgotten for that.
    const markedAt = async () => (await world.collection('onboarding_marks').findOne({ userId: person.userId }))?.['at'];
    const seen = String(await markedAt());
    world.clock.advanceSeconds(11);
    await waitFor('a try of the sweeper', async () => (String(await markedAt()) === seen ? undefined : true));
    world.ledger.failing.clear();
    world.clock.advanceSeconds(11);
    await waitFor('an active account', async () => (accountOf(person)?.status === AccountStatus.ACTIVE ? true : undefined));
    await waitFor('no mark', async () => ((await markedAt()) === undefined ? true : undefined));
  });

  it('is sealed by whoever asks, too', async () => {
    const person = await newPerson();
    await accept(person);
    await explain(person);
    world.ledger.failing.add('activate');
    await approve(person);
    world.ledger.failing.clear();
    expect(await statusOf(person)).toBe(OnboardingStatus.COMPLETED);
    expect(accountOf(person)?.status).toBe(AccountStatus.ACTIVE);
  });

  it('lets a blocked account be', async () => {
    const person = await newPerson();
    await accept(person);
    await explain(person);
    const id = accountIdOf(person);
    const account = world.ledger.accounts.get(id);
    if (account !== undefined) world.ledger.accounts.set(id, { ...account, status: AccountStatus.BLOCKED });
    await approve(person);
    expect(accountOf(person)?.status).toBe(AccountStatus.BLOCKED);
    expect(await statusOf(person)).toBe(OnboardingStatus.COMPLETED);
  });

  it('asks for nothing where it is open', async () => {
    const open = world.clientsOf((await world.start({}, { ONBOARDING: 'open' })).url);
    const { userToken } = await newUser(open);
    expect(await open.onboarding.getOnboarding({}, as(userToken))).toMatchObject({ status: OnboardingStatus.COMPLETED, url: '' });
    // Opened to those who were waiting.
    const person = await newPerson();
    expect(await statusOf(person, open)).toBe(OnboardingStatus.COMPLETED);
    expect(accountOf(person)?.status).toBe(AccountStatus.ACTIVE);
  });

  it('is for registered users', async () => {
    const { accessToken } = await signIn(clients, newWallet());
    const refused = { code: 'USER_NOT_REGISTERED' };
    await expect(clients.onboarding.getOnboarding({}, as(accessToken))).rejects.toMatchObject(refused);
    await expect(clients.kyc.getKyc({}, as(accessToken))).rejects.toMatchObject(refused);
    await expect(clients.kyc.createKycSession({}, as(accessToken))).rejects.toMatchObject(refused);
    await expect(clients.terms.listUserTerms({}, as(accessToken))).rejects.toMatchObject(refused);
    await expect(clients.terms.acceptTerms({ terms: ACCEPTED }, as(accessToken))).rejects.toMatchObject(refused);
    await expect(clients.funds.getSourceOfFunds({}, as(accessToken))).rejects.toMatchObject(refused);
    await expect(clients.funds.submitSourceOfFunds({ answers: ANSWERS }, as(accessToken))).rejects.toMatchObject(refused);
    await expect(clients.sandbox.moveKyc({ status: KycStatus.APPROVED }, as(accessToken))).rejects.toMatchObject(refused);
  });
});
