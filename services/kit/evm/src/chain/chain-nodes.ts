import { CodedError } from '@florin/rpc/errors';
import type { Hex } from '../hex/index.ts';
import { createJsonRpc, type JsonRpc } from './json-rpc.ts';

/** The state of a chain at one block. Its methods reject when the node fails. */
export type PinnedChain = {
  blockNumber: number;
  /** Returns the code at an address, `0x` for an address without code. */
  codeAt: (address: Hex) => Promise<Hex>;
  /** Runs code that is not deployed (`eth_call` without a recipient) and returns the node's result, unchecked. */
  run: (code: Hex, gas: number) => Promise<unknown>;
};

type Work<T> = (chain: PinnedChain) => Promise<T>;

/**
 * JSON-RPC nodes of the configured chains.
 * Both queries reject with SERVICE_UNAVAILABLE when the node is unreachable, slow, faulty or of another chain, and when `work` rejects.
 * A call to a contract must therefore be made so that every behaviour of the contract is a result, not an error of the node.
 */
export type ChainNodes = {
  /** Reports whether a node of this chain is configured. */
  serves: (chainId: number) => boolean;
  /** Queries the newest block. @throws CodedError SERVICE_UNAVAILABLE, also when that block is too old because the node is behind */
  atNewestBlock: <T>(chainId: number, work: Work<T>) => Promise<T>;
  /** Queries a past block, whose state the node must still have. @throws CodedError SERVICE_UNAVAILABLE */
  atBlock: <T>(chainId: number, blockNumber: number, work: Work<T>) => Promise<T>;
};

const QUANTITY = /^0x(?:0|[1-9a-f][0-9a-f]{0,12})$/;
const BYTES = /^0x(?:[0-9a-fA-F]{2})*$/;

const quantity = (result: unknown): number => {
  if (typeof result !== 'string' || !QUANTITY.test(result)) throw new Error('the node did not return a quantity');
  return Number(result);
};

const bytes = (result: unknown): Hex => {
  if (typeof result !== 'string' || !BYTES.test(result)) throw new Error('the node did not return bytes');
  return result as Hex;
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

/** Returns a node's newest block. @throws Error when it is older than `oldest`: an owner at that block may have been removed since */
const newestBlock = async (node: JsonRpc, signal: AbortSignal, oldest: number): Promise<Block> => {
  const block = (await node('eth_getBlockByNumber', ['latest', false], signal)) as { number?: unknown; timestamp?: unknown } | null;
  const found = { number: quantity(block?.number), at: quantity(block?.timestamp) * 1000 };
  if (found.at < oldest) throw new Error(`the node is behind: its newest block is from ${new Date(found.at).toISOString()}`);
  return found;
};

export type ChainNodesOptions = {
  /** Nodes by EIP-155 chain id. */
  urls: Readonly<Record<string, string>>;
  /** Time limit of one piece of work with all its requests, in milliseconds. */
  timeoutMs: number;
  /** Maximum age of a node's newest block, in milliseconds. */
  maxAgeMs: number;
  now: () => Date;
};

/** Creates the clients of the configured nodes. No node is contacted before the first query. */
export const createChainNodes = ({ urls, timeoutMs, maxAgeMs, now }: ChainNodesOptions): ChainNodes => {
  const nodes = new Map(Object.entries(urls).map(([chainId, url]) => [Number(chainId), createJsonRpc(url)]));
  const verified = new Set<number>();

  /** Rejects a node of another chain, which has other contracts at the same addresses. */
  const requireChain = async (node: JsonRpc, chainId: number, signal: AbortSignal): Promise<void> => {
    if (verified.has(chainId)) return;
    const actual = quantity(await node('eth_chainId', [], signal));
    if (actual !== chainId) throw new Error(`the node configured for chain ${chainId} serves chain ${actual}`);
    verified.add(chainId);
  };

  const query = async <T>(chainId: number, work: (node: JsonRpc, signal: AbortSignal) => Promise<T>): Promise<T> => {
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
      query(chainId, async (node, signal) => {
        const { number } = await newestBlock(node, signal, now().getTime() - maxAgeMs);
        return work(pin(node, signal, number));
      }),
    atBlock: (chainId, blockNumber, work) => query(chainId, (node, signal) => work(pin(node, signal, blockNumber))),
  };
};
