import { OnboardingStatus } from '@florin/proto/identity/v1/onboarding_service';
import { KycStatus } from '@florin/proto/identity/v1/user';
import { AccountStatus } from '@florin/proto/ledger/v1/account';
import { waitFor } from '@florin/rpc/testing';
import { afterAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { ACCEPTED, ANSWERS, createOnboardingWorld, type Person, TERMS } from '../testing/onboarding-world.ts';
import { as, newUser, newWallet, signIn } from '../testing/world.ts';

const { world, clients, newPerson, accountOf, accountIdOf, statusOf, kycOf, accept, explain, event, deliver } =
  await createOnboardingWorld();
afterAll(() => world.close());
beforeEach(() => world.ledger.failing.clear());

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

  it.each(ORDERS)('activates the account after %s, %s and %s, and not before', async (...order) => {
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

  it('activates the account when the last steps are concurrent', async () => {
    for (let round = 0; round < 5; round += 1) {
      const person = await newPerson();
      await Promise.all([accept(person), approve(person), explain(person)]);
      expect(accountOf(person)?.status).toBe(AccountStatus.ACTIVE);
    }
  });

  it('reports the next step, in order', async () => {
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

  it('requires new terms to be accepted and leaves the account active', async () => {
    const person = await newPerson();
    await Promise.all([accept(person), approve(person)]);
    await explain(person);
    const terms = JSON.stringify(TERMS.map((term) => ({ ...term, version: '9' })));
    const replica = await world.start({}, { TERMS: terms });
    // Its sweeper would judge the people of other tests by its own terms.
    onTestFinished(replica.close);
    const next = world.clientsOf(replica.url);
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

  it('is completed by the sweeper when the ledger was unavailable at the last step', async () => {
    const person = await newPerson();
    await accept(person);
    await explain(person);
    world.ledger.failing.add('activate');
    await approve(person);
    expect(await kycOf(person)).toBe(KycStatus.APPROVED);
    expect(accountOf(person)?.status).toBe(AccountStatus.PROVISIONING);
    await expect(statusOf(person)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    // A failed attempt keeps the mark.
    const markedAt = async () => (await world.collection('onboarding_marks').findOne({ userId: person.userId }))?.['at'];
    const seen = String(await markedAt());
    world.clock.advanceSeconds(11);
    await waitFor('an attempt of the sweeper', async () => (String(await markedAt()) === seen ? undefined : true));
    world.ledger.failing.clear();
    world.clock.advanceSeconds(11);
    await waitFor('an active account', async () => (accountOf(person)?.status === AccountStatus.ACTIVE ? true : undefined));
    await waitFor('no mark', async () => ((await markedAt()) === undefined ? true : undefined));
  });

  it('is completed by GetOnboarding', async () => {
    const person = await newPerson();
    await accept(person);
    await explain(person);
    world.ledger.failing.add('activate');
    await approve(person);
    world.ledger.failing.clear();
    expect(await statusOf(person)).toBe(OnboardingStatus.COMPLETED);
    expect(accountOf(person)?.status).toBe(AccountStatus.ACTIVE);
  });

  it('leaves a blocked account blocked', async () => {
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

  it('requires nothing with ONBOARDING=open', async () => {
    const open = world.clientsOf((await world.start({}, { ONBOARDING: 'open' })).url);
    const { userToken } = await newUser(open);
    expect(await open.onboarding.getOnboarding({}, as(userToken))).toMatchObject({ status: OnboardingStatus.COMPLETED, url: '' });
    // Activates accounts that waited under ONBOARDING=kyc.
    const person = await newPerson();
    expect(await statusOf(person, open)).toBe(OnboardingStatus.COMPLETED);
    expect(accountOf(person)?.status).toBe(AccountStatus.ACTIVE);
  });

  it('requires a registered user', async () => {
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
