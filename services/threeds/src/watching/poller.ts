import type { Logger } from '@florin/rpc/observe';
import type { Runtime } from '@florin/rpc/runtime';
import type { Challenge } from '../domain/challenge.ts';
import type { ChallengeStore } from '../store/challenges.ts';

type PollerOptions = {
  challenges: Pick<ChallengeStore, 'findMany' | 'findSince'>;
  /** Ids of the challenges that may change and whose changes are followed. */
  open: () => string[];
  runtime: Pick<Runtime, 'newId'>;
  logger: Logger;
  deliver: (challenge: Challenge) => void;
  /** Called after the last round, when the event stream is available again. */
  onRestored: () => void;
};

const PAUSE_MS = 1000;

/** Ids per query. */
const CHUNK = 200;

/** Challenges raised this long before the outage may not have been delivered. Covers clock skew. */
const MARGIN_MS = 15_000;

/** The lowest UUID of version 7 that is `ms` milliseconds older than `id`. */
const idBefore = (id: string, ms: number): string => {
  const time = Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16) - ms;
  const hex = time.toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`;
};

const chunks = (all: readonly string[]): string[][] =>
  Array.from({ length: Math.ceil(all.length / CHUNK) }, (_, index) => all.slice(index * CHUNK, (index + 1) * CHUNK));

/**
 * Polls the store once a second while the event stream is unavailable: the challenges that were raised since, and those that were
 * open before.
 */
export const createPoller = ({ challenges, open, runtime, logger, deliver, onRestored }: PollerOptions) => {
  let wanted = false;
  let since = '';
  let running: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;

  const round = async (): Promise<void> => {
    for (const ids of chunks(open())) for (const challenge of await challenges.findMany(ids)) deliver(challenge);
    for (const challenge of await challenges.findSince(since)) deliver(challenge);
  };

  const run = async (): Promise<void> => {
    // One more round after Redis is back: changes lost with it have no event.
    const again = wanted;
    await round().catch((err: unknown) => logger.warn({ err }, 'polling watched challenges failed'));
    running = undefined;
    if (again) timer = setTimeout(go, PAUSE_MS);
    else onRestored();
  };

  const go = (): void => {
    running ??= run();
  };

  return {
    start: (): void => {
      if (wanted) return;
      wanted = true;
      since = idBefore(runtime.newId(), MARGIN_MS);
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
