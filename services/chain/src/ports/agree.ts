import type { ChainNode } from './chain-node.ts';
import { heightOfMost, sameOfAll } from './same-of-all.ts';

const nameBlocks = (blocks: readonly (number | string)[]): string =>
  blocks.length === 1 ? `block ${blocks[0]}` : `blocks ${blocks[0]} to ${blocks.at(-1)}`;

/**
 * Several nodes as one. It returns answers that most of them gave: both of two, two of three. A node that lies, fails or is behind deceives nobody; it stops two
 * nodes, and not three.
 */
export const agree = (nodes: readonly ChainNode[]): ChainNode => {
  const same = <T>(what: string, ask: (node: ChainNode) => Promise<T>): Promise<T> => sameOfAll(nodes, what, ask);
  return {
    chainId: () => same('the chain', (node) => node.chainId()),
    finalizedNumber: () => heightOfMost(nodes, (node) => node.finalizedNumber()),
    headNumber: () => heightOfMost(nodes, (node) => node.headNumber()),
    controlEvents: (blockHashes) => same(`the changes of control in ${nameBlocks(blockHashes)}`, (node) => node.controlEvents(blockHashes)),
    avatars: (blockHash, modules) => same(`modules at block ${blockHash}`, (node) => node.avatars(blockHash, modules)),
    blockTime: (number) => same(`the time of block ${number}`, (node) => node.blockTime(number)),
    header: (number) => same(`block ${number}`, (node) => node.header(number)),
    headers: (numbers) => same(nameBlocks(numbers), (node) => node.headers(numbers)),
    transfers: (blockHashes, contracts) =>
      same(`the transfers of ${nameBlocks(blockHashes)}`, (node) => node.transfers(blockHashes, contracts)),
    balances: (blockHash, holdings) => same(`balances at block ${blockHash}`, (node) => node.balances(blockHash, holdings)),
    receiptEvents: (transaction) => same(`the receipt of ${transaction.txHash}`, (node) => node.receiptEvents(transaction)),
  };
};
