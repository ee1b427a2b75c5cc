import type { Assets } from '@florin/rpc/assets';
import type { Logger } from '@florin/rpc/observe';
import type { Runtime } from '@florin/rpc/runtime';
import { pause, startRounds } from '@florin/rpc/time';
import type { HaltedTokens } from '../domain/admit-entry.ts';
import type { TokenBlock } from '../domain/token-block.ts';
import type { HaltedChainStore } from '../store/halted-chains.ts';
import type { TokenBlockStore } from '../store/token-blocks.ts';

/** Pause between two looks at what other instances were told. */
const REFRESH_MS = 1000;

/** By then every instance that reaches the database has looked. */
const KNOWN_MS = 2 * REFRESH_MS;

type Parts = {
  chains: HaltedChainStore;
  blocks: TokenBlockStore;
  assets: Assets;
  runtime: Pick<Runtime, 'now'>;
  logger: Logger;
};

/** The tokens that cannot be spent. Halts and blocks take effect at every instance that reaches the database before they resolve: another one may own the shards that are spent from. */
export type Halts = {
  /** The tokens that cannot be spent, as this instance knows them. */
  tokens: () => HaltedTokens;
  /** Tokens that cannot be spent whatever their chain does: those of all accounts, and those of one. */
  blocksOf: (accountId?: string) => readonly TokenBlock[];
  /** Seconds for which the tokens of each chain can still be spent, below zero once they cannot; of chains that are watched. */
  secondsLeft: () => readonly (readonly [chainId: number, seconds: number])[];
  halt: (chainId: number) => Promise<void>;
  resume: (chainId: number) => Promise<void>;
  /** Lets the tokens of a chain be spent until a time, unless it is halted. Without a time it is not bounded any more. */
  renew: (chainId: number, until: Date | undefined) => Promise<void>;
  block: (token: Omit<TokenBlock, 'since'>) => Promise<void>;
  unblock: (token: Omit<TokenBlock, 'since'>) => Promise<void>;
  close: () => Promise<void>;
};

/** Keeps what a reading found, unless one that began later has ended earlier. @returns the reading, which may be made several times at once */
const newestOf = <T>(read: () => Promise<T>, keep: (found: T) => void): (() => Promise<void>) => {
  let reads = 0;
  let kept = 0;
  return async () => {
    reads += 1;
    const own = reads;
    const found = await read();
    if (own < kept) return;
    kept = own;
    keep(found);
  };
};

/**
 * Keeps the halted chains and blocked tokens in memory, where every entry is held against them. Resolves once they are known. The two are read apart: an issuer
 * can freeze many Safes, and no halt waits until all of their blocks are read.
 */
export const openHalts = async ({ chains, blocks, assets, runtime, logger }: Parts): Promise<Halts> => {
  let tokens: HaltedTokens = new Map();
  let blocked: readonly TokenBlock[] = [];
  let stopped: readonly number[] = [];
  let bounds: readonly { chainId: number; until: Date }[] = [];
  let unseen: readonly number[] = [];

  const join = (): void => {
    tokens = new Map([
      ...blocked.map(({ token, accountId }) => [accountId === undefined ? token : `${token}/${accountId}`, 'TOKEN_BLOCKED'] as const),
      ...assets.tokens.flatMap(({ chainId, symbol }) => (stopped.includes(chainId) ? [[symbol, 'CHAIN_HALTED'] as const] : [])),
    ]);
  };

  const refreshBlocks = newestOf(blocks.all, (found) => {
    blocked = found;
    join();
  });
  const refreshChains = newestOf(
    () => Promise.all([chains.ids(), chains.bounds()]),
    ([halted, left]) => {
      bounds = left;
      const now = runtime.now();
      const lapsed = left.filter(({ until }) => until <= now).map(({ chainId }) => chainId);
      for (const chainId of lapsed)
        if (!unseen.includes(chainId)) logger.error({ chainId }, 'nobody has seen the chain for too long: its tokens cannot be spent');
      unseen = lapsed;
      stopped = [...halted, ...lapsed];
      join();
    },
  );

  /** Has all instances know of something more that cannot be spent. */
  const spread = async (refresh: () => Promise<void>): Promise<void> => {
    await refresh();
    await pause(KNOWN_MS);
  };

  await Promise.all([refreshBlocks(), refreshChains()]);
  const rounds = [refreshBlocks, refreshChains].map((round) =>
    startRounds({ round, intervalMs: REFRESH_MS, logger, failed: 'reading what cannot be spent failed, will retry' }),
  );
  return {
    tokens: () => tokens,
    blocksOf: (accountId) => blocked.filter((one) => one.accountId === undefined || one.accountId === accountId),
    secondsLeft: () => bounds.map(({ chainId, until }) => [chainId, (until.getTime() - runtime.now().getTime()) / 1000]),
    halt: async (chainId) => {
      await chains.add(chainId, runtime.now());
      await spread(refreshChains);
    },
    resume: async (chainId) => {
      await chains.remove(chainId);
      await refreshChains();
    },
    renew: async (chainId, until) => {
      await chains.renew(chainId, until);
      await refreshChains();
    },
    block: async (token) => {
      await blocks.add({ ...token, since: runtime.now() });
      await spread(refreshBlocks);
    },
    unblock: async (token) => {
      await blocks.remove(token);
      await refreshBlocks();
    },
    close: async () => {
      await Promise.all(rounds.map(({ close }) => close()));
    },
  };
};
