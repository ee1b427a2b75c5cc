import { EXECUTION_SUCCESS, safeTransactionHash } from '@florin/evm/safe';
import type { SafeTransfer } from '../domain/transfer.ts';
import type { SafeWithdrawal } from '../domain/withdrawal.ts';
import type { ExecutionNode } from '../ports/execution-node.ts';
import type { SafeWithdrawalStore } from '../store/safe-withdrawals.ts';
import type { WithdrawnMoney } from './returns.ts';

export type SettlingParts = {
  node: Pick<ExecutionNode, 'receipt'>;
  withdrawals: Pick<SafeWithdrawalStore, 'matching' | 'find' | 'move'>;
  money: Pick<WithdrawnMoney, 'complete'>;
};

/**
 * Completes the withdrawal that a final transfer carries out: the transaction of the transfer has executed exactly what was signed for it.
 * @returns false when it carries out none: the money left in another way
 */
export const settleTransfer = async ({ node, withdrawals, money }: SettlingParts, transfer: SafeTransfer): Promise<boolean> => {
  const { txHash, logIndex } = transfer;
  const isCompletedByIt = ({ place }: SafeWithdrawal): boolean => place?.txHash === txHash && place.logIndex === logIndex;
  const candidates = await withdrawals.matching(transfer);
  if (candidates.some(isCompletedByIt)) return true;
  const signed = candidates.filter(({ status }) => status === 'signed');
  if (signed.length === 0) return false;
  const receipt = await node.receipt(txHash);
  if (receipt === undefined) throw new Error(`the receipt of ${txHash} is missing`);
  const isExecuted = ({ transaction }: SafeWithdrawal): boolean =>
    receipt.events.some(
      ({ address, topics }) =>
        address === transaction.safe.toLowerCase() && topics[0] === EXECUTION_SUCCESS && topics[1] === safeTransactionHash(transaction),
    );
  const withdrawal = signed.find(isExecuted);
  if (withdrawal === undefined) return false;
  await money.complete(withdrawal, transfer);
  if (await withdrawals.move(withdrawal, 'completed', { place: { txHash, logIndex } })) return true;
  // Another process books the same blocks.
  const moved = await withdrawals.find(withdrawal.id);
  return moved !== undefined && isCompletedByIt(moved);
};
