import type { ErrorCode } from '@florin/rpc/errors';
import type { Amount } from '@florin/rpc/money';
import type { WithdrawalsClient } from '../clients/withdrawals.ts';
import { rejectedId } from '../domain/exception.ts';
import type { SafeWithdrawal } from '../domain/withdrawal.ts';
import type { ExceptionStore } from '../store/exceptions.ts';
import type { TransferStore } from '../store/transfers.ts';

export type ScreeningParts = {
  ledger: Pick<WithdrawalsClient, 'screen'>;
  transfers: Pick<TransferStore, 'find'>;
  /** Returns true if the Safe of an account is what it must be. */
  isVerified: (accountId: string) => Promise<boolean>;
  exceptions: Pick<ExceptionStore, 'find' | 'open'>;
  /** Least amount of a rejected deposit that stops an account's withdrawals, by symbol: a stranger's dust stops nobody's. */
  freezeFrom: ReadonlyMap<string, Amount>;
  now: () => Date;
};

/**
 * Decides whether the platform may sign a withdrawal that was set aside. A rejected deposit lies in the Safe with the rest: until a person has closed its
 * exception, which this opens, nothing is signed.
 * @returns the code by which it may not
 * @throws CodedError SERVICE_UNAVAILABLE, UPSTREAM_TIMEOUT
 */
export const screenWithdrawal = async (
  { ledger, transfers, isVerified, exceptions, freezeFrom, now }: ScreeningParts,
  { id, returns, successorAccountId, transaction: { chainId } }: SafeWithdrawal,
): Promise<ErrorCode | undefined> => {
  // A person has decided it, and knows to whom the money goes.
  if (returns !== undefined) return undefined;
  if (successorAccountId !== undefined && !(await isVerified(successorAccountId))) return 'SAFE_NOT_VERIFIED';
  const { acceptsRecipient, rejected } = await ledger.screen(id, freezeFrom);
  let isFrozen = false;
  for (const { txHash, logIndex, token, amount } of rejected) {
    // A ledger of an earlier release returns all of them.
    if (amount < (freezeFrom.get(token) ?? 0n)) continue;
    const transfer = await transfers.find({ chainId, txHash, logIndex, direction: 'in' });
    // Money of the sandbox is in no Safe.
    if (transfer === undefined) continue;
    const exceptionId = rejectedId(transfer);
    const known = await exceptions.find(exceptionId);
    if (known === undefined) await exceptions.open({ id: exceptionId, kind: 'rejected', status: 'open', transfer, createdAt: now() });
    isFrozen ||= known?.status !== 'closed';
  }
  if (isFrozen) return 'WITHDRAWALS_FROZEN';
  // The recipient of a move is the user's own Safe, by the ledger's record.
  return acceptsRecipient || successorAccountId !== undefined ? undefined : 'RECIPIENT_REJECTED';
};
