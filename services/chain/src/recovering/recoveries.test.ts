import { randomUUID } from 'node:crypto';
import { openStore } from '@florin/data/store';
import { testEngines } from '@florin/data/testing';
import type { Hex } from '@florin/evm/hex';
import { deployToken, describeOnEvm, type Evm, installModules, startEvm, type TestToken } from '@florin/evm/local-chain';
import {
  DELAY_1_0_1,
  type DelaySettings,
  encodeDelayDeployment,
  encodeExecution,
  encodeMultiSend,
  encodeRecoverySafeDeployment,
  encodeSafeDeployment,
  predictDelayModule,
  predictSafeAddress,
  type SafeTransaction,
  safeTransactionHash,
  safeTypedData,
  setUpTransaction,
} from '@florin/evm/safe';
import { signSafeTransaction } from '@florin/evm/testing';
import { CodedError } from '@florin/rpc/errors';
import { quietLogger } from '@florin/rpc/testing';
import { type Address, encodeFunctionData, parseAbi, zeroAddress } from 'viem';
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createKeyOwner, type PlatformOwner } from '../accounts/platform-owners.ts';
import { createSafeInspections } from '../accounts/safe-inspections.ts';
import { createAlarmWatch } from '../alarming/alarm-watch.ts';
import { agree } from '../ports/agree.ts';
import { agreeExecution } from '../ports/agree-execution.ts';
import { createJsonRpcChainNode } from '../ports/json-rpc-chain-node.ts';
import { createJsonRpcExecutionNode } from '../ports/json-rpc-execution-node.ts';
import { createLocalKeySigner } from '../ports/local-key-signer.ts';
import { createAlarmCursorStore } from '../store/alarm-cursors.ts';
import { createExceptionStore } from '../store/exceptions.ts';
import { createSafeStores, type SafeStores } from '../store/safe-stores.ts';
import { isOfRecovery } from './explain-executions.ts';
import { createRecoveries } from './recoveries.ts';

const CHAIN_ID = 100;
const HOUR = 3600;
const DELAY = { mastercopy: DELAY_1_0_1, cooldownSeconds: 25 * HOUR, expirationSeconds: 31 * HOUR };
const RECOVERY = { cooldownSeconds: 48 * HOUR, expirationSeconds: 168 * HOUR };
const open = () => false;
const newKey = () => privateKeyToAccount(generatePrivateKey());

const ABI = parseAbi([
  'function getOwners() view returns (address[])',
  'function disableModule(address prevModule, address module)',
  'function removeOwner(address prevOwner, address owner, uint256 threshold)',
  'function execTransactionFromModule(address to, uint256 value, bytes data, uint8 operation)',
  'function skipExpired()',
  'function executeNextTx(address to, uint256 value, bytes data, uint8 operation)',
  'function txNonce() view returns (uint256)',
  'function queueNonce() view returns (uint256)',
]);

class Killed extends Error {}

/** Ends the process once before, and once after, each different write. */
const dying = <T extends object>(parts: T, writes: readonly (keyof T)[], met: Map<string, number>): T =>
  new Proxy(parts, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== 'function' || !writes.includes(name as keyof T)) return value;
      return async (...args: unknown[]): Promise<unknown> => {
        const subject = args[0] as { id?: string } | string;
        const key = `${String(name)} ${typeof subject === 'string' ? subject : subject.id} ${typeof args[1] === 'string' ? args[1] : ''}`;
        const times = (met.get(key) ?? 0) + 1;
        met.set(key, times);
        if (times === 1) throw new Killed();
        const result: unknown = await Reflect.apply(value, target, args);
        if (times === 2) throw new Killed();
        return result;
      };
    },
  });

