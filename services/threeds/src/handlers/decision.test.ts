import { signableOf, signTypedMessage } from '@florin/evm/testing';
import { ChallengeStatus, Decision } from '@florin/proto/threeds/v1/challenge';
import { systemRuntime } from '@florin/rpc/runtime';
import { recoverTypedDataAddress, verifyTypedData } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DecisionLock } from '../decisions/decision-lock.ts';
import { CHAIN_ID, createWorld, type Instance, type World } from '../testing/world.ts';

const { APPROVE, DECLINE } = Decision;

let world: World;
let app: Instance;
const raise = () => world.raise(app);

beforeAll(async () => {
  world = await createWorld();
  app = await world.start();
});
afterAll(() => world.close());

describe('typed data', () => {
  it('has the specified domain and types and can be signed unchanged', async () => {
    const { person, id, user } = await raise();
    const data = await user.issue(id, APPROVE);
    const signable = signableOf(data);
    expect(signable).toMatchObject({
      domain: { name: 'Florin 3DS', version: '1', chainId: CHAIN_ID },
      primaryType: 'Message',
      types: {
        Message: [
          { name: 'authorization', type: 'string' },
          { name: 'nonce', type: 'uint256' },
        ],
      },
    });
    expect(data.authorization).toContain('Amount: 19.99 EUR');
    expect(data.authorization).toContain(`Challenge: ${id}`);
    const signature = await signTypedMessage(person.wallet, data);
    expect(await recoverTypedDataAddress({ ...signable, signature })).toBe(person.wallet.address);
  });

  it.each([false, true])(
    'has the merchant’s name in quotation marks for callers that ask for it (%s), and either form can be signed',
    async (quoted) => {
      const { person, id, user } = await raise();
      await user.issue(id, APPROVE, !quoted);
      const data = await user.issue(id, APPROVE, quoted);
      const { merchant } = await user.get(id);
      const name = merchant?.displayName ?? '';
      expect(data.authorization).toContain(`\nMerchant: ${quoted ? `"${name}"` : name}`);
      const forged = { ...data, authorization: data.authorization.replace(name, 'Another shop') };
      await expect(user.submit(id, APPROVE, await signTypedMessage(person.wallet, forged))).rejects.toMatchObject({
        code: 'INVALID_SIGNATURE',
      });
      expect((await user.submit(id, APPROVE, await signTypedMessage(person.wallet, data))).status).toBe(ChallengeStatus.APPROVED);
    },
  );

  it('is fresh on each request; only the three newest per decision stay open', async () => {
    const { person, id, user } = await raise();
    const first = await user.issue(id, APPROVE);
    const second = await user.issue(id, APPROVE);
    await user.issue(id, DECLINE);
    await user.issue(id, APPROVE);
    await user.issue(id, APPROVE);
    const stored = await world.stored(id);
    expect([stored?.issued.approve.length, stored?.issued.decline.length]).toEqual([3, 1]);
    await expect(user.submit(id, APPROVE, await signTypedMessage(person.wallet, first))).rejects.toMatchObject({
      code: 'INVALID_SIGNATURE',
    });
    expect((await user.submit(id, APPROVE, await signTypedMessage(person.wallet, second))).status).toBe(ChallengeStatus.APPROVED);
  });

  it('is not issued once decided, cancelled or expired', async () => {
    const decided = await raise();
    await decided.user.decide(decided.id, DECLINE, decided.person.wallet);
    for (const decision of [APPROVE, DECLINE]) {
      await expect(decided.user.issue(decided.id, decision)).rejects.toMatchObject({ code: 'DECISION_ALREADY_MADE' });
    }
    const cancelled = await raise();
    await app.acs.cancel(cancelled.id);
    await expect(cancelled.user.issue(cancelled.id, APPROVE)).rejects.toMatchObject({ code: 'DECISION_NOT_AVAILABLE' });
    const expired = await raise();
    world.clock.advanceSeconds(300);
    await expect(expired.user.issue(expired.id, APPROVE)).rejects.toMatchObject({ code: 'DECISION_NOT_AVAILABLE' });
  });
});

