import { CodedError } from '@florin/rpc/errors';
import type { Hex } from '../hex.ts';
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
 * JSON-RPC nodes of the configured chains. Where a chain has several nodes, all must give the same results: one that lies can make a query fail,
 * but not change its result.
 * Both queries reject with SERVICE_UNAVAILABLE when the node is unreachable, slow, faulty or of another chain, when two nodes disagree, and when `work` rejects.
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

/** Combines the states of several nodes at one block into one that they all agree on. */
const agree = (chains: readonly [PinnedChain, ...PinnedChain[]]): PinnedChain => {
  const [first, ...others] = chains;
  if (others.length === 0) return first;
  const same = async <T>(ask: (chain: PinnedChain) => Promise<T>): Promise<T> => {
    const [result, ...rest] = await Promise.all(chains.map(ask));
    if (rest.some((other) => other !== result)) throw new Error('the nodes of the chain disagree');
    return result as T;
  };
  return {
    blockNumber: first.blockNumber,
    codeAt: (address) => same((chain) => chain.codeAt(address)),
    run: (code, gas) => same((chain) => chain.run(code, gas)),
  };
};

type Block = { number: number; at: number; hash: unknown };

const readBlock = async (node: JsonRpc, signal: AbortSignal, tag: string): Promise<Block> => {
  const block = (await node('eth_getBlockByNumber', [tag, false], signal)) as {
    number?: unknown;
    timestamp?: unknown;
    hash?: unknown;
  } | null;
  return { number: quantity(block?.number), at: quantity(block?.timestamp) * 1000, hash: block?.hash };
};

/** Returns a node's newest block. @throws Error when it is older than `oldest`: an owner at that block may have been removed since */
const newestBlock = async (node: JsonRpc, signal: AbortSignal, oldest: number): Promise<Block> => {
  const found = await readBlock(node, signal, 'latest');
  if (found.at < oldest) throw new Error(`the node is behind: its newest block is from ${new Date(found.at).toISOString()}`);
  return found;
};

/** Requires that all nodes have the same block at a number: otherwise they follow different branches, or one lies. */
const requireSameBlock = async (nodes: readonly JsonRpc[], signal: AbortSignal, number: number): Promise<void> => {
  if (nodes.length < 2) return;
  const blocks = await Promise.all(nodes.map((node) => readBlock(node, signal, toQuantity(number))));
  const hashes = new Set(blocks.map(({ hash }) => hash));
  const [hash] = hashes;
  if (hashes.size !== 1 || typeof hash !== 'string' || !BYTES.test(hash))
    throw new Error(`the nodes of the chain disagree about block ${number}`);
};

export type ChainNodesOptions = {
  /** One or more nodes by EIP-155 chain id. */
  urls: Readonly<Record<string, readonly string[]>>;
  /** Time limit of one piece of work with all its requests, in milliseconds. */
  timeoutMs: number;
  /** Maximum age of a node's newest block, in milliseconds. */
  maxAgeMs: number;
  now: () => Date;
};

type Nodes = readonly [JsonRpc, ...JsonRpc[]];

const toNodes = (urls: readonly string[]): Nodes => {
  const [first, ...others] = urls.map((url) => createJsonRpc(url));
  if (first === undefined) throw new Error('a chain must have a node');
  return [first, ...others];
};

const pinAll = ([first, ...others]: Nodes, signal: AbortSignal, blockNumber: number): PinnedChain =>
  agree([pin(first, signal, blockNumber), ...others.map((node) => pin(node, signal, blockNumber))]);

/** Creates the clients of the configured nodes. No node is contacted before the first query. */
export const createChainNodes = ({ urls, timeoutMs, maxAgeMs, now }: ChainNodesOptions): ChainNodes => {
  const chains = new Map(Object.entries(urls).map(([chainId, own]) => [Number(chainId), toNodes(own)]));
  const verified = new Set<number>();

  /** Rejects a node of another chain, which has other contracts at the same addresses. */
  const requireChain = async (nodes: Nodes, chainId: number, signal: AbortSignal): Promise<void> => {
    if (verified.has(chainId)) return;
    for (const answer of await Promise.all(nodes.map((node) => node('eth_chainId', [], signal)))) {
      const actual = quantity(answer);
      if (actual !== chainId) throw new Error(`a node configured for chain ${chainId} serves chain ${actual}`);
    }
    verified.add(chainId);
  };

  const query = async <T>(chainId: number, work: (nodes: Nodes, signal: AbortSignal) => Promise<T>): Promise<T> => {
    const signal = AbortSignal.timeout(timeoutMs);
    try {
      const nodes = chains.get(chainId);
      if (nodes === undefined) throw new Error(`no node of chain ${chainId} is configured`);
      await requireChain(nodes, chainId, signal);
      return await work(nodes, signal);
    } catch (cause) {
      throw new CodedError('SERVICE_UNAVAILABLE', { cause });
    }
  };

  return {
    serves: (chainId) => chains.has(chainId),
    atNewestBlock: (chainId, work) =>
      query(chainId, async (nodes, signal) => {
        const newest = await Promise.all(nodes.map((node) => newestBlock(node, signal, now().getTime() - maxAgeMs)));
        // The newest block that all nodes have.
        const number = Math.min(...newest.map((block) => block.number));
        await requireSameBlock(nodes, signal, number);
        return work(pinAll(nodes, signal, number));
      }),
    atBlock: (chainId, blockNumber, work) =>
      query(chainId, async (nodes, signal) => {
        await requireSameBlock(nodes, signal, blockNumber);
        return work(pinAll(nodes, signal, blockNumber));
      }),
  };
};
