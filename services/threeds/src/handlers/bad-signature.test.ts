import { malleated, type Signable, signableOf, signTypedMessage, withV } from '@florin/evm/testing';
import { ChallengeStatus, Decision } from '@florin/proto/threeds/v1/challenge';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DecisionLock } from '../decisions/decision-lock.ts';
import { CHAIN_ID, createWorld, type Instance, type Raised, type World } from '../testing/world.ts';

const { APPROVE, DECLINE } = Decision;

let world: World;
let app: Instance;
const raise = () => world.raise(app);

beforeAll(async () => {
  world = await createWorld();
  app = await world.start();
});
afterAll(() => world.close());

describe('a bad signature', () => {
  const stranger = privateKeyToAccount(generatePrivateKey());

  type Forge = (given: Raised) => Promise<string>;

  const over =
    (change: (signable: Signable) => Signable): Forge =>
    async ({ person, id, user }) =>
      person.wallet.signTypedData(change(signableOf(await user.issue(id, APPROVE))));

  const counted: [string, Forge][] = [
    ['by a wallet of another user', async ({ id, user }) => signTypedMessage(stranger, await user.issue(id, APPROVE))],
    ['with high s', async ({ person, id, user }) => malleated(await signTypedMessage(person.wallet, await user.issue(id, APPROVE)))],
    ['with v 0', async ({ person, id, user }) => withV(await signTypedMessage(person.wallet, await user.issue(id, APPROVE)), 0)],
    ['with v 29', async ({ person, id, user }) => withV(await signTypedMessage(person.wallet, await user.issue(id, APPROVE)), 29)],
    ['over the other decision', async ({ person, id, user }) => signTypedMessage(person.wallet, await user.issue(id, DECLINE))],
    ['for another chain', over((data) => ({ ...data, domain: { ...data.domain, chainId: 1 } }))],
    ['for another domain', over((data) => ({ ...data, domain: { ...data.domain, name: 'Florin 3D5' } }))],
    ['for another version', over((data) => ({ ...data, domain: { ...data.domain, version: '2' } }))],
    ['over another nonce', over((data) => ({ ...data, message: { ...data.message, nonce: data.message.nonce ^ 1n } }))],
    ['over another text', over((data) => ({ ...data, message: { ...data.message, authorization: 'hello' } }))],
    [
      'over a text, not typed data',
      async ({ person, id, user }) => person.wallet.signMessage({ message: (await user.issue(id, APPROVE)).authorization }),
    ],
    [
      'replayed from another challenge of the user',
      async ({ person, user }) => {
        const { id: other } = await app.acs.create(world.payment(person));
        const signature = await signTypedMessage(person.wallet, await user.issue(other, APPROVE));
        await user.submit(other, APPROVE, signature);
        return signature;
      },
    ],
    ['of zeros', async () => `0x${'00'.repeat(65)}`],
    [
      'when nothing was issued',
      async ({ person, id }) => {
        const data = { domainName: 'Florin 3DS', domainVersion: '1', domainChainId: CHAIN_ID, nonce: '1', authorization: id };
        return signTypedMessage(person.wallet, {
          ...data,
          messageTypes: [
            { name: 'authorization', type: 'string' },
            { name: 'nonce', type: 'uint256' },
          ],
        } as never);
      },
    ],
  ];

  it.each(counted)('%s is rejected and counted', async (_name, forge) => {
    const given = await raise();
    const signature = await forge(given);
    await expect(given.user.submit(given.id, APPROVE, signature)).rejects.toMatchObject({ code: 'INVALID_SIGNATURE' });
    expect(await world.stored(given.id)).toMatchObject({ status: 'pending', badSignatures: 1 });
    expect((await given.user.decide(given.id, APPROVE, given.person.wallet)).status).toBe(ChallengeStatus.APPROVED);
  });

  it.each([
    ['the other decision', async ({ id }: Raised) => world.change(id, { 'issued.approve': (await world.stored(id))?.issued?.decline })],
    ['another amount', async ({ id }: Raised) => world.change(id, { amount: '999900' })],
    ['another merchant', async ({ id }: Raised) => world.change(id, { 'merchant.displayName': 'Elsewhere' })],
  ])('is one over a text that is not about what is decided, whatever the database says was issued: %s', async (what, change) => {
    const given = await raise();
    const signed = await signTypedMessage(given.person.wallet, await given.user.issue(given.id, APPROVE));
    const declined = await signTypedMessage(given.person.wallet, await given.user.issue(given.id, DECLINE));
    await change(given);
    // An instance that has not seen the challenge before.
    const other = await world.start();
    const signature = what === 'the other decision' ? declined : signed;
    const attempt = other.user(given.person).submit(given.id, APPROVE, signature);
    await expect(attempt).rejects.toMatchObject({ code: 'INVALID_SIGNATURE' });
    expect(await world.stored(given.id)).toMatchObject({ status: 'pending', badSignatures: 1 });
  });

  it.each([
    ['empty', ''],
    ['64 bytes', `0x${'11'.repeat(64)}`],
    ['66 bytes', `0x${'11'.repeat(66)}`],
    ['without 0x', '11'.repeat(65)],
    ['not hex', `0x${'zz'.repeat(65)}`],
  ])('with an invalid form (%s) is rejected and not counted', async (_name, signature) => {
    const { id, user } = await raise();
    await expect(user.submit(id, APPROVE, signature)).rejects.toMatchObject({ code: 'INVALID_SIGNATURE' });
    expect((await world.stored(id))?.badSignatures).toBe(0);
  });

  it('fails the challenge when it is the fifth, without decision and receipt', async () => {
    const { person, id, user } = await raise();
    const good = await signTypedMessage(person.wallet, await user.issue(id, APPROVE));
    const bad = await signTypedMessage(stranger, await user.issue(id, APPROVE));
    for (let count = 1; count <= 5; count += 1) {
      await expect(user.submit(id, APPROVE, bad)).rejects.toMatchObject({
        code: 'INVALID_SIGNATURE',
        metadata: { attemptsLeft: `${5 - count}` },
      });
      expect(await user.get(id)).toMatchObject({
        status: count < 5 ? ChallengeStatus.PENDING : ChallengeStatus.FAILED,
        decision: Decision.UNSPECIFIED,
      });
    }
    await expect(user.submit(id, APPROVE, good)).rejects.toMatchObject({ code: 'DECISION_NOT_AVAILABLE' });
    await expect(user.issue(id, APPROVE)).rejects.toMatchObject({ code: 'DECISION_NOT_AVAILABLE' });
    await expect(app.acs.cancel(id)).rejects.toMatchObject({ code: 'CHALLENGE_STATE_CONFLICT' });
    await expect(app.acs.acknowledge(id)).rejects.toMatchObject({ code: 'CHALLENGE_STATE_CONFLICT' });
    await expect(app.office.receipt(id)).rejects.toMatchObject({ code: 'RECEIPT_NOT_FOUND' });
  });

  it('is not counted while identity is unavailable, and nothing is decided', async () => {
    const { person, id, user } = await raise();
    const signature = await signTypedMessage(person.wallet, await user.issue(id, APPROVE));
    world.neighbours.broken.users = 'SERVICE_UNAVAILABLE';
    await expect(user.submit(id, APPROVE, signature)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    delete world.neighbours.broken.users;
    expect(await world.stored(id)).toMatchObject({ status: 'pending', badSignatures: 0 });
    expect((await user.submit(id, APPROVE, signature)).status).toBe(ChallengeStatus.APPROVED);
  });

  it('is one by a removed wallet, or by a user unknown to identity', async () => {
    const removed = await raise();
    const signature = await signTypedMessage(removed.person.wallet, await removed.user.issue(removed.id, APPROVE));
    world.neighbours.users.set(removed.person.userId, { wallets: [{ address: stranger.address, primary: true }] });
    await expect(removed.user.submit(removed.id, APPROVE, signature)).rejects.toMatchObject({ code: 'INVALID_SIGNATURE' });
    world.neighbours.users.delete(removed.person.userId);
    await expect(removed.user.submit(removed.id, APPROVE, signature)).rejects.toMatchObject({ code: 'INVALID_SIGNATURE' });
  });

  it('is one over typed data that newer typed data displaced during verification', async () => {
    const { person, id, user } = await raise();
    const signature = await signTypedMessage(person.wallet, await user.issue(id, APPROVE));
    const lock: DecisionLock = async (_id, work) => {
      for (let count = 0; count < 3; count += 1) await user.issue(id, APPROVE);
      return work(false);
    };
    const slow = (await world.start({ lock })).user(person);
    await expect(slow.submit(id, APPROVE, signature)).rejects.toMatchObject({ code: 'INVALID_SIGNATURE' });
    expect(await world.stored(id)).toMatchObject({ status: 'pending', badSignatures: 0 });
  });
});
