import { randomUUID } from 'node:crypto';
import type { Hex } from '@florin/evm/hex';
import { deployToken, describeOnEvm, type Evm, installModules, startEvm, type TestToken } from '@florin/evm/local-chain';
import {
  DELAY_1_0_1,
  encodeDelayDeployment,
  encodeExecution,
  encodeSafeDeployment,
  joinOwnerSignatures,
  type OwnerSignature,
  predictSafeAddress,
  type SafeTransaction,
  safeTypedData,
  setUpTransaction,
} from '@florin/evm/safe';
import { type Address, encodeFunctionData, parseAbi } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { withdrawalTransaction } from '../domain/withdrawal.ts';
import { createJsonRpcExecutionNode } from '../ports/json-rpc-execution-node.ts';
import { createLocalKeySigner } from '../ports/local-key-signer.ts';
import type { SignedPlan } from '../store/safe-plans.ts';
import { inspectSafe } from './inspect-safe.ts';
import { createKeyOwner, createSafeOwner, type PlatformOwner } from './platform-owners.ts';
import { createSafeKeeper } from './safe-keeper.ts';

const CHAIN_ID = 100;
const DELAY = { mastercopy: DELAY_1_0_1, cooldownSeconds: 3600, expirationSeconds: 600 };
const REMEMBERED_MS = 60_000;
const SAFE = parseAbi(['function enableModule(address module)']);

