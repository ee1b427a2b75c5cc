import { randomUUID } from 'node:crypto';
import { OnboardingStatus } from '@florin/proto/identity/v1/onboarding_service';
import { AccountStatus } from '@florin/proto/ledger/v1/account';
import { afterAll, describe, expect, it } from 'vitest';
import { createOnboardingWorld } from '../testing/onboarding-world.ts';
import { newWallet } from '../testing/world.ts';

const { world, clients, newPerson, accountIdOf, statusOf, accept, explain, event, deliver } = await createOnboardingWorld();
afterAll(() => world.close());

const statusesOf = (...ids: string[]) => ids.map((id) => world.ledger.accounts.get(id)?.status);
const { ACTIVE, BLOCKED, PROVISIONING } = AccountStatus;

/** A person whose account was replaced, and whose successor was, too. */
const replaced = async () => {
  const person = await newPerson();
  await Promise.all([accept(person), explain(person), deliver(event(person, 1, 'approved'))]);
  const first = accountIdOf(person);
  const second = world.ledger.replace(first);
  const third = world.ledger.replace(second);
  return { person, first, second, third };
};

describe('an account that was replaced', () => {
  it('leaves its approval, and what takes it back, to the newest one', async () => {
    const { person, first, second, third } = await replaced();
    expect(await statusOf(person)).toBe(OnboardingStatus.COMPLETED);
    expect(statusesOf(first, second, third)).toEqual([BLOCKED, BLOCKED, ACTIVE]);
    await deliver(event(person, 2, 'rejected'));
    expect(statusesOf(first, second, third)).toEqual([BLOCKED, BLOCKED, BLOCKED]);
  });

  it('is blocked with a successor that it gets meanwhile', async () => {
    const person = await newPerson();
    await Promise.all([accept(person), explain(person), deliver(event(person, 1, 'approved'))]);
    expect(await statusOf(person)).toBe(OnboardingStatus.COMPLETED);
    const { accounts, hooks, replace } = world.ledger;
    const around = hooks.around;
    let successor = '';
    hooks.around = (call, work) => {
      if (call === 'block' && successor === '') {
        successor = replace(accountIdOf(person));
        const opened = accounts.get(successor) ?? expect.fail('the successor is not open');
        accounts.set(successor, { ...opened, status: ACTIVE });
      }
      work();
    };
    await deliver(event(person, 2, 'rejected'));
    hooks.around = around;
    expect(statusesOf(accountIdOf(person), successor)).toEqual([BLOCKED, BLOCKED]);
  });

  it('is not approved through its successor while the check is in review', async () => {
    const { person, third } = await replaced();
    await deliver(event(person, 2, 'in_review'));
    await statusOf(person);
    expect(statusesOf(third)).toEqual([PROVISIONING]);
  });

  it('loses its owner together with its successors', async () => {
    const { person, first, second, third } = await replaced();
    const { wallet, userId } = person;
    const recovery = { recoveryId: randomUUID(), userId, lostWallet: wallet.address, replacementWallet: newWallet().address };
    await clients.recoveries.createWalletRecovery({ ...recovery, actor: 'ann', reason: 'stolen' });
    await clients.recoveries.approveWalletRecovery({ recoveryId: recovery.recoveryId, actor: 'bob' });
    for (const id of [first, second, third]) expect(world.ledger.ownerRevoked.has(id)).toBe(true);
  });
});
