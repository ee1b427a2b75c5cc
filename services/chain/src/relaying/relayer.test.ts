import { openStore } from '@florin/data/store';
import { testEngines } from '@florin/data/testing';
import type { Hex } from '@florin/evm/hex';
import { deployToken, describeOnEvm, type Evm, startEvm, type TestToken } from '@florin/evm/local-chain';
import { quietLogger } from '@florin/rpc/testing';
import { type Address, parseGwei } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { agreeExecution } from '../ports/agree-execution.ts';
import type { ExecutionNode } from '../ports/execution-node.ts';
import { createJsonRpcExecutionNode } from '../ports/json-rpc-execution-node.ts';
import { createLocalKeySigner } from '../ports/local-key-signer.ts';
import { createRelayJobStore } from '../store/relay-jobs.ts';
import { createRelayLaneStore } from '../store/relay-lanes.ts';
import { interruptible } from '../testing/interruptible.ts';
import { createRelayer, type RelayerParts } from './relayer.ts';

const CHAIN_ID = 100;
const REPLACE_AFTER_MS = 30_000;

const newAddress = (): Address => privateKeyToAccount(generatePrivateKey()).address;

describeOnEvm('the relayer', { timeout: 180_000 }, () => {
  let evm: Evm;
  let token: TestToken;
  let node: ExecutionNode;
  let store: Awaited<ReturnType<typeof openStore>>;
  let jobs: ReturnType<typeof createRelayJobStore>;
  let lanes: ReturnType<typeof createRelayLaneStore>;
  beforeAll(async () => {
    evm = await startEvm(CHAIN_ID);
    token = await deployToken(evm);
    node = agreeExecution([createJsonRpcExecutionNode(evm.url), createJsonRpcExecutionNode(evm.url)]);
    const { mongodbUri, database } = testEngines();
    store = await openStore({ uri: mongodbUri, database: `${database}_relayer`, poolSize: 2, logger: quietLogger });
    [jobs, lanes] = [createRelayJobStore(store.connection), createRelayLaneStore(store.connection)];
    await store.ready();
  }, 180_000);
  afterAll(async () => {
    await store?.connection.dropDatabase();
    await store?.connection.close();
    await evm?.close();
  });

  /** A relayer with money and tokens, and with a clock. */
  const newRelayer = async () => {
    const signer = createLocalKeySigner(generatePrivateKey());
    await evm.rpc('hardhat_setBalance', [signer.address, '0x56bc75e2d63100000']);
    await token.pay(signer.address, 1000n);
    let time = Date.now();
    const parts: RelayerParts = {
      chainId: CHAIN_ID,
      node,
      signer,
      share: { first: { configured: [signer.address], lost: [] }, exclusive: [] },
      jobs,
      lanes,
      replaceAfterMs: REPLACE_AFTER_MS,
      feeLimit: { fee: parseGwei('1000'), tip: parseGwei('1000') },
      now: () => new Date(time),
      logger: quietLogger,
    };
    return {
      signer,
      parts,
      pass: (ms: number) => {
        time += ms;
      },
      round: (changed: Partial<RelayerParts> = {}) => createRelayer({ ...parts, ...changed }).round(() => false),
    };
  };
  let made = 0;
  /** Adds a job that must not be carried out twice. */
  const addPayment = async (to: Address, data: Hex = token.transfer(to, 1n)): Promise<string> => {
    made += 1;
    const id = `payment/${made}`;
    await jobs.add({ id, chainId: CHAIN_ID, to: token.address, data, gas: 200_000n, createdAt: new Date(made) });
    return id;
  };
  const withoutMining = async (work: () => Promise<void>): Promise<void> => {
    await evm.rpc('evm_setAutomine', [false]);
    try {
      await work();
    } finally {
      await evm.rpc('evm_setAutomine', [true]);
    }
  };

  it('carries out every job once, in order', async () => {
    const { round, signer } = await newRelayer();
    const to = newAddress();
    const ids = [await addPayment(to), await addPayment(to), await addPayment(to)];
    for (let rounds = 0; rounds < 4; rounds += 1) await round();
    expect(await token.balanceOf(to)).toBe(3n);
    for (const [nonce, id] of ids.entries()) {
      expect(await jobs.find(id)).toMatchObject({ status: 'done', attempts: [{ nonce }], outcome: { succeeded: true } });
    }
    expect(await lanes.find(CHAIN_ID, signer.address)).toMatchObject({ next: 3, slots: [] });
  });

  it('carries out a job once wherever it is killed', async () => {
    const { round, parts } = await newRelayer();
    for (let killedAt = 1, completed = false; !completed; killedAt += 1) {
      const to = newAddress();
      const id = await addPayment(to);
      let steps = 0;
      const step = (): void => {
        steps += 1;
        if (steps === killedAt) throw new Error('killed');
      };
      const killed = {
        node: interruptible(node, step),
        jobs: interruptible(parts.jobs, step),
        lanes: interruptible(parts.lanes, step),
      };
      const runUntilKilled = async (): Promise<boolean> => {
        for (let rounds = 0; rounds < 4; rounds += 1) await round(killed);
        return true;
      };
      completed = await runUntilKilled().catch(() => false);
      for (let rounds = 0; rounds < 4; rounds += 1) await round();
      expect(await token.balanceOf(to), `killed at step ${killedAt}`).toBe(1n);
      expect((await jobs.find(id))?.status).toBe('done');
    }
  });

  it('replaces a transaction that is not mined by one that offers more, and both together happen once', async () => {
    const { round, pass } = await newRelayer();
    const to = newAddress();
    const id = await addPayment(to);
    await withoutMining(async () => {
      await round();
      pass(REPLACE_AFTER_MS - 1);
      await round();
      expect((await jobs.find(id))?.attempts).toHaveLength(1);
      pass(1);
      await round();
      await evm.rpc('evm_mine');
    });
    const [first, second] = (await jobs.find(id))?.attempts ?? [];
    expect(second?.nonce).toBe(first?.nonce);
    expect(second?.maxFeePerGas).toBeGreaterThan((first?.maxFeePerGas ?? 0n) * 1n);
    await round();
    expect(await token.balanceOf(to)).toBe(1n);
    expect((await jobs.find(id))?.outcome).toMatchObject({ txHash: second?.hash, succeeded: true });
  });

  it('sends a transaction again that a reorganization has dropped before it was final', async () => {
    const { round } = await newRelayer();
    const to = newAddress();
    const finalized = await evm.blockNumber();
    const notFinal = { node: { ...node, finalizedNumber: async () => finalized } };
    const snapshot = await evm.rpc('evm_snapshot');
    const id = await addPayment(to);
    await round(notFinal);
    await round(notFinal);
    expect(await token.balanceOf(to)).toBe(1n);
    expect((await jobs.find(id))?.status).toBe('queued');

    await evm.rpc('evm_revert', [snapshot]);
    await evm.mine();
    expect(await token.balanceOf(to)).toBe(0n);
    await round(notFinal);
    expect(await token.balanceOf(to)).toBe(1n);
    await round();
    expect(await jobs.find(id)).toMatchObject({ status: 'done', outcome: { succeeded: true } });
    expect((await jobs.find(id))?.attempts).toHaveLength(1);
    expect(await token.balanceOf(to)).toBe(1n);
  });

  it('offers no more than its limit', async () => {
    const { round, pass } = await newRelayer();
    const id = await addPayment(newAddress());
    await withoutMining(async () => {
      const feeLimit = { fee: parseGwei('5'), tip: parseGwei('3') };
      await round({ feeLimit });
      for (let times = 0; times < 30; times += 1) {
        pass(REPLACE_AFTER_MS);
        await round({ feeLimit });
      }
      for (const { maxFeePerGas, maxPriorityFeePerGas } of (await jobs.find(id))?.attempts ?? []) {
        expect(maxFeePerGas).toBeLessThanOrEqual(feeLimit.fee);
        expect(maxPriorityFeePerGas).toBeLessThanOrEqual(feeLimit.tip);
      }
      await evm.rpc('evm_mine');
    });
    await round();
    expect((await jobs.find(id))?.status).toBe('done');
  });

  it('sends nothing that would be reverted, and goes on with the next one', async () => {
    const { round, signer } = await newRelayer();
    const to = newAddress();
    const ids = [await addPayment(to, token.transfer(to, 10n ** 30n)), await addPayment(to)];
    for (let rounds = 0; rounds < 3; rounds += 1) await round();
    expect(await jobs.find(ids[0] ?? '')).toMatchObject({ status: 'done', attempts: [], outcome: { succeeded: false } });
    expect(await token.balanceOf(to)).toBe(1n);
    expect(await lanes.find(CHAIN_ID, signer.address)).toMatchObject({ next: 1, slots: [] });
  });

  it('records a transaction that was reverted, and goes on with the next one', async () => {
    const { round } = await newRelayer();
    const to = newAddress();
    const ids = [await addPayment(to, token.transfer(to, 10n ** 30n)), await addPayment(to)];
    // Nodes that cannot tell: it is sent.
    const blind = { node: { ...node, wouldSucceed: () => Promise.reject(new Error('the node does not tell')) } };
    for (let rounds = 0; rounds < 3; rounds += 1) await round(blind);
    expect(await jobs.find(ids[0] ?? '')).toMatchObject({ status: 'done', attempts: [{}], outcome: { succeeded: false } });
    expect(await token.balanceOf(to)).toBe(1n);
  });

  it('waits for no finality before it sends the next ones, and ends all of them when they are final', async () => {
    const { round, signer } = await newRelayer();
    const to = newAddress();
    const finalized = await evm.blockNumber();
    const notFinal = { node: { ...node, finalizedNumber: async () => finalized } };
    const ids: string[] = [];
    for (let count = 0; count < 40; count += 1) ids.push(await addPayment(to));
    for (let rounds = 0; rounds < 4; rounds += 1) await round(notFinal);
    expect(await token.balanceOf(to)).toBe(40n);
    expect((await lanes.find(CHAIN_ID, signer.address))?.slots).toHaveLength(40);
    await round();
    for (const id of ids) expect(await jobs.find(id)).toMatchObject({ status: 'done', attempts: [{}], outcome: { succeeded: true } });
    expect((await lanes.find(CHAIN_ID, signer.address))?.slots).toEqual([]);
  });

  it('pays no higher tip because one node says so', async () => {
    const honest = await node.fees();
    const lying = { ...node, fees: async () => ({ ...honest, tip: parseGwei('900') }) };
    const { round } = await newRelayer();
    const id = await addPayment(newAddress());
    await round({ node: agreeExecution([node, lying]) });
    const [sent] = (await jobs.find(id))?.attempts ?? [];
    expect(sent?.maxPriorityFeePerGas).toBe(honest.tip);
    await round();
    expect((await jobs.find(id))?.status).toBe('done');
  });

  it('takes another nonce for a job whose nonce another program has used', async () => {
    const { round, signer, parts } = await newRelayer();
    const to = newAddress();
    const id = await addPayment(to);
    await round({ node: { ...node, broadcast: () => Promise.reject(new Error('the node does not take it')) } });
    const stranger = await signer.signTransaction({
      chainId: CHAIN_ID,
      nonce: 0,
      to: newAddress(),
      data: '0x',
      gas: 21_000n,
      maxFeePerGas: parseGwei('100'),
      maxPriorityFeePerGas: 1n,
    });
    await parts.node.broadcast(stranger.raw);
    for (let rounds = 0; rounds < 4; rounds += 1) await round();
    expect(await token.balanceOf(to)).toBe(1n);
    expect((await jobs.find(id))?.attempts.map(({ nonce }) => nonce)).toEqual([0, 1]);
  });
});
