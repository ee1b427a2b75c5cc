import type { Logger } from '@florin/rpc/observe';
import { startRounds } from '@florin/rpc/time';
import type { Attempt, WebhookAttemptStore } from '../store/webhook-attempts.ts';
import type { StoredProgress, WebhookProgressStore } from '../store/webhook-progress.ts';

/** Something whose progress is stored from time to time. */
export type Tracked = { id: string; term: number; progress: () => StoredProgress };

/** Stores progress and attempts behind the deliveries, many with one write. */
export type DeliveryJournal = {
  /** Notes that the progress of an endpoint has changed. */
  changed: (endpoint: Tracked) => void;
  attempted: (attempt: Attempt) => void;
  /** Reports whether so much waits that nothing new may begin. */
  isFull: () => boolean;
  close: () => Promise<void>;
};

/** Time between two writes: what was delivered in it is delivered again if the process is killed. */
const WRITE_MS = 250;

/** Attempts that wait to be stored. */
const MAX_ATTEMPTS = 20_000;
const BATCH = 1000;

type Stores = { progress: Pick<WebhookProgressStore, 'save'>; attempts: Pick<WebhookAttemptStore, 'insert'>; logger: Logger };

export const createDeliveryJournal = ({ progress, attempts, logger }: Stores): DeliveryJournal => {
  const changed = new Map<string, Tracked>();
  let waiting: Attempt[] = [];

  const saveProgress = async (): Promise<void> => {
    const due = [...changed.values()];
    changed.clear();
    if (due.length === 0) return;
    try {
      await progress.save(due.map(({ id, term, progress: current }) => ({ id, term, progress: current() })));
    } catch (error) {
      for (const endpoint of due) if (!changed.has(endpoint.id)) changed.set(endpoint.id, endpoint);
      throw error;
    }
  };

  const saveAttempts = async (): Promise<void> => {
    while (waiting.length > 0) {
      const batch = waiting.slice(0, BATCH);
      await attempts.insert(batch);
      waiting = waiting.slice(batch.length);
    }
  };

  const flush = async (): Promise<void> => {
    await Promise.all([saveProgress(), saveAttempts()]);
  };

  const rounds = startRounds({ round: flush, intervalMs: WRITE_MS, logger, failed: 'storing the progress of webhooks failed, will retry' });
  return {
    changed: (endpoint) => {
      changed.set(endpoint.id, endpoint);
    },
    attempted: (attempt) => {
      waiting.push(attempt);
    },
    isFull: () => waiting.length >= MAX_ATTEMPTS,
    close: async () => {
      await rounds.close();
      await flush();
    },
  };
};
