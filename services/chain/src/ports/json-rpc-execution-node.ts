import { createJsonRpc } from '@florin/evm/chain';
import { z } from 'zod';
import type { ExecutionNode } from './execution-node.ts';
import { address, bytes, createAsk, quantity, toQuantity, word } from './json-rpc-values.ts';

const wei = z
  .string()
  .regex(/^0x(?:0|[1-9a-f][0-9a-f]{0,31})$/)
  .transform(BigInt);

const headerSchema = z.object({ number: quantity, hash: word, baseFeePerGas: wei.optional() });
const receiptSchema = z
  .object({
    blockNumber: quantity,
    blockHash: word,
    status: z.enum(['0x0', '0x1']),
    logs: z.array(z.object({ address, topics: z.array(word).max(4) })),
  })
  .transform(({ blockNumber, blockHash, status, logs }) => ({ blockNumber, blockHash, succeeded: status === '0x1', events: logs }))
  .nullable();

/** A node that speaks JSON-RPC over HTTP. */
export const createJsonRpcExecutionNode = (url: string): ExecutionNode => {
  const ask = createAsk(createJsonRpc(url));
  const header = (block: string) => ask('eth_getBlockByNumber', [block, false], headerSchema);

  return {
    chainId: () => ask('eth_chainId', [], quantity),
    finalizedNumber: async () => (await header('finalized')).number,
    newestNumber: async () => (await header('latest')).number,
    blockHash: async (blockNumber) => {
      const { number, hash } = await header(toQuantity(blockNumber));
      if (number !== blockNumber) throw new Error(`eth_getBlockByNumber returned block ${number} instead of ${blockNumber}`);
      return hash;
    },
    codeAt: (at, block) => ask('eth_getCode', [at, toQuantity(block)], bytes),
    storageAt: (at, slot, block) => ask('eth_getStorageAt', [at, slot, toQuantity(block)], word),
    call: (to, data, block) => ask('eth_call', [{ to, data }, toQuantity(block)], bytes),
    transactionCount: (at, block) => ask('eth_getTransactionCount', [at, toQuantity(block)], quantity),
    receipt: async (txHash) => (await ask('eth_getTransactionReceipt', [txHash], receiptSchema)) ?? undefined,
    fees: async () => {
      const [{ baseFeePerGas }, tip] = await Promise.all([header('latest'), ask('eth_maxPriorityFeePerGas', [], wei)]);
      if (baseFeePerGas === undefined) throw new Error('the chain has no base fee (EIP-1559)');
      return { baseFee: baseFeePerGas, tip };
    },
    broadcast: async (rawTransaction) => {
      await ask('eth_sendRawTransaction', [rawTransaction], word);
    },
  };
};
