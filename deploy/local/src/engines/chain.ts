import { reasonOf } from '../report.ts';
import type { EngineContext, EngineProvider, RunningEngine } from './provider.ts';

export type EngineChain = {
  /** The engine's name for people: `MongoDB`. */
  engine: string;
  providers: readonly EngineProvider[];
  /** The one thing to do when nothing works: an imperative sentence. */
  remedy: string;
};

export type Chosen = { provider: EngineProvider; running: RunningEngine };

/** Raised when no provider works; the message lists what was tried, each with its reason, and the one thing to do. */
export class NoEngineError extends Error {
  constructor(chain: EngineChain, tried: readonly Attempt[]) {
    const lines = tried.map(({ provider, why }) => `\n  - ${provider}: ${why}`);
    super(`No ${chain.engine} could be provided. Tried:${lines.join('')}\nWhat to do: ${chain.remedy}`);
    this.name = 'NoEngineError';
  }
}

type Attempt = { provider: string; why: string };

/**
 * Starts the first provider that works.
 *
 * Order: the one that wrote the data which is already there (`previous`), as another engine would not see that data;
 * then, in the order of the chain, those that can run as they are; last, in the same order, those that must fetch or build
 * something first. So nothing is downloaded on a machine where a later provider was built before. An explicit provider
 * comes before all of this, and alone.
 *
 * @throws NoEngineError
 */
export async function startFirstUsable(chain: EngineChain, context: EngineContext, previous: string | undefined): Promise<Chosen> {
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
      context.report(running.describe);
      return { provider, running };
    } catch (error) {
      context.signal.throwIfAborted();
      const why = reasonOf(error);
      context.report(`${provider.name} does not work here: ${why}`);
      tried.push({ provider: provider.name, why });
    }
  }
  throw new NoEngineError(chain, inChainOrder(chain, tried));
}

function inOrder(
  usable: readonly { provider: EngineProvider; ready: boolean }[],
  previous: string | undefined,
): { provider: EngineProvider }[] {
  const rank = ({ provider, ready }: { provider: EngineProvider; ready: boolean }): number =>
    provider.name === previous ? 0 : ready ? 1 : 2;
  return [...usable].sort((a, b) => rank(a) - rank(b));
}

function inChainOrder(chain: EngineChain, tried: readonly Attempt[]): Attempt[] {
  const position = (attempt: Attempt): number => chain.providers.findIndex(({ name }) => name === attempt.provider);
  return [...tried].sort((a, b) => position(a) - position(b));
}
