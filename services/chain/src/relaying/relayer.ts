import type { Logger } from '@florin/rpc/observe';
import type { ExecutionNode } from '../ports/execution-node.ts';
import type { KeySigner } from '../ports/key-signer.ts';
import type { RelayAttempt, RelayJob, RelayJobStore } from '../store/relay-jobs.ts';
import type { RelayLaneStore, RelaySlot } from '../store/relay-lanes.ts';
import { quoteFees } from './fee-quote.ts';
import { workOnEach } from './work-on-each.ts';

/** Transactions that wait to be mined at the same time. Nodes keep at least sixteen of one sender. */
const MAX_SLOTS = 16;

export type RelayerParts = {
  chainId: number;
  /** All nodes of the chain as one (`agreeExecution`). */
  node: ExecutionNode;
  signer: KeySigner;
  jobs: Pick<RelayJobStore, 'find' | 'queued' | 'addAttempt' | 'finish'>;
  lanes: Pick<RelayLaneStore, 'find' | 'begin' | 'assign' | 'release'>;
  /** Pause after which a transaction that is not mined is replaced by one that offers more. */
  replaceAfterMs: number;
  /** Most wei per gas that is offered. */
  feeLimit: bigint;
  now: () => Date;
  logger: Logger;
};

export type Relayer = {
  /** Moves every job on by what can be done now. Rejects when a node or the database fails; the next round goes on. */
  round: (closed: () => boolean) => Promise<void>;
};

/**
 * Sends the jobs' transactions, in the order of their nonces, until each is in a final block. A signed transaction is stored before it is
 * broadcast, and every later step repeats or replaces what is stored: killed anywhere, the next round goes on, and each nonce carries one job.
 * No other program may send transactions with the relayer's key.
 */
export const createRelayer = (parts: RelayerParts): Relayer => {
  const { chainId, node, signer, jobs, lanes, replaceAfterMs, feeLimit, now, logger } = parts;
  const { address: relayer } = signer;

  const attempt = async (job: RelayJob, nonce: number, replaced?: RelayAttempt): Promise<void> => {
    const quote = quoteFees(await node.fees(), feeLimit, replaced);
    if (quote === undefined)
      return logger.warn({ jobId: job.id }, 'a transaction is stuck, and a higher fee would exceed CHAIN_MAX_FEE_GWEI');
    const { to, data, gas } = job;
    const signed = await signer.signTransaction({ chainId, nonce, to, data, gas, ...quote });
    const next = { ...signed, ...quote, nonce, at: now() };
    if (await jobs.addAttempt(job, next)) await broadcast(next);
  };

  const broadcast = async ({ raw, hash }: RelayAttempt): Promise<void> => {
    // A node also rejects what it has already; receipts decide.
    await node.broadcast(raw).catch((err: unknown) => logger.debug({ err, hash }, 'no node took a transaction'));
  };

  /** Ends a job whose transaction is in a final block. @returns whether the nonce is used up */
  const settle = async (job: RelayJob, slot: RelaySlot, finalized: number): Promise<'final' | 'mined' | 'open'> => {
    for (const { hash } of job.attempts.filter(({ nonce }) => nonce === slot.nonce)) {
      const receipt = await node.receipt(hash);
      if (receipt === undefined) continue;
      const { blockNumber, blockHash, succeeded } = receipt;
      if (blockNumber > finalized || (await node.blockHash(blockNumber)) !== blockHash) return 'mined';
      await jobs.finish(job.id, { txHash: hash, succeeded, blockNumber });
      return 'final';
    }
    // Sent by another program with the same key: the job needs another nonce.
    if ((await node.transactionCount(relayer, finalized)) <= slot.nonce) return 'open';
    logger.error({ jobId: job.id, nonce: slot.nonce }, 'a nonce of the relayer was used by another program');
    return 'final';
  };

  const advance = async (slot: RelaySlot, finalized: number): Promise<void> => {
    const job = await jobs.find(slot.jobId);
    if (job === undefined || job.status === 'done') return lanes.release(chainId, relayer, slot);
    const last = job.attempts.findLast(({ nonce }) => nonce === slot.nonce);
    if (last === undefined) return attempt(job, slot.nonce);
    const state = await settle(job, slot, finalized);
    if (state === 'final') return lanes.release(chainId, relayer, slot);
    if (state === 'mined') return;
    if (now().getTime() - last.at.getTime() >= replaceAfterMs) await attempt(job, slot.nonce, last);
    else await broadcast(last);
  };

  const fill = async (): Promise<void> => {
    for (const jobId of await jobs.queued(chainId, MAX_SLOTS)) {
      const lane = await lanes.find(chainId, relayer);
      if (lane === undefined || lane.slots.length >= MAX_SLOTS) return;
      if (!lane.slots.some((slot) => slot.jobId === jobId)) await lanes.assign(chainId, relayer, lane, jobId);
    }
  };

  return {
    round: async (closed) => {
      if ((await lanes.find(chainId, relayer)) === undefined) {
        if ((await jobs.queued(chainId, 1)).length === 0) return;
        await lanes.begin(chainId, relayer, await node.transactionCount(relayer, await node.newestNumber()));
      }
      await fill();
      const lane = await lanes.find(chainId, relayer);
      if (lane === undefined || lane.slots.length === 0) return;
      const finalized = await node.finalizedNumber();
      await workOnEach(lane.slots, closed, (slot) => advance(slot, finalized));
    },
  };
};
