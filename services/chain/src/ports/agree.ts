import type { ChainNode } from './chain-node.ts';

/** A result as text, by which results of two nodes are compared. */
const textOf = (value: unknown): string => JSON.stringify(value, (_key, part: unknown) => (typeof part === 'bigint' ? `${part}` : part));

/**
 * Several nodes as one. What it returns, all of them returned; where they differ it rejects. A node that lies, or is behind, can stop it but not
 * deceive it.
 */
export const agree = (nodes: readonly ChainNode[]): ChainNode => {
  const same = async <T>(what: string, ask: (node: ChainNode) => Promise<T>): Promise<T> => {
    const [first, ...others] = await Promise.all(nodes.map(ask));
    if (first === undefined) throw new Error('a chain must have a node');
    if (others.some((other) => textOf(other) !== textOf(first))) throw new Error(`the nodes disagree about ${what}`);
    return first;
  };
  return {
    chainId: () => same('the chain', (node) => node.chainId()),
    finalizedNumber: async () => Math.min(...(await Promise.all(nodes.map((node) => node.finalizedNumber())))),
    header: (number) => same(`block ${number}`, (node) => node.header(number)),
    transfers: (blockHash, contracts) => same(`the transfers of block ${blockHash}`, (node) => node.transfers(blockHash, contracts)),
    receiptEvents: (transaction) => same(`the receipt of ${transaction.txHash}`, (node) => node.receiptEvents(transaction)),
  };
};
