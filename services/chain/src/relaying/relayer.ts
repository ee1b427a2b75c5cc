import type { Hex } from '@florin/evm/hex';
import type { Logger } from '@florin/rpc/observe';
import type { ExecutionNode } from '../ports/execution-node.ts';
import type { KeySigner } from '../ports/key-signer.ts';
import type { JobsOfRelayer, RelayAttempt, RelayJob, RelayJobStore } from '../store/relay-jobs.ts';
import type { RelayLane, RelayLaneStore, RelaySlot } from '../store/relay-lanes.ts';
import { type FeeLimit, quoteFees } from './fee-quote.ts';
import { workOnEach } from './work-on-each.ts';

/** Transactions that wait to be mined at the same time. Nodes keep at least sixteen of one sender. */
const MAX_UNMINED = 16;

/** Transactions that are mined or wait for it, and are not final. */
const MAX_SLOTS = 2000;

/** Hash of the transaction of a job that was given up before one was sent. */
export const NOT_SENT: Hex = `0x${'0'.repeat(64)}`;

/** Gas of a transaction that does nothing. */
const NOTHING_GAS = 21_000n;

export type RelayerParts = {
  chainId: number;
  /** All nodes of the chain as one (`agreeExecution`). */
  node: ExecutionNode;
  /** The relayer's key; of a relayer that is not configured any more the address alone: it signs nothing, and what it has signed is broadcast until it is final. */
  signer: Pick<KeySigner, 'address'> & Partial<Pick<KeySigner, 'signTransaction'>>;
  /** The jobs that it carries out. */
  share: Omit<JobsOfRelayer, 'relayer'>;
  jobs: Pick<RelayJobStore, 'find' | 'queued' | 'take' | 'move' | 'addAttempt' | 'finish' | 'giveUp'>;
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
 * No other program may send transactions with the relayer's key. Several relayers share the jobs (`createRelayers`): each job has one of them, which a transaction that is
 * stored does not change. A nonce whose job another relayer has taken is used up by a transaction that does nothing, so that later ones can be mined.
 */
export const createRelayer = (parts: RelayerParts): Relayer => {
  const { chainId, node, signer, share, jobs, lanes, replaceAfterMs, feeLimit, now, logger } = parts;
  const { address: relayer } = signer;
  const mine = { relayer, ...share };
  const attemptsWith = ({ attempts }: RelayJob, nonce: number): RelayAttempt[] =>
    attempts.filter(({ from, nonce: own }) => own === nonce && from === relayer);

  const attempt = async (job: RelayJob, nonce: number, replaced?: RelayAttempt): Promise<void> => {
    if (signer.signTransaction === undefined) return;
    const quote = quoteFees(await node.fees(), feeLimit, replaced);
    if (quote === undefined) {
      logger.warn({ jobId: job.id }, 'a transaction is stuck, and a higher fee would exceed CHAIN_MAX_FEE_GWEI');
      // Nodes forget transactions that offer less than blocks cost.
      if (replaced !== undefined) await broadcast(replaced, 'debug');
      return;
    }
    const { to, data, gas } = job;
    const signed = await signer.signTransaction({ chainId, nonce, to, data, gas, ...quote });
    const next = { ...signed, ...quote, from: relayer, nonce, at: now() };
    if (await jobs.addAttempt(job, next)) await broadcast(next, 'warn');
  };

  /** @param level of the message when no node takes it: one that has it already does not, and receipts decide */
  const broadcast = async ({ raw, hash }: Pick<RelayAttempt, 'raw' | 'hash'>, level: 'warn' | 'debug'): Promise<void> => {
    await node.broadcast(raw).catch((err: unknown) => logger[level]({ err, hash, relayer }, 'no node took a transaction'));
  };

  /** Uses a nonce up for nothing. The signed transaction need not be stored: whichever transaction of this nonce is mined, its job is not this relayer's to carry out. */
  const skip = async (nonce: number, replaced: RelayAttempt | undefined): Promise<void> => {
    const quote = signer.signTransaction && quoteFees(await node.fees(), feeLimit, replaced);
    if (quote === undefined) return;
    const nothing = await signer.signTransaction?.({ chainId, nonce, to: relayer, data: '0x', gas: NOTHING_GAS, ...quote });
    if (nothing !== undefined) await broadcast(nothing, 'debug');
  };

  /** Ends the job whose nonce is used up in a final block. */
  const settle = async (job: RelayJob, slot: RelaySlot, finalized: number): Promise<void> => {
    for (const { hash } of attemptsWith(job, slot.nonce)) {
      const receipt = await node.receipt(hash);
      if (receipt === undefined) continue;
      const { blockNumber, blockHash, succeeded } = receipt;
      if (blockNumber > finalized || (await node.blockHash(blockNumber)) !== blockHash) return;
      await jobs.finish(job.id, { txHash: hash, succeeded, blockNumber });
      return lanes.release(chainId, relayer, slot);
    }
    if (job.status === 'queued' && job.relayer === relayer) {
      // The job needs another nonce.
      logger.error({ jobId: job.id, nonce: slot.nonce, relayer }, 'a nonce of the relayer was used by another program');
      if (signer.signTransaction === undefined) await jobs.move(job, relayer, share.first?.configured[0] ?? relayer);
    }
    await lanes.release(chainId, relayer, slot);
  };

  /** Transactions of the relayer that are mined, and those of them that are final. Nonces below are used up. */
  type Used = { mined: number; final: number; finalized: number };

  const advance = async (slot: RelaySlot, used: Used): Promise<void> => {
    // Mined, and to be looked at again when it is final. A reorganization that drops it lowers the number.
    if (slot.nonce < used.mined && slot.nonce >= used.final) return;
    // An earlier release gave a nonce to a job before it had a relayer.
    const taken = (found: RelayJob): Promise<boolean> => (found.relayer === undefined ? jobs.take(found.id, mine) : Promise.resolve(false));
    const found = await jobs.find(slot.jobId);
    if (found === undefined) return lanes.release(chainId, relayer, slot);
    const job = (await taken(found)) ? { ...found, relayer } : found;
    if (slot.nonce < used.final) return settle(job, slot, used.finalized);
    const last = attemptsWith(job, slot.nonce).at(-1);
    if (job.status === 'done' || job.relayer !== relayer) return skip(slot.nonce, last);
    if (last === undefined) return attempt(job, slot.nonce);
    if (signer.signTransaction !== undefined && now().getTime() - last.at.getTime() >= replaceAfterMs) await attempt(job, slot.nonce, last);
    else await broadcast(last, 'debug');
  };

  /**
   * Gives up a job whose transaction would be reverted now: another transaction came first, or it was never possible. Its owner decides about the next attempt. In doubt
   * it is sent.
   */
  const isInVain = async ({ id, to, data, gas }: RelayJob, newest: number): Promise<boolean> => {
    if (await node.wouldSucceed({ from: relayer, to, data, gas }, newest).catch(() => true)) return false;
    logger.warn({ jobId: id }, 'a transaction would be reverted, and is not sent');
    await jobs.giveUp(id, { txHash: NOT_SENT, succeeded: false, blockNumber: newest });
    return true;
  };

  const mostOf = ({ gas, attempts }: RelayJob, present: bigint): bigint => gas * (attempts.at(-1)?.maxFeePerGas ?? present);

  /** Returns what the relayer's coins leave for further jobs, in wei, and the present price of gas: nodes take a transaction only if the sender can pay the most that it offers. */
  const purse = async (lane: RelayLane, mined: number, newest: number): Promise<{ left: bigint; price: bigint }> => {
    const { maxFeePerGas: price = 0n } = quoteFees(await node.fees(), feeLimit) ?? {};
    const unmined = await Promise.all(lane.slots.filter(({ nonce }) => nonce >= mined).map(({ jobId }) => jobs.find(jobId)));
    const spoken = unmined.reduce((sum, job) => sum + (job === undefined ? 0n : mostOf(job, price)), 0n);
    return { left: (await node.balance(relayer, newest)) - spoken, price };
  };

  /** Takes jobs while its coins last: others are left to a relayer that has some. */
  const fill = async (first: RelayLane, mined: number, newest: number): Promise<void> => {
    const known = new Set(first.slots.map(({ jobId }) => jobId));
    const next = (await jobs.queued(chainId, first.slots.length + MAX_UNMINED, mine)).filter((jobId) => !known.has(jobId));
    if (next.length === 0) return;
    const { left, price } = await purse(first, mined, newest);
    let spent = 0n;
    for (const jobId of next) {
      const lane = await lanes.find(chainId, relayer);
      if (lane === undefined || lane.slots.length >= MAX_SLOTS) return;
      if (lane.slots.filter(({ nonce }) => nonce >= mined).length >= MAX_UNMINED) return;
      const found = await jobs.find(jobId);
      if (found === undefined || lane.slots.some((slot) => slot.jobId === jobId)) continue;
      if (spent + found.gas * price > left)
        return logger.warn({ chainId, relayer }, 'the relayer lacks coins, and takes no further transactions');
      if (!(await jobs.take(jobId, mine))) continue;
      const job = await jobs.find(jobId);
      if (job === undefined || (job.attempts.length === 0 && (await isInVain(job, newest)))) continue;
      spent += found.gas * price;
      await lanes.assign(chainId, relayer, lane, jobId);
    }
  };

  /** Begins with the first job. @returns false as long as there is none */
  const begin = async (): Promise<boolean> => {
    if ((await lanes.find(chainId, relayer)) !== undefined) return true;
    if ((await jobs.queued(chainId, 1, mine)).length === 0) return false;
    await lanes.begin(chainId, relayer, await node.transactionCount(relayer, await node.newestNumber()));
    return true;
  };

  return {
    round: async (closed) => {
      const signs = signer.signTransaction !== undefined;
      if (signs && !(await begin())) return;
      const begun = await lanes.find(chainId, relayer);
      if (begun === undefined) return;
      const [newest, finalized] = [await node.newestNumber(), await node.finalizedNumber()];
      const mined = await node.transactionCount(relayer, newest);
      if (signs) await fill(begun, mined, newest);
      const lane = await lanes.find(chainId, relayer);
      if (lane === undefined || lane.slots.length === 0) return;
      const used = { mined, final: await node.transactionCount(relayer, finalized), finalized };
      await workOnEach(lane.slots, closed, (slot) => advance(slot, used));
    },
  };
};
