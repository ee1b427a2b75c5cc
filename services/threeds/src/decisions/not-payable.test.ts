import { signTypedMessage } from '@florin/evm/testing';
import { CardStatus } from '@florin/proto/card/v1/card';
import { AccountStatus } from '@florin/proto/ledger/v1/account';
import { ChallengeStatus, Decision } from '@florin/proto/threeds/v1/challenge';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createWorld, type Instance, type Person, type World } from '../testing/world.ts';

const { APPROVE, DECLINE } = Decision;

let world: World;
let app: Instance;
beforeAll(async () => {
  world = await createWorld();
  app = await world.start();
});
afterEach(() => {
  delete world.neighbours.broken.cards;
  delete world.neighbours.broken.accounts;
});
afterAll(() => world.close());

const setCard = ({ cardId }: Person, status: CardStatus) =>
  world.neighbours.cards.set(cardId, { ...world.neighbours.cards.get(cardId), status });
const setAccount = ({ accountId }: Person, status: AccountStatus) =>
  world.neighbours.accounts.set(accountId, { ...world.neighbours.accounts.get(accountId), status });

const expectPending = async (id: string) => {
  const stored = await world.stored(id);
  expect(stored).toMatchObject({ status: 'pending', badSignatures: 0 });
  expect(stored).not.toHaveProperty('decision');
};

describe('an approval', () => {
  it.each([CardStatus.FROZEN, CardStatus.LOST, CardStatus.STOLEN, CardStatus.CANCELLED, CardStatus.EXPIRED])(
    'is rejected once the card is in status %i, and accepted when it is active again',
    async (status) => {
      const { id, person, user } = await world.raise(app);
      const signature = await signTypedMessage(person.wallet, await user.issue(id, APPROVE));
      setCard(person, status);
      await expect(user.submit(id, APPROVE, signature)).rejects.toMatchObject({ code: 'CARD_NOT_ACTIVE' });
      await expectPending(id);
      setCard(person, CardStatus.ACTIVE);
      expect((await user.submit(id, APPROVE, signature)).status).toBe(ChallengeStatus.APPROVED);
    },
  );

  it('is rejected when the card exists no more', async () => {
    const { id, person, user } = await world.raise(app);
    const signature = await signTypedMessage(person.wallet, await user.issue(id, APPROVE));
    world.neighbours.cards.delete(person.cardId);
    await expect(user.submit(id, APPROVE, signature)).rejects.toMatchObject({ code: 'CARD_NOT_ACTIVE' });
    await expectPending(id);
  });

  it.each([AccountStatus.BLOCKED, AccountStatus.CLOSED])('is rejected once the account is in status %i', async (status) => {
    const { id, person, user } = await world.raise(app);
    const signature = await signTypedMessage(person.wallet, await user.issue(id, APPROVE));
    setAccount(person, status);
    await expect(user.submit(id, APPROVE, signature)).rejects.toMatchObject({ code: 'ACCOUNT_NOT_ACTIVE' });
    await expectPending(id);
  });

  it.each(['cards', 'accounts'] as const)('is SERVICE_UNAVAILABLE while %s cannot be read', async (kind) => {
    const { id, person, user } = await world.raise(app);
    const signature = await signTypedMessage(person.wallet, await user.issue(id, APPROVE));
    world.neighbours.broken[kind] = 'SERVICE_UNAVAILABLE';
    await expect(user.submit(id, APPROVE, signature)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    await expectPending(id);
  });

  it('with a bad signature is INVALID_SIGNATURE and counted in any status of the card', async () => {
    const { id, person, user } = await world.raise(app);
    const stranger = privateKeyToAccount(generatePrivateKey());
    const signature = await signTypedMessage(stranger, await user.issue(id, APPROVE));
    setCard(person, CardStatus.FROZEN);
    await expect(user.submit(id, APPROVE, signature)).rejects.toMatchObject({ code: 'INVALID_SIGNATURE' });
    expect((await world.stored(id))?.badSignatures).toBe(1);
  });
});

describe('a decline', () => {
  it('is accepted for a frozen card of a blocked account', async () => {
    const { id, person, user } = await world.raise(app);
    setCard(person, CardStatus.FROZEN);
    setAccount(person, AccountStatus.BLOCKED);
    expect((await user.decide(id, DECLINE, person.wallet)).status).toBe(ChallengeStatus.DECLINED);
  });
});
