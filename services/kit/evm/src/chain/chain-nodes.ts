import { CodedError } from '@florin/rpc/errors';
import type { Hex } from '../hex/index.ts';
import { createJsonRpc, type JsonRpc } from './json-rpc.ts';

/** A chain as it stood at one block. Its methods reject when the node is in trouble. */
export type PinnedChain = {
  blockNumber: number;
  /** The code at an address, `0x` where there is none. */
  codeAt: (address: Hex) => Promise<Hex>;
  /** Runs code that stands nowhere (`eth_call` without a recipient) and answers what the node answers. */
  run: (code: Hex, gas: number) => Promise<unknown>;
};

type Work<T> = (chain: PinnedChain) => Promise<T>;

/**
 * Nodes of some chains.
 * Both ways to ask raise SERVICE_UNAVAILABLE when the node is away, slow, wrong or of another chain, and when the work rejects: what
 * is asked must therefore be made so that whatever a contract does is an answer.
 */
export type ChainNodes = {
  /** Whether there is a node of this chain to ask. */
  serves: (chainId: number) => boolean;
  /** Asks at the newest block of the moment. @throws CodedError SERVICE_UNAVAILABLE, also when that is too old: the node is behind */
  atNewestBlock: <T>(chainId: number, work: Work<T>) => Promise<T>;
  /** Asks at a block of the past, whose state the node must still have. @throws CodedError SERVICE_UNAVAILABLE */
  atBlock: <T>(chainId: number, blockNumber: number, work: Work<T>) => Promise<T>;
};

const QUANTITY = /^0x(?:0|[1-9a-f][0-9a-f]{0,12})$/;
const BYTES = /^0x(?:[0-9a-fA-F]{2})*$/;

const quantity = (answer: unknown): number => {
  if (typeof answer !== 'string' || !QUANTITY.test(answer)) throw new Error('the node answered no quantity');
  return Number(answer);
};

const bytes = (answer: unknown): Hex => {
  if (typeof answer !== 'string' || !BYTES.test(answer)) throw new Error('the node answered no bytes');
  return answer as Hex;
};

const toQuantity = (value: number): Hex => `0x${value.toString(16)}`;

const pin = (node: JsonRpc, signal: AbortSignal, blockNumber: number): PinnedChain => {
  const block = toQuantity(blockNumber);
  return {
    blockNumber,
    codeAt: async (address) => bytes(await node('eth_getCode', [address, block], signal)),
    run: (data, gas) => node('eth_call', [{ data, gas: toQuantity(gas) }, block], signal),
  };
};

type Block = { number: number; at: number };

/** The newest block that a node has. @throws Error when it is older than `oldest`: whoever was an owner then may be none any more */
const newestBlock = async (node: JsonRpc, signal: AbortSignal, oldest: number): Promise<Block> => {
  const block = (await node('eth_getBlockByNumber', ['latest', false], signal)) as { number?: unknown; timestamp?: unknown } | null;
  const found = { number: quantity(block?.number), at: quantity(block?.timestamp) * 1000 };
  if (found.at < oldest) throw new Error(`the node's newest block is of ${new Date(found.at).toISOString()}`);
  return found;
};

export type ChainNodesOptions = {
  /** Nodes by EIP-155 chain id. */
  urls: Readonly<Record<string, string>>;
  /** Bounds a whole piece of work, however many questions it takes. */
  timeoutMs: number;
  /** A node whose newest block is older does not know the chain as it is. */
  maxAgeMs: number;
  now: () => Date;
};

export const createChainNodes = ({ urls, timeoutMs, maxAgeMs, now }: ChainNodesOptions): ChainNodes => {
  const nodes = new Map(Object.entries(urls).map(([chainId, url]) => [Number(chainId), createJsonRpc(url)]));
  const proven = new Set<number>();

  /** A node of another chain knows other contracts at the same addresses: what it says means nothing here. */
  const requireChain = async (node: JsonRpc, chainId: number, signal: AbortSignal): Promise<void> => {
    if (proven.has(chainId)) return;
    const actual = quantity(await node('eth_chainId', [], signal));
    if (actual !== chainId) throw new Error(`the node configured for chain ${chainId} is of chain ${actual}`);
    proven.add(chainId);
  };

  const ask = async <T>(chainId: number, work: (node: JsonRpc, signal: AbortSignal) => Promise<T>): Promise<T> => {
    const signal = AbortSignal.timeout(timeoutMs);
    try {
      const node = nodes.get(chainId);
      if (node === undefined) throw new Error(`no node of chain ${chainId} is configured`);
      await requireChain(node, chainId, signal);
      return await work(node, signal);
    } catch (cause) {
      throw new CodedError('SERVICE_UNAVAILABLE', { cause });
    }
  };

  return {
    serves: (chainId) => nodes.has(chainId),
    atNewestBlock: (chainId, work) =>
      ask(chainId, async (node, signal) => {
        const { number } = await newestBlock(node, signal, now().getTime() - maxAgeMs);
        return work(pin(node, signal, number));
      }),
    atBlock: (chainId, blockNumber, work) => ask(chainId, (node, signal) => work(pin(node, signal, blockNumber))),
  };
};
