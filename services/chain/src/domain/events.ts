import type { WatchException } from './exception.ts';
import type { RecoveryTransaction } from './recovery.ts';
import type { SafeTransfer } from './transfer.ts';
import type { SafeWithdrawal } from './withdrawal.ts';

type TransferPayload = Pick<SafeTransfer, 'chainId' | 'txHash' | 'logIndex' | 'accountId' | 'token'> & { amount: string };

type DifferencePayload = { chainId: number; accountId: string; token: string; blockNumber: number };

/** Steps of a recovery that the user should know of. */
export type RecoveryEventType = 'backup_key.named' | 'recovery.requested' | 'recovery.cancelled' | 'recovery.completed';

/** Events that this service publishes. */
export type ChainEvent =
  | { type: 'transfer.refused'; payload: TransferPayload & { code: string } }
  | { type: 'transfer.left'; payload: TransferPayload }
  | { type: 'transfer.vanished' | 'transfer.rejected'; payload: TransferPayload }
  | { type: 'recipient.requested'; payload: { accountId: string; userId: string; chainId: number; usableFrom: string } }
  | { type: 'safe.changed'; payload: Pick<TransferPayload, 'chainId' | 'txHash' | 'accountId'> & { change: string } }
  | { type: 'return.requested'; payload: Pick<TransferPayload, 'accountId' | 'chainId' | 'token' | 'amount'> }
  | { type: RecoveryEventType; payload: { accountId: string; userId: string; chainId: number } }
  | { type: 'balance.differed'; payload: DifferencePayload & { unseen: string; unbooked: string } }
  | { type: 'balance.agreed'; payload: DifferencePayload }
  | {
      type: 'watch.resumed';
      payload: { chainId: number; blockNumber: number; bookedTo: number; vanished: number; actor: string; reason: string };
    }
  | { type: 'watch.halted'; payload: { chainId: number; blockNumber: number; bookedHash: string; foundHash: string } };

/** The first request for a withdrawal to an address. The address itself stays out of feeds. */
export const newRecipientEvent = (
  { accountId, userId, transaction: { chainId }, createdAt: at }: SafeWithdrawal,
  usableFrom: Date,
  id: string,
): ChainEvent & { id: string; at: Date } => ({
  type: 'recipient.requested',
  payload: { accountId, userId, chainId, usableFrom: usableFrom.toISOString() },
  id,
  at,
});

/** A step of a recovery. Keys stay out of feeds. */
export const recoveryEvent = (
  { accountId, userId, transaction: { chainId } }: RecoveryTransaction,
  type: RecoveryEventType,
  id: string,
  at: Date,
): ChainEvent & { id: string; at: Date } => ({ type, payload: { accountId, userId, chainId }, id, at });

/** A person has decided that a rejected deposit goes back, which its owner must sign. */
export const returnEvent = ({ accountId, chainId, token, amount }: SafeTransfer): ChainEvent => ({
  type: 'return.requested',
  payload: { accountId, chainId, token, amount: amount.toString() },
});

export const exceptionEvent = ({ kind, code = '', transfer }: WatchException): ChainEvent => {
  const { chainId, txHash, logIndex, accountId, token, amount } = transfer;
  const payload = { chainId, txHash, logIndex, accountId, token, amount: amount.toString() };
  if (kind === 'changed') return { type: 'safe.changed', payload: { chainId, txHash, accountId, change: code } };
  if (kind === 'refused') return { type: 'transfer.refused', payload: { ...payload, code } };
  return { type: `transfer.${kind}`, payload };
};
