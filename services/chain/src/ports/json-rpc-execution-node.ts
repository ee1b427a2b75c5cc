import { createJsonRpc, JsonRpcError } from '@florin/evm/chain';
import type { Hex } from '@florin/evm/hex';
import { createCoalescer } from '@florin/rpc/coalesce';
import { keccak256 } from 'viem';
import { z } from 'zod';
import type { ContractEvent, ExecutionNode } from './execution-node.ts';
import { address, bytes, createAsk, quantity, toQuantity, word } from './json-rpc-values.ts';
import { fitsView, readViews, VIEWS_GAS, type ViewCall, viewsCall } from './views-call.ts';

const wei = z
  .string()
  .regex(/^0x(?:0|[1-9a-f][0-9a-f]{0,31})$/)
  .transform(BigInt);

const headerSchema = z.object({ number: quantity, hash: word, timestamp: quantity, baseFeePerGas: wei.optional() });
const eventSchema = z.object({
  address,
  topics: z.array(word).min(1).max(4),
  data: bytes,
  blockNumber: quantity,
  removed: z.literal(false).optional(),
});

/** Events that are read for one answer: a Safe emits far fewer, and the one of an owner who approves hashes all day must not keep the others waiting. */
const MAX_EVENTS = 10_000;

/** Gas limit of each view, and views in one query: each gets its gas within the limit of the whole. */
const [VIEW_GAS, VIEWS_TOGETHER] = [200_000, 72];

/** Queries of views at the same time: views that are asked for meanwhile share the next one. */
const MAX_QUERIES = 4;

const receiptSchema = z
  .object({
    blockNumber: quantity,
    blockHash: word,
    status: z.enum(['0x0', '0x1']),
    logs: z.array(z.object({ address, topics: z.array(word).max(4) })),
  })
  .transform(({ blockNumber, blockHash, status, logs }) => ({ blockNumber, blockHash, succeeded: status === '0x1', events: logs }))
  .nullable();

const ZERO_WORD: Hex = `0x${'00'.repeat(32)}`;

const proofSchema = z.object({ storageHash: word, storageProof: z.array(z.object({ proof: z.array(bytes) })) });

/** A node that speaks JSON-RPC over HTTP. Views that are called at once share queries. */
export const createJsonRpcExecutionNode = (url: string): ExecutionNode => {
  const ask = createAsk(createJsonRpc(url));
  const header = (block: string) => ask('eth_getBlockByNumber', [block, false], headerSchema);
  const numbered = async (blockNumber: number) => {
    const found = await header(toQuantity(blockNumber));
    if (found.number !== blockNumber) throw new Error(`eth_getBlockByNumber returned block ${found.number} instead of ${blockNumber}`);
    return found;
  };

  /**
   * Halves what the node does not return at once, down to a block: nodes limit the blocks of a query, the events, or the time that it takes, and an owner may have a Safe emit more
   * events in a few blocks than one response holds.
   */
  const events = async (
    contract: Hex,
    topics: readonly Hex[],
    { from, to }: { from: number; to: number },
    most = MAX_EVENTS,
  ): Promise<ContractEvent[]> => {
    const filter = { address: contract, topics: [topics], fromBlock: toQuantity(from), toBlock: toQuantity(to) };
    let found: z.output<typeof eventSchema>[];
    try {
      found = await ask('eth_getLogs', [filter], z.array(eventSchema));
    } catch (error) {
      if (from >= to) throw error;
      const middle = Math.floor((from + to) / 2);
      const first = await events(contract, topics, { from, to: middle }, most);
      return [...first, ...(await events(contract, topics, { from: middle + 1, to }, most - first.length))];
    }
    if (found.length > most) throw new Error(`${contract} has emitted more than ${MAX_EVENTS} events`);
    return found.map(({ address: emitter, topics: own, data, blockNumber }) => {
      const isAsked = emitter === contract.toLowerCase() && topics.includes(own[0] ?? '0x') && blockNumber >= from && blockNumber <= to;
      if (!isAsked) throw new Error('eth_getLogs returned events that were not asked for');
      return { topics: own, data };
    });
  };

  /** The views of one block. Undefined: the view has to be called alone, which also finds out why the node or the contract fails. */
  const viewsAt = async (block: number, views: readonly ViewCall[]): Promise<(Hex | undefined)[]> => {
    if (views.length === 1) return [undefined];
    const alone = views.map(() => undefined);
    try {
      const result = await ask('eth_call', [{ data: viewsCall(views, VIEW_GAS), gas: toQuantity(VIEWS_GAS) }, toQuantity(block)], bytes);
      return readViews(views, result) ?? alone;
    } catch (error) {
      // A node that does not respond is not asked for each of them too.
      if (error instanceof JsonRpcError) return alone;
      throw error;
    }
  };
  const view = createCoalescer<ViewCall & { block: number }, Hex | undefined>({
    maxItems: VIEWS_TOGETHER,
    maxCalls: MAX_QUERIES,
    send: async (views) => {
      const found = new Map<ViewCall, Hex | undefined>();
      const ofBlock = async ([block, own]: [number, (typeof views)[number][]]): Promise<void> => {
        for (const [index, result] of (await viewsAt(block, own)).entries()) found.set(own[index] as ViewCall, result);
      };
      await Promise.all([...Map.groupBy(views, ({ block }) => block)].map(ofBlock));
      return views.map((one) => found.get(one));
    },
  });

  return {
    chainId: () => ask('eth_chainId', [], quantity),
    finalizedNumber: async () => (await header('finalized')).number,
    newestNumber: async () => (await header('latest')).number,
    blockHash: async (blockNumber) => (await numbered(blockNumber)).hash,
    blockTime: async (blockNumber) => new Date((await numbered(blockNumber)).timestamp * 1000),
    events,
    codeAt: (at, block) => ask('eth_getCode', [at, toQuantity(block)], bytes),
    storageAt: (at, slot, block) => ask('eth_getStorageAt', [at, slot, toQuantity(block)], word),
    storageRoot: async (at, block) => {
      try {
        const { storageHash, storageProof } = await ask('eth_getProof', [at, [ZERO_WORD], toQuantity(block)], proofSchema);
        const [root] = storageProof[0]?.proof ?? [];
        return root !== undefined && keccak256(root) === storageHash ? storageHash : undefined;
      } catch (error) {
        if (error instanceof JsonRpcError) return undefined;
        throw error;
      }
    },
    call: async (to, data, block) => {
      const shared = fitsView({ to, data }) ? await view({ to, data, block }) : undefined;
      return shared ?? ask('eth_call', [{ to, data }, toQuantity(block)], bytes);
    },
    transactionCount: (at, block) => ask('eth_getTransactionCount', [at, toQuantity(block)], quantity),
    balance: (at, block) => ask('eth_getBalance', [at, toQuantity(block)], wei),
    wouldSucceed: async ({ gas, ...call }, block) => {
      try {
        await ask('eth_call', [{ ...call, gas: `0x${gas.toString(16)}` }, toQuantity(block)], bytes);
        return true;
      } catch (error) {
        if (error instanceof JsonRpcError && error.isRevert) return false;
        throw error;
      }
    },
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
