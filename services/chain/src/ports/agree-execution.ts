import type { ExecutionNode } from './execution-node.ts';
import { answersOfMost, heightOfMost, sameOfAll } from './same-of-all.ts';

const highest = (values: readonly bigint[]): bigint => values.reduce((most, value) => (value > most ? value : most));
const lowest = (values: readonly bigint[]): bigint => values.reduce((least, value) => (value < least ? value : least));

/**
 * Several nodes as one: what it returns about the chain, most of them returned, all of two and two of three. A transaction is handed to all, and it is enough that one takes it:
 * whether it was carried out, receipts show.
 */
export const agreeExecution = (nodes: readonly ExecutionNode[]): ExecutionNode => {
  const same = <T>(what: string, ask: (node: ExecutionNode) => Promise<T>): Promise<T> => sameOfAll(nodes, what, ask);
  return {
    chainId: () => same('the chain', (node) => node.chainId()),
    finalizedNumber: () => heightOfMost(nodes, (node) => node.finalizedNumber()),
    newestNumber: () => heightOfMost(nodes, (node) => node.newestNumber()),
    blockHash: (block) => same(`block ${block}`, (node) => node.blockHash(block)),
    blockTime: (block) => same(`the time of block ${block}`, (node) => node.blockTime(block)),
    events: (contract, topics, blocks) => same(`the events of ${contract}`, (node) => node.events(contract, topics, blocks)),
    codeAt: (address, block) => same(`the code at ${address}`, (node) => node.codeAt(address, block)),
    storageAt: (address, slot, block) => same(`the storage of ${address}`, (node) => node.storageAt(address, slot, block)),
    storageRoot: async (address, block) => {
      const roots = (await answersOfMost(nodes, (node) => node.storageRoot(address, block))).filter((root) => root !== undefined);
      return roots.length > nodes.length / 2 ? sameOfAll(roots, `the storage root of ${address}`, async (root) => root) : undefined;
    },
    call: (to, data, block) => same(`a call of ${to}`, (node) => node.call(to, data, block)),
    transactionCount: (address, block) => same(`the transactions of ${address}`, (node) => node.transactionCount(address, block)),
    balance: (address, block) => same(`the balance of ${address}`, (node) => node.balance(address, block)),
    wouldSucceed: (call, block) => same(`the result of a transaction to ${call.to}`, (node) => node.wouldSucceed(call, block)),
    receipt: (txHash) => same(`the receipt of ${txHash}`, (node) => node.receipt(txHash)),
    fees: async () => {
      const quotes = await answersOfMost(nodes, (node) => node.fees());
      // The block decides what is paid of the base fee, but all of the tip is paid: a node that lies must not raise it.
      return { baseFee: highest(quotes.map(({ baseFee }) => baseFee)), tip: lowest(quotes.map(({ tip }) => tip)) };
    },
    broadcast: async (rawTransaction) => {
      await Promise.any(nodes.map((node) => node.broadcast(rawTransaction)));
    },
  };
};
