import { encodeExecution, joinOwnerSignatures } from '@florin/evm/safe';
import { CodedError, type ErrorCode } from '@florin/rpc/errors';
import type { Logger } from '@florin/rpc/observe';
import { encodeFunctionData, erc20Abi } from 'viem';
import { SIMULATED_GAS } from '../accounts/inspect-safe.ts';
import type { PlatformOwner } from '../accounts/platform-owners.ts';
import { safeNonce } from '../accounts/safe-nonce.ts';
import { type SafeWithdrawal, WITHDRAWAL_GAS } from '../domain/withdrawal.ts';
import { type ExecutionNode, viewsOf } from '../ports/execution-node.ts';
import type { RelayJobStore } from '../store/relay-jobs.ts';
import type { SafeWithdrawalStore } from '../store/safe-withdrawals.ts';
import type { WithdrawnMoney } from './returns.ts';

/** Transactions that are sent for a withdrawal, each with twice the gas of the one before that failed. */
const MAX_TRIES = 4;

/** How long a withdrawal waits for money that is on its way to its Safe: a refund is returned within the interval of collecting. */
const MAX_WAIT_MS = 86_400_000;

/** More than the steps from submitted to the end, some of them made by others. */
const MAX_STEPS = 10;

export type CarryingOut = {
  chainId: number;
  node: Pick<ExecutionNode, 'newestNumber' | 'codeAt' | 'call' | 'wouldSucceed'>;
  /** The second owner of an account's Safe; undefined when it is not configured. */
  signerOf: (accountId: string) => Promise<PlatformOwner | undefined>;
  /** Returns true if an account may spend. */
  isActive: (accountId: string) => Promise<boolean>;
  /** Returns true if an account has a successor: it is never active again. */
  isFormer: (accountId: string) => Promise<boolean>;
  /** Returns the code by which the platform may not sign a withdrawal. */
  screen: (withdrawal: SafeWithdrawal) => Promise<ErrorCode | undefined>;
  withdrawals: SafeWithdrawalStore;
  jobs: Pick<RelayJobStore, 'add' | 'find'>;
  money: Pick<WithdrawnMoney, 'reserve' | 'process' | 'fail'>;
  /** Has the Safe of an account inspected at once. */
  recheck: (accountId: string, block: number) => Promise<unknown>;
  /** Has what was refunded to an account returned to its Safe at once. */
  collectSoon: (accountId: string) => Promise<void>;
  now: () => Date;
  logger: Logger;
};

/** Returns true if a transaction of a withdrawal would succeed after a block: its sender may be frozen, or its recipient, or the token paused. */
export const canMove = (node: Pick<ExecutionNode, 'wouldSucceed'>, { transaction }: SafeWithdrawal, block: number): Promise<boolean> => {
  const { safe: from, to, data } = transaction;
  return node.wouldSucceed({ from, to, data, gas: SIMULATED_GAS }, block);
};

/** The account whose block stops a withdrawal: a former account is blocked for good. */
const stoppedWith = ({ accountId, successorAccountId, stoppedBy }: SafeWithdrawal): string => stoppedBy ?? successorAccountId ?? accountId;

/**
 * Moves withdrawals on, each until it is sent or has failed. Several processes may work on one: every step can be repeated, a move that another
 * process made first is found by reading again, and each decision has one winner.
 */
