import { COLLECTOR, MOVED } from '@florin/evm/safe';
import { pad } from 'viem';
import type { SafeTransfer } from '../domain/transfer.ts';
import type { ExecutionNode, Receipt } from '../ports/execution-node.ts';

const COLLECTOR_ADDRESS = COLLECTOR.address.toLowerCase();

/** Receipts that are kept: one is of many movements, which are asked about one after the other. */
const MAX_RECEIPTS = 16;

/**
 * Tells whether the Collector made a transfer to the treasury: what an owner sends there is not collected, and nobody owes it back.
 * Throws an Error when the node has no receipt of its transaction.
 */
export const createIsCollected = (node: Pick<ExecutionNode, 'receipt'>) => {
  /** By transaction and block: in another block it may have done something else. */
  const receipts = new Map<string, Promise<Receipt | undefined>>();
  const receiptOf = ({ txHash, blockHash }: SafeTransfer): Promise<Receipt | undefined> => {
    const key = `${txHash} ${blockHash}`;
    const known = receipts.get(key);
    if (known !== undefined) return known;
    const asked = node.receipt(txHash);
    receipts.set(key, asked);
    asked.then(
      (found) => found === undefined && receipts.delete(key),
      () => receipts.delete(key),
    );
    const [oldest] = receipts.keys();
    if (receipts.size > MAX_RECEIPTS && oldest !== undefined) receipts.delete(oldest);
    return asked;
  };
  return async (transfer: SafeTransfer): Promise<boolean> => {
    const events = (await receiptOf(transfer))?.events ?? [];
    const moved = events[transfer.logIndex];
    if (moved === undefined) throw new Error(`the receipt of ${transfer.txHash} is missing`);
    // The token may emit more, such as a change of the approval, before the Collector tells of the movement.
    const told = events.slice(transfer.logIndex + 1).find(({ address }) => address === COLLECTOR_ADDRESS);
    const [, from, to] = moved.topics;
    return told !== undefined && [MOVED, from, to, pad(moved.address)].every((topic, at) => told.topics[at] === topic);
  };
};
