import { createJsonRpcClient } from '@florin/evm/chain';
import type { Hex } from '@florin/evm/hex';
import { z } from 'zod';
import { type ControlEvent, DELAY_ENQUEUED, SAFE_EVENTS, TOKEN_EVENTS } from '../domain/safe-change.ts';
import { createAskEach } from './ask-each.ts';
import type { BlockHeader, ChainNode } from './chain-node.ts';
import { address, bytes, createAsk, quantity, toQuantity, word } from './json-rpc-values.ts';
import { readTransfers, TRANSFER } from './read-transfers.ts';
import { MAX_VIEWS, readViews, VIEWS_GAS, type ViewCall, viewsCall } from './views-call.ts';

/** Gas limits of one `balanceOf`, behind a proxy as well, and of a call of a contract that anybody may have deployed. */
const [TOKEN_GAS, MODULE_GAS] = [200_000, 60_000];

const BALANCE_OF: Hex = '0x70a08231';
const AVATAR: Hex = '0x5aef7de6';
const IS_MODULE_ENABLED: Hex = '0x2d9ad53d';
const TRUE: Hex = `0x${'1'.padStart(64, '0')}`;

/** Length of a word with `0x`. */
const WORD_LENGTH = 66;

/** Calldata of a view that takes an address. */
const dataOf = (selector: Hex, argument: Hex): Hex => `${selector}${argument.slice(2).padStart(64, '0')}`;

const toAddress = (result: Hex | undefined): Hex | undefined =>
  result !== undefined && /^0x0{24}.{40}/.test(result) ? `0x${result.slice(26, WORD_LENGTH)}` : undefined;

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

  /** Calls many views at a block, which is named by its hash (EIP-1898): a node without it fails. Undefined: the view returned nothing that can be read. */
  const views = async (blockHash: Hex, calls: readonly ViewCall[], gas: number): Promise<(Hex | undefined)[]> => {
    const found: (Hex | undefined)[] = [];
    for (let start = 0; start < calls.length; start += MAX_VIEWS) {
      const some = calls.slice(start, start + MAX_VIEWS);
      const results = readViews(
        some,
        await ask('eth_call', [{ data: viewsCall(some, gas), gas: toQuantity(VIEWS_GAS) }, { blockHash }], bytes),
      );
      if (results === undefined) throw new Error('eth_call returned a result of another length');
      found.push(...results);
    }
    return found;
  };

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
      const named = await views(
        blockHash,
        modules.map((to) => ({ to, data: AVATAR })),
        MODULE_GAS,
      );
      const claims = modules.flatMap((module, index) => {
        const avatar = toAddress(named[index]);
        return avatar === undefined ? [] : [{ module, avatar }];
      });
      const confirmed = await views(
        blockHash,
        claims.map(({ module, avatar }) => ({ to: avatar, data: dataOf(IS_MODULE_ENABLED, module) })),
        MODULE_GAS,
      );
      const avatars = new Map(claims.filter((_claim, index) => confirmed[index] === TRUE).map(({ module, avatar }) => [module, avatar]));
      return modules.map((module) => avatars.get(module));
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
      const calls = holdings.map(({ contract, holder }) => ({ to: contract, data: dataOf(BALANCE_OF, holder) }));
      return (await views(blockHash, calls, TOKEN_GAS)).map((result, index) => {
        if (result === undefined || result.length < WORD_LENGTH) throw new Error(`the token ${calls[index]?.to} returned no balance`);
        return BigInt(result.slice(0, WORD_LENGTH));
      });
    },
    receiptEvents: async ({ txHash, blockHash }) => {
      const receipt = await ask('eth_getTransactionReceipt', [txHash], receiptSchema);
      if (receipt.blockHash !== blockHash) throw new Error('the receipt of a transaction is of another block');
      return receipt.logs.map(({ logIndex }) => logIndex);
    },
  };
};
