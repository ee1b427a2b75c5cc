import { randomUUID } from 'node:crypto';
import { describeOnEvm, type Evm, installModules, startEvm } from '@florin/evm/local-chain';
import {
  DELAY_1_0_1,
  encodeDelayDeployment,
  encodeExecution,
  encodeMultiSend,
  encodeSafeDeployment,
  predictSafeAddress,
  safeTypedData,
  setUpTransaction,
} from '@florin/evm/safe';
import { malleated, type Signable, signableOf, signTypedMessage, withV } from '@florin/evm/testing';
import { ChallengeStatus, Decision, SignerType } from '@florin/proto/threeds/v1/challenge';
import { type Address, hashTypedData } from 'viem';
import { generatePrivateKey, type LocalAccount, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { signAsNestedSafe, signAsSafe } from '../testing/safe-signatures.ts';
import { CHAIN_ID, createWorld, type Instance, type World } from '../testing/world.ts';

const { APPROVE, DECLINE } = Decision;
const newOwner = () => privateKeyToAccount(generatePrivateKey());

let evm: Evm;
let world: World;
let app: Instance;

beforeAll(async () => {
  evm = await startEvm(CHAIN_ID);
  world = await createWorld({ CHAIN_RPC_URLS: JSON.stringify({ [CHAIN_ID]: evm.url }) });
  app = await world.start();
});
afterAll(async () => {
  await world?.close();
  await evm?.close();
});

/** Raises a challenge for a user whose account is the given Safe. */
const raiseFor = async (safe: Address) => {
  const person = world.newPerson(safe);
  const { id } = await app.acs.create(world.payment(person));
  return { person, id, user: app.user(person) };
};

/** Raises a challenge for a Safe with one owner that is not a sign-in wallet. */
const raiseForOwner = async (owner: LocalAccount = newOwner()) => {
  const safe = await evm.deploySafe([owner.address]);
  return { ...(await raiseFor(safe)), owner, safe };
};

describeOnEvm('a Safe decides', () => {
  it('with its only owner, and the receipt records the block', async () => {
    const { id, user, owner, safe } = await raiseForOwner();
    const data = await user.issue(id, APPROVE);
    const signature = await signAsSafe(safe, [owner], signableOf(data));
    const before = await evm.blockNumber();
    expect((await user.submit(id, APPROVE, signature)).status).toBe(ChallengeStatus.APPROVED);
    expect(await app.office.receipt(id)).toMatchObject({
      decision: APPROVE,
      signature,
      signer: safe,
      signerType: SignerType.SAFE,
      blockNumber: BigInt(before),
      typedData: { ...data, domainChainId: CHAIN_ID },
    });
  });

  it('with the signing code of the README', async () => {
    const { id, user, owner, safe } = await raiseForOwner();
    const data = signableOf(await user.issue(id, APPROVE));
    const signature = await owner.signTypedData({
      domain: { chainId: data.domain.chainId, verifyingContract: safe },
      types: { SafeMessage: [{ name: 'message', type: 'bytes' }] },
      primaryType: 'SafeMessage',
      message: { message: hashTypedData(data) },
    });
    expect((await user.submit(id, APPROVE, signature)).status).toBe(ChallengeStatus.APPROVED);
  });

  it('with any of the open typed data', async () => {
    const { id, user, owner, safe } = await raiseForOwner();
    const [, second] = [await user.issue(id, DECLINE), await user.issue(id, DECLINE), await user.issue(id, DECLINE)];
    if (second === undefined) throw new Error('unreachable');
    await user.submit(id, DECLINE, await signAsSafe(safe, [owner], signableOf(second)));
    expect((await app.office.receipt(id)).typedData?.nonce).toBe(second.nonce);
  });

  it('with two of three owners, not with one, not in the wrong order', async () => {
    const owners = [newOwner(), newOwner(), newOwner()];
    const safe = await evm.deploySafe(
      owners.map(({ address }) => address),
      2,
    );
    const { id, user } = await raiseFor(safe);
    const data = signableOf(await user.issue(id, APPROVE));
    const good = await signAsSafe(safe, owners.slice(0, 2), data);
    const reversed = `0x${good.slice(132)}${good.slice(2, 132)}`;
    for (const bad of [await signAsSafe(safe, owners.slice(0, 1), data), reversed]) {
      await expect(user.submit(id, APPROVE, bad)).rejects.toMatchObject({ code: 'INVALID_SIGNATURE' });
    }
    expect((await user.submit(id, APPROVE, good)).status).toBe(ChallengeStatus.APPROVED);
    expect((await app.office.receipt(id)).signature).toBe(good);
  });

  it('with the user and the platform together, once it is set up as that of an account, and with neither alone', async () => {
    const [owner, platform, accountId] = [newOwner(), newOwner(), randomUUID()];
    const safe = predictSafeAddress(accountId, [owner.address]);
    const parties = { chainId: CHAIN_ID, accountId, safe, owner: owner.address, platform: platform.address };
    const delay = { mastercopy: DELAY_1_0_1, cooldownSeconds: 3600, expirationSeconds: 600 };
    const setUp = setUpTransaction(parties, delay, 0n);
    await installModules(evm);
    const { to, data: batch } = encodeMultiSend([
      encodeSafeDeployment(parties),
      encodeDelayDeployment(safe, delay),
      encodeExecution(setUp, await owner.signTypedData(safeTypedData(setUp))),
    ]);
    await evm.send(to, batch);

    const { id, user, person } = await raiseFor(safe);
    const issued = await user.issue(id, APPROVE);
    const data = signableOf(issued);
    for (const alone of [owner, platform]) {
      await expect(user.submit(id, APPROVE, await signAsSafe(safe, [alone], data))).rejects.toMatchObject({ code: 'INVALID_SIGNATURE' });
    }
    expect((await user.submit(id, APPROVE, await signAsSafe(safe, [owner, platform], data))).status).toBe(ChallengeStatus.APPROVED);
    expect(await app.office.receipt(id)).toMatchObject({ signer: safe, signerType: SignerType.SAFE });

    // The sign-in wallet needs no second signature: it decides for itself, not as the Safe.
    const next = await app.acs.create(world.payment(person));
    const byWallet = await signTypedMessage(person.wallet, await user.issue(next.id, APPROVE));
    expect((await user.submit(next.id, APPROVE, byWallet)).status).toBe(ChallengeStatus.APPROVED);
    expect((await app.office.receipt(next.id)).signerType).toBe(SignerType.WALLET);
  });

  it('with an owner that is itself a Safe', async () => {
    const owner = newOwner();
    const inner = await evm.deploySafe([owner.address]);
    const outer = await evm.deploySafe([inner]);
    const { id, user } = await raiseFor(outer);
    const data = signableOf(await user.issue(id, APPROVE));
    await expect(user.submit(id, APPROVE, await signAsNestedSafe(outer, inner, [newOwner()], data))).rejects.toMatchObject({
      code: 'INVALID_SIGNATURE',
    });
    expect((await user.submit(id, APPROVE, await signAsNestedSafe(outer, inner, [owner], data))).status).toBe(ChallengeStatus.APPROVED);
    expect((await app.office.receipt(id)).signer).toBe(outer);
  });

  it('with the user’s sign-in wallet as owner, signing either way', async () => {
    const person = world.newPerson();
    const safe = await evm.deploySafe([person.wallet.address]);
    for (const asSafe of [true, false]) {
      const { user, id, person: signer } = await raiseFor(safe);
      const data = await user.issue(id, APPROVE);
      const signature = asSafe ? await signAsSafe(safe, [person.wallet], signableOf(data)) : await signTypedMessage(signer.wallet, data);
      await user.submit(id, APPROVE, signature);
      expect((await app.office.receipt(id)).signerType).toBe(asSafe ? SignerType.SAFE : SignerType.WALLET);
    }
  });

  it('once, when approve and decline race on two instances', async () => {
    const other = await world.start();
    for (let round = 0; round < 5; round += 1) {
      const { id, user, owner, safe, person } = await raiseForOwner();
      const approve = await signAsSafe(safe, [owner], signableOf(await user.issue(id, APPROVE)));
      const decline = await signAsSafe(safe, [owner], signableOf(await user.issue(id, DECLINE)));
      const results = await Promise.allSettled([
        user.submit(id, APPROVE, approve),
        other.user(person).submit(id, DECLINE, decline),
        user.submit(id, APPROVE, approve),
      ]);
      const refused = results.filter((result) => result.status === 'rejected');
      for (const { reason } of refused) expect(reason).toMatchObject({ code: 'DECISION_ALREADY_MADE' });
      const receipt = await app.office.receipt(id);
      expect(refused).toHaveLength(receipt.decision === APPROVE ? 1 : 2);
      expect(receipt.signature).toBe(receipt.decision === APPROVE ? approve : decline);
    }
  });

  it('at the block of the check: not with an owner replaced after signing', async () => {
    const { id, user, owner, safe } = await raiseForOwner();
    const successor = newOwner();
    const data = signableOf(await user.issue(id, APPROVE));
    const signature = await signAsSafe(safe, [owner], data);
    await evm.swapOwner(safe, owner, successor.address);
    await expect(user.submit(id, APPROVE, signature)).rejects.toMatchObject({ code: 'INVALID_SIGNATURE' });
    await user.submit(id, APPROVE, await signAsSafe(safe, [successor], data));
    expect((await app.office.receipt(id)).blockNumber).toBe(BigInt(await evm.blockNumber()));
  });

  it('only once it is deployed', async () => {
    const owner = newOwner();
    const safe = await evm.predictSafe([owner.address]);
    const { id, user } = await raiseFor(safe);
    const signature = await signAsSafe(safe, [owner], signableOf(await user.issue(id, APPROVE)));
    await expect(user.submit(id, APPROVE, signature)).rejects.toMatchObject({ code: 'INVALID_SIGNATURE' });
    expect(await evm.deploySafe([owner.address])).toBe(safe);
    expect((await user.submit(id, APPROVE, signature)).status).toBe(ChallengeStatus.APPROVED);
  });
});

describeOnEvm('a bad Safe signature', () => {
  type Given = Awaited<ReturnType<typeof raiseForOwner>>;
  const over =
    (change: (data: Signable) => Signable) =>
    async ({ id, user, owner, safe }: Given) =>
      signAsSafe(safe, [owner], change(signableOf(await user.issue(id, APPROVE))));
  const good = over((data) => data);

  const counted: [string, (given: Given) => Promise<string>][] = [
    ['by a stranger', async ({ id, user, safe }) => signAsSafe(safe, [newOwner()], signableOf(await user.issue(id, APPROVE)))],
    [
      'for another Safe of the owner',
      async (given) => {
        const other = await evm.deploySafe([given.owner.address], 1, 2n);
        return signAsSafe(other, [given.owner], signableOf(await given.user.issue(given.id, APPROVE)));
      },
    ],
    ['not wrapped for the Safe', async ({ id, user, owner }) => signTypedMessage(owner, await user.issue(id, APPROVE))],
    ['over the other decision', async ({ id, user, owner, safe }) => signAsSafe(safe, [owner], signableOf(await user.issue(id, DECLINE)))],
    ['for another chain', over((data) => ({ ...data, domain: { ...data.domain, chainId: 1 } }))],
    ['for another domain', over((data) => ({ ...data, domain: { ...data.domain, name: 'Florin 3D5' } }))],
    ['over another nonce', over((data) => ({ ...data, message: { ...data.message, nonce: data.message.nonce ^ 1n } }))],
    ['over another text', over((data) => ({ ...data, message: { ...data.message, authorization: 'hello' } }))],
    ['with high s', async (given) => malleated(await good(given))],
    ['with v 0', async (given) => withV(await good(given), 0)],
    ['with v 29', async (given) => withV(await good(given), 29)],
    ['that refers to an on-chain approval', async (given) => withV(await good(given), 1)],
    ['marked as a personal message although it is not', async (given) => withV(await good(given), 31)],
    ['with 64 extra zero bytes', async ({ owner }) => `0x${'00'.repeat(12)}${owner.address.slice(2)}${'00'.repeat(97)}`],
    ['of 2,048 zero bytes', async () => `0x${'00'.repeat(2048)}`],
    ['of 2,048 bytes 0xff', async () => `0x${'ff'.repeat(2048)}`],
    [
      'replayed from another challenge of the same Safe',
      async (given) => {
        const { id } = await app.acs.create(world.payment(given.person));
        const signature = await good({ ...given, id });
        await given.user.submit(id, APPROVE, signature);
        return signature;
      },
    ],
  ];

  it.each(counted)('%s is rejected and counted', async (_name, forge) => {
    const given = await raiseForOwner();
    const signature = await forge(given);
    await expect(given.user.submit(given.id, APPROVE, signature)).rejects.toMatchObject({ code: 'INVALID_SIGNATURE' });
    expect(await world.stored(given.id)).toMatchObject({ status: 'pending', badSignatures: 1 });
    expect((await given.user.submit(given.id, APPROVE, await good(given))).status).toBe(ChallengeStatus.APPROVED);
  });

  it.each([
    ['64 bytes', 64],
    ['2,049 bytes', 2049],
  ])('of %s is rejected and not counted', async (_name, bytes) => {
    const { id, user } = await raiseForOwner();
    await user.issue(id, APPROVE);
    await expect(user.submit(id, APPROVE, `0x${'11'.repeat(bytes)}`)).rejects.toMatchObject({ code: 'INVALID_SIGNATURE' });
    expect((await world.stored(id))?.badSignatures).toBe(0);
  });

  it('is any signature by another user’s Safe', async () => {
    const [mine, theirs] = [await raiseForOwner(), await raiseForOwner()];
    const data = signableOf(await mine.user.issue(mine.id, APPROVE));
    const signature = await signAsSafe(theirs.safe, [theirs.owner], data);
    await expect(mine.user.submit(mine.id, APPROVE, signature)).rejects.toMatchObject({ code: 'INVALID_SIGNATURE' });
  });

  it('fails the challenge when it is the fifth', async () => {
    const given = await raiseForOwner();
    const signature = await good(given);
    for (let count = 0; count < 5; count += 1) {
      await expect(given.user.submit(given.id, APPROVE, malleated(signature))).rejects.toMatchObject({ code: 'INVALID_SIGNATURE' });
    }
    await expect(given.user.submit(given.id, APPROVE, signature)).rejects.toMatchObject({ code: 'DECISION_NOT_AVAILABLE' });
  });

  it('is any signature over 65 bytes if the account has no Safe', async () => {
    const { id, user } = await world.raise(app);
    await user.issue(id, APPROVE);
    await expect(user.submit(id, APPROVE, `0x${'11'.repeat(130)}`)).rejects.toMatchObject({ code: 'INVALID_SIGNATURE' });
  });
});