describe('a signed decision', () => {
  it.each([
    [APPROVE, ChallengeStatus.APPROVED],
    [DECLINE, ChallengeStatus.DECLINED],
  ] as const)('%i stands at once in the sandbox', async (decision, status) => {
    const { person, id, user } = await raise();
    expect(await user.decide(id, decision, person.wallet)).toMatchObject({ id, status, decision, decisionAvailable: false });
    expect(await user.get(id)).toMatchObject({ status, decision });
    const stored = await world.stored(id);
    expect(stored?.issued).toEqual({ approve: [], decline: [] });
  });

  it('is accepted from any wallet of the user, in any letter case', async () => {
    const { person, id, user } = await raise();
    const second = privateKeyToAccount(generatePrivateKey());
    world.neighbours.users.set(person.userId, {
      wallets: [{ address: person.wallet.address, primary: true }, { address: second.address.toLowerCase() }],
    });
    const signature = await signTypedMessage(second, await user.issue(id, APPROVE));
    await user.submit(id, APPROVE, `0x${signature.slice(2).toUpperCase()}`);
    expect((await app.office.receipt(id)).signer).toBe(second.address);
  });

  it('returns the current challenge when repeated, with any well-formed signature; the opposite is rejected', async () => {
    const { person, id, user } = await raise();
    const signature = await signTypedMessage(person.wallet, await user.issue(id, APPROVE));
    const first = await user.submit(id, APPROVE, signature);
    const asked = world.neighbours.asked.users;
    expect(await user.submit(id, APPROVE, signature)).toEqual(first);
    expect(await user.submit(id, APPROVE, `0x${'00'.repeat(65)}`)).toEqual(first);
    expect(world.neighbours.asked.users).toBe(asked);
    await expect(user.submit(id, DECLINE, signature)).rejects.toMatchObject({ code: 'DECISION_ALREADY_MADE' });
    expect((await world.stored(id))?.badSignatures).toBe(0);
  });

  it('made by a concurrent twin is returned without verifying the signature again', async () => {
    const { person, id, user } = await raise();
    const signature = await signTypedMessage(person.wallet, await user.issue(id, APPROVE));
    const asked = world.neighbours.asked.users;
    const lock: DecisionLock = async (_id, work) => {
      await user.submit(id, APPROVE, signature);
      return work(true);
    };
    const waiting = (await world.start({ lock })).user(person);
    expect((await waiting.submit(id, APPROVE, signature)).status).toBe(ChallengeStatus.APPROVED);
    expect(world.neighbours.asked.users).toBe(asked + 1);
  });

  it('leaves a receipt that proves it offline', async () => {
    const { person, id, user } = await raise();
    await expect(app.office.receipt(id)).rejects.toMatchObject({ code: 'RECEIPT_NOT_FOUND' });
    const data = await user.issue(id, DECLINE);
    const signature = await signTypedMessage(person.wallet, data);
    await user.submit(id, DECLINE, signature);
    const receipt = await app.office.receipt(id);
    expect(receipt).toMatchObject({ challengeId: id, decision: DECLINE, typedData: data, signature, signer: person.wallet.address });
    expect(receipt.issuedAt).toBeDefined();
    expect(receipt.decidedAt).toBeDefined();
    const { typedData } = receipt;
    if (typedData === undefined) throw new Error('receipt without typed data');
    const proof = { ...signableOf(typedData), address: receipt.signer as `0x${string}`, signature: receipt.signature as `0x${string}` };
    expect(await verifyTypedData(proof)).toBe(true);
    const changed = { ...proof.message, authorization: proof.message.authorization.replace('19.99', '19.98') };
    expect(await verifyTypedData({ ...proof, message: changed })).toBe(false);
    await expect(app.office.receipt(systemRuntime.newId())).rejects.toMatchObject({ code: 'CHALLENGE_NOT_FOUND' });
  });
});
