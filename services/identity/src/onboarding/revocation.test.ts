import { OnboardingStatus } from '@florin/proto/identity/v1/onboarding_service';
import { KycStatus } from '@florin/proto/identity/v1/user';
import { AccountStatus } from '@florin/proto/ledger/v1/account';
import { waitFor } from '@florin/rpc/testing';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { createOnboardingWorld, type Person, TERMS } from '../testing/onboarding-world.ts';
import { as, newUser } from '../testing/world.ts';

const { world, newPerson, accountOf, statusOf, kycOf, accept, explain, event, deliver } = await createOnboardingWorld();
afterAll(() => world.close());
afterEach(() => {
  world.ledger.failing.clear();
  world.ledger.hooks.around = (_call, work) => work();
});

const approved = async (): Promise<Person> => {
  const person = await newPerson();
  await Promise.all([accept(person), explain(person), deliver(event(person, 1, 'approved'))]);
  expect(accountOf(person)?.status).toBe(AccountStatus.ACTIVE);
  return person;
};

describe('an approval that the KYC provider takes back', () => {
  it.each([
    ['rejected', OnboardingStatus.REJECTED, KycStatus.REJECTED],
    ['in_review', OnboardingStatus.KYC_IN_REVIEW, KycStatus.IN_REVIEW],
    ['resubmission_requested', OnboardingStatus.ACTION_KYC_RESUBMISSION, KycStatus.RESUBMISSION_REQUESTED],
  ])('blocks the account with the event %s and shows the reason', async (word, status, kyc) => {
    const person = await approved();
    expect(await deliver(event(person, 2, word))).toMatchObject({ applied: true });
    expect(accountOf(person)?.status).toBe(AccountStatus.BLOCKED);
    expect(await statusOf(person)).toBe(status);
    expect(await kycOf(person)).toBe(kyc);
  });

  it('shows the reason before new terms', async () => {
    const person = await approved();
    await deliver(event(person, 2, 'rejected'));
    const terms = JSON.stringify(TERMS.map((term) => ({ ...term, version: '9' })));
    const next = world.clientsOf((await world.start({}, { TERMS: terms })).url);
    expect(await statusOf(person, next)).toBe(OnboardingStatus.REJECTED);
  });

  it('blocks the account under ONBOARDING=open', async () => {
    const open = world.clientsOf((await world.start({}, { ONBOARDING: 'open' })).url);
    const user = await newUser(open);
    const { profileId } = await open.kyc.getKyc({}, as(user.userToken));
    const person = { ...user, profileId };
    await open.sandbox.moveKyc({ status: KycStatus.IN_REVIEW }, as(user.userToken));
    expect(accountOf(person)?.status).toBe(AccountStatus.ACTIVE);
    await open.sandbox.moveKyc({ status: KycStatus.REJECTED }, as(user.userToken));
    expect(accountOf(person)?.status).toBe(AccountStatus.BLOCKED);
    expect(await statusOf(person, open)).toBe(OnboardingStatus.REJECTED);
  });

  it('does not unblock the account when the provider approves again', async () => {
    const person = await approved();
    await deliver(event(person, 2, 'in_review'));
    await deliver(event(person, 3, 'approved'));
    expect(await kycOf(person)).toBe(KycStatus.APPROVED);
    expect(accountOf(person)?.status).toBe(AccountStatus.BLOCKED);
  });

  it('blocks the account once the ledger is available again', async () => {
    const person = await approved();
    world.ledger.failing.add('block');
    expect(await deliver(event(person, 2, 'rejected'))).toMatchObject({ applied: true });
    expect(await statusOf(person)).toBe(OnboardingStatus.REJECTED);
    expect(accountOf(person)?.status).toBe(AccountStatus.ACTIVE);
    world.ledger.failing.clear();
    world.clock.advanceSeconds(11);
    await waitFor('a blocked account', async () => (accountOf(person)?.status === AccountStatus.BLOCKED ? true : undefined));
    await waitFor('no mark', async () =>
      (await world.collection('onboarding_marks').findOne({ userId: person.userId })) === null ? true : undefined,
    );
  });

  it('blocks an account whose activation it overtakes', async () => {
    const person = await newPerson();
    await accept(person);
    await explain(person);
    let isFirst = true;
    world.ledger.hooks.around = async (call, work) => {
      if (call === 'activate' && isFirst) {
        isFirst = false;
        // The account is still in provisioning, so this event cannot block it.
        await deliver(event(person, 2, 'rejected'));
        expect(accountOf(person)?.status).toBe(AccountStatus.PROVISIONING);
      }
      work();
    };
    await deliver(event(person, 1, 'approved'));
    expect(accountOf(person)?.status).toBe(AccountStatus.BLOCKED);
    expect(await statusOf(person)).toBe(OnboardingStatus.REJECTED);
  });
});
