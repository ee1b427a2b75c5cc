import type { Hex } from '@florin/evm/hex';
import { EXECUTION_TOPICS, readExecution, safeTransactionHash } from '@florin/evm/safe';
import type { ExecutionNode } from '../ports/execution-node.ts';
import type { RecoveryTransactionStore } from '../store/recovery-transactions.ts';
import type { StoredSafe } from '../store/safes.ts';

type Parts = {
  node: Pick<ExecutionNode, 'events' | 'blockHash'>;
  transactions: Pick<RecoveryTransactionStore, 'ofAccount'>;
};

/**
 * Returns true if all that the Safe of an account has executed in a block is what the keys of a recovery and the platform have signed: anyone may send that.
 * @throws Error when a node fails, two disagree, or another block has taken the place of this one
 */
export const isOfRecovery = async (
  { node, transactions }: Parts,
  safe: StoredSafe,
  block: { number: number; hash: Hex },
): Promise<boolean> => {
  const signed = (await transactions.ofAccount(safe.accountId)).filter(({ status }) => status === 'signed' || status === 'completed');
  if (signed.length === 0) return false;
  const events = await node.events(safe.safe, EXECUTION_TOPICS, { from: block.number, to: block.number });
  if ((await node.blockHash(block.number)) !== block.hash) throw new Error(`block ${block.number} was replaced`);
  const hashes = new Set(signed.map(({ transaction }) => safeTransactionHash(transaction)));
  return (
    events.length > 0 &&
    events.every((event) => {
      const execution = readExecution(safe, event);
      if (execution === undefined) return false;
      if (!('module' in execution)) return hashes.has(execution.hash);
      const { module, call } = execution;
      return signed.some(
        ({ exchange }) =>
          exchange?.call.module === module && (call === undefined || (exchange.call.to === call.to && exchange.call.data === call.data)),
      );
    })
  );
};
