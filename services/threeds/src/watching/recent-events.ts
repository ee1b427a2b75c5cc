import { BEGINNING, comparePositions } from '@florin/data/outbox';

export type RecentEvent = { position: string; challengeId: string; userId: string };

/** Events that a reader may resume from: minutes of a busy platform, some megabytes. */
export const MAX_RECENT = 10_000;

const POSITION = /^\d{1,16}-\d{1,16}$/;

/** The newest events of all challenges, for readers who come back. */
export const createRecentEvents = () => {
  let events: RecentEvent[] = [];
  /** Nothing that stands after it is missing. */
  let completeAfter: string | undefined;

  return {
    add: (more: readonly RecentEvent[]): void => {
      completeAfter ??= more[0]?.position;
      events.push(...more);
      // Trimmed by the half, so that each event is moved about once.
      if (events.length <= 2 * MAX_RECENT) return;
      events = events.slice(-MAX_RECENT);
      completeAfter = events[0]?.position;
    },
    /** Something may be missing here. */
    breakOff: (): void => {
      events = [];
      completeAfter = undefined;
    },
    /**
     * The user's challenges that something happened to after `position`, in the order of the last thing that happened.
     * @returns undefined when that is not known: the position is too old, or not one of this stream
     */
    since: (position: string, userId: string): RecentEvent[] | undefined => {
      const newest = events.at(-1)?.position;
      if (!POSITION.test(position) || position === BEGINNING || completeAfter === undefined || newest === undefined) return undefined;
      if (comparePositions(position, completeAfter) < 0 || comparePositions(position, newest) > 0) return undefined;
      const last = new Map<string, RecentEvent>();
      for (const event of events) {
        if (event.userId !== userId || comparePositions(event.position, position) <= 0) continue;
        last.delete(event.challengeId);
        last.set(event.challengeId, event);
      }
      return [...last.values()];
    },
  };
};

export type RecentEvents = ReturnType<typeof createRecentEvents>;