describeOnEvm('the second owner of Safes', { timeout: 180_000 }, () => {
  let evm: Evm;
  let token: TestToken;
  beforeAll(async () => {
    evm = await startEvm(CHAIN_ID);
    await installModules(evm);
    token = await deployToken(evm);
  }, 180_000);
  afterAll(() => evm?.close());

  const newKey = () => {
    const privateKey = generatePrivateKey();
    return { account: privateKeyToAccount(privateKey), signer: createLocalKeySigner(privateKey) };
  };
  type Key = ReturnType<typeof newKey>;

  /** A Safe of the platform, for which each of these keys can sign. */
  const newPlatform = async (...keys: [Key, ...Key[]]) => {
    let time = 0;
    const address = await evm.deploySafe([keys[0].account.address], 1, BigInt(`0x${randomUUID().replaceAll('-', '')}`));
    const owner = createSafeOwner({
      chainId: CHAIN_ID,
      address,
      keys: new Map(keys.map(({ signer }) => [signer.address, signer])),
      node: createJsonRpcExecutionNode(evm.url),
      now: () => new Date(time),
    });
    return {
      address,
      owner,
      pass: (ms: number): void => {
        time += ms;
      },
    };
  };

  /** A user's Safe, and the transactions of both owners. */
  const newSafe = async (platform: PlatformOwner) => {
    const { account: user } = newKey();
    const accountId = randomUUID();
    const safe = predictSafeAddress(accountId, [user.address, platform.address]);
    const parties = { chainId: CHAIN_ID, accountId, safe, owner: user.address, platform: platform.address };
    const sign = async (transaction: SafeTransaction, bySecond?: OwnerSignature): Promise<Hex> => {
      const byUser = { owner: user.address, signature: await user.signTypedData(safeTypedData(transaction)) };
      return joinOwnerSignatures([byUser, bySecond ?? (await platform.sign(transaction))]);
    };
    /** @returns the gas that it took */
    const execute = async (transaction: SafeTransaction, bySecond?: OwnerSignature): Promise<number> => {
      const call = encodeExecution(transaction, await sign(transaction, bySecond));
      const hash = await evm.send(call.to, call.data);
      const { gasUsed } = await evm.rpc<{ gasUsed: Hex }>('eth_getTransactionReceipt', [hash]);
      return Number(gasUsed);
    };
    const payment = (nonce: bigint): SafeTransaction =>
      withdrawalTransaction({ chainId: CHAIN_ID, safe, token: token.address, recipient: user.address, amount: 1n, nonce });
    const setUp = async () => {
      for (const { to, data } of [encodeSafeDeployment(parties), encodeDelayDeployment(safe, DELAY)]) await evm.send(to, data);
      await token.pay(safe, 10n);
      await execute(setUpTransaction(parties, DELAY, 0n));
      expect(await inspectSafe(createJsonRpcExecutionNode(evm.url), parties, { delay: DELAY }, await evm.blockNumber())).toEqual([]);
      // The first transfer to an address takes more gas than the later ones.
      await execute(payment(1n));
    };
    return { parties, user, setUp, execute, payment };
  };

  it('can be a Safe, whose key signs for it for 25,000 gas more', async () => {
    const key = newKey();
    const byKey = await newSafe(createKeyOwner(key.signer));
    await byKey.setUp();
    const bySafe = await newSafe((await newPlatform(key)).owner);
    await bySafe.setUp();
    const more = (await bySafe.execute(bySafe.payment(2n))) - (await byKey.execute(byKey.payment(2n)));
    expect(more).toBeGreaterThan(0);
    // 24,832 were measured.
    expect(more).toBeLessThan(26_000);
    expect(await token.balanceOf(bySafe.user.address)).toBe(2n);
  });

  it('exchanges its key for all Safes by one transaction, after which the former key signs for none', async () => {
    const [former, next] = [newKey(), newKey()];
    const { address, owner, pass } = await newPlatform(former, next);
    const safes = [await newSafe(owner), await newSafe(owner)] as const;
    for (const { setUp } of safes) await setUp();
    const [first, second] = safes;
    const byFormer = await owner.sign(first.payment(2n));
    await evm.swapOwner(address, former.account, next.account.address);
    // The signature that the user's Safe asks for is one of the new owner now (GS026 of the platform's Safe).
    await expect(first.execute(first.payment(2n), byFormer)).rejects.toThrow();
    pass(REMEMBERED_MS);
    expect(await owner.signers()).toEqual([next.account.address]);
    for (const { execute, payment } of [first, second]) await execute(payment(2n));
    await expect(second.execute(second.payment(3n), { ...byFormer, owner: address })).rejects.toThrow();
  });

  it('gives users a new signature over their set-up after its key was exchanged', async () => {
    const [former, next] = [newKey(), newKey()];
    const { address, owner, pass } = await newPlatform(former, next);
    const { parties, execute } = await newSafe(owner);
    let stored: SignedPlan | undefined;
    const plans = {
      find: async () => stored,
      keep: async (plan: SignedPlan) => {
        stored ??= plan;
        return stored;
      },
      renew: async (plan: SignedPlan) => {
        stored = plan;
      },
    };
    const none = new Map();
    const keeper = createSafeKeeper({
      ownersOn: () => [owner],
      platform: address,
      delay: DELAY,
      termsOn: () => undefined,
      plans,
      setUps: none,
      withdrawals: none,
      recoveries: none,
      allowancesOf: async () => [],
    });
    const account = {
      id: parties.accountId,
      chainId: CHAIN_ID,
      safe: parties.safe,
      owner: parties.owner,
      ownerRevoked: false,
      approved: true,
      active: false,
      closed: false,
    };
    const before = await keeper.planOf(account, undefined);
    expect(await keeper.planOf(account, undefined)).toEqual(before);
    await evm.swapOwner(address, former.account, next.account.address);
    pass(REMEMBERED_MS);
    const after = await keeper.planOf(account, undefined);
    expect(after.signature).not.toEqual(before.signature);
    for (const { to, data } of [encodeSafeDeployment(parties), encodeDelayDeployment(parties.safe, DELAY)]) await evm.send(to, data);
    const setUp = setUpTransaction(parties, DELAY, 0n);
    await expect(execute(setUp, before.signature)).rejects.toThrow();
    await execute(setUp, after.signature);
  });

  it('signs nothing for a Safe that is not the plain one, or whose keys it lacks', async () => {
    const key = newKey();
    const { address, owner } = await newPlatform(key);
    const { payment } = await newSafe(owner);
    const stranger = createSafeOwner({
      chainId: CHAIN_ID,
      address,
      keys: new Map(),
      node: createJsonRpcExecutionNode(evm.url),
      now: () => new Date(0),
    });
    await expect(stranger.sign(payment(1n))).rejects.toMatchObject({ code: 'SAFES_NOT_AVAILABLE' });
    const module: Address = newKey().account.address;
    const data = encodeFunctionData({ abi: SAFE, functionName: 'enableModule', args: [module] });
    await evm.executeFromSafe(address, key.account, { to: address, data });
    await expect(owner.sign(payment(1n))).rejects.toMatchObject({ code: 'SAFES_NOT_AVAILABLE' });
    const nobody = createSafeOwner({
      chainId: CHAIN_ID,
      address: module,
      keys: new Map([[key.signer.address, key.signer]]),
      node: createJsonRpcExecutionNode(evm.url),
      now: () => new Date(0),
    });
    await expect(nobody.sign(payment(1n))).rejects.toMatchObject({ code: 'SAFES_NOT_AVAILABLE' });
  });
});
