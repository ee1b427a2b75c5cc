import { randomUUID } from 'node:crypto';
import { openStore } from '@florin/data/store';
import { testEngines } from '@florin/data/testing';
import type { Hex } from '@florin/evm/hex';
import { safeTransactionHash } from '@florin/evm/safe';
import { quietLogger } from '@florin/rpc/testing';
import { encodeAbiParameters, keccak256, toHex } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { WithdrawalsClient } from '../clients/withdrawals.ts';
import type { SafeWithdrawal } from '../domain/withdrawal.ts';
import type { ExecutionNode } from '../ports/execution-node.ts';
import { createLocalKeySigner } from '../ports/local-key-signer.ts';
import { createSafeWithdrawalStore, type SafeWithdrawalStore } from '../store/safe-withdrawals.ts';
import { fakeAddress } from '../testing/fake-chain.ts';
import { interruptible } from '../testing/interruptible.ts';
import { settleTransfer } from './settle-transfer.ts';
import { createWithdrawals, type WithdrawalParts } from './withdrawals.ts';

const CHAIN_ID = 100;
const TOKEN = { symbol: 'EURe', decimals: 18, currency: 'EUR', chainId: CHAIN_ID, address: fakeAddress('EURe') };
const EXECUTION_SUCCESS = keccak256(toHex('ExecutionSuccess(bytes32,uint256)'));
const TX_HASH = keccak256(toHex('the transaction'));
const signer = createLocalKeySigner(generatePrivateKey());

class Killed extends Error {}

const unused = async (): Promise<never> => {
  throw new Error('not expected');
};

/** A chain with one Safe, a ledger with its money, and what survives a process that is killed. */
const createScene = (store: SafeWithdrawalStore) => {
  const owner = privateKeyToAccount(generatePrivateKey());
  const accountId = randomUUID();
  const safe = fakeAddress(accountId);
  const parties = { accountId, chainId: CHAIN_ID, safe, owner: owner.address, platform: signer.address };
  /** Block up to which the watcher has booked. */
  let bookedTo = 9;
  let executed: SafeWithdrawal['transaction'] | undefined;
  let newest = 10;
  const node: ExecutionNode = {
    chainId: unused,
    finalizedNumber: unused,
    blockHash: unused,
    blockTime: unused,
    events: unused,
    storageAt: unused,
    transactionCount: unused,
    fees: unused,
    broadcast: unused,
    newestNumber: async () => newest,
    codeAt: async () => '0x01',
    // The Safe's nonce: the transaction is in the newest block.
    call: async (_to, _data, block) => encodeAbiParameters([{ type: 'uint256' }], [executed === undefined || block < 10 ? 0n : 1n]),
    receipt: async () => ({
      blockNumber: 10,
      blockHash: TX_HASH,
      succeeded: true,
      events:
        executed === undefined ? [] : [{ address: safe.toLowerCase() as Hex, topics: [EXECUTION_SUCCESS, safeTransactionHash(executed)] }],
    }),
  };
  /** Sums of what was set aside, arrived and came back; each once, whatever is repeated. */
  const booked = new Map<string, 'reserved' | 'completed' | 'failed'>();
  const change = async (id: string, to: 'completed' | 'failed'): Promise<void> => {
    const now = booked.get(id);
    if (now !== undefined && now !== 'reserved' && now !== to) throw new Error(`a ${now} withdrawal cannot be ${to}`);
    if (now !== undefined) booked.set(id, to);
  };
  const ledger: WithdrawalsClient = {
    reserve: async ({ id }) => {
      if (!booked.has(id)) booked.set(id, 'reserved');
      return undefined;
    },
    process: async () => undefined,
    complete: (id) => change(id, 'completed'),
    fail: (id) => change(id, 'failed'),
  };
  const jobs = new Map<string, { data: Hex }>();
  const added: string[] = [];
  const jobStore: WithdrawalParts['jobs'] = {
    add: async ({ id, data }) => {
      added.push(`${id} ${data}`);
      if (!jobs.has(id)) jobs.set(id, { data });
    },
    find: unused,
  };
  const found = {
    ...jobStore,
    find: async (id: string) => (jobs.has(id) ? ({ id } as Awaited<ReturnType<WithdrawalParts['jobs']['find']>>) : undefined),
  };
  const start = (step: () => void) => {
    const wrapped = interruptible(store, step);
    const withdrawals = createWithdrawals({
      chainId: CHAIN_ID,
      node,
      signer: interruptible(signer, step),
      withdrawals: wrapped,
      jobs: interruptible(found, step),
      ledger: interruptible(ledger, step),
      cursor: async () => ({ chainId: CHAIN_ID, number: bookedTo, hash: TX_HASH }),
      limits: new Map(),
      runtime: { now: () => new Date(), newId: () => randomUUID() },
    });
    return { withdrawals, settling: { node, withdrawals: wrapped, ledger: interruptible(ledger, step) } };
  };
  const offer = (inspectedBlock = 8) => {
    const order = { userId: randomUUID(), parties, inspectedBlock, token: TOKEN, amount: 5n, recipient: owner.address };
    return start(() => undefined).withdrawals.offer(order);
  };
  return {
    start,
    offer,
    booked,
    jobs,
    added,
    execute: ({ transaction }: SafeWithdrawal) => {
      executed = transaction;
    },
    /** The nodes show the chain up to a block. */
    showUpTo: (block: number) => {
      newest = block;
    },
    /** The watcher has booked all transfers of the newest block. */
    advance: () => {
      bookedTo = 10;
    },
    transfer: {
      chainId: CHAIN_ID,
      accountId,
      txHash: TX_HASH,
      logIndex: 0,
      blockNumber: 10,
      blockHash: TX_HASH,
      direction: 'out',
      counterparty: owner.address.toLowerCase() as Hex,
      token: 'EURe',
      amount: 5n,
    } as const,
  };
};

