import { OnboardingStatus } from '@florin/proto/identity/v1/onboarding_service';
import { KycStatus } from '@florin/proto/identity/v1/user';
import { AccountStatus } from '@florin/proto/ledger/v1/account';
import { waitFor } from '@florin/rpc/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type IdentityProcess, startIdentityProcess } from '../testing/identity-process.ts';
import { as, createWorld, newUser, type World } from '../testing/world.ts';

let world: World;
let identity: IdentityProcess;

beforeAll(async () => {
  world = await createWorld({ ONBOARDING: 'kyc', SOURCE_OF_FUNDS: '[]' });
  identity = await startIdentityProcess('main', world.env);
});
afterAll(async () => {
  identity?.kill();
  await identity?.ended;
  await world?.close();
});

it('activates an account without another request after identity was killed at the last step', async () => {
  const clients = world.clientsOf(identity.url);
  const { userId, userToken } = await newUser(clients);
  const account = () => [...world.ledger.accounts.values()].find((one) => one.userId === userId);
  const { terms } = await clients.terms.listTerms({});
  await clients.terms.acceptTerms({ terms: terms.map(({ type, currentVersion }) => ({ type, version: currentVersion })) }, as(userToken));
  expect((await clients.onboarding.getOnboarding({}, as(userToken))).status).toBe(OnboardingStatus.ACTION_COMPLETE_KYC);

  const { ended } = identity;
  world.ledger.hooks.around = async () => {
    identity.kill();
    await ended;
  };
  await expect(clients.sandbox.moveKyc({ status: KycStatus.APPROVED }, as(userToken))).rejects.toMatchObject({
    code: 'SERVICE_UNAVAILABLE',
  });
  expect(await ended).toBe('SIGKILL');
  expect(account()?.status).toBe(AccountStatus.PROVISIONING);

  world.ledger.hooks.around = (_call, work) => work();
  identity = await startIdentityProcess('main', world.env);
  await waitFor('an active account', async () => (account()?.status === AccountStatus.ACTIVE ? true : undefined), 25_000);
  expect(await world.collection('users').findOne({ _id: userId })).toMatchObject({ kycStatus: 'approved' });
}, 60_000);
