import { randomUUID } from 'node:crypto';
import { openStore } from '@florin/data/store';
import { testEngines } from '@florin/data/testing';
import type { Hex } from '@florin/evm/hex';
import { deployToken, describeOnEvm, type Evm, installDeployer, installModules, startEvm, type TestToken } from '@florin/evm/local-chain';
import {
  COLLECTOR,
  COLLECTOR_ABI,
  DELAY_1_0_1,
  type DelaySettings,
  encodeDelayDeployment,
  encodeExecution,
  encodeMultiSend,
  encodeSafeDeployment,
  joinOwnerSignatures,
  predictDelayModule,
  predictSafeAddress,
  type SafeTransaction,
  safeTransactionHash,
  safeTypedData,
  setUpTransaction,
} from '@florin/evm/safe';
import { createLogger } from '@florin/rpc/observe';
import { quietLogger } from '@florin/rpc/testing';
import {
  type Address,
  concatHex,
  decodeFunctionResult,
  encodeFunctionData,
  erc20Abi,
  keccak256,
  maxUint256,
  pad,
  parseAbi,
  toHex,
} from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TokenBlock } from '../clients/accounts.ts';
import type { SafePlan } from '../domain/account-safe.ts';
import type { WatchException } from '../domain/exception.ts';
import { agreeExecution } from '../ports/agree-execution.ts';
import type { ContractEvent, ExecutionNode } from '../ports/execution-node.ts';
import { createJsonRpcExecutionNode } from '../ports/json-rpc-execution-node.ts';
import { createLocalKeySigner } from '../ports/local-key-signer.ts';
import { createRelayJobStore } from '../store/relay-jobs.ts';
import { createSafePlanStore } from '../store/safe-plans.ts';
import { createSafeStore } from '../store/safes.ts';
import { createKeyOwner, type PlatformOwner } from './platform-owners.ts';
import { createSafeInspections } from './safe-inspections.ts';
import { createSafeKeeper } from './safe-keeper.ts';
import { createSafeSetUps } from './safe-set-ups.ts';

const CHAIN_ID = 100;
const DELAY = { mastercopy: DELAY_1_0_1, cooldownSeconds: 3600, expirationSeconds: 600 };
const EVERY_MS = 3_600_000;
const DAY_MS = 86_400_000;
const open = () => false;

const DELAY_ABI = parseAbi([
  'function execTransactionFromModule(address to, uint256 value, bytes data, uint8 operation)',
  'function executeNextTx(address to, uint256 value, bytes data, uint8 operation)',
  'function skipExpired()',
]);

/** Where a Safe 1.4.1 keeps what its views do not show in full. */
const MODULES_SLOT = 1n;
const OWNERS_SLOT = 2n;
const NONCE_SLOT = 5n;
const APPROVED_SLOT = 8n;
const entryOf = (slot: bigint, key: Hex): Hex => keccak256(concatHex([pad(key), pad(toHex(slot))]));

/** Code that stores words in whatever delegates to it. */
const storing = (words: readonly (readonly [slot: Hex, value: bigint])[]): Hex =>
  concatHex([...words.map(([slot, value]) => concatHex(['0x7f', pad(toHex(value)), '0x7f', pad(slot), '0x55'])), '0x00']);