describe('a withdrawal', { timeout: 180_000 }, () => {
  let connection: Awaited<ReturnType<typeof openStore>>['connection'];
  let store: SafeWithdrawalStore;
  beforeAll(async () => {
    const { mongodbUri, database } = testEngines();
    const opened = await openStore({ uri: mongodbUri, database: `${database}_withdrawals`, poolSize: 2, logger: quietLogger });
    ({ connection } = opened);
    store = createSafeWithdrawalStore(connection);
    await opened.ready();
  }, 60_000);
  afterAll(async () => {
    await connection?.dropDatabase();
    await connection?.close();
  });

  /** Carries a withdrawal out in processes the first of which is killed at one step. @returns whether it came to that */
  const run = async (killAt: number, arrives: boolean): Promise<boolean> => {
    const { start, offer, booked, jobs, added, execute, advance, transfer } = createScene(store);
    const { id } = await offer();
    let [steps, killed] = [0, false];
    const step = (): void => {
      steps += 1;
      if (killed || steps !== killAt) return;
      killed = true;
      throw new Killed();
    };
    for (let process = 0; process < 4; process += 1) {
      try {
        const { withdrawals, settling } = start(step);
        const current = await store.find(id);
        if (current?.status === 'offered') await withdrawals.submit(current, `0x${'11'.repeat(64)}1b`);
        else await withdrawals.round(() => false);
        const signed = await store.find(id);
        if (jobs.size === 0 || signed === undefined) continue;
        execute(signed);
        if (arrives) await settleTransfer(settling, transfer);
        advance();
        await withdrawals.round(() => false);
      } catch (error) {
        if (!(error instanceof Killed)) throw error;
      }
    }
    const end = arrives ? 'completed' : 'failed';
    expect((await store.find(id))?.status, `killed at ${killAt}`).toBe(end);
    expect([...booked]).toEqual([[id, end]]);
    // One transaction, with the same signatures however often it was made.
    expect(jobs.size).toBe(1);
    expect(new Set(added).size).toBe(1);
    return killed;
  };

  it('waits while the nodes are behind the block that its nonce is of, and is refused for nothing', async () => {
    const { start, offer, booked, jobs, execute, showUpTo } = createScene(store);
    const { withdrawals } = start(() => undefined);
    const signature = `0x${'11'.repeat(64)}1b` as const;
    const first = await offer();
    execute(await withdrawals.submit(first, signature));
    const { id } = await offer();
    const second = (await store.find(id)) ?? expect.fail('it was offered');
    expect(second.transaction.nonce).toBe(first.transaction.nonce + 1n);

    showUpTo(9);
    await expect(withdrawals.submit(second, signature)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect((await store.find(id))?.status).toBe('reserved');
    showUpTo(10);
    expect((await withdrawals.submit((await store.find(id)) ?? second, signature)).status).toBe('signed');
    expect(booked.get(id)).toBe('reserved');
    expect(jobs.size).toBe(2);
    // The rounds of other tests are not to go on with them.
    for (const one of [first.id, id]) expect(await store.move({ id: one, status: 'signed' }, 'completed')).toBe(true);
  });

  it('is not offered with a nonce that is used, while the nodes are behind the block that has used it', async () => {
    const { start, offer, execute, showUpTo, transfer } = createScene(store);
    const { withdrawals, settling } = start(() => undefined);
    showUpTo(7);
    await expect(offer()).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    showUpTo(8);
    const first = await offer();
    await withdrawals.submit(first, `0x${'11'.repeat(64)}1b`);
    await expect(offer()).rejects.toMatchObject({ code: 'WITHDRAWAL_IN_PROGRESS' });

    // Its transfer is final in block 10, and booked.
    execute(first);
    expect(await settleTransfer(settling, transfer)).toBe(true);
    await expect(offer()).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    showUpTo(10);
    expect((await offer()).transaction.nonce).toBe(first.transaction.nonce + 1n);
  });

  it('is completed by its transfer for each of two processes that book it at once', async () => {
    const { start, offer, booked, execute, transfer } = createScene(store);
    const { withdrawals, settling } = start(() => undefined);
    const { id } = await offer();
    execute(await withdrawals.submit((await store.find(id)) ?? expect.fail('it was offered'), `0x${'11'.repeat(64)}1b`));
    // Both have read it before either moves it.
    let reads = 0;
    let letGo = (): void => undefined;
    const both = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    const receipt: typeof settling.node.receipt = async (txHash) => {
      reads += 1;
      if (reads === 2) letGo();
      await both;
      return settling.node.receipt(txHash);
    };
    const settle = () => settleTransfer({ ...settling, node: { receipt } }, transfer);
    expect(await Promise.all([settle(), settle()])).toEqual([true, true]);
    expect([...booked]).toEqual([[id, 'completed']]);
  });

  it.each([
    ['completed', true],
    ['failed', false],
  ])('is %s once, wherever the process is killed between its steps', async (_end, arrives) => {
    let killAt = 1;
    while (await run(killAt, arrives)) killAt += 1;
    // Submit, set aside, claim the nonce, sign, store, complete: each before and after its effect.
    expect(killAt).toBeGreaterThan(20);
  });
});
