import { CodedError } from '@florin/rpc/errors';
import type { CollectionsClient } from '../clients/collections.ts';
import type { WithdrawalsClient } from '../clients/withdrawals.ts';
import type { WatchException } from '../domain/exception.ts';
import type { SafeTransfer } from '../domain/transfer.ts';
import type { SafeWithdrawal } from '../domain/withdrawal.ts';
import type { ExceptionStore } from '../store/exceptions.ts';

type Kept = Pick<SafeWithdrawal, 'id' | 'returns'>;

/** Why a withdrawal has failed that was not refused. */
const TRANSACTION_FAILED = 'TRANSACTION_FAILED';

type Parts = {
  ledger: WithdrawalsClient;
  bookings: Pick<CollectionsClient, 'bookReturned'>;
  exceptions: Pick<ExceptionStore, 'claimReturn' | 'releaseReturn' | 'endReturned'>;
};

/** The money behind withdrawals. Every call may be repeated. @throws CodedError SERVICE_UNAVAILABLE, UPSTREAM_TIMEOUT */
export type WithdrawnMoney = {
  /** Sets the money aside. @returns the code by which that is refused */
  reserve: (withdrawal: SafeWithdrawal) => ReturnType<WithdrawalsClient['reserve']>;
  /** Records that the money is on its way. */
  process: (withdrawal: Kept) => Promise<void>;
  /** Gives the money back, if any was set aside. A refusal is the reason. */
  fail: (withdrawal: Kept & Pick<SafeWithdrawal, 'refusal'>) => Promise<void>;
  /** Books the final transfer that carries a withdrawal out. */
  complete: (withdrawal: Kept, transfer: SafeTransfer) => Promise<void>;
};

/**
 * A withdrawal takes the user's money, which the ledger sets aside. A return takes a rejected deposit, which is nobody's: the one withdrawal that has claimed the
 * exception about it may be signed, and the money leaves the ledger's books of rejected deposits when the transfer is final.
 */
export const createWithdrawnMoney = ({ ledger, bookings, exceptions }: Parts): WithdrawnMoney => ({
  reserve: async (withdrawal) => {
    if (withdrawal.returns === undefined) return ledger.reserve(withdrawal);
    return (await exceptions.claimReturn(withdrawal.returns, withdrawal.id)) ? undefined : 'WITHDRAWAL_IN_PROGRESS';
  },
  process: async ({ id, returns }) => {
    if (returns === undefined) await ledger.process(id);
  },
  fail: ({ id, returns, refusal = TRANSACTION_FAILED }) =>
    returns === undefined ? ledger.fail(id, refusal) : exceptions.releaseReturn(returns, id),
  complete: async ({ id, returns }, transfer) => {
    if (returns === undefined) return ledger.complete(id, transfer.txHash);
    await bookings.bookReturned(transfer);
    await exceptions.endReturned(returns, id);
  },
});

/** @throws CodedError WITHDRAWAL_NOT_FOUND unless the exception is about a deposit of the account that is to go back; WITHDRAWAL_IN_PROGRESS if it is on its way */
export const requireReturn = (exception: WatchException | undefined, accountId: string): WatchException => {
  const isWaiting = exception?.kind === 'rejected' && exception.status === 'open' && exception.returnedBy !== undefined;
  if (!isWaiting || exception.transfer.accountId !== accountId) throw new CodedError('WITHDRAWAL_NOT_FOUND');
  if (exception.returning !== undefined) throw new CodedError('WITHDRAWAL_IN_PROGRESS');
  return exception;
};
