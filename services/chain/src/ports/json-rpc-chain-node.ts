import { createJsonRpc } from '@florin/evm/chain';
import type { Hex } from '@florin/evm/hex';
import { z } from 'zod';
import type { TokenTransfer } from '../domain/transfer.ts';
import type { ChainNode } from './chain-node.ts';

/** Topic of `Transfer(address,address,uint256)` (EIP-20). */
const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';

const REQUEST_TIMEOUT_MS = 10_000;

/** More than the events of a block: each costs 375 gas and more, and is shown in about 700 bytes. */
const MAX_RESPONSE_BYTES = 64 * 1024 * 1024;

const lowerHex = (pattern: RegExp) =>
  z
    .string()
    .regex(pattern)
    .transform((text) => text.toLowerCase() as Hex);

const quantity = z
  .string()
  .regex(/^0x(?:0|[1-9a-f][0-9a-f]{0,12})$/)
  .transform(Number);
const hash = lowerHex(/^0x[0-9a-fA-F]{64}$/);
const address = lowerHex(/^0x[0-9a-fA-F]{40}$/);
/** An address as an indexed argument: 32 bytes, the first twelve zero. */
const addressTopic = z
  .string()
  .regex(/^0x0{24}[0-9a-fA-F]{40}$/)
  .transform((text): Hex => `0x${text.slice(-40).toLowerCase()}`);

const headerSchema = z.object({ number: quantity, hash, parentHash: hash });

/** A transfer in any other form is an error: a token that was upgraded to it must not go unnoticed. */
const transferSchema = z
  .object({
    address,
    topics: z.tuple([z.literal(TRANSFER), addressTopic, addressTopic]),
    data: z.string().regex(/^0x[0-9a-fA-F]{64}$/),
    blockHash: hash,
    transactionHash: hash,
    logIndex: quantity,
    removed: z.literal(false).optional(),
  })
  .transform(({ address: contract, topics, data, blockHash, transactionHash, logIndex }) => ({
    blockHash,
    transfer: { contract, from: topics[1], to: topics[2], amount: BigInt(data), txHash: transactionHash, blockLogIndex: logIndex },
  }));

const receiptSchema = z.object({ blockHash: hash, status: z.literal('0x1'), logs: z.array(z.object({ logIndex: quantity })) });

const toQuantity = (value: number): Hex => `0x${value.toString(16)}`;

/** @throws Error that names the method and never contains the response */
const parse = <S extends z.ZodType>(method: string, schema: S, result: unknown): z.output<S> => {
  const parsed = schema.safeParse(result);
  if (!parsed.success) throw new Error(`${method} returned a result of an unknown form: ${parsed.error.issues[0]?.path.join('.') ?? ''}`);
  return parsed.data;
};

/** A node that speaks JSON-RPC over HTTP. */
export const createJsonRpcChainNode = (url: string): ChainNode => {
  const call = createJsonRpc(url, { maxBytes: MAX_RESPONSE_BYTES });
  const ask = async <S extends z.ZodType>(method: string, params: readonly unknown[], schema: S): Promise<z.output<S>> =>
    parse(method, schema, await call(method, params, AbortSignal.timeout(REQUEST_TIMEOUT_MS)));

  return {
    chainId: () => ask('eth_chainId', [], quantity),
    finalizedNumber: async () => (await ask('eth_getBlockByNumber', ['finalized', false], headerSchema)).number,
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
    receiptEvents: async ({ txHash, blockHash }) => {
      const receipt = await ask('eth_getTransactionReceipt', [txHash], receiptSchema);
      if (receipt.blockHash !== blockHash) throw new Error('the receipt of a transaction is of another block');
      return receipt.logs.map(({ logIndex }) => logIndex);
    },
  };
};
