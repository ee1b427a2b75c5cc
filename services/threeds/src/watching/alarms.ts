import type { Runtime } from '@florin/rpc/runtime';
import type { Challenge } from '../domain/challenge.ts';

/** Beyond this number of timers, the sweeper stores the expiries. */
const MAX_ALARMS = 10_000;

/** Calls `ring` when a followed pending challenge expires. */
export const createAlarms = ({ now }: Pick<Runtime, 'now'>, ring: (challenge: Challenge) => void) => {
  const timers = new Map<string, NodeJS.Timeout>();

  const stop = (id: string): void => {
    clearTimeout(timers.get(id));
    timers.delete(id);
  };

  const set = (challenge: Challenge): void => {
    const remaining = challenge.expiresAt.getTime() - now().getTime();
    const timer = setTimeout(
      () => {
        // Timers may fire slightly early.
        if (now().getTime() < challenge.expiresAt.getTime()) {
          set(challenge);
          return;
        }
        timers.delete(challenge.id);
        ring(challenge);
      },
      Math.max(1, remaining),
    );
    timers.set(challenge.id, timer);
  };

  return {
    /** Sets or clears the timer according to the challenge's state. */
    follow: (challenge: Challenge): void => {
      if (challenge.status !== 'pending') stop(challenge.id);
      else if (!timers.has(challenge.id) && timers.size < MAX_ALARMS) set(challenge);
    },
    clear: (): void => {
      for (const id of timers.keys()) stop(id);
    },
  };
};
