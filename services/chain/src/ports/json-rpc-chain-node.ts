import { createJsonRpc } from '@florin/evm/chain';
import type { Hex } from '@florin/evm/hex';
import { z } from 'zod';
import { DELAY_ENQUEUED, SAFE_EVENTS } from '../domain/safe-change.ts';
import type { TokenTransfer } from '../domain/transfer.ts';
import { AVATARS_GAS, avatarsCall, MAX_MODULES, readAvatars } from './avatars-call.ts';
import { BALANCES_GAS, balancesCall, MAX_HOLDINGS, readBalances } from './balances-call.ts';
import type { ChainNode } from './chain-node.ts';
import { address, bytes, createAsk, quantity, toQuantity, word } from './json-rpc-values.ts';

/** Topic of `Transfer(address,address,uint256)` (EIP-20). */
const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';

/**
 * More than the events of a block: each costs 375 gas and more, and is shown in about 700 bytes. Also the limit of the responses that are received
 * at the same time, so that a node costs no more memory however many queries are under way.
 */
const MAX_RESPONSE_BYTES = 64 * 1024 * 1024;

/** An address as an indexed argument: 32 bytes, the first twelve zero. */
const addressTopic = z
  .string()
  .regex(/^0x0{24}[0-9a-fA-F]{40}$/)
  .transform((text): Hex => `0x${text.slice(-40).toLowerCase()}`);

const headerSchema = z.object({ number: quantity, hash: word, parentHash: word });

/** A transfer in any other form is an error: a token that was upgraded to it must not go unnoticed. */
const transferSchema = z
  .object({
    address,
    topics: z.tuple([z.literal(TRANSFER), addressTopic, addressTopic]),
    data: z.string().regex(/^0x[0-9a-fA-F]{64}$/),
    blockHash: word,
    transactionHash: word,
    logIndex: quantity,
    removed: z.literal(false).optional(),
  })
  .transform(({ address: contract, topics, data, blockHash, transactionHash, logIndex }) => ({
    blockHash,
    transfer: { contract, from: topics[1], to: topics[2], amount: BigInt(data), txHash: transactionHash, blockLogIndex: logIndex },
  }));

const controlSchema = z.object({
  address,
  topics: z.array(word).min(1),
  blockHash: word,
  transactionHash: word,
  logIndex: quantity,
  removed: z.literal(false).optional(),
});

const CONTROL_TOPICS: readonly Hex[] = [...SAFE_EVENTS.keys(), DELAY_ENQUEUED];

const receiptSchema = z.object({ blockHash: word, status: z.literal('0x1'), logs: z.array(z.object({ logIndex: quantity })) });

/** A node that speaks JSON-RPC over HTTP. */
export const createJsonRpcChainNode = (url: string): ChainNode => {
  const ask = createAsk(createJsonRpc(url, { maxBytes: MAX_RESPONSE_BYTES, maxBytesAtOnce: MAX_RESPONSE_BYTES }));

  return {
    chainId: () => ask('eth_chainId', [], quantity),
    finalizedNumber: async () => (await ask('eth_getBlockByNumber', ['finalized', false], headerSchema)).number,
    headNumber: () => ask('eth_blockNumber', [], quantity),
    controlEvents: async (blockHash) => {
      const logs = await ask('eth_getLogs', [{ blockHash, topics: [CONTROL_TOPICS] }], z.array(controlSchema));
      return logs.map(({ address: contract, topics: [topic = '0x'], blockHash: own, transactionHash: txHash, logIndex: blockLogIndex }) => {
        if (own !== blockHash || !CONTROL_TOPICS.includes(topic)) throw new Error('eth_getLogs returned events that were not asked for');
        return { contract, topic, txHash, blockLogIndex };
      });
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
    header: async (number) => {
      const header = await ask('eth_getBlockByNumber', [toQuantity(number), false], headerSchema);
      if (header.number !== number) throw new Error(`eth_getBlockByNumber returned block ${header.number} instead of ${number}`);
      return header;
    },
    transfers: async (blockHash, contracts) => {
      const logs = await ask('eth_getLogs', [{ blockHash, address: contracts, topics: [TRANSFER] }], z.array(transferSchema));
      let last = -1;
      for (const { blockHash: own, transfer } of logs) {
        if (own !== blockHash || !contracts.includes(transfer.contract))
          throw new Error('eth_getLogs returned events that were not asked for');
        if (transfer.blockLogIndex <= last) throw new Error('eth_getLogs returned events out of order');
        last = transfer.blockLogIndex;
      }
      return logs.map(({ transfer }): TokenTransfer => transfer);
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
