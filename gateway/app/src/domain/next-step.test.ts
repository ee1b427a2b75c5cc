import { expect, test } from 'vitest';
import { JOURNEY, milestoneOf, type NextStep, nextStep } from './next-step.ts';

const active = { session: 'user', onboarding: 'completed', account: 'active' } as const;

test.each<[Parameters<typeof nextStep>[0], NextStep | undefined]>([
  [{ session: 'none' }, 'sign_in'],
  [{ session: 'none', onboarding: 'completed', account: 'active', cards: 1 }, 'sign_in'],
  [{ session: 'wallet' }, 'register'],
  [{ session: 'user' }, undefined],
  [{ session: 'user', onboarding: 'action_accept_tos' }, undefined],
  [{ session: 'user', onboarding: 'action_accept_tos', account: 'provisioning' }, 'terms'],
  [{ session: 'user', onboarding: 'action_complete_kyc', account: 'provisioning' }, 'identity'],
  [{ session: 'user', onboarding: 'kyc_in_review', account: 'provisioning' }, 'identity_waits'],
  [{ session: 'user', onboarding: 'action_kyc_resubmission', account: 'provisioning' }, 'identity_again'],
  [{ session: 'user', onboarding: 'action_complete_sof', account: 'provisioning' }, 'funds'],
  [{ session: 'user', onboarding: 'account_provisioning', account: 'provisioning' }, 'account_waits'],
  [{ session: 'user', onboarding: 'completed', account: 'provisioning' }, 'account_waits'],
  [
    { session: 'user', onboarding: 'account_provisioning', account: 'provisioning', deployment: { status: 'predicted', findings: [] } },
    'set_up',
  ],
  [
    { session: 'user', onboarding: 'account_provisioning', account: 'provisioning', deployment: { status: 'deviating', findings: [] } },
    'set_up',
  ],
  [
    {
      session: 'user',
      onboarding: 'account_provisioning',
      account: 'provisioning',
      deployment: { status: 'deviating', findings: ['history_differs'] },
    },
    'blocked',
  ],
  [
    { session: 'user', onboarding: 'account_provisioning', account: 'provisioning', deployment: { status: 'relaying', findings: [] } },
    'account_waits',
  ],
  [
    { session: 'user', onboarding: 'action_accept_tos', account: 'provisioning', deployment: { status: 'predicted', findings: [] } },
    'terms',
  ],
  [{ session: 'user', onboarding: 'completed', account: 'active', deployment: { status: 'predicted', findings: [] }, cards: 1 }, 'ready'],
  [{ session: 'user', onboarding: 'a_later_step', account: 'provisioning' }, 'account_waits'],
  [{ session: 'user', onboarding: 'rejected', account: 'active' }, 'rejected'],
  [{ session: 'user', onboarding: 'rejected', account: 'blocked' }, 'blocked'],
  [{ session: 'user', onboarding: 'completed', account: 'closed' }, 'closed'],
  [{ session: 'user', onboarding: 'action_accept_tos', account: 'active', cards: 1 }, 'ready'],
  [active, undefined],
  [{ ...active, cards: 0 }, 'order_card'],
  [{ ...active, cards: 0, lacksBackup: true }, 'backup_key'],
  [{ ...active, cards: 2, lacksBackup: true }, 'ready'],
  [{ ...active, cards: 2 }, 'ready'],
])('says for %j: %s', (situation, step) => {
  expect(nextStep(situation)).toBe(step);
});

test('places every step with something to do on the way', () => {
  const before: NextStep[] = ['register', 'terms', 'identity', 'identity_again', 'identity_waits', 'funds', 'set_up'];
  for (const step of [...before, 'backup_key', 'order_card'] as const) expect(JOURNEY).toContain(milestoneOf(step));
  expect(milestoneOf('ready')).toBeUndefined();
});