describeOnEvm('a backup key', { timeout: 300_000 }, () => {
  let evm: Evm;
  let token: TestToken;
  let store: Awaited<ReturnType<typeof openStore>>;
  let stores: SafeStores;
  beforeAll(async () => {
    evm = await startEvm(CHAIN_ID);
    await installModules(evm);
    token = await deployToken(evm);
    const { mongodbUri, database } = testEngines();
    store = await openStore({ uri: mongodbUri, database: `${database}_recoveries`, poolSize: 2, logger: quietLogger });
    stores = createSafeStores(store.connection);
    await store.ready();
  }, 180_000);
  afterAll(async () => {
    await store?.connection.dropDatabase();
    await store?.connection.close();
    await evm?.close();
  });

  const encode = (functionName: (typeof ABI)[number]['name'], args: readonly unknown[] = []): Hex =>
    encodeFunctionData({ abi: ABI, functionName, args } as never);
  const sendAs = async ({ address }: PrivateKeyAccount, to: Address, data: Hex): Promise<void> => {
    await evm.rpc('hardhat_setBalance', [address, '0xde0b6b3a7640000']);
    await evm.rpc('hardhat_impersonateAccount', [address]);
    await evm.rpc('eth_sendTransaction', [{ from: address, to, data, gas: '0x4c4b40' }]);
  };
  const pass = async (hours: number): Promise<void> => {
    await evm.rpc('evm_increaseTime', [hours * HOUR]);
    await evm.mine();
  };

  /** An account whose Safe is verified, and the parts of the service that look after it. */
  const newAccount = async () => {
    const platformKey = generatePrivateKey();
    const [owner, platform] = [newKey(), privateKeyToAccount(platformKey)];
    const [accountId, userId] = [randomUUID(), randomUUID()];
    const safe = predictSafeAddress(accountId, [owner.address, platform.address]);
    const parties = { chainId: CHAIN_ID, accountId, safe, owner: owner.address, platform: platform.address };
    const { safes, jobs, recoveries: transactions, withdrawals } = stores;
    const node = agreeExecution([createJsonRpcExecutionNode(evm.url), createJsonRpcExecutionNode(evm.url)]);
    const account = { id: accountId, chainId: CHAIN_ID, safe, owner: owner.address };
    const state = { ownerRevoked: false, approved: true, active: true, closed: false };
    const lose = (replacement: Address) => Object.assign(state, { ownerRevoked: true, replacement, active: false });
    /** Messages to the ledger, in order. */
    const told: string[] = [];
    let time = Date.now();
    const key = createKeyOwner(createLocalKeySigner(platformKey));
    let meanwhile = async (): Promise<unknown> => undefined;
    const signer: PlatformOwner = {
      ...key,
      sign: async (transaction) => {
        const first = meanwhile;
        meanwhile = async () => undefined;
        await first();
        return key.sign(transaction);
      },
    };
    const now = () => new Date(time);
    const signedWith = async (place: { chainId: number; safe: Address }, nonce: bigint) => {
      const id = await withdrawals.claimedBy({ ...place, nonce });
      const signed = id === undefined ? undefined : await transactions.find(id);
      return signed && safeTransactionHash(signed.transaction);
    };
    const exchangeSafeOwner = async (id: string, former: Address, next: Address) => {
      if (id !== accountId) return;
      told.push(`${former} became ${next}`);
      state.ownerRevoked = false;
    };
    /** @param met the writes at which a process was killed; undefined: none is */
    const start = (met?: Map<string, number>, recovery: typeof RECOVERY = RECOVERY) => {
      const wrap = <T extends object>(part: T, ...writes: (keyof T)[]): T => (met === undefined ? part : dying(part, writes, met));
      const inspections = createSafeInspections({
        chainId: CHAIN_ID,
        node,
        symbols: new Map([[token.address.toLowerCase() as Hex, 'EURe']]),
        delay: DELAY,
        safes: wrap(safes, 'inspected'),
        confirm: async (id) => void (id === accountId && told.push('confirmed')),
        revoke: async (id, historyDiffers = false) => {
          if (id === accountId) told.push('revoked');
          return historyDiffers;
        },
        accounts: wrap(
          {
            blockToken: async () => undefined,
            unblockToken: async () => undefined,
            isProvisioning: async () => false,
            exchangeSafeOwner,
          },
          'exchangeSafeOwner',
        ),
        exceptions: { open: async () => undefined, openOfTokens: async () => [] },
        history: { openedAt: async () => new Date(), signedWith },
        recoveriesOf: transactions.ofAccount,
        inspectEveryMs: HOUR * 1000,
        inspectWithinMs: 2 * HOUR * 1000,
        logger: quietLogger,
        now,
      });
      const recoveries = createRecoveries({
        chainId: CHAIN_ID,
        node,
        signerOf: async () => signer,
        safes: wrap(safes, 'recheck'),
        transactions: wrap(transactions, 'move', 'setExecutableAt', 'markSent', 'failUnsent'),
        jobs: wrap(jobs, 'add'),
        claims: wrap(withdrawals, 'claimNonce'),
        accountOf: async () => ({ ...account, ...state }),
        recovery: { cooldownSeconds: recovery.cooldownSeconds, expirationSeconds: recovery.expirationSeconds },
        runtime: { now, newId: () => randomUUID() },
        logger: quietLogger,
      });
      return { inspections, recoveries };
    };
    const { inspections, recoveries } = start();

    for (const { to, data } of [encodeSafeDeployment(parties), encodeDelayDeployment(safe, DELAY)]) await evm.send(to, data);
    const execute = async (transaction: SafeTransaction, keys: readonly PrivateKeyAccount[]) => {
      const { to, data } = encodeExecution(transaction, await signSafeTransaction(transaction, keys));
      await evm.send(to, data);
    };
    await execute(setUpTransaction(parties, DELAY, 0n), [owner, platform]);
    const setUp = { nonce: '0', signature: '0x', tries: 1 } as const;
    const stored = await safes.request({
      ...parties,
      delay: DELAY,
      status: 'relaying',
      jobId: `set-up/${accountId}#1`,
      findings: [],
      setUp,
    });
    await safes.inspected(stored, await inspections.inspect(stored, await node.finalizedNumber()));

    const find = async () => (await safes.find(accountId)) ?? expect.fail('the Safe is not stored');
    /** Sends the jobs of recoveries, as the relayer does. */
    const relay = async (): Promise<void> => {
      const queued = store.connection.collection<{ _id: string; to: Address; data: Hex }>('relay_jobs').find({ status: 'queued' });
      for (const { _id: id, to, data } of await queued.toArray()) {
        const succeeded = await evm.send(to, data).then(
          () => true,
          () => false,
        );
        await jobs.finish(id, { txHash: `0x${'1'.repeat(64)}`, succeeded, blockNumber: await evm.blockNumber() });
      }
    };
    /** Lets the service work until nothing is left to do now. */
    const work = async (met?: Map<string, number>): Promise<void> => {
      for (let round = 0; round < (met === undefined ? 8 : 60); round += 1) {
        const started = start(met);
        for (const turn of [started.recoveries.round, started.inspections.round])
          await turn(open).catch((error: unknown) => {
            if (!(error instanceof Killed)) throw error;
          });
        await relay();
        time += 61_000;
      }
    };
    /** The alarms of this account, by what has changed. */
    const watch = () => {
      const suspected: string[] = [];
      const parts = { node, safes, transactions };
      const alarms = createAlarmWatch({
        chainId: CHAIN_ID,
        node: agree([createJsonRpcChainNode(evm.url), createJsonRpcChainNode(evm.url)]),
        cursors: createAlarmCursorStore(store.connection),
        accounts: {
          findStatesBySafes: async (_chainId, addresses) =>
            new Map(
              addresses.filter((one) => one === safe.toLowerCase()).map((one) => [one, { id: accountId, isProvisioning: false }] as const),
            ),
          blockToken: async () => undefined,
          unblockToken: async () => undefined,
        },
        symbols: new Map(),
        markFrozen: async () => false,
        isKept: async () => true,
        suspect: async () => undefined,
        exceptions: {
          ...createExceptionStore(store.connection, { newId: randomUUID, now }),
          find: async () => undefined,
          open: async ({ code = '' }) => void suspected.push(code),
        },
        rereadFrom: async () => undefined,
        isOwn: async () => false,
        isOfRecovery: async (_id, block) => isOfRecovery(parts, await find(), block),
        now,
        logger: quietLogger,
      });
      return { suspected, round: () => alarms.round(open) };
    };
    const caller = (wallet: Address) => ({ userId, wallet, account: { ...account, ...state } });
    const sign = ({ transaction }: { transaction: SafeTransaction }, key: PrivateKeyAccount) =>
      key.signTypedData(safeTypedData(transaction));
    const name = async (backup: PrivateKeyAccount) => {
      const offered = await recoveries.offerNaming(caller(owner.address), backup.address);
      await recoveries.submit(offered, { signature: await sign(offered, owner) });
      await work();
    };
    const request = async (backup: PrivateKeyAccount, wallet: Address) => {
      lose(wallet);
      const offered = await recoveries.offerRequest(caller(wallet));
      await recoveries.submit(offered, { signature: await sign(offered, backup) });
      await work();
      return offered.id;
    };
    const owners = async () => evm.read(safe, encode('getOwners'));
    const isOwner = async ({ address }: PrivateKeyAccount) => (await owners()).includes(address.slice(2).toLowerCase());
    /** Requests to take the Safe over, through an exit. */
    const takeOver = async (by: PrivateKeyAccount, enabled?: readonly DelaySettings[]) => {
      const { delay = DELAY, backup } = await find();
      const modules = (enabled ?? [delay, ...(backup === undefined ? [] : [backup.delay])]).map((one) => predictDelayModule(safe, one));
      const sentinel = '0x0000000000000000000000000000000000000001';
      const { to, data } = encodeMultiSend([
        ...modules.map((module) => ({ to: safe, data: encode('disableModule', [sentinel, module]) })),
        { to: safe, data: encode('removeOwner', [by.address, platform.address, 1n]) },
      ]);
      const [exit = safe] = modules;
      await sendAs(by, exit, encode('execTransactionFromModule', [to, 0n, data, 1]));
      return () => evm.send(exit, encode('executeNextTx', [to, 0n, data, 1]));
    };
    const statusOf = async (id: string) => (await transactions.find(id))?.status;
    const putBack = () => Object.assign(state, { ownerRevoked: false, replacement: owner.address, active: true });
    /** Has something happen before the platform has made its next signature. */
    const whenSigning = (happens: () => Promise<unknown>): void => {
      meanwhile = happens;
    };
    /** Kinds and states as the operator sees them, newest first. */
    const seen = async () =>
      (await recoveries.historyOf(accountId)).records.map(({ transaction: { kind }, state: shown }) => [kind, shown]);
    const service = { start, watch, recoveries, inspections, transactions, work, relay, find, told, state, lose, caller, sign };
    return {
      ...service,
      putBack,
      whenSigning,
      owner,
      platform,
      safe,
      accountId,
      name,
      request,
      isOwner,
      takeOver,
      execute,
      statusOf,
      seen,
    };
  };

  const codeOf = (call: Promise<unknown>): Promise<string> =>
    call.then(
      () => 'OK',
      (error: unknown) => (error instanceof CodedError ? error.code : String(error)),
    );

  it('is named by owner and platform, which makes the way out longer, and exchanges the owner with the platform', async () => {
    const { name, request, work, find, told, owner, isOwner, statusOf, recoveries, caller, transactions, accountId } = await newAccount();
    const [backup, replacement] = [newKey(), newKey()];
    for (const nobody of [zeroAddress, '0x0000000000000000000000000000000000000001'] as const)
      expect(await codeOf(recoveries.offerNaming(caller(owner.address), nobody))).toBe('RECOVERY_NOT_AVAILABLE');
    await name(backup);
    const exit = { ...DELAY, cooldownSeconds: 73 * HOUR };
    const first = { owner: owner.address, delay: DELAY };
    const named = { status: 'verified', owner: owner.address, delay: exit, backup: { address: backup.address }, first };
    expect(await find()).toMatchObject(named);
    expect(await codeOf(recoveries.offerNaming(caller(owner.address), newKey().address))).toBe('RECOVERY_NOT_AVAILABLE');

    const id = await request(backup, replacement.address);
    expect([await statusOf(id), await isOwner(owner)]).toEqual(['signed', true]);
    expect(await find()).toMatchObject({ ...named, findings: [] });
    await pass(47);
    await work();
    expect(await isOwner(replacement)).toBe(false);
    await pass(2);
    await work();
    expect([await statusOf(id), await isOwner(owner), await isOwner(replacement)]).toEqual(['completed', false, true]);
    const { backupKey, namedAt, records } = await recoveries.historyOf(accountId);
    expect([backupKey, namedAt, records.length]).toEqual([backup.address, records[1]?.transaction.endedAt, 2]);
    expect(records[0]).toMatchObject({ state: 'completed', formerOwner: owner.address, isStuck: false, transaction: { id } });
    const txHash = `0x${'1'.repeat(64)}`;
    expect(records[0]?.calls).toEqual(['deployment', 'execution', 'exchange'].map((step) => ({ step, txHash, isStuck: false })));
    const next = { ...exit, expirationSeconds: exit.expirationSeconds + 1 };
    expect(await find()).toMatchObject({ status: 'verified', findings: [], owner: replacement.address, delay: next, first });
    expect(told).toContain(`${owner.address} became ${replacement.address}`);
    const documents = await transactions.model
      .find({ accountId: (await find()).accountId })
      .sort({ createdAt: 1 })
      .lean();
    expect(documents.flatMap(({ outbox = [] }) => outbox.map(({ type }) => type))).toEqual([
      'backup_key.named',
      'recovery.requested',
      'recovery.completed',
    ]);
    // Its history is read again from the beginning, and is that of a Safe that needs no doubt.
    await stores.safes.rereadFrom(CHAIN_ID, 1);
    await stores.safes.recheck((await find()).accountId, 1, new Date(0));
    await work();
    expect(await find()).toMatchObject({ status: 'verified', findings: [] });
    // The former owner does not come back: what it has signed would count again.
    const again = {
      ...caller(owner.address),
      account: { ...caller(owner.address).account, ownerRevoked: true, replacement: owner.address },
    };
    expect(await codeOf(recoveries.offerRequest(again))).toBe('RECOVERY_NOT_AVAILABLE');
  });

  it('survives that a process is killed before and after each write', async () => {
    const { start, work, find, lose, caller, sign, owner, isOwner } = await newAccount();
    const [backup, replacement] = [newKey(), newKey()];
    const met = new Map<string, number>();
    const { recoveries } = start();
    const submit = async (offered: Awaited<ReturnType<typeof recoveries.offerNaming>>, key: PrivateKeyAccount) => {
      const signature = await sign(offered, key);
      for (let times = 0; times < 3; times += 1)
        await start(met)
          .recoveries.submit((await stores.recoveries.find(offered.id)) ?? offered, { signature })
          .catch((error: unknown) => {
            if (!(error instanceof Killed)) throw error;
          });
    };
    await submit(await recoveries.offerNaming(caller(owner.address), backup.address), owner);
    await work(met);
    expect(await find()).toMatchObject({ status: 'verified', backup: { address: backup.address } });
    lose(replacement.address);
    await submit(await recoveries.offerRequest(caller(replacement.address)), backup);
    await work(met);
    await pass(49);
    await work(met);
    expect([await isOwner(owner), await isOwner(replacement)]).toEqual([false, true]);
    expect(await find()).toMatchObject({ status: 'verified', findings: [], owner: replacement.address });
    const names = [...met.keys()].map((key) => key.split(' ')[0]);
    const writes = ['move', 'claimNonce', 'markSent', 'add', 'recheck', 'inspected', 'setExecutableAt', 'exchangeSafeOwner'];
    expect(new Set(names)).toEqual(new Set(writes));
  });

  it('takes the account from a thief of the owner key who has requested the exit first', async () => {
    const { name, request, work, find, owner, isOwner, takeOver } = await newAccount();
    const [backup, replacement] = [newKey(), newKey()];
    await name(backup);
    const leave = await takeOver(owner);
    await work();
    expect(await find()).toMatchObject({ status: 'verified' });
    await pass(20);
    await request(backup, replacement.address);
    await pass(49);
    await work();
    expect(await isOwner(replacement)).toBe(true);
    await pass(10);
    await expect(leave()).rejects.toThrow();
    expect(await find()).toMatchObject({ status: 'verified', findings: [], owner: replacement.address });
  });

  it('takes the account from a thief of the owner key who has requested the exit before an inspection has seen the backup key', async () => {
    const { recoveries, inspections, relay, request, work, find, caller, sign, owner, isOwner, takeOver, safe, told } = await newAccount();
    const [backup, replacement] = [newKey(), newKey()];
    const offered = await recoveries.offerNaming(caller(owner.address), backup.address);
    await recoveries.submit(offered, { signature: await sign(offered, owner) });
    const naming = { ...DELAY, cooldownSeconds: 73 * HOUR };
    // The modules are deployed, then the naming is executed.
    for (let round = 0; round < 6; round += 1) {
      await relay();
      await recoveries.round(open);
    }
    await relay();
    expect(await find()).not.toHaveProperty('backup');
    const leave = await takeOver(owner, [naming, { mastercopy: DELAY_1_0_1, ...RECOVERY }]);
    await inspections.round(open);
    await work();
    expect(await find()).toMatchObject({
      status: 'deviating',
      findings: ['exit_pending'],
      backup: { address: backup.address },
      delay: naming,
    });
    expect(told).toContain('revoked');
    await pass(20);
    await request(backup, replacement.address);
    await pass(49);
    await work();
    expect(await isOwner(replacement)).toBe(true);
    await pass(10);
    await expect(leave()).rejects.toThrow();
    expect(await find()).toMatchObject({ safe, status: 'verified', findings: [], owner: replacement.address });
  });

  it('is of no use to those who have it alone, nor is the platform without it', async () => {
    const { name, request, accountId, state, lose, caller, sign, recoveries, platform, owner, execute, isOwner, statusOf } =
      await newAccount();
    const [backup, thief] = [newKey(), newKey()];
    expect(await codeOf(recoveries.offerRequest(caller(thief.address)))).toBe('RECOVERY_NOT_AVAILABLE');
    await name(backup);
    // The owner was not reported as lost.
    expect(await codeOf(recoveries.offerRequest(caller(thief.address)))).toBe('RECOVERY_NOT_AVAILABLE');
    lose(thief.address);
    const { id: offered, transaction } = await recoveries.offerRequest(caller(thief.address));
    const pair = encodeRecoverySafeDeployment({ accountId, platform: platform.address }, backup.address);
    await evm.send(pair.to, pair.data);
    for (const key of [backup, platform]) await expect(execute(transaction, [key])).rejects.toThrow();
    // The platform does not sign a request that is taken back before the backup key has signed.
    Object.assign(state, { ownerRevoked: false });
    const found = (await recoveries.find(offered)) ?? expect.fail('the offer is not stored');
    expect(await codeOf(recoveries.submit(found, { signature: await sign(found, backup) }))).toBe('RECOVERY_NOT_AVAILABLE');
    expect([await statusOf(offered), await isOwner(owner)]).toEqual(['failed', true]);
    const id = await request(backup, thief.address);
    expect(await statusOf(id)).toBe('signed');
  });

  it('is named once when two namings race, and a repeat changes nothing', async () => {
    const { recoveries, caller, sign, owner, work, find, statusOf } = await newAccount();
    const backups = [newKey(), newKey()];
    const offers = await Promise.all(backups.map(({ address }) => recoveries.offerNaming(caller(owner.address), address)));
    const submissions = await Promise.all(offers.map(async (offer) => ({ offer, signature: await sign(offer, owner) })));
    const codes = await Promise.all(submissions.map(({ offer, signature }) => codeOf(recoveries.submit(offer, { signature }))));
    expect(codes.sort()).toEqual(['OK', 'WITHDRAWAL_IN_PROGRESS']);
    await work();
    for (const { offer, signature } of submissions)
      await codeOf(recoveries.submit((await recoveries.find(offer.id)) ?? offer, { signature }));
    await work();
    const statuses = await Promise.all(offers.map(({ id }) => statusOf(id)));
    expect(statuses.toSorted()).toEqual(['completed', 'failed']);
    const winner = backups[statuses.indexOf('completed')];
    expect(await find()).toMatchObject({ status: 'verified', backup: { address: winner?.address } });
  });

  it('does not exchange the owner once owner and platform have stopped it, and can be used again', async () => {
    const { name, request, work, recoveries, caller, sign, owner, isOwner, find, statusOf, seen } = await newAccount();
    const [backup, replacement] = [newKey(), newKey()];
    await name(backup);
    expect(await codeOf(recoveries.offerCancellation(caller(owner.address)))).toBe('RECOVERY_NOT_AVAILABLE');
    const id = await request(backup, replacement.address);
    const stop = await recoveries.offerCancellation(caller(replacement.address));
    expect((await seen())[0]).toEqual(['request', 'waiting']);
    await recoveries.submit(stop, { signature: await sign(stop, owner) });
    await work();
    expect([await statusOf(stop.id), await statusOf(id)]).toEqual(['completed', 'cancelled']);
    const stopped = [
      ['cancellation', 'completed'],
      ['request', 'stopped'],
      ['naming', 'completed'],
    ];
    expect(await seen()).toEqual(stopped);
    await pass(50);
    await work();
    expect(await isOwner(owner)).toBe(true);
    expect(await find()).toMatchObject({ status: 'verified', findings: [], owner: owner.address });
    const again = await request(backup, replacement.address);
    await pass(49);
    await work();
    expect([await statusOf(again), await isOwner(replacement)]).toEqual(['completed', true]);
    expect(await seen()).toEqual([['request', 'completed'], ...stopped]);
    expect(await find()).toMatchObject({ status: 'verified', findings: [] });
  });

  it('is requested and stopped for the wallet that has replaced the lost owner, not for another one of the user', async () => {
    const { name, request, recoveries, caller, sign, owner, lose, statusOf } = await newAccount();
    const [backup, replacement, added] = [newKey(), newKey(), newKey()];
    await name(backup);
    lose(replacement.address);
    expect(await codeOf(recoveries.offerRequest(caller(added.address)))).toBe('RECOVERY_NOT_AVAILABLE');
    const id = await request(backup, replacement.address);
    for (const { address } of [added, owner])
      expect(await codeOf(recoveries.offerCancellation(caller(address)))).toBe('RECOVERY_NOT_AVAILABLE');
    // A stop that was offered before the replacement was replaced in turn is not signed either.
    const stop = await recoveries.offerCancellation(caller(replacement.address));
    lose(added.address);
    expect(await codeOf(recoveries.submit(stop, { signature: await sign(stop, owner) }))).toBe('RECOVERY_NOT_AVAILABLE');
    expect([await statusOf(stop.id), await statusOf(id)]).toEqual(['failed', 'signed']);
  });

  it('is stopped with the nonce of a signed withdrawal that was not sent, not with that of one that was', async () => {
    const { name, request, work, recoveries, caller, sign, owner, safe, statusOf } = await newAccount();
    const [backup, replacement] = [newKey(), newKey()];
    await name(backup);
    const id = await request(backup, replacement.address);
    const offerStop = async () => {
      const offered = await recoveries.offerCancellation(caller(replacement.address));
      return { offered, signed: { signature: await sign(offered, owner) } };
    };
    const withdraw = async (nonce: bigint) => {
      const transaction = { chainId: CHAIN_ID, safe, to: token.address, data: '0x', operation: 0, safeTxGas: 1n, nonce } as const;
      const [accountId, userId, now] = [randomUUID(), randomUUID(), new Date()];
      const ofAccount = { id: randomUUID(), accountId, userId, token: 'EURe', amount: 1n, recipient: safe, owner: owner.address };
      const withdrawal = { ...ofAccount, transaction, status: 'signed', expiresAt: now, createdAt: now } as const;
      await stores.withdrawals.add(withdrawal);
      expect(await stores.withdrawals.claimNonce(withdrawal)).toBe(true);
      return withdrawal;
    };
    const first = await offerStop();
    const sent = await withdraw(first.offered.transaction.nonce);
    await stores.withdrawals.markSent(sent);
    expect(await codeOf(recoveries.submit(first.offered, first.signed))).toBe('WITHDRAWAL_IN_PROGRESS');
    await stores.withdrawals.move({ id: sent.id, status: 'signed' }, 'failed', { refusal: 'WITHDRAWAL_IN_PROGRESS' });

    const second = await offerStop();
    const unsent = await withdraw(second.offered.transaction.nonce);
    await recoveries.submit(second.offered, second.signed);
    await work();
    expect([await statusOf(second.offered.id), await statusOf(id)]).toEqual(['completed', 'cancelled']);
    expect(await stores.withdrawals.find(unsent.id)).toMatchObject({ status: 'refused' });
  });

  it('is stopped by an owner who was put back, in a session of it, and not requested any more', async () => {
    const { name, request, work, recoveries, caller, sign, owner, isOwner, putBack, lose, statusOf, find } = await newAccount();
    const [backup, replacement] = [newKey(), newKey()];
    await name(backup);
    // One that was not sent yet needs no stop, and leaves no nonce taken.
    lose(replacement.address);
    const unsent = await recoveries.offerRequest(caller(replacement.address));
    await recoveries.submit(unsent, { signature: await sign(unsent, backup) });
    putBack();
    await work();
    expect(await statusOf(unsent.id)).toBe('failed');
    const id = await request(backup, replacement.address);
    putBack();
    for (const { address } of [replacement, backup])
      expect(await codeOf(recoveries.offerCancellation(caller(address)))).toBe('RECOVERY_NOT_AVAILABLE');
    const stop = await recoveries.offerCancellation(caller(owner.address));
    await recoveries.submit(stop, { signature: await sign(stop, owner) });
    await work();
    expect([await statusOf(stop.id), await statusOf(id)]).toEqual(['completed', 'cancelled']);
    const again = await request(backup, replacement.address);
    await pass(49);
    await work();
    expect([await statusOf(again), await isOwner(replacement)]).toEqual(['completed', true]);
    expect(await find()).toMatchObject({ status: 'verified', findings: [] });
  });

  it.each(['naming', 'request'] as const)('leaves a %s unsent that another call fails while the platform signs it', async (kind) => {
    const { name, recoveries, relay, caller, sign, owner, lose, putBack, whenSigning, statusOf, transactions } = await newAccount();
    const [backup, replacement] = [newKey(), newKey()];
    if (kind === 'request') {
      await name(backup);
      lose(replacement.address);
    }
    const offered =
      kind === 'naming'
        ? await recoveries.offerNaming(caller(owner.address), backup.address)
        : await recoveries.offerRequest(caller(replacement.address));
    const signature = await sign(offered, kind === 'naming' ? owner : backup);
    const submit = async () => recoveries.submit((await recoveries.find(offered.id)) ?? offered, { signature });
    await submit();
    whenSigning(async () => {
      if (kind === 'naming') lose(replacement.address);
      else putBack();
      await submit();
    });
    for (let times = 0; times < 4; times += 1) {
      await relay();
      await submit();
    }
    expect(await statusOf(offered.id)).toBe('failed');
    expect(await stores.jobs.find(`recovery/${offered.id}#1`)).toBeUndefined();
    expect([await transactions.markSent(offered), await statusOf(offered.id)]).toEqual([false, 'failed']);
  });

  it('is not sent again for an owner who was put back, is counted then, and stopped once another wallet replaces the owner', async () => {
    const { name, recoveries, start, relay, work, caller, sign, owner, lose, putBack, statusOf, transactions } = await newAccount();
    const [backup, replacement, third] = [newKey(), newKey(), newKey()];
    await name(backup);
    lose(replacement.address);
    const offered = await recoveries.offerRequest(caller(replacement.address));
    const { id } = offered;
    const signature = await sign(offered, backup);
    const jobOf = (tried: number) => stores.jobs.find(`recovery/${id}#${tried}`);
    const submit = async () => recoveries.submit((await recoveries.find(id)) ?? offered, { signature });
    for (let times = 0; times < 5 && (await jobOf(1)) === undefined; times += 1) {
      await relay();
      await submit();
    }
    // The relayer gives it up.
    await stores.jobs.finish(`recovery/${id}#1`, { txHash: `0x${'1'.repeat(64)}`, succeeded: false, blockNumber: 1 });
    const { recoveries: watching } = start();
    putBack();
    await watching.round(open);
    await submit();
    expect([await jobOf(2), await statusOf(id)]).toEqual([undefined, 'signed']);
    expect(watching.stuck()).toBeGreaterThan(0);
    await transactions.failUnsent(offered, new Date());
    expect(await statusOf(id)).toBe('signed');

    lose(third.address);
    await work();
    const stop = await recoveries.offerCancellation(caller(third.address));
    await recoveries.submit(stop, { signature: await sign(stop, owner) });
    await work();
    expect([await statusOf(stop.id), await statusOf(id)]).toEqual(['completed', 'cancelled']);
  });

  it('is cancelled when its exchange was not executed in time, and can be requested again', async () => {
    const { name, request, work, owner, isOwner, safe, statusOf, seen } = await newAccount();
    const [backup, replacement] = [newKey(), newKey()];
    await name(backup);
    const id = await request(backup, replacement.address);
    await pass(48 + 168 + 1);
    await work();
    expect([await statusOf(id), await isOwner(owner)]).toEqual(['cancelled', true]);
    expect((await seen())[0]).toEqual(['request', 'expired']);
    const module = predictDelayModule(safe, { ...DELAY, ...RECOVERY });
    expect(await evm.read(module, encode('txNonce'))).toBe(await evm.read(module, encode('queueNonce')));
    const again = await request(backup, replacement.address);
    await pass(49);
    await work();
    expect([await statusOf(again), await isOwner(replacement)]).toEqual(['completed', true]);
  });

  it('is counted as stuck when its exchange is overdue, until it is executed', async () => {
    const { name, request, work, start, relay, recoveries, isOwner } = await newAccount();
    const [backup, replacement] = [newKey(), newKey()];
    await name(backup);
    await request(backup, replacement.address);
    await pass(48);
    const { recoveries: watching } = start();
    await watching.round(open);
    expect([watching.stuck(), recoveries.stuck()]).toEqual([0, 0]);
    await pass(2);
    await watching.round(open);
    expect(watching.stuck()).toBeGreaterThan(0);
    await relay();
    await work();
    await watching.round(open);
    expect([await isOwner(replacement), watching.stuck()]).toEqual([true, 0]);
  });

  it('is shown as stuck with the step whose tries are used up', async () => {
    const { name, request, start, recoveries, accountId, safe } = await newAccount();
    const [backup, replacement] = [newKey(), newKey()];
    await name(backup);
    const id = await request(backup, replacement.address);
    const newest = async () => (await recoveries.historyOf(accountId)).records[0];
    expect(await newest()).toMatchObject({ state: 'waiting', isStuck: false });
    const txHash = `0x${'2'.repeat(64)}` as const;
    for (let tried = 1; tried <= 5; tried += 1) {
      const jobId = `recovery/${id}/exchange#${tried}`;
      await stores.jobs.add({ id: jobId, chainId: CHAIN_ID, to: safe, data: '0x', gas: 1n, createdAt: new Date() });
      await stores.jobs.finish(jobId, { txHash, succeeded: false, blockNumber: 1 });
    }
    const { recoveries: watching } = start();
    await watching.round(open);
    expect(watching.stuck()).toBeGreaterThan(0);
    const { isStuck, calls } = (await newest()) ?? expect.fail('the request is not shown');
    expect([isStuck, calls.filter((call) => call.isStuck)]).toEqual([true, [{ step: 'exchange', txHash, isStuck: true }]]);
  });

  it('goes on when somebody else sends what its keys have signed, and blocks the account for anything else', async () => {
    const { watch, name, request, work, owner, find, takeOver, isOwner } = await newAccount();
    const [backup, replacement] = [newKey(), newKey()];
    const { suspected, round } = watch();
    await round();
    // No transaction is known as that of a relayer.
    await name(backup);
    await round();
    expect([suspected, (await find()).backup?.address]).toEqual([[], backup.address]);
    await takeOver(owner);
    await round();
    expect(suspected.splice(0)).toEqual(['DELAY_ENQUEUED']);
    await request(backup, replacement.address);
    await round();
    expect(suspected.splice(0)).toEqual(['DELAY_ENQUEUED']);
    await pass(49);
    await work();
    await round();
    expect([suspected, await isOwner(replacement)]).toEqual([[], true]);
  });

  it('leaves no nonce taken by a stop of a request that has ended otherwise', async () => {
    const { name, request, work, recoveries, caller, sign, owner, statusOf, safe, find, seen } = await newAccount();
    const [backup, replacement] = [newKey(), newKey()];
    await name(backup);
    const id = await request(backup, replacement.address);
    await pass(48 + 168 + 1);
    const stop = await recoveries.offerCancellation(caller(replacement.address));
    const module = predictDelayModule(safe, { ...DELAY, ...RECOVERY });
    await evm.send(module, encode('skipExpired'));
    await recoveries.submit(stop, { signature: await sign(stop, owner) });
    await work();
    expect([await statusOf(stop.id), await statusOf(id)]).toEqual(['failed', 'cancelled']);
    expect((await seen()).slice(0, 2)).toEqual([
      ['cancellation', 'failed'],
      ['request', 'expired'],
    ]);
    const { nonce } = stop.transaction;
    expect(await stores.withdrawals.claimedBy({ chainId: CHAIN_ID, safe, nonce })).toBeUndefined();
    expect(await find()).toMatchObject({ status: 'verified', owner: owner.address });
  });

  it('is not named with the times of the exit, whose module it would have, nor by an owner who was revoked meanwhile', async () => {
    const { start, recoveries, relay, caller, sign, owner, lose, statusOf, find } = await newAccount();
    const backup = newKey().address;
    const { recoveries: alike } = start(undefined, DELAY);
    expect(await codeOf(alike.offerNaming(caller(owner.address), backup))).toBe('RECOVERY_NOT_AVAILABLE');
    const offered = await recoveries.offerNaming(caller(owner.address), backup);
    await recoveries.submit(offered, { signature: await sign(offered, owner) });
    lose(newKey().address);
    for (let round = 0; round < 4; round += 1) {
      await relay();
      await recoveries.round(open);
    }
    expect(await statusOf(offered.id)).toBe('failed');
    expect(await find()).not.toHaveProperty('backup');
  });

  it('leaves no nonce taken by a stop that came too late', async () => {
    const { name, request, work, recoveries, caller, sign, owner, isOwner, statusOf, safe } = await newAccount();
    const [backup, replacement] = [newKey(), newKey()];
    await name(backup);
    await request(backup, replacement.address);
    const stop = await recoveries.offerCancellation(caller(replacement.address));
    await pass(49);
    // The exchange is sent before the stop.
    await work();
    expect(await isOwner(replacement)).toBe(true);
    expect(await codeOf(recoveries.submit(stop, { signature: await sign(stop, owner) }))).toBe('RECOVERY_NOT_AVAILABLE');
    expect(await statusOf(stop.id)).toBe('failed');
    const claims = stores.withdrawals;
    expect(await claims.claimedBy({ chainId: CHAIN_ID, safe, nonce: stop.transaction.nonce })).toBeUndefined();
  });

  it('blocks the Safe for ever when a module executes anything else', async () => {
    const { name, work, find, told, owner, safe } = await newAccount();
    await name(newKey());
    const { delay = DELAY } = await find();
    const exit = predictDelayModule(safe, delay);
    const call = [token.address, 0n, token.transfer(newKey().address, 0n), 0];
    await sendAs(owner, exit, encode('execTransactionFromModule', call));
    await pass(74);
    await evm.send(exit, encode('executeNextTx', call));
    await stores.safes.recheck((await find()).accountId, 1, new Date(0));
    await work();
    expect(await find()).toMatchObject({ status: 'deviating', findings: ['history_differs'] });
    expect(told).toContain('revoked');
  });
});
