import type { Logger } from '@florin/rpc/observe';
import type { Runtime } from '@florin/rpc/runtime';
import type { Challenge } from '../domain/challenge.ts';
import type { Challenges } from '../store/challenges.ts';
import type { WatcherRegistry } from './registry.ts';

export type PollerOptions = {
  challenges: Pick<Challenges, 'findMany' | 'findRecent'>;
  registry: WatcherRegistry;
  runtime: Pick<Runtime, 'now'>;
  logger: Logger;
  tell: (challenge: Challenge) => void;
};

const PAUSE_MS = 1000;

/** Ids, or users, in one question. */
const CHUNK = 200;

/** What was raised so long before Redis went may not have been told: it was in an outbox, or went with Redis. Clocks may disagree. */
const MARGIN_MS = 15_000;

const chunks = (all: readonly string[]): string[][] =>
  Array.from({ length: Math.ceil(all.length / CHUNK) }, (_, index) => all.slice(index * CHUNK, (index + 1) * CHUNK));

/** While no events come: asks the store once a second for everything that is watched. */
export const createPoller = ({ challenges, registry, runtime, logger, tell }: PollerOptions) => {
  let wanted = false;
  let raisedAfter = new Date(0);
  let running: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;

  const round = async (): Promise<void> => {
    for (const ids of chunks(registry.openChallenges())) for (const challenge of await challenges.findMany(ids)) tell(challenge);
    for (const users of chunks(registry.users())) for (const challenge of await challenges.findRecent(users, raisedAfter)) tell(challenge);
  };

  const run = async (): Promise<void> => {
    // Once more after Redis is back: what went with it has no event.
    const again = wanted;
    await round().catch((err: unknown) => logger.warn({ err }, 'watched challenges not read, will be repeated'));
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
