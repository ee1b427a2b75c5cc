import type { Address } from 'viem';
import { droppedUpTo, type RecoveryTransaction } from '../domain/recovery.ts';
import type { RecoveryTransactionStore } from '../store/recovery-transactions.ts';
import type { SafeStore } from '../store/safes.ts';
import { isOverdue, type RecoveryCall } from './carry-out-recovery.ts';

/** requested → completed or failed; of a request requested → waiting → executable → completed, stopped, expired or failed. */
type RecoveryState = 'requested' | 'waiting' | 'executable' | 'completed' | 'stopped' | 'expired' | 'failed';

/** A transaction as a person of the operator sees it. */
export type RecoveryRecord = {
  transaction: RecoveryTransaction;
  state: RecoveryState;
  /** The owner whom a request exchanges; absent of other kinds. */
  formerOwner?: Address;
  /** Until when the exchange can be executed; absent before it waits. */
  executableUntil?: Date;
  calls: readonly RecoveryCall[];
  isStuck: boolean;
};

/** The backup key of an account, when it was named, and the newest transactions, newest first. */
type RecoveryHistory = { backupKey?: Address; namedAt?: Date; records: RecoveryRecord[] };

type Parts = {
  safes: Pick<SafeStore, 'find'>;
  transactions: Pick<RecoveryTransactionStore, 'ofAccount'>;
  callsOf: (transaction: RecoveryTransaction) => Promise<RecoveryCall[]>;
  now: () => Date;
};

const LIMIT = 50;

const isStopOf = (one: RecoveryTransaction, { exchange }: RecoveryTransaction): boolean =>
  one.kind === 'cancellation' &&
  (one.status === 'signed' || one.status === 'completed') &&
  one.transaction.to === exchange?.call.module &&
  droppedUpTo(one) === exchange.queueNonce + 1;

const executableUntil = ({ executableAt, control }: RecoveryTransaction): Date | undefined =>
  executableAt === undefined || control?.backup === undefined
    ? undefined
    : new Date(executableAt.getTime() + control.backup.delay.expirationSeconds * 1000);

/** Anyone can skip an exchange that has expired: only one that a stop belongs to was stopped. */
const stateOf = (transaction: RecoveryTransaction, all: readonly RecoveryTransaction[], now: Date): RecoveryState => {
  const { status, executableAt } = transaction;
  if (status === 'completed' || status === 'failed') return status;
  if (status === 'cancelled') return all.some((one) => isStopOf(one, transaction)) ? 'stopped' : 'expired';
  if (executableAt === undefined) return 'requested';
  if (now < executableAt) return 'waiting';
  const until = executableUntil(transaction);
  return until !== undefined && until < now ? 'expired' : 'executable';
};

/** Reads what an account's keys and the platform have signed for its recovery. It asks no node. */
export const createRecoveryHistory =
  ({ safes, transactions, callsOf, now }: Parts) =>
  async (accountId: string): Promise<RecoveryHistory> => {
    const [safe, all] = await Promise.all([safes.find(accountId), transactions.ofAccount(accountId)]);
    const named = all.findLast(({ kind, status }) => kind === 'naming' && status === 'completed');
    let owner = safe?.first?.owner ?? safe?.owner;
    const owned = all.map((transaction) => {
      const formerOwner = owner;
      if (transaction.kind === 'request' && transaction.status === 'completed') owner = transaction.control?.owner;
      return { transaction, ...(transaction.kind === 'request' && formerOwner !== undefined ? { formerOwner } : {}) };
    });
    const records = owned.slice(-LIMIT).map(async ({ transaction, ...rest }): Promise<RecoveryRecord> => {
      const calls = await callsOf(transaction);
      const until = executableUntil(transaction);
      const isStuck = transaction.status === 'signed' && (isOverdue(transaction, now()) || calls.some((call) => call.isStuck));
      const state = stateOf(transaction, all, now());
      return { transaction, ...rest, state, calls, isStuck, ...(until === undefined ? {} : { executableUntil: until }) };
    });
    return {
      ...(safe?.backup === undefined ? {} : { backupKey: safe.backup.address }),
      ...(named === undefined ? {} : { namedAt: named.endedAt ?? named.createdAt }),
      records: (await Promise.all(records)).reverse(),
    };
  };