describeOnEvm('the set-up of a Safe whose owner may have used it alone', { timeout: 300_000 }, () => {
  let evm: Evm;
  let token: TestToken;
  let store: Awaited<ReturnType<typeof openStore>>;
  let safes: ReturnType<typeof createSafeStore>;
  let jobs: ReturnType<typeof createRelayJobStore>;
  let plans: ReturnType<typeof createSafePlanStore>;
  beforeAll(async () => {
    evm = await startEvm(CHAIN_ID);
    await installModules(evm);
    token = await deployToken(evm);
    const { mongodbUri, database } = testEngines();
    store = await openStore({ uri: mongodbUri, database: `${database}_set_ups`, poolSize: 2, logger: quietLogger });
    [safes, jobs] = [createSafeStore(store.connection), createRelayJobStore(store.connection)];
    plans = createSafePlanStore(store.connection);
    await store.ready();
  }, 180_000);
  afterAll(async () => {
    await store?.connection.dropDatabase();
    await store?.connection.close();
    await evm?.close();
  });

  const keeperOf = (owners: readonly PlatformOwner[], delay: DelaySettings) =>
    createSafeKeeper({
      ownersOn: () => owners,
      platform: owners[0]?.address ?? '0x',
      delay,
      termsOn: () => undefined,
      plans,
      setUps: new Map(),
      withdrawals: new Map(),
      recoveries: new Map(),
      allowancesOf: async () => [],
    });

  /** Accounts of whose history the ledger was told, by whichever test, and those that are in provisioning. */
  const [histories, waiting] = [[] as string[], new Set<string>()];

  /** An account whose Safe is not deployed yet, and the service that looks after it. */
  const newAccount = (showsEvents: (event: ContractEvent) => boolean = () => true, isShared = false, settings: DelaySettings = DELAY) => {
    const [platformKey, owner] = [generatePrivateKey(), privateKeyToAccount(generatePrivateKey())];
    const platform = privateKeyToAccount(platformKey);
    const accountId = randomUUID();
    const safe = predictSafeAddress(accountId, isShared ? [owner.address, platform.address] : [owner.address]);
    const parties = { chainId: CHAIN_ID, accountId, safe, owner: owner.address, platform: platform.address };
    const module = predictDelayModule(safe, DELAY);
    /** Messages to the ledger, in order. */
    const told: string[] = [];
    const opened: WatchException[] = [];
    /** Open exceptions about tokens that all accounts hold. */
    const halted: WatchException[] = [];
    const signed = new Map<bigint, SafeTransaction>();
    let time = Date.now();
    const honest = createJsonRpcExecutionNode(evm.url);
    let proves = true;
    const warned: string[] = [];
    const storageRoot: ExecutionNode['storageRoot'] = async (...asked) => (proves ? honest.storageRoot(...asked) : undefined);
    let fails = (_contract: Hex) => false;
    const events: ExecutionNode['events'] = async (...asked) => {
      if (fails(asked[0])) throw new Error('a node fails');
      return (await honest.events(...asked)).filter(showsEvents);
    };
    const node: ExecutionNode = { ...honest, storageRoot, events };
    const agreed = agreeExecution([node, node]);
    let finalTo = Number.POSITIVE_INFINITY;
    const parts = {
      chainId: CHAIN_ID,
      symbols: new Map([[token.address.toLowerCase() as Hex, 'EURe']]),
      accounts: {
        blockToken: async ({ accountId: of, token: symbol }: TokenBlock) => void (of === accountId && told.push(`blocked ${symbol}`)),
        exchangeSafeOwner: async () => undefined,
        isProvisioning: async (id: string) => waiting.has(id),
        unblockToken: async ({ accountId: of, token: symbol }: TokenBlock) => void (of === accountId && told.push(`unblocked ${symbol}`)),
      },
      exceptions: {
        open: async (one: WatchException) => void (one.transfer.accountId === accountId && opened.push(one)),
        openOfTokens: async () => halted,
      },
      recoveriesOf: async () => [],
      node: { ...agreed, finalizedNumber: async () => Math.min(finalTo, await agreed.finalizedNumber()) },
      delay: settings,
      safes,
      jobs,
      // The Safes of other tests are looked after as well.
      confirm: async (id: string) => void (id === accountId && told.push('confirmed')),
      revoke: async (id: string, historyDiffers = false) => {
        if (historyDiffers) histories.push(id);
        else if (id === accountId) told.push('revoked');
        return historyDiffers;
      },
      logger: createLogger('test', 'warn', { write: (line: string) => void (line.includes('"warn"') && warned.push(line)) }),
      now: () => new Date(time),
    };
    const history = {
      openedAt: async () => new Date(Date.now()),
      signedWith: async (_safe: unknown, nonce: bigint) => {
        const transaction = signed.get(nonce);
        return transaction && safeTransactionHash(transaction);
      },
    };
    const times = { inspectEveryMs: EVERY_MS, inspectWithinMs: 2 * EVERY_MS };
    const inspections = createSafeInspections({ ...parts, history, ...times });
    const setUps = createSafeSetUps({ ...parts, inspections });
    const inspectWith = (delay: typeof DELAY) => createSafeInspections({ ...parts, delay, history, ...times }).round(open);
    const pass = (ms: number): void => {
      time += ms;
    };
    const find = async () => (await safes.find(accountId)) ?? expect.fail('the Safe is not stored');
    const sign = (transaction: SafeTransaction, by = owner) => by.signTypedData(safeTypedData(transaction));
    /** The owner alone, while the Safe has no other. */
    const executeAlone = async (nonce: bigint, to: Address, data: Hex, operation: 0 | 1 = 0) => {
      const transaction = { chainId: CHAIN_ID, safe, to, data, operation, safeTxGas: 0n, nonce };
      const call = encodeExecution(transaction, await sign(transaction));
      await evm.send(call.to, call.data);
    };
    const deploy = async () => {
      const call = encodeSafeDeployment(parties);
      await evm.send(call.to, call.data);
    };
    const deployModule = async () => {
      const call = encodeDelayDeployment(safe, settings);
      await evm.send(call.to, call.data);
    };
    /** Sends the job of the set-up, as the relayer does. */
    const relay = async () => {
      const { jobId } = await find();
      const { to, data } = (await jobs.find(jobId)) ?? expect.fail('the set-up has no job');
      const txHash = await evm.send(to, data);
      await jobs.finish(jobId, { txHash, succeeded: true, blockNumber: await evm.blockNumber() });
    };
    /** Returns the plan that the platform tells the user before anything is deployed. */
    const promised = async (): Promise<SafePlan> => {
      const owners = [generatePrivateKey(), platformKey].map((key) => createKeyOwner(createLocalKeySigner(key)));
      const keeper = keeperOf(owners, settings);
      const account = {
        id: accountId,
        chainId: CHAIN_ID,
        safe,
        owner: owner.address,
        ownerRevoked: false,
        approved: true,
        active: false,
        closed: false,
      };
      return isShared ? keeper.planOf(account, undefined) : { parties, delay: settings };
    };
    const request = async () => {
      const stored = await safes.find(accountId);
      const plan = await promised();
      await setUps.request(plan, stored, await sign(await setUps.offer(plan, stored)));
    };
    /** Sends the jobs of the set-up until it has none left. */
    const relayAll = async () => {
      while ((await jobs.find((await find()).jobId))?.status === 'queued') {
        await relay();
        await setUps.round(open);
      }
    };
    const setUp = async () => {
      await request();
      await relayAll();
    };
    const inspectAgain = async () => {
      pass(EVERY_MS + 1);
      await inspections.round(open);
    };
    const setFinal = (block: number): void => {
      finalTo = block;
    };
    /** The owner, through the Delay module. */
    const callModule = async (functionName: 'execTransactionFromModule' | 'executeNextTx', to: Address, data: Hex) => {
      await evm.rpc('hardhat_setBalance', [owner.address, '0xde0b6b3a7640000']);
      await evm.rpc('hardhat_impersonateAccount', [owner.address]);
      const call = encodeFunctionData({ abi: DELAY_ABI, functionName, args: [to, 0n, data, 0] });
      await evm.rpc('eth_sendTransaction', [{ from: owner.address, to: module, data: call, gas: '0x4c4b40' }]);
    };
    const setProving = (isProving: boolean): void => {
      proves = isProving;
    };
    const setFailing = (isFailing: typeof fails): void => {
      fails = isFailing;
    };
    const make = {
      warned,
      setProving,
      setFailing,
      deploy,
      deployModule,
      owner,
      promised,
      executeAlone,
      callModule,
      request,
      setUp,
      relayAll,
      inspectAgain,
      inspectWith,
      pass,
      setFinal,
    };
    return { parties, platform, safe, module, told, opened, halted, signed, setUps, inspections, find, sign, relay, ...make };
  };

  const approveAll = (spender: Address): Hex => encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [spender, maxUint256] });
  const newAddress = (): Address => privateKeyToAccount(generatePrivateKey()).address;
  const install = async (code: Hex): Promise<Address> => {
    const address = newAddress();
    await evm.setCode(address, code);
    return address;
  };

  it('is verified when it is all that the Safe has executed, whoever deployed the Safe and its module', async () => {
    const { parties, setUp, deploy, deployModule, find, told, safe } = newAccount();
    await deploy();
    await deployModule();
    // Anyone can do that.
    await token.pay(safe, 1n);
    await setUp();
    expect(await find()).toMatchObject({ ...parties, status: 'verified', findings: [], historyBlock: expect.any(Number) });
    expect(told).toEqual(['confirmed']);
  });

  it('is not offered when the owner has executed something before: an allowance remains', async () => {
    const { deploy, executeAlone, setUps, parties, safe } = newAccount();
    await deploy();
    const thief = newAddress();
    await executeAlone(0n, token.address, approveAll(thief));
    await expect(setUps.offer({ parties, delay: DELAY }, undefined)).rejects.toMatchObject({ code: 'SET_UP_NOT_AVAILABLE' });
    const args = [safe, thief] as const;
    expect(BigInt(await evm.read(token.address, encodeFunctionData({ abi: erc20Abi, functionName: 'allowance', args })))).toBe(maxUint256);
  });

  it.each([
    ['an allowance', () => []],
    ['a module that is not in the list', (thief: Address) => [[entryOf(MODULES_SLOT, thief), 1n]] as const],
    ['an owner who is not in the list', (thief: Address) => [[entryOf(OWNERS_SLOT, thief), 1n]] as const],
    [
      "an approval in the platform's name",
      (_thief: Address, platform: Address) => [[keccak256(concatHex([pad(toHex(7n)), entryOf(APPROVED_SLOT, platform)])), 1n]] as const,
    ],
  ])('deviates for ever when the owner left %s and put the nonce back', async (_name, wordsOf) => {
    const { deploy, deployModule, executeAlone, setUp, setUps, parties, find, told, inspectAgain, sign } = newAccount();
    await deploy();
    await deployModule();
    const thief = newAddress();
    const words = wordsOf(thief, parties.platform);
    if (words.length === 0) await executeAlone(0n, token.address, approveAll(thief));
    const hostile = await install(storing([...words, [toHex(NONCE_SLOT), 0n]]));
    await executeAlone(words.length === 0 ? 1n : 0n, hostile, '0x', 1);
    await setUp();
    expect(await find()).toMatchObject({ status: 'deviating', findings: ['history_differs'] });
    await inspectAgain();
    await expect(setUps.offer({ parties, delay: DELAY }, await find())).rejects.toMatchObject({ code: 'SET_UP_NOT_AVAILABLE' });
    const forced = { chainId: CHAIN_ID, safe: parties.safe, to: parties.safe, data: '0x', operation: 0, safeTxGas: 0n, nonce: 0n } as const;
    expect(await setUps.request({ parties, delay: DELAY }, await find(), await sign(forced))).toMatchObject({ status: 'deviating' });
    expect(told).toEqual([]);
  });

  it.each([
    ['a module that is not in the list', (thief: Address) => entryOf(MODULES_SLOT, thief)],
    ['an owner who is not in the list', (thief: Address) => entryOf(OWNERS_SLOT, thief)],
    [
      "an approval in the platform's name",
      (_thief: Address, platform: Address) => keccak256(concatHex([pad(toHex(7n)), entryOf(APPROVED_SLOT, platform)])),
    ],
  ])('deviates when the owner left %s, although the nodes have lost the events', async (_name, slotIn) => {
    const lost: Hex[] = [];
    const isKept = ({ topics, data }: ContractEvent) => !lost.some((part) => data.includes(part.slice(2)) || topics.includes(part));
    const { deploy, deployModule, executeAlone, setUp, parties, safe, platform, find, pass, inspectAgain, setProving } = newAccount(isKept);
    await deploy();
    await deployModule();
    const hostile = await install(
      storing([
        [slotIn(newAddress(), platform.address), 1n],
        [toHex(NONCE_SLOT), 0n],
      ]),
    );
    await executeAlone(0n, hostile, '0x', 1);
    const used = { chainId: CHAIN_ID, safe, to: hostile, data: '0x', operation: 1, safeTxGas: 0n, nonce: 0n } as const;
    lost.push(hostile.toLowerCase() as Hex, safeTransactionHash(used));
    await setUp();
    expect(await find()).toMatchObject({ ...parties, status: 'deviating', findings: ['storage_differs'] });
    waiting.add(parties.accountId);
    // One that does not look at the storage ends what others have found.
    for (const proves of [false, true]) {
      setProving(proves);
      pass(DAY_MS);
      await inspectAgain();
    }
    expect(await find()).toMatchObject({ findings: ['storage_differs'], storageDiffers: { times: 1 } });
    pass(DAY_MS);
    await inspectAgain();
    expect(await find()).toMatchObject({ findings: ['storage_differs'], storageDiffers: { times: 2 } });
    expect(histories).not.toContain(parties.accountId);
    // Nothing else would end it: its owner gets another account.
    await inspectAgain();
    expect(await find()).toMatchObject({ status: 'deviating', findings: ['storage_differs', 'history_differs'] });
    expect(histories).toContain(parties.accountId);
  });

  it('is verified by views and events where nodes prove no storage, which the log says once', async () => {
    const { setUp, find, inspectAgain, setProving, warned } = newAccount();
    setProving(false);
    await setUp();
    await inspectAgain();
    expect(await find()).toMatchObject({ status: 'verified', findings: [] });
    expect(warned.filter((text) => text.includes('eth_getProof'))).toHaveLength(1);
  });

  it('stays verified when its owner approves a hash, which is nothing without the platform', async () => {
    const { owner, safe, setUp, find, inspectAgain } = newAccount();
    await setUp();
    await evm.rpc('hardhat_setBalance', [owner.address, '0xde0b6b3a7640000']);
    await evm.rpc('hardhat_impersonateAccount', [owner.address]);
    const data = encodeFunctionData({ abi: parseAbi(['function approveHash(bytes32 hash)']), args: [pad('0x07')] });
    // Twice: the Safe holds it once.
    for (let times = 0; times < 2; times += 1) await evm.rpc('eth_sendTransaction', [{ from: owner.address, to: safe, data }]);
    await inspectAgain();
    expect(await find()).toMatchObject({ status: 'verified', findings: [] });
  });

  it('deviates when the Safe was used and destroyed in the transaction that deployed it first', async () => {
    const { parties, safe, setUp, find, sign } = newAccount();
    const thief = newAddress();
    const destroy = await install('0x33ff');
    const steps: SafeTransaction[] = [
      { chainId: CHAIN_ID, safe, to: token.address, data: approveAll(thief), operation: 0, safeTxGas: 0n, nonce: 0n },
      { chainId: CHAIN_ID, safe, to: destroy, data: '0x', operation: 1, safeTxGas: 0n, nonce: 1n },
    ];
    const executions = await Promise.all(steps.map(async (step) => encodeExecution(step, await sign(step))));
    const batch = encodeMultiSend([encodeSafeDeployment(parties), ...executions]);
    await evm.send(batch.to, batch.data);
    expect(await evm.rpc('eth_getCode', [safe, 'latest'])).toBe('0x');
    await setUp();
    const stored = await find();
    expect(stored).toMatchObject({ status: 'deviating', findings: expect.arrayContaining(['history_differs']) });
    // Nothing more is paid for.
    expect((await jobs.find(stored.jobId))?.data).not.toContain(stored.setUp.signature.slice(2));
  });

  it('is revoked when a Safe that an earlier release verified has another history, and kept when it has none', async () => {
    const [used, clean] = [newAccount(), newAccount()];
    await used.deploy();
    await used.deployModule();
    const hostile = await install(
      storing([
        [entryOf(MODULES_SLOT, newAddress()), 1n],
        [toHex(NONCE_SLOT), 0n],
      ]),
    );
    await used.executeAlone(0n, hostile, '0x', 1);
    for (const account of [used, clean]) {
      await account.setUp();
      const formerly = {
        $set: { status: 'verified', findings: [], verifiedAt: new Date() },
        $unset: { historyBlock: 1, dueAt: 1, recheckBlock: 1, delay: 1 },
      } as const;
      await store.connection.collection<{ _id: string }>('safes').updateOne({ _id: account.parties.accountId }, formerly);
      account.told.length = 0;
      await account.inspectAgain();
    }
    expect(await used.find()).toMatchObject({ status: 'deviating', findings: ['history_differs'] });
    expect(used.told).toEqual(['revoked']);
    expect(await clean.find()).toMatchObject({ status: 'verified', historyBlock: expect.any(Number) });
    expect(clean.told).toEqual([]);
    // The ledger is told once that it is for ever.
    for (let times = 0; times < 2; times += 1) await used.inspectAgain();
    expect(histories.filter((id) => id === used.parties.accountId)).toHaveLength(1);
    expect(histories).not.toContain(clean.parties.accountId);
  });

  it.each([true, false])('that was never verified is told of for ever if its account waits for it: %s', async (waits) => {
    const { parties, deploy, deployModule, executeAlone, setUp, inspectAgain } = newAccount();
    if (waits) waiting.add(parties.accountId);
    await deploy();
    await deployModule();
    await executeAlone(0n, token.address, approveAll(newAddress()));
    await executeAlone(1n, await install(storing([[toHex(NONCE_SLOT), 0n]])), '0x', 1);
    await setUp();
    for (let times = 0; times < 2; times += 1) await inspectAgain();
    expect(histories.filter((id) => id === parties.accountId)).toHaveLength(waits ? 1 : 0);
  });

  it('is compared with the history from an earlier block once final ones were replaced, and no inspection that has begun ends that', async () => {
    const { setUp, find, inspectAgain } = newAccount();
    await setUp();
    const before = await find();
    await safes.rereadFrom(CHAIN_ID, 1);
    const found = {
      findings: [],
      historyBlock: before.historyBlock ?? 0,
      block: before.inspectedBlock ?? 0,
      at: new Date(),
      dueAt: new Date(),
    };
    expect([await safes.inspected(before, found), (await find()).historyBlock]).toEqual([false, 1]);
    await inspectAgain();
    expect((await find()).historyBlock).toBeGreaterThan(1);
  });

  it('stays verified when the Safe executes what the platform signed', async () => {
    const { parties, safe, platform, setUp, signed, sign, find, inspectAgain } = newAccount();
    await setUp();
    await token.pay(safe, 5n);
    const data = token.transfer(newAddress(), 5n);
    const transaction = { chainId: CHAIN_ID, safe, to: token.address, data, operation: 0, safeTxGas: 200_000n, nonce: 1n } as const;
    const signatures = [await sign(transaction), await sign(transaction, platform)];
    if (parties.platform.toLowerCase() < parties.owner.toLowerCase()) signatures.reverse();
    const call = encodeExecution(transaction, concatHex(signatures));
    await evm.send(call.to, call.data);
    signed.set(1n, transaction);
    await inspectAgain();
    expect(await find()).toMatchObject({ status: 'verified', findings: [] });
    signed.clear();
    await inspectAgain();
    expect(await find()).toMatchObject({ status: 'deviating', findings: ['history_differs'] });
  });

  it('is revoked for ever once the Delay module has executed something, also when its queue is empty again', async () => {
    const { safe, setUp, callModule, find, told, inspectAgain } = newAccount();
    await setUp();
    const approval = approveAll(newAddress());
    await callModule('execTransactionFromModule', token.address, approval);
    await evm.rpc('evm_increaseTime', [DELAY.cooldownSeconds + 1]);
    await callModule('executeNextTx', token.address, approval);
    for (let times = 0; times < 2; times += 1) await inspectAgain();
    expect(await find()).toMatchObject({ safe, status: 'deviating', findings: ['history_differs'] });
    expect(told).toEqual(['confirmed', 'revoked']);
  });

  it('does not spend a token that it cannot move, frozen by its issuer, until it can', async () => {
    const { parties, safe, setUp, find, told, opened, halted, inspectAgain, setFinal } = newAccount();
    const contract = token.address.toLowerCase() as Hex;
    await setUp();
    await token.pay(safe, 5n);
    const code = await evm.rpc<Hex>('eth_getCode', [token.address, 'latest']);
    // Reverts transfers, and does everything else as before.
    const original = await install(code);
    const pausing: Hex = `0x60003560e01c63a9059cbb14603d573660006000376000600036600073${original.slice(2)}5af43d600060003e3d6000f35b60006000fd`;
    await evm.setCode(token.address, pausing);
    try {
      expect(await token.balanceOf(safe)).toBe(5n);
      // It is blocked for all: the Safe says nothing about it.
      halted.push({ transfer: { token: 'EURe' } } as WatchException);
      await inspectAgain();
      expect((await find()).frozen).toBeUndefined();
      halted.pop();
      for (let times = 0; times < 2; times += 1) await inspectAgain();
      expect(await find()).toMatchObject({ status: 'verified', findings: [], frozen: { [contract]: expect.any(Number) } });
      expect(told).toEqual(['confirmed', 'confirmed', 'blocked EURe']);
      expect(opened).toMatchObject([{ kind: 'changed', code: 'TOKEN_FROZEN', transfer: { token: 'EURe', counterparty: contract } }]);
    } finally {
      await evm.setCode(token.address, code);
    }
    await inspectAgain();
    expect((await find()).frozen).toBeUndefined();
    expect(told.splice(0)).toEqual(['confirmed', 'confirmed', 'blocked EURe', 'unblocked EURe']);
    // An alarm about a block that is not final: it is decided once it is.
    const block = (await evm.blockNumber()) + 1;
    expect(await safes.markFrozen(parties.accountId, contract, block, new Date(0))).toBe(true);
    expect(await safes.markFrozen(randomUUID(), contract, block, new Date(0))).toBe(false);
    setFinal(block - 1);
    await inspectAgain();
    expect((await find()).frozen).toEqual({ [contract]: block });
    expect(told).toEqual([]);
    await evm.mine();
    setFinal(block);
    await inspectAgain();
    expect((await find()).frozen).toBeUndefined();
    expect(told).toEqual(['unblocked EURe']);
  });

  it('is confirmed again once a request to leave was skipped', async () => {
    const { setUp, callModule, find, told, inspectAgain, module } = newAccount();
    await setUp();
    await callModule('execTransactionFromModule', token.address, approveAll(newAddress()));
    await inspectAgain();
    expect(await find()).toMatchObject({ status: 'deviating', findings: ['exit_pending'] });
    await evm.rpc('evm_increaseTime', [DELAY.cooldownSeconds + DELAY.expirationSeconds + 1]);
    await evm.send(module, encodeFunctionData({ abi: DELAY_ABI, functionName: 'skipExpired' }));
    await inspectAgain();
    expect(await find()).toMatchObject({ status: 'verified', findings: [] });
    expect(told).toEqual(['confirmed', 'revoked', 'confirmed']);
  });

  it.each([
    ['before the set-up is final', 2],
    ['at once', 0],
  ])('is revoked when the owner asks the Delay module to leave %s', async (_name, empty) => {
    const { setUps, inspections, find, request, relay, callModule, told, setFinal, pass } = newAccount();
    await request();
    await relay();
    await setUps.round(open);
    await relay();
    const last = await evm.blockNumber();
    for (let block = 0; block < empty; block += 1) await evm.mine();
    await callModule('execTransactionFromModule', token.address, approveAll(newAddress()));
    setFinal(last);
    await setUps.round(open);
    expect(told).toEqual(['confirmed', 'revoked']);
    expect(await find()).toMatchObject({ status: 'verified', recheckBlock: await evm.blockNumber() });
    pass(60_000);
    await inspections.round(open);
    // That block is not final yet: nothing is known to be as it must be.
    expect(told).toEqual(['confirmed', 'revoked']);
    setFinal(await evm.blockNumber());
    pass(60_000);
    await inspections.round(open);
    expect(await find()).toMatchObject({ status: 'deviating', findings: ['exit_pending'] });
    expect((await find()).recheckBlock).toBeUndefined();
    expect(told).toEqual(['confirmed', 'revoked', 'revoked']);
  });

  it('is inspected again once the block of an alarm is final, and then confirmed if nothing is wrong', async () => {
    const { parties, setUp, find, told, inspections, pass, setFinal } = newAccount();
    await setUp();
    const block = (await evm.blockNumber()) + 2;
    expect(await safes.recheck(parties.accountId, block, new Date(0))).toBe(true);
    expect(await safes.recheck(randomUUID(), block, new Date(0))).toBe(false);
    setFinal(block - 1);
    await inspections.round(open);
    expect(await find()).toMatchObject({ status: 'verified', recheckBlock: block });
    expect(told).toEqual(['confirmed']);
    setFinal(block);
    for (let mined = 0; mined < 2; mined += 1) await evm.mine();
    pass(15_000);
    await inspections.round(open);
    expect(told).toEqual(['confirmed', 'confirmed']);
  });

  it('is late once its last inspection is too old, and blocked by none that fails for all', async () => {
    await store.connection.collection('safes').deleteMany({});
    const { setUp, inspections, pass, setFailing, told } = newAccount();
    await setUp();
    setFailing(() => true);
    pass(EVERY_MS);
    for (let times = 0; times < 3; times += 1) {
      expect(await inspections.areLate()).toBe(false);
      await expect(inspections.round(open)).rejects.toThrow('a node fails');
      pass(EVERY_MS / 3 + 1000);
    }
    expect(await inspections.areLate()).toBe(true);
    expect(told).toEqual(['confirmed']);
    setFailing(() => false);
    await inspections.round(open);
    expect(await inspections.areLate()).toBe(false);
  });

  it('is blocked instead, until an inspection succeeds, when only its own inspections fail', async () => {
    await store.connection.collection('safes').deleteMany({});
    const [{ setUp, safe, inspections, pass, setFailing, told, find }, other] = [newAccount(), newAccount()];
    await setUp();
    await other.setUp();
    pass(60_000);
    await inspections.round(open);
    setFailing((contract) => contract === safe);
    const failAfter = async (ms: number) => {
      pass(ms);
      await expect(inspections.round(open)).rejects.toThrow('a node fails');
    };
    await failAfter(EVERY_MS);
    expect(told).toEqual(['confirmed', 'confirmed']);
    await failAfter(EVERY_MS / 2);
    expect(await find()).toMatchObject({ status: 'deviating', findings: ['not_inspected'] });
    expect(told).toEqual(['confirmed', 'confirmed', 'revoked']);
    // The ledger may not have been told.
    await failAfter(EVERY_MS);
    expect(told).toEqual(['confirmed', 'confirmed', 'revoked', 'revoked']);
    expect(await inspections.areLate()).toBe(false);
    setFailing(() => false);
    pass(60_000);
    await inspections.round(open);
    expect(await find()).toMatchObject({ status: 'verified', findings: [] });
    expect(told.at(-1)).toBe('confirmed');
  });

  it('is inspected against the delay that the Safe was set up with, whatever is configured since', async () => {
    const { parties, setUp, find, inspectAgain, pass, inspectWith } = newAccount();
    await setUp();
    const formerly = { $unset: { delay: 1, dueAt: 1 } } as const;
    await store.connection.collection<{ _id: string }>('safes').updateOne({ _id: parties.accountId }, formerly);
    await inspectAgain();
    expect(await find()).toMatchObject({ status: 'verified', delay: DELAY });
    pass(EVERY_MS + 1);
    await inspectWith({ ...DELAY, cooldownSeconds: 2 * DELAY.cooldownSeconds });
    expect(await find()).toMatchObject({ status: 'verified', delay: DELAY, inspectedAt: expect.any(Date) });
    expect((await find()).inspectedAt?.getTime()).toBeGreaterThan(Date.now() + EVERY_MS);
  });

  it('is not verified, and does not deviate, while the nodes show no event of the Safe', async () => {
    let shows = false;
    const { setUp, setUps, find, told } = newAccount(() => shows);
    await expect(setUp()).rejects.toThrow('do not show how the Safe');
    expect(await find()).toMatchObject({ status: 'relaying' });
    expect(told).toEqual([]);
    shows = true;
    await setUps.round(open);
    expect(await find()).toMatchObject({ status: 'verified' });
  });

  describe('of a Safe that is shared from birth', () => {
    const always = () => true;
    const views = parseAbi(['function getOwners() view returns (address[])', 'function getThreshold() view returns (uint256)']);

    it('is verified, and no owner can do anything alone before it', async () => {
      const { parties, setUp, deploy, find, told, executeAlone, safe, owner, platform, sign } = newAccount(always, true);
      await deploy();
      expect(BigInt(await evm.read(safe, encodeFunctionData({ abi: views, functionName: 'getThreshold' })))).toBe(2n);
      const owners = await evm.read(safe, encodeFunctionData({ abi: views, functionName: 'getOwners' }));
      for (const { address } of [owner, platform]) expect(owners).toContain(address.slice(2).toLowerCase());
      await expect(executeAlone(0n, token.address, approveAll(newAddress()))).rejects.toThrow('GS020');
      const theft = {
        chainId: CHAIN_ID,
        safe,
        to: token.address,
        data: approveAll(newAddress()),
        operation: 0,
        safeTxGas: 0n,
        nonce: 0n,
      } as const;
      const byPlatform = encodeExecution(theft, await sign(theft, platform));
      await expect(evm.send(byPlatform.to, byPlatform.data)).rejects.toThrow('GS020');
      await setUp();
      expect(await find()).toMatchObject({ ...parties, status: 'verified', findings: [], historyBlock: expect.any(Number) });
      expect(told).toEqual(['confirmed']);
    });

    it('is completed by the owner alone with the signature that the platform gave, and verified without another transaction', async () => {
      const { parties, promised, find, told, deploy, deployModule, owner, sign, setUps } = newAccount(always, true);
      const byPlatform = (await promised()).signature ?? expect.fail('the platform has not signed');
      await deploy();
      await deployModule();
      const transaction = setUpTransaction(parties, DELAY, 0n);
      const signatures = joinOwnerSignatures([{ owner: owner.address, signature: await sign(transaction) }, byPlatform]);
      const call = encodeExecution(transaction, signatures);
      await evm.send(call.to, call.data);

      const plan = await promised();
      await setUps.request(plan, undefined, await sign(await setUps.offer(plan, undefined)));
      await setUps.round(open);
      const stored = await find();
      expect(stored).toMatchObject({ status: 'verified', findings: [] });
      expect(await jobs.find(stored.jobId)).toBeUndefined();
      expect(told).toEqual(['confirmed']);
    });

    it('allows what it says to be collected, and is revoked when it does not any more', async () => {
      const perDay = '5000';
      const terms = { treasury: newAddress(), limits: [{ token: token.address, perDay }] };
      const settings = { ...DELAY, terms };
      await installDeployer(evm);
      // The first one deploys the Collector.
      for (const isDeployed of [false, true]) {
        expect((await evm.rpc('eth_getCode', [COLLECTOR.address, 'latest'])) !== '0x').toBe(isDeployed);
        const { safe, setUp, find, told, promised, callModule, inspectAgain } = newAccount(always, true, settings);
        await setUp();
        const { gasUsed } = await evm.rpc<{ gasUsed: Hex }>('eth_getTransactionReceipt', [
          (await jobs.find((await find()).jobId))?.outcome?.txHash,
        ]);
        expect(BigInt(gasUsed)).toBeLessThan((await jobs.find((await find()).jobId))?.gas ?? 0n);
        const args = [safe, terms.treasury, token.address] as const;
        const data = await evm.read(COLLECTOR.address, encodeFunctionData({ abi: COLLECTOR_ABI, functionName: 'allowances', args }));
        expect(decodeFunctionResult({ abi: COLLECTOR_ABI, functionName: 'allowances', data })[0]).toBe(BigInt(perDay));
        expect((await promised()).delay).toEqual(settings);
        await inspectAgain();
        expect(await find()).toMatchObject({ status: 'verified', findings: [], delay: settings });

        const end = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [COLLECTOR.address, 0n] });
        await callModule('execTransactionFromModule', token.address, end);
        await evm.rpc('evm_increaseTime', [DELAY.cooldownSeconds + 1]);
        await callModule('executeNextTx', token.address, end);
        await inspectAgain();
        expect((await find()).findings).toEqual(['collection_differs', 'history_differs']);
        expect(told.at(-1)).toBe('revoked');
      }
    });

    it('shows the signatures to nobody before the way out exists', async () => {
      const terms = { treasury: newAddress(), limits: [{ token: token.address, perDay: '5000' }] };
      const { safe, module, owner, request, relay, relayAll, find, setUps, setFinal, deploy } = newAccount(always, true, {
        ...DELAY,
        terms,
      });
      await request();
      const first = (await jobs.find((await find()).jobId)) ?? expect.fail('the set-up has no job');
      const { signature } = (await find()).setUp;
      expect(first.data).not.toContain(signature.slice(2));
      expect(first.data).not.toContain(
        owner.address
          .slice(2)
          .toLowerCase()
          .concat(`${'0'.repeat(64)}01`),
      );
      // Somebody gets ahead of the relayer with the Safe alone.
      await deploy();
      await expect(relay()).rejects.toThrow();
      await jobs.finish(first.id, { txHash: `0x${'1'.repeat(64)}`, succeeded: false, blockNumber: await evm.blockNumber() });
      await setUps.round(open);
      const second = (await jobs.find((await find()).jobId)) ?? expect.fail('the set-up has no second job');
      expect(second.data).not.toContain(signature.slice(2));
      setFinal(await evm.blockNumber());
      await relay();
      // Not before it is final.
      await setUps.round(open);
      expect((await find()).jobId).toBe(second.id);
      expect(await evm.rpc('eth_getCode', [module, 'latest'])).not.toBe('0x');
      expect(await evm.rpc('eth_getCode', [COLLECTOR.address, 'latest'])).not.toBe('0x');
      setFinal(Number.POSITIVE_INFINITY);
      await setUps.round(open);
      const third = (await jobs.find((await find()).jobId)) ?? expect.fail('the set-up is not executed');
      expect([third.to.toLowerCase(), third.data.includes(signature.slice(2))]).toEqual([safe.toLowerCase(), true]);
      await relayAll();
      expect(await find()).toMatchObject({ status: 'verified', findings: [] });
    });

    it('shows them to nobody while what somebody else has deployed may still be replaced', async () => {
      const { request, relayAll, find, setUps, setFinal, deploy, deployModule, safe } = newAccount(always, true);
      setFinal(await evm.blockNumber());
      await deploy();
      await deployModule();
      await request();
      await setUps.round(open);
      const { jobId, setUp, status } = await find();
      expect([await jobs.find(jobId), status]).toEqual([undefined, 'relaying']);
      setFinal(Number.POSITIVE_INFINITY);
      await setUps.round(open);
      const job = (await jobs.find(jobId)) ?? expect.fail('the set-up is not executed');
      expect([job.to.toLowerCase(), job.data.includes(setUp.signature.slice(2))]).toEqual([safe.toLowerCase(), true]);
      await relayAll();
      expect(await find()).toMatchObject({ status: 'verified', findings: [] });
    });

    it('is what the platform signed first, whatever is configured since, and is signed by nobody else', async () => {
      const { parties, promised, platform, owner, safe } = newAccount(always, true);
      const first = await promised();
      const account = {
        id: parties.accountId,
        chainId: CHAIN_ID,
        safe,
        owner: owner.address,
        ownerRevoked: false,
        approved: true,
        active: false,
        closed: false,
      };
      const later = keeperOf([createKeyOwner(createLocalKeySigner(generatePrivateKey()))], { ...DELAY, cooldownSeconds: 60 });
      expect(await later.planOf(account, undefined)).toEqual(first);
      expect(first.parties.platform).toBe(platform.address);
      const stranger = { ...account, id: randomUUID() };
      await expect(later.planOf(stranger, undefined)).rejects.toMatchObject({ code: 'SAFES_NOT_AVAILABLE' });
    });
  });
});