export const createCarryingOut = (parts: CarryingOut) => {
  const { chainId, node, signerOf, isActive, isFormer, screen, withdrawals, jobs, money, recheck, collectSoon, now, logger } = parts;
  const stuck = new Set<string>();
  /** Those whose money this process has asked for. */
  const waiting = new Set<string>();

  const refuse = async (withdrawal: SafeWithdrawal, refusal: ErrorCode): Promise<void> => {
    waiting.delete(withdrawal.id);
    await withdrawals.move(withdrawal, 'refused', { refusal });
  };

  /** refused → failed. */
  const release = async (withdrawal: SafeWithdrawal): Promise<void> => {
    await money.fail(withdrawal);
    await withdrawals.move({ id: withdrawal.id, status: 'refused' }, 'failed');
  };

  /** submitted → reserved, or refused. */
  const reserve = async (withdrawal: SafeWithdrawal): Promise<void> => {
    const refusal = await money.reserve(withdrawal);
    if (refusal !== undefined) return refuse(withdrawal, refusal);
    if (await withdrawals.move(withdrawal, 'reserved')) return;
    // Another process was refused, and has given back what was not set aside yet.
    const ended = await withdrawals.find(withdrawal.id);
    if (ended?.status === 'failed') await money.fail(ended);
  };

  /** Returns true if a Safe holds less than the amount of its withdrawal after a block; a token that does not even show its balances is not waited for. */
  const isShort = async ({ amount, transaction: { safe: from, to } }: SafeWithdrawal, block: number): Promise<boolean> => {
    const data = encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [from] });
    if (!(await node.wouldSucceed({ from, to, data, gas: SIMULATED_GAS }, block))) return false;
    return ((await viewsOf(node, to, erc20Abi, block)('balanceOf', [from])) as bigint) < amount;
  };

  /**
   * Looks at the Safe's balance: a transaction that fails would use up its nonce, and cost gas. Refunded spending may have been collected: then the
   * withdrawal waits for its return.
   * @returns true if the transaction would succeed after a block; otherwise the withdrawal waits, or is refused
   */
  const isMovable = async (withdrawal: SafeWithdrawal, block: number): Promise<boolean> => {
    const { id, accountId, createdAt } = withdrawal;
    if (await canMove(node, withdrawal, block)) {
      waiting.delete(id);
      return true;
    }
    if (await isShort(withdrawal, block)) {
      if (createdAt.getTime() + MAX_WAIT_MS <= now().getTime()) await refuse(withdrawal, 'WITHDRAWAL_EXPIRED');
      else if (!waiting.has(id)) {
        await collectSoon(accountId);
        logger.warn({ chainId, withdrawalId: id, accountId }, 'a Safe does not hold the amount of a withdrawal, which waits');
        waiting.add(id);
      }
      return false;
    }
    await recheck(accountId, block);
    await refuse(withdrawal, 'TOKEN_BLOCKED');
    return false;
  };

  /** reserved → signed, or refused, or it waits for its money: from signed on, the chain alone decides. */
  const sign = async (withdrawal: SafeWithdrawal): Promise<void> => {
    const { transaction, accountId } = withdrawal;
    if ((await signerOf(accountId)) === undefined) return refuse(withdrawal, 'SAFES_NOT_AVAILABLE');
    const newest = await node.newestNumber();
    const nonce = await safeNonce(node, transaction.safe, newest);
    // The nodes are behind those that the user was asked with: nothing is known about the nonce yet.
    if (nonce < transaction.nonce) throw new CodedError('SERVICE_UNAVAILABLE');
    if (nonce !== transaction.nonce) return refuse(withdrawal, 'WITHDRAWAL_IN_PROGRESS');
    // Before the screening, which a provider is paid for.
    if (!(await isMovable(withdrawal, newest))) return;
    const rejection = await screen(withdrawal);
    if (rejection !== undefined) return refuse(withdrawal, rejection);
    if (!(await isActive(stoppedWith(withdrawal)))) return refuse(withdrawal, 'ACCOUNT_NOT_ACTIVE');
    if (!(await withdrawals.claimNonce(withdrawal))) return refuse(withdrawal, 'WITHDRAWAL_IN_PROGRESS');
    await withdrawals.move(withdrawal, 'signed');
  };

  /** Number of the next job; undefined while one is under way, has succeeded, or was overtaken by another transaction of the Safe. */
  const nextTry = async ({ id, transaction }: SafeWithdrawal): Promise<number | undefined> => {
    let tried = 0;
    for (let job = await jobs.find(jobId(id, 1)); job !== undefined; job = await jobs.find(jobId(id, tried + 1))) {
      tried += 1;
      if (job.outcome === undefined || job.outcome.succeeded) return undefined;
    }
    if (tried === 0) return 1;
    if ((await safeNonce(node, transaction.safe, await node.newestNumber())) !== transaction.nonce) return undefined;
    return tried + 1;
  };

  /** A signed withdrawal that a person has to look at. */
  const stick = (id: string, facts: object, message: string): void => {
    if (!stuck.has(id)) logger.error({ chainId, withdrawalId: id, ...facts }, message);
    stuck.add(id);
  };

  /** Has the ledger record that a withdrawal is on its way. @returns false if its money came back: it was superseded meanwhile */
  const isProcessed = async (withdrawal: SafeWithdrawal): Promise<boolean> =>
    money.process(withdrawal).then(
      () => true,
      (error: unknown) => {
        if (error instanceof CodedError && error.code === 'WITHDRAWAL_STATE_CONFLICT') return false;
        throw error;
      },
    );

  /**
   * Has a signed withdrawal sent, unless its account was stopped before the platform's signature existed: then it waits, and is screened again. The signature is the same each
   * time.
   * @param isScreened false for one that a process has left behind
   */
  const send = async (withdrawal: SafeWithdrawal, isScreened: boolean): Promise<void> => {
    const { id, accountId, owner, transaction, signature } = withdrawal;
    const next = await nextTry(withdrawal);
    if (next === undefined) {
      stuck.delete(id);
      return;
    }
    const isStopped =
      next === 1 && (!(await isActive(stoppedWith(withdrawal))) || (!isScreened && (await screen(withdrawal)) !== undefined));
    if (isStopped && (await isFormer(stoppedWith(withdrawal))) && (await withdrawals.supersede(withdrawal))) return release(withdrawal);
    if (isStopped) return stick(id, { accountId }, 'a signed withdrawal waits: its account was stopped, or its recipient is rejected');
    const signer = await signerOf(accountId);
    if (signer === undefined || next > MAX_TRIES) return stick(id, { tried: next - 1 }, 'a signed withdrawal cannot be carried out');
    stuck.delete(id);
    if (next > 1) logger.error({ chainId, withdrawalId: id, tried: next - 1 }, 'the transaction of a withdrawal failed: it is sent again');
    if (signature === undefined) throw new Error('a signed withdrawal must have a signature');
    if (!(await isProcessed(withdrawal))) return;
    const signatures = joinOwnerSignatures([{ owner, signature }, await signer.sign(transaction)]);
    const gas = WITHDRAWAL_GAS << BigInt(next - 1);
    // Last, as a mark without a job blocks the stop of a recovery, which may have taken the nonce meanwhile.
    if (!(await withdrawals.markSent(withdrawal))) return;
    await jobs.add({ id: jobId(id, next), chainId, ...encodeExecution(transaction, signatures), gas, createdAt: now() });
  };

  const STEPS = { submitted: reserve, reserved: sign, refused: release } as const;

  return {
    /** @returns the withdrawal once it is sent or has ended, or while it waits for its money. @throws CodedError SERVICE_UNAVAILABLE when a later call goes on */
    moveOn: async (id: string): Promise<SafeWithdrawal> => {
      let last: SafeWithdrawal['status'] | undefined;
      for (let step = 0; step < MAX_STEPS; step += 1) {
        const current = await withdrawals.find(id);
        if (current === undefined) throw new CodedError('WITHDRAWAL_NOT_FOUND');
        const { status } = current;
        if (status === last) return current;
        const isScreened = last === 'reserved';
        last = status;
        if (status !== 'signed') stuck.delete(id);
        if (status === 'submitted' || status === 'reserved' || status === 'refused') await STEPS[status](current);
        else {
          if (status === 'signed') await send(current, isScreened);
          return current;
        }
      }
      throw new CodedError('SERVICE_UNAVAILABLE');
    },
    /** Signed withdrawals that no transaction carries out. */
    stuck: (): number => stuck.size,
  };
};

/** Id of a job that sends a withdrawal. @param tried its number, from 1 */
export const jobId = (withdrawalId: string, tried: number): string => `withdrawal/${withdrawalId}${tried === 1 ? '' : `#${tried}`}`;
