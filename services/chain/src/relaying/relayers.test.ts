import { openStore } from '@florin/data/store';
import { testEngines } from '@florin/data/testing';
import { deployToken, describeOnEvm, type Evm, startEvm, type TestToken } from '@florin/evm/local-chain';
import { quietLogger } from '@florin/rpc/testing';
import { type Address, parseGwei, toHex } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { agreeExecution } from '../ports/agree-execution.ts';
import type { ExecutionNode } from '../ports/execution-node.ts';
import { createJsonRpcExecutionNode } from '../ports/json-rpc-execution-node.ts';
import type { KeySigner } from '../ports/key-signer.ts';
import { createLocalKeySigner } from '../ports/local-key-signer.ts';
import { createRelayJobStore, type RelayJob } from '../store/relay-jobs.ts';
import { createRelayLaneStore } from '../store/relay-lanes.ts';
import { interruptible } from '../testing/interruptible.ts';
import { createRelayers, type RelayersParts } from './relayers.ts';

const EVM_CHAIN = 100;
const open = (): boolean => false;
const newAddress = (): Address => privateKeyToAccount(generatePrivateKey()).address;

describeOnEvm('relayers that share the jobs', { timeout: 180_000 }, () => {
  let evm: Evm;
  let token: TestToken;
  let node: ExecutionNode;
  let store: Awaited<ReturnType<typeof openStore>>;
  let jobs: ReturnType<typeof createRelayJobStore>;
  let lanes: ReturnType<typeof createRelayLaneStore>;
  beforeAll(async () => {
    evm = await startEvm(EVM_CHAIN);
    token = await deployToken(evm);
    node = agreeExecution([createJsonRpcExecutionNode(evm.url), createJsonRpcExecutionNode(evm.url)]);
    const { mongodbUri, database } = testEngines();
    store = await openStore({ uri: mongodbUri, database: `${database}_relayers`, poolSize: 2, logger: quietLogger });
    [jobs, lanes] = [createRelayJobStore(store.connection), createRelayLaneStore(store.connection)];
    await store.ready();
  }, 180_000);
  afterAll(async () => {
    await store?.connection.dropDatabase();
    await store?.connection.close();
    await evm?.close();
  });

  let scenes = 1000;
  /** A chain of its own in the database, with relayers that have money and tokens. */
  const newScene = async (count: number) => {
    scenes += 1;
    const chainId = scenes;
    const signers: KeySigner[] = [];
    for (let made = 0; made < count; made += 1) {
      const signer = createLocalKeySigner(generatePrivateKey());
      await evm.rpc('hardhat_setBalance', [signer.address, '0x56bc75e2d63100000']);
      await token.pay(signer.address, 1000n);
      // Signs for the chain that there is.
      signers.push({ ...signer, signTransaction: (transaction) => signer.signTransaction({ ...transaction, chainId: EVM_CHAIN }) });
    }
    let added = 0;
    const to = newAddress();
    let time = Date.now();
    const run = (configured: readonly KeySigner[], changed: Partial<RelayersParts> = {}) => {
      const [first, ...others] = configured;
      if (first === undefined) throw new Error('no relayer');
      return createRelayers({
        chainId,
        node,
        signers: [first, ...others],
        lost: [],
        exclusive: [],
        jobs,
        lanes,
        replaceAfterMs: 30_000,
        feeLimit: { fee: parseGwei('1000'), tip: parseGwei('1000') },
        now: () => new Date(time),
        logger: quietLogger,
        ...changed,
      });
    };
    return {
      chainId,
      signers,
      to,
      run,
      pass: (ms: number) => {
        time += ms;
      },
      rounds: async (configured: readonly KeySigner[], changed: Partial<RelayersParts> = {}) => {
        const relayers = run(configured, changed);
        for (let turn = 0; turn < 4; turn += 1) await relayers.round(open);
        return relayers;
      },
      /** Adds a job that must not be carried out twice. */
      add: async (): Promise<string> => {
        added += 1;
        const id = `payment/${chainId}/${added}`;
        await jobs.add({ id, chainId, to: token.address, data: token.transfer(to, 1n), gas: 200_000n, createdAt: new Date(added) });
        return id;
      },
      paid: () => token.balanceOf(to),
    };
  };
  const jobOf = async (id: string): Promise<RelayJob> => (await jobs.find(id)) ?? expect.fail(`no job ${id}`);
  const sendersOf = ({ attempts }: RelayJob): Address[] => [...new Set(attempts.flatMap(({ from }) => from ?? []))];
  const mute = (): ExecutionNode => ({ ...node, broadcast: () => Promise.reject(new Error('no node takes it')) });
  /** Sends one coin's worth of nothing with a relayer's nonce, as another program would. */
  const useNonce = async (signer: KeySigner, nonce: number): Promise<void> => {
    const fees = { maxFeePerGas: parseGwei('100'), maxPriorityFeePerGas: parseGwei('5') };
    const { raw } = await signer.signTransaction({ chainId: EVM_CHAIN, nonce, to: newAddress(), data: '0x', gas: 21_000n, ...fees });
    await node.broadcast(raw);
  };

  it('carries out every job once, by one of them, wherever two processes are killed', async () => {
    const senders = new Set<string>();
    const { run, signers, add, paid, rounds } = await newScene(2);
    let expected = 0n;
    // Both processes together have some hundreds of steps.
    for (let killedAt = 1, completed = false; !completed; killedAt += inject('proof') ? 17 : 51) {
      const ids = [await add(), await add(), await add()];
      expected += 3n;
      let steps = 0;
      const step = (): void => {
        steps += 1;
        if (steps === killedAt) throw new Error('killed');
      };
      const killed = { node: interruptible(node, step), jobs: interruptible(jobs, step), lanes: interruptible(lanes, step) };
      const [one, other] = [run(signers, killed), run(signers, killed)];
      const outcomes: PromiseSettledResult<void>[] = [];
      for (let turn = 0; turn < 3; turn += 1) outcomes.push(...(await Promise.allSettled([one.round(open), other.round(open)])));
      completed = outcomes.every(({ status }) => status === 'fulfilled') && steps < killedAt;
      await rounds(signers);
      expect(await paid(), `killed at step ${killedAt}`).toBe(expected);
      for (const id of ids) {
        const job = await jobOf(id);
        expect(job).toMatchObject({ status: 'done', outcome: { succeeded: true } });
        expect(sendersOf(job)).toEqual([job.relayer]);
        senders.add(job.relayer ?? '');
      }
    }
    expect(senders.has(signers[0]?.address ?? '')).toBe(true);
  });

  it('has each relayer send sixteen at a time, with nonces of its own', async () => {
    const { signers, add, run, paid, chainId } = await newScene(2);
    const ids: string[] = [];
    for (let count = 0; count < 40; count += 1) ids.push(await add());
    await evm.rpc('evm_setAutomine', [false]);
    try {
      await run(signers).round(open);
    } finally {
      await evm.rpc('evm_setAutomine', [true]);
    }
    for (const { address } of signers) {
      const lane = await lanes.find(chainId, address);
      expect(lane?.slots.map(({ nonce }) => nonce)).toEqual(Array.from({ length: 16 }, (_, nonce) => nonce));
    }
    await evm.mine();
    const relayers = run(signers);
    for (let turn = 0; turn < 3; turn += 1) await relayers.round(open);
    expect(await paid()).toBe(40n);
    for (const id of ids) expect(await jobOf(id)).toMatchObject({ status: 'done', attempts: [{}] });
    const balances = relayers.balances();
    expect([...balances.keys()]).toEqual(signers.map(({ address }) => address));
    for (const coins of balances.values()) expect(coins).toBeGreaterThan(99);
  });

  it('takes no more jobs than its coins pay for, and leaves the others to one that has coins', async () => {
    const { signers, add, rounds, run, paid, chainId } = await newScene(2);
    const [poor, rich] = signers;
    if (poor === undefined || rich === undefined) throw new Error('no relayers');
    const { baseFee, tip } = await node.fees();
    const cost = 200_000n * (2n * baseFee + tip);
    await evm.rpc('hardhat_setBalance', [poor.address, toHex((cost * 3n) / 2n)]);
    const ids = [await add(), await add(), await add()];
    await evm.rpc('evm_setAutomine', [false]);
    try {
      for (let turn = 0; turn < 3; turn += 1) await run([poor]).round(open);
    } finally {
      await evm.rpc('evm_setAutomine', [true]);
    }
    expect((await lanes.find(chainId, poor.address))?.slots).toHaveLength(1);
    expect((await Promise.all(ids.map(jobOf))).filter(({ relayer }) => relayer !== undefined)).toHaveLength(1);
    await evm.mine();
    await evm.rpc('hardhat_setBalance', [poor.address, '0x0']);
    await rounds([poor, rich]);
    expect(await paid()).toBe(3n);
    expect((await Promise.all(ids.map(jobOf))).map(({ relayer }) => relayer)).toEqual([poor.address, rich.address, rich.address]);
  });

  it('leaves to the first one what only that one may call, also when another one has become the first', async () => {
    const { signers, add, rounds, run, paid } = await newScene(2);
    const [one, two] = signers;
    if (one === undefined || two === undefined) throw new Error('no relayers');
    const exclusive = [token.address];
    const id = await add();
    await run([one, two], { exclusive, lanes: { ...lanes, assign: async () => false } }).round(open);
    expect(await jobOf(id)).toMatchObject({ relayer: one.address, attempts: [] });
    await rounds([two, one], { exclusive });
    expect(await jobOf(id)).toMatchObject({ status: 'done', relayer: two.address, outcome: { succeeded: true } });
    expect(await paid()).toBe(1n);
  });

  it('gives the first one what a key that was taken out has not signed, and the key goes on when it is back', async () => {
    const { signers, add, rounds, run, paid, chainId } = await newScene(2);
    const [one, two] = signers;
    if (one === undefined || two === undefined) throw new Error('no relayers');
    const id = await add();
    // It has a nonce, and nothing is signed.
    const stopping = { ...jobs, addAttempt: () => Promise.reject(new Error('killed')) };
    await expect(run([two], { jobs: stopping }).round(open)).rejects.toThrow('killed');
    expect(await jobOf(id)).toMatchObject({ relayer: two.address, attempts: [] });
    await rounds([one]);
    expect(await jobOf(id)).toMatchObject({ status: 'done', relayer: one.address });
    const later = await add();
    await rounds([two]);
    expect(await jobOf(later)).toMatchObject({ status: 'done', relayer: two.address, attempts: [{ nonce: 1 }] });
    expect(await paid()).toBe(2n);
    expect((await lanes.find(chainId, two.address))?.slots).toEqual([]);
  });

  it('does not sign a job for the first one while the other one, whose key was taken out, signs it', async () => {
    const { signers, add, run, rounds, paid } = await newScene(2);
    const [one, two] = signers;
    if (one === undefined || two === undefined) throw new Error('no relayers');
    const id = await add();
    // The other process still has the key, and has read the job before the first one takes it.
    const overtaken: RelayersParts['jobs'] = {
      ...jobs,
      addAttempt: async (job, attempt) => {
        await rounds([one]);
        return jobs.addAttempt(job, attempt);
      },
    };
    await run([two], { jobs: overtaken }).round(open);
    expect(sendersOf(await jobOf(id))).toEqual([one.address]);
    await rounds([two]);
    expect(await paid()).toBe(1n);
  });

  it('broadcasts what a key has signed that was taken out, and sends it under no other nonce', async () => {
    const { signers, add, rounds, run, paid, pass } = await newScene(2);
    const [one, two] = signers;
    if (one === undefined || two === undefined) throw new Error('no relayers');
    const id = await add();
    await run([two], { node: mute() }).round(open);
    const signed = await jobOf(id);
    expect(sendersOf(signed)).toEqual([two.address]);

    // The nodes do not take it: it stays, however long.
    const waiting = await rounds([one], { node: mute() });
    pass(60_000);
    await waiting.round(open);
    expect(waiting.left()).toBe(1);
    expect(await jobOf(id)).toEqual(signed);

    const relayers = await rounds([one]);
    expect(relayers.left()).toBe(0);
    expect(await jobOf(id)).toMatchObject({ status: 'done', relayer: two.address, attempts: [{}], outcome: { succeeded: true } });
    expect(await paid()).toBe(1n);
  });

  it('sends a job again when the nonce of a key that was taken out is used up by something else', async () => {
    const { signers, add, rounds, run, paid } = await newScene(2);
    const [one, two] = signers;
    if (one === undefined || two === undefined) throw new Error('no relayers');
    const id = await add();
    await run([two], { node: mute() }).round(open);
    await useNonce(two, 0);
    await rounds([one]);
    expect(sendersOf(await jobOf(id))).toEqual([two.address, one.address]);
    expect(await jobOf(id)).toMatchObject({ status: 'done', relayer: one.address, outcome: { succeeded: true } });
    expect(await paid()).toBe(1n);
  });

  it('signs again what a key has signed that is declared lost', async () => {
    const { signers, add, rounds, run, paid } = await newScene(2);
    const [one, two] = signers;
    if (one === undefined || two === undefined) throw new Error('no relayers');
    const id = await add();
    await run([two], { node: mute() }).round(open);
    await rounds([one], { lost: [two.address] });
    expect(await jobOf(id)).toMatchObject({ status: 'done', relayer: one.address, outcome: { succeeded: true } });
    expect(await paid()).toBe(1n);
  });

  it.each([
    ['a nonce without a transaction', false],
    ['a signed transaction', true],
  ])('goes on with a job of an earlier release that has %s', async (_name, isSigned) => {
    const { signers, add, rounds, run, paid } = await newScene(2);
    const [one, two] = signers;
    if (one === undefined || two === undefined) throw new Error('no relayers');
    const id = await add();
    const stopping = isSigned ? jobs : { ...jobs, addAttempt: () => Promise.reject(new Error('killed')) };
    await run([two], { node: mute(), jobs: stopping })
      .round(open)
      .catch(() => undefined);
    const old = { $unset: { relayer: '', 'attempts.$[].from': '' } } as const;
    await store.connection.collection<{ _id: string }>('relay_jobs').updateOne({ _id: id }, old);
    await rounds([one, two]);
    const job = await jobOf(id);
    expect(job).toMatchObject({ status: 'done', outcome: { succeeded: true } });
    expect(sendersOf(job)).toEqual(isSigned ? [two.address] : [job.relayer]);
    expect(await paid()).toBe(1n);
  });
});
