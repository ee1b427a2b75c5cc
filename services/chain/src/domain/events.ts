import type { WatchException } from './exception.ts';
import type { SafeTransfer } from './transfer.ts';

type TransferPayload = Pick<SafeTransfer, 'chainId' | 'txHash' | 'logIndex' | 'accountId' | 'token'> & { amount: string };

/** Events that this service publishes. */
export type ChainEvent =
  | { type: 'transfer.refused'; payload: TransferPayload & { code: string } }
  | { type: 'transfer.left'; payload: TransferPayload }
  | { type: 'watch.halted'; payload: { chainId: number; blockNumber: number; bookedHash: string; foundHash: string } };

export const exceptionEvent = ({ kind, code = '', transfer }: WatchException): ChainEvent => {
  const { chainId, txHash, logIndex, accountId, token, amount } = transfer;
  const payload = { chainId, txHash, logIndex, accountId, token, amount: amount.toString() };
  return kind === 'refused' ? { type: 'transfer.refused', payload: { ...payload, code } } : { type: 'transfer.left', payload };
};
