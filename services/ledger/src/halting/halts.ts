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

/** Keeps the halted chains and blocked tokens in memory, where every entry is held against them. Resolves once they are known. */
export const openHalts = async ({ chains, blocks, assets, runtime, logger }: Parts): Promise<Halts> => {
  let tokens: HaltedTokens = new Map();
  let blocked: readonly TokenBlock[] = [];
  let bounds: readonly { chainId: number; until: Date }[] = [];
  let unseen: readonly number[] = [];
  let reads = 0;
  let taken = 0;

  const refresh = async (): Promise<void> => {
    reads += 1;
    const own = reads;
    const [halted, left, found] = await Promise.all([chains.ids(), chains.bounds(), blocks.all()]);
    // A reading that began later may have ended earlier.
    if (own < taken) return;
    taken = own;
    [blocked, bounds] = [found, left];
    const now = runtime.now();
    const lapsed = left.filter(({ until }) => until <= now).map(({ chainId }) => chainId);
    for (const chainId of lapsed)
      if (!unseen.includes(chainId)) logger.error({ chainId }, 'nobody has seen the chain for too long: its tokens cannot be spent');
    unseen = lapsed;
    const ids = [...halted, ...lapsed];
    tokens = new Map([
      ...found.map(({ token, accountId }) => [accountId === undefined ? token : `${token}/${accountId}`, 'TOKEN_BLOCKED'] as const),
      ...assets.tokens.flatMap(({ chainId, symbol }) => (ids.includes(chainId) ? [[symbol, 'CHAIN_HALTED'] as const] : [])),
    ]);
  };

  /** Has all instances know of something more that cannot be spent. */
  const spread = async (): Promise<void> => {
    await refresh();
    await pause(KNOWN_MS);
  };

  await refresh();
  const rounds = startRounds({ round: refresh, intervalMs: REFRESH_MS, logger, failed: 'reading what cannot be spent failed, will retry' });
  return {
    tokens: () => tokens,
    blocksOf: (accountId) => blocked.filter((one) => one.accountId === undefined || one.accountId === accountId),
    secondsLeft: () => bounds.map(({ chainId, until }) => [chainId, (until.getTime() - runtime.now().getTime()) / 1000]),
    halt: async (chainId) => {
      await chains.add(chainId, runtime.now());
      await spread();
    },
    resume: async (chainId) => {
      await chains.remove(chainId);
      await refresh();
    },
    renew: async (chainId, until) => {
      await chains.renew(chainId, until);
      await refresh();
    },
    block: async (token) => {
      await blocks.add({ ...token, since: runtime.now() });
      await spread();
    },
    unblock: async (token) => {
      await blocks.remove(token);
      await refresh();
    },
    close: rounds.close,
  };
};
