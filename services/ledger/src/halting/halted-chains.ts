import type { Assets } from '@florin/rpc/assets';
import type { Logger } from '@florin/rpc/observe';
import type { Runtime } from '@florin/rpc/runtime';
import { pause, startRounds } from '@florin/rpc/time';
import type { HaltedTokens } from '../domain/admit-entry.ts';
import type { HaltedChainStore } from '../store/halted-chains.ts';

/** Pause between two looks at what other instances were told. */
const REFRESH_MS = 1000;

/** By then every instance that reaches the database has looked. */
const KNOWN_MS = 2 * REFRESH_MS;

type Parts = { store: HaltedChainStore; assets: Assets; runtime: Pick<Runtime, 'now'>; logger: Logger };

export type HaltedChains = {
  /** Symbols of the tokens that cannot be spent, as this instance knows them. */
  tokens: () => HaltedTokens;
  /** Takes effect at every instance that reaches the database before it resolves: another one may own the shards that are spent from. */
  halt: (chainId: number) => Promise<void>;
  resume: (chainId: number) => Promise<void>;
  close: () => Promise<void>;
};

/** Keeps the halted chains in memory, where every entry is held against them. Resolves once they are known. */
export const openHaltedChains = async ({ store, assets, runtime, logger }: Parts): Promise<HaltedChains> => {
  let tokens: HaltedTokens = new Set();
  let reads = 0;
  let taken = 0;

  const refresh = async (): Promise<void> => {
    reads += 1;
    const own = reads;
    const halted = new Set(await store.ids());
    // A reading that began later may have ended earlier.
    if (own < taken) return;
    taken = own;
    tokens = new Set(assets.tokens.flatMap(({ chainId, symbol }) => (halted.has(chainId) ? [symbol] : [])));
  };

  await refresh();
  const rounds = startRounds({ round: refresh, intervalMs: REFRESH_MS, logger, failed: 'reading the halted chains failed, will retry' });
  return {
    tokens: () => tokens,
    halt: async (chainId) => {
      await store.add(chainId, runtime.now());
      await refresh();
      await pause(KNOWN_MS);
    },
    resume: async (chainId) => {
      await store.remove(chainId);
      await refresh();
    },
    close: rounds.close,
  };
};
