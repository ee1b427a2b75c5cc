import type { Hex } from '@florin/evm/hex';
import type { Logger } from '@florin/rpc/observe';
import type { ExecutionNode } from '../ports/execution-node.ts';
import type { KeySigner } from '../ports/key-signer.ts';
import type { RelayAttempt, RelayJob, RelayJobStore } from '../store/relay-jobs.ts';
import type { RelayLane, RelayLaneStore, RelaySlot } from '../store/relay-lanes.ts';
import { type FeeLimit, quoteFees } from './fee-quote.ts';
import { workOnEach } from './work-on-each.ts';

/** Transactions that wait to be mined at the same time. Nodes keep at least sixteen of one sender. */
const MAX_UNMINED = 16;

/** Transactions that are mined or wait for it, and are not final. */
const MAX_SLOTS = 2000;

/** Hash of the transaction of a job that was given up before one was sent. */
const NOT_SENT: Hex = `0x${'0'.repeat(64)}`;

export type RelayerParts = {
  chainId: number;
  /** All nodes of the chain as one (`agreeExecution`). */
  node: ExecutionNode;
  signer: KeySigner;
  jobs: Pick<RelayJobStore, 'find' | 'queued' | 'addAttempt' | 'finish'>;
  lanes: Pick<RelayLaneStore, 'find' | 'begin' | 'assign' | 'release'>;
  /** Pause after which a transaction that is not mined is replaced by one that offers more. */
  replaceAfterMs: number;
  feeLimit: FeeLimit;
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
    if (await jobs.addAttempt(job, next)) await broadcast(next, 'warn');
  };

  /** @param level of the message when no node takes it: one that has it already does not, and receipts decide */
  const broadcast = async ({ raw, hash }: RelayAttempt, level: 'warn' | 'debug'): Promise<void> => {
    await node.broadcast(raw).catch((err: unknown) => logger[level]({ err, hash, relayer }, 'no node took a transaction'));
  };

  /** Ends the job whose nonce is used up in a final block. */
  const settle = async (job: RelayJob, slot: RelaySlot, finalized: number): Promise<void> => {
    for (const { hash } of job.attempts.filter(({ nonce }) => nonce === slot.nonce)) {
      const receipt = await node.receipt(hash);
      if (receipt === undefined) continue;
      const { blockNumber, blockHash, succeeded } = receipt;
      if (blockNumber > finalized || (await node.blockHash(blockNumber)) !== blockHash) return;
      await jobs.finish(job.id, { txHash: hash, succeeded, blockNumber });
      return lanes.release(chainId, relayer, slot);
    }
    // The job needs another nonce.
    logger.error({ jobId: job.id, nonce: slot.nonce }, 'a nonce of the relayer was used by another program');
    await lanes.release(chainId, relayer, slot);
  };

  /** Transactions of the relayer that are mined, and those of them that are final. Nonces below are used up. */
  type Used = { mined: number; final: number; finalized: number };

  const advance = async (slot: RelaySlot, used: Used): Promise<void> => {
    // Mined, and to be looked at again when it is final. A reorganization that drops it lowers the number.
    if (slot.nonce < used.mined && slot.nonce >= used.final) return;
    const job = await jobs.find(slot.jobId);
    if (job === undefined || job.status === 'done') return lanes.release(chainId, relayer, slot);
    if (slot.nonce < used.final) return settle(job, slot, used.finalized);
    const last = job.attempts.findLast(({ nonce }) => nonce === slot.nonce);
    if (last === undefined) return attempt(job, slot.nonce);
    if (now().getTime() - last.at.getTime() >= replaceAfterMs) await attempt(job, slot.nonce, last);
    else await broadcast(last, 'debug');
  };

  /**
   * Gives up a job whose transaction would be reverted now: somebody got ahead of it, or it was never possible. Its owner decides about the next try. What cannot
   * be told is sent.
   */
  const isInVain = async ({ id, to, data, gas }: RelayJob, newest: number): Promise<boolean> => {
    if (await node.wouldSucceed({ from: relayer, to, data, gas }, newest).catch(() => true)) return false;
    logger.warn({ jobId: id }, 'a transaction would be reverted, and is not sent');
    await jobs.finish(id, { txHash: NOT_SENT, succeeded: false, blockNumber: newest });
    return true;
  };

  const fill = async (first: RelayLane, mined: number, newest: number): Promise<void> => {
    for (const jobId of await jobs.queued(chainId, first.slots.length + MAX_UNMINED)) {
      const lane = await lanes.find(chainId, relayer);
      if (lane === undefined || lane.slots.length >= MAX_SLOTS) return;
      if (lane.slots.filter(({ nonce }) => nonce >= mined).length >= MAX_UNMINED) return;
      if (lane.slots.some((slot) => slot.jobId === jobId)) continue;
      const job = await jobs.find(jobId);
      if (job === undefined || (job.attempts.length === 0 && (await isInVain(job, newest)))) continue;
      await lanes.assign(chainId, relayer, lane, jobId);
    }
  };

  return {
    round: async (closed) => {
      if ((await lanes.find(chainId, relayer)) === undefined) {
        if ((await jobs.queued(chainId, 1)).length === 0) return;
        await lanes.begin(chainId, relayer, await node.transactionCount(relayer, await node.newestNumber()));
      }
      const begun = await lanes.find(chainId, relayer);
      if (begun === undefined) return;
      const [newest, finalized] = [await node.newestNumber(), await node.finalizedNumber()];
      const mined = await node.transactionCount(relayer, newest);
      await fill(begun, mined, newest);
      const lane = await lanes.find(chainId, relayer);
      if (lane === undefined || lane.slots.length === 0) return;
      const used = { mined, final: await node.transactionCount(relayer, finalized), finalized };
      await workOnEach(lane.slots, closed, (slot) => advance(slot, used));
    },
  };
};
