import type { Hex } from '@florin/evm/hex';
import type { Assets } from '@florin/rpc/assets';
import type { Logger } from '@florin/rpc/observe';
import { startRounds } from '@florin/rpc/time';
import { agree } from '../ports/agree.ts';
import type { ChainNode } from '../ports/chain-node.ts';
import { type ChainWatch, type ChainWatchParts, createChainWatch } from './chain-watch.ts';

/** A chain that is watched: it has nodes, and tokens with an address. */
export type WatchedChain = { chainId: number; urls: readonly string[]; symbols: ReadonlyMap<Hex, string>; startBlock: number | undefined };

type Settings = {
  assets: Assets;
  /** Nodes by chain id. */
  urls: Readonly<Record<string, readonly string[]>>;
  /** Block by chain id. */
  startBlocks: Readonly<Record<string, number>>;
};

/** The chains to watch. A chain without a token that has an address is left out: its nodes only verify signatures, in other services. */
export const watchedChains = ({ assets, urls, startBlocks }: Settings): WatchedChain[] =>
  Object.entries(urls).flatMap(([id, own]) => {
    const chainId = Number(id);
    const symbols = new Map(
      assets.tokens.flatMap(({ chainId: chain, address, symbol }) =>
        chain === chainId && address !== undefined ? [[address as Hex, symbol] as const] : [],
      ),
    );
    return symbols.size === 0 ? [] : [{ chainId, urls: own, symbols, startBlock: startBlocks[id] }];
  });

/** A chain to watch, with its nodes as one (`agree`). */
export type ServedChain = WatchedChain & { node: ChainNode };

/** Opens the nodes of chains. No node is contacted before the first query. */
export const serveChains = (chains: readonly WatchedChain[], createNode: (url: string) => ChainNode): ServedChain[] =>
  chains.map((chain) => ({ ...chain, node: agree(chain.urls.map(createNode)) }));

type Parts = Pick<ChainWatchParts, 'cursors' | 'booking' | 'spending' | 'runtime'> & { pollMs: number; logger: Logger };

export type Watches = { all: readonly ChainWatch[]; close: () => Promise<void> };

/** Watches chains in the background, each on its own: one that halts or waits does not delay the others. */
export const startWatches = (chains: readonly ServedChain[], { pollMs, logger, ...parts }: Parts): Watches => {
  const watches = chains.map(({ chainId, urls, node, symbols, startBlock }) => {
    if (urls.length === 1) logger.warn({ chainId }, 'one node is believed alone: configure a second one in CHAIN_RPC_URLS');
    return createChainWatch({ chainId, node, nodes: urls.length, symbols, startBlock, logger, ...parts });
  });
  const rounds = watches.map(({ round }) =>
    startRounds({ round, intervalMs: pollMs, logger, failed: 'watching a chain failed, will retry' }),
  );
  return {
    all: watches,
    close: async () => {
      await Promise.all(rounds.map(({ close }) => close()));
    },
  };
};
