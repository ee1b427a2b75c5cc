import { createJsonRpcClient } from '@florin/evm/chain';
import type { Hex } from '@florin/evm/hex';
import { z } from 'zod';
import { type ControlEvent, DELAY_ENQUEUED, SAFE_EVENTS, TOKEN_EVENTS } from '../domain/safe-change.ts';
import { createAskEach } from './ask-each.ts';
import { AVATARS_GAS, avatarsCall, MAX_MODULES, readAvatars } from './avatars-call.ts';
import { BALANCES_GAS, balancesCall, MAX_HOLDINGS, readBalances } from './balances-call.ts';
import type { BlockHeader, ChainNode } from './chain-node.ts';
import { address, bytes, createAsk, quantity, toQuantity, word } from './json-rpc-values.ts';
import { readTransfers, TRANSFER } from './read-transfers.ts';

/**
 * More than the events of a block: each costs 375 gas and more, and is shown in about 700 bytes. Also the limit of the responses that are received
 * at the same time, so that a node costs no more memory however many queries are under way.
 */
const MAX_RESPONSE_BYTES = 64 * 1024 * 1024;

const headerSchema = z.object({ number: quantity, hash: word, parentHash: word });

const controlSchema = z.object({
  address,
  topics: z.array(word).min(1),
  blockHash: word,
  transactionHash: word,
  logIndex: quantity,
  removed: z.literal(false).optional(),
});

const CONTROL_TOPICS: readonly Hex[] = [...SAFE_EVENTS.keys(), DELAY_ENQUEUED, ...TOKEN_EVENTS.keys()];

const receiptSchema = z.object({ blockHash: word, status: z.literal('0x1'), logs: z.array(z.object({ logIndex: quantity })) });

const toControlEvent = (log: z.output<typeof controlSchema>, wanted: Hex | undefined): ControlEvent => {
  const { address: contract, topics, blockHash, transactionHash: txHash, logIndex: blockLogIndex } = log;
  const [topic = '0x', second] = topics;
  if (blockHash !== wanted || !CONTROL_TOPICS.includes(topic)) throw new Error('eth_getLogs returned events that were not asked for');
  const subject = second === undefined ? {} : { subject: `0x${second.slice(-40)}` as const };
  return { contract, topic, ...subject, txHash, blockLogIndex };
};

const sameNumber = (header: BlockHeader, wanted: number | undefined): BlockHeader => {
  if (header.number !== wanted) throw new Error(`eth_getBlockByNumber returned block ${header.number} instead of ${wanted}`);
  return header;
};

/** A node that speaks JSON-RPC over HTTP. */
export const createJsonRpcChainNode = (url: string): ChainNode => {
  const client = createJsonRpcClient(url, { maxBytes: MAX_RESPONSE_BYTES, maxBytesAtOnce: MAX_RESPONSE_BYTES });
  const [ask, askEach] = [createAsk(client.call), createAskEach(client)];

  return {
    chainId: () => ask('eth_chainId', [], quantity),
    finalizedNumber: async () => (await ask('eth_getBlockByNumber', ['finalized', false], headerSchema)).number,
    headNumber: () => ask('eth_blockNumber', [], quantity),
    controlEvents: async (blockHashes) => {
      const filters = blockHashes.map((blockHash) => [{ blockHash, topics: [CONTROL_TOPICS] }]);
      const found = await askEach('eth_getLogs', filters, z.array(controlSchema));
      return found.map((logs, index) => logs.map((log) => toControlEvent(log, blockHashes[index])));
    },
    avatars: async (blockHash, modules) => {
      const found: (Hex | undefined)[] = [];
      for (let start = 0; start < modules.length; start += MAX_MODULES) {
        const some = modules.slice(start, start + MAX_MODULES);
        const params = [{ data: avatarsCall(some), gas: toQuantity(AVATARS_GAS) }, { blockHash }];
        found.push(...readAvatars(some, await ask('eth_call', params, bytes)));
      }
      return found;
    },
    blockTime: async (number) =>
      new Date((await ask('eth_getBlockByNumber', [toQuantity(number), false], z.object({ timestamp: quantity }))).timestamp * 1000),
    header: async (number) => sameNumber(await ask('eth_getBlockByNumber', [toQuantity(number), false], headerSchema), number),
    headers: async (numbers) => {
      const params = numbers.map((number) => [toQuantity(number), false]);
      const found = await askEach('eth_getBlockByNumber', params, headerSchema);
      return found.map((header, index) => sameNumber(header, numbers[index]));
    },
    transfers: async (blockHashes, contracts) => {
      const filters = blockHashes.map((blockHash) => [{ blockHash, address: contracts, topics: [TRANSFER] }]);
      const found = await askEach('eth_getLogs', filters, z.unknown());
      return blockHashes.map((blockHash, index) => readTransfers(found[index], blockHash, contracts));
    },
    balances: async (blockHash, holdings) => {
      const found: bigint[] = [];
      for (let start = 0; start < holdings.length; start += MAX_HOLDINGS) {
        const some = holdings.slice(start, start + MAX_HOLDINGS);
        // By the block's hash (EIP-1898): a node without that block fails.
        const params = [{ data: balancesCall(some), gas: toQuantity(BALANCES_GAS) }, { blockHash }];
        found.push(...readBalances(some, await ask('eth_call', params, bytes)));
      }
      return found;
    },
    receiptEvents: async ({ txHash, blockHash }) => {
      const receipt = await ask('eth_getTransactionReceipt', [txHash], receiptSchema);
      if (receipt.blockHash !== blockHash) throw new Error('the receipt of a transaction is of another block');
      return receipt.logs.map(({ logIndex }) => logIndex);
    },
  };
};
