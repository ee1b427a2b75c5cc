import { reasonOf } from '../report.ts';
import type { EngineContext, EngineProvider, RunningEngine } from './provider.ts';

export type EngineChain = {
  /** The engine's name in messages, for example `MongoDB`. */
  engine: string;
  providers: readonly EngineProvider[];
  /** The user's remedy if no provider works; completes the sentence `To fix this, …`. */
  remedy: string;
};

export type Chosen = { provider: EngineProvider; running: RunningEngine };

/** Raised when no provider works; the message lists each provider with the reason, and a remedy. */
export class NoEngineError extends Error {
  constructor(chain: EngineChain, tried: readonly Attempt[]) {
    const lines = tried.map(({ provider, why }) => `\n  - ${provider}: ${why}`);
    super(`${chain.engine} could not be started. Tried:${lines.join('')}\nTo fix this, ${chain.remedy}`);
    this.name = 'NoEngineError';
  }
}

type Attempt = { provider: string; why: string };

/**
 * Starts the first provider that works. Order:
 *   1. the provider that wrote the existing data (`previous`), because another engine could not read it;
 *   2. providers that can start as they are, in the order of the chain;
 *   3. providers that must download or build something first, in the order of the chain.
 * So nothing is downloaded on a machine where a later provider is installed. If an explicit provider is available, no other one is tried.
 *
 * @throws NoEngineError
 */
export const startFirstUsable = async (chain: EngineChain, context: EngineContext, previous: string | undefined): Promise<Chosen> => {
  const tried: Attempt[] = [];
  const usable: { provider: EngineProvider; ready: boolean }[] = [];
  for (const provider of chain.providers) {
    const availability = await provider.available(context).catch((error: unknown) => ({ ok: false as const, why: reasonOf(error) }));
    if (!availability.ok) {
      tried.push({ provider: provider.name, why: availability.why });
      continue;
    }
    usable.push({ provider, ready: availability.ready });
    if (provider.explicit === true) break;
  }
  const explicit = usable.filter(({ provider }) => provider.explicit === true);
  for (const { provider } of explicit.length > 0 ? explicit : inOrder(usable, previous)) {
    context.signal.throwIfAborted();
    try {
      const running = await provider.start(context);
      context.report(running.description);
      return { provider, running };
    } catch (error) {
      context.signal.throwIfAborted();
      const why = reasonOf(error);
      context.report(`${provider.name}: not available (${why})`);
      tried.push({ provider: provider.name, why });
    }
  }
  throw new NoEngineError(chain, inChainOrder(chain, tried));
};

const inOrder = (
  usable: readonly { provider: EngineProvider; ready: boolean }[],
  previous: string | undefined,
): { provider: EngineProvider }[] => {
  const rank = ({ provider, ready }: { provider: EngineProvider; ready: boolean }): number =>
    provider.name === previous ? 0 : ready ? 1 : 2;
  return [...usable].sort((a, b) => rank(a) - rank(b));
};

const inChainOrder = (chain: EngineChain, tried: readonly Attempt[]): Attempt[] => {
  const position = (attempt: Attempt): number => chain.providers.findIndex(({ name }) => name === attempt.provider);
  return [...tried].sort((a, b) => position(a) - position(b));
};
