import { encodeExecution, joinOwnerSignatures } from '@florin/evm/safe';
import { CodedError, type ErrorCode } from '@florin/rpc/errors';
import type { Logger } from '@florin/rpc/observe';
import type { PlatformOwner } from '../accounts/platform-owners.ts';
import { safeNonce } from '../accounts/safe-nonce.ts';
import { type SafeWithdrawal, WITHDRAWAL_GAS } from '../domain/withdrawal.ts';
import type { ExecutionNode } from '../ports/execution-node.ts';
import type { RelayJobStore } from '../store/relay-jobs.ts';
import type { SafeWithdrawalStore } from '../store/safe-withdrawals.ts';
import type { WithdrawnMoney } from './returns.ts';

/** Transactions that are sent for a withdrawal, each with twice the gas of the one before that failed. */
const MAX_TRIES = 4;

/** More than the steps from submitted to the end, some of them made by others. */
const MAX_STEPS = 10;

export type CarryingOut = {
  chainId: number;
  node: Pick<ExecutionNode, 'newestNumber' | 'codeAt' | 'call'>;
  /** The second owner of an account's Safe; undefined when it is not configured. */
  signerOf: (accountId: string) => Promise<PlatformOwner | undefined>;
  /** Returns true if the account of a user may spend. */
  isActive: (userId: string) => Promise<boolean>;
  /** Returns the code by which the platform may not sign a withdrawal. */
  screen: (withdrawal: SafeWithdrawal) => Promise<ErrorCode | undefined>;
  withdrawals: SafeWithdrawalStore;
  jobs: Pick<RelayJobStore, 'add' | 'find'>;
  money: Pick<WithdrawnMoney, 'reserve' | 'process' | 'fail'>;
  now: () => Date;
  logger: Logger;
};

/**
 * Moves withdrawals on, each until it is sent or has failed. Several processes may work on one: every step can be repeated, a move that another
 * process made first is found by reading again, and each decision has one winner.
 */
export const createCarryingOut = (parts: CarryingOut) => {
  const { chainId, node, signerOf, isActive, screen, withdrawals, jobs, money, now, logger } = parts;
  const stuck = new Set<string>();

  const refuse = async (withdrawal: SafeWithdrawal, refusal: ErrorCode): Promise<void> => {
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
    if ((await withdrawals.find(withdrawal.id))?.status === 'failed') await money.fail(withdrawal);
  };

  /** reserved → signed, or refused: from signed on, the chain alone decides. */
  const sign = async (withdrawal: SafeWithdrawal): Promise<void> => {
    const { transaction, accountId, userId } = withdrawal;
    if ((await signerOf(accountId)) === undefined) return refuse(withdrawal, 'SAFES_NOT_AVAILABLE');
    const rejection = await screen(withdrawal);
    if (rejection !== undefined) return refuse(withdrawal, rejection);
    if (!(await isActive(userId))) return refuse(withdrawal, 'ACCOUNT_NOT_ACTIVE');
    const nonce = await safeNonce(node, transaction.safe, await node.newestNumber());
    // The nodes are behind those that the user was asked with: nothing is known about the nonce yet.
    if (nonce < transaction.nonce) throw new CodedError('SERVICE_UNAVAILABLE');
    if (nonce !== transaction.nonce || !(await withdrawals.claimNonce(withdrawal))) return refuse(withdrawal, 'WITHDRAWAL_IN_PROGRESS');
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

  /** Has a signed withdrawal sent. The platform's signature is the same each time. */
  const send = async (withdrawal: SafeWithdrawal): Promise<void> => {
    const { id, accountId, owner, transaction, signature } = withdrawal;
    const next = await nextTry(withdrawal);
    if (next === undefined) {
      stuck.delete(id);
      return;
    }
    const signer = await signerOf(accountId);
    if (signer === undefined || next > MAX_TRIES) {
      if (!stuck.has(id)) logger.error({ chainId, withdrawalId: id, tried: next - 1 }, 'a signed withdrawal cannot be carried out');
      stuck.add(id);
      return;
    }
    if (next > 1) logger.error({ chainId, withdrawalId: id, tried: next - 1 }, 'the transaction of a withdrawal failed: it is sent again');
    if (signature === undefined) throw new Error('a signed withdrawal must have a signature');
    await money.process(withdrawal);
    const signatures = joinOwnerSignatures([{ owner, signature }, await signer.sign(transaction)]);
    const gas = WITHDRAWAL_GAS << BigInt(next - 1);
    await jobs.add({ id: jobId(id, next), chainId, ...encodeExecution(transaction, signatures), gas, createdAt: now() });
  };

  const STEPS = { submitted: reserve, reserved: sign, refused: release } as const;

  return {
    /** @returns the withdrawal once it is sent or has ended. @throws CodedError SERVICE_UNAVAILABLE when a later call goes on */
    moveOn: async (id: string): Promise<SafeWithdrawal> => {
      for (let step = 0; step < MAX_STEPS; step += 1) {
        const current = await withdrawals.find(id);
        if (current === undefined) throw new CodedError('WITHDRAWAL_NOT_FOUND');
        const { status } = current;
        if (status === 'submitted' || status === 'reserved' || status === 'refused') await STEPS[status](current);
        else {
          if (status === 'signed') await send(current);
          return current;
        }
      }
      throw new CodedError('SERVICE_UNAVAILABLE');
    },
    /** Signed withdrawals that no transaction carries out. */
    stuck: (): number => stuck.size,
  };
};

const jobId = (withdrawalId: string, tried: number): string => `withdrawal/${withdrawalId}${tried === 1 ? '' : `#${tried}`}`;
