import type { Logger } from '@florin/rpc/observe';
import type { Runtime } from '@florin/rpc/runtime';
import type { Challenge } from '../domain/challenge.ts';
import type { ChallengeStore } from '../store/challenges.ts';
import type { WatcherRegistry } from './registry.ts';

export type PollerOptions = {
  challenges: Pick<ChallengeStore, 'findMany' | 'findRecent'>;
  registry: WatcherRegistry;
  runtime: Pick<Runtime, 'now'>;
  logger: Logger;
  deliver: (challenge: Challenge) => void;
};

const PAUSE_MS = 1000;

/** Ids or users per query. */
const CHUNK = 200;

/** Events of this long before Redis became unavailable may be undelivered: still in an outbox, or lost with Redis. Covers clock skew. */
const MARGIN_MS = 15_000;

const chunks = (all: readonly string[]): string[][] =>
  Array.from({ length: Math.ceil(all.length / CHUNK) }, (_, index) => all.slice(index * CHUNK, (index + 1) * CHUNK));

/** Polls the store once a second for everything that is watched while the event stream is unavailable. */
export const createPoller = ({ challenges, registry, runtime, logger, deliver }: PollerOptions) => {
  let wanted = false;
  let raisedAfter = new Date(0);
  let running: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;

  const round = async (): Promise<void> => {
    for (const ids of chunks(registry.openChallenges())) for (const challenge of await challenges.findMany(ids)) deliver(challenge);
    for (const users of chunks(registry.users()))
      for (const challenge of await challenges.findRecent(users, raisedAfter)) deliver(challenge);
  };

  const run = async (): Promise<void> => {
    // One more round after Redis is back: changes lost with it have no event.
    const again = wanted;
    await round().catch((err: unknown) => logger.warn({ err }, 'polling watched challenges failed'));
    running = undefined;
    if (again) timer = setTimeout(go, PAUSE_MS);
  };

  const go = (): void => {
    running ??= run();
  };

  return {
    start: (): void => {
      if (wanted) return;
      wanted = true;
      raisedAfter = new Date(runtime.now().getTime() - MARGIN_MS);
      clearTimeout(timer);
      go();
    },
    finish: (): void => {
      wanted = false;
    },
    close: async (): Promise<void> => {
      wanted = false;
      clearTimeout(timer);
      await running;
      clearTimeout(timer);
    },
  };
};
