import { BEGINNING, comparePositions } from '@florin/data/outbox';

export type RecentEvent = { position: string; challengeId: string; userId: string };

/** Events from which a reader can resume: minutes of a busy platform, a few megabytes. */
export const MAX_RECENT = 10_000;

const POSITION = /^\d{1,16}-\d{1,16}$/;

/** Reports whether a text has the form of a position in the event stream. */
export const isPosition = (text: string): boolean => POSITION.test(text);

/** The newest events of all challenges, for readers that resume. */
export const createRecentEvents = () => {
  let events: RecentEvent[] = [];
  /** No event after this position is missing. */
  let completeAfter: string | undefined;

  return {
    add: (more: readonly RecentEvent[]): void => {
      completeAfter ??= more[0]?.position;
      events.push(...more);
      // Trimmed by half, so that each event is moved about once.
      if (events.length <= 2 * MAX_RECENT) return;
      events = events.slice(-MAX_RECENT);
      completeAfter = events[0]?.position;
    },
    /** Forgets all events, because some may be missing. */
    breakOff: (): void => {
      events = [];
      completeAfter = undefined;
    },
    /**
     * The latest event of each challenge after `position`, in stream order.
     * @param userId only this user's challenges
     * @returns undefined if the position is too old or not from this stream
     */
    since: (position: string, userId?: string): RecentEvent[] | undefined => {
      const newest = events.at(-1)?.position;
      if (!isPosition(position) || position === BEGINNING || completeAfter === undefined || newest === undefined) return undefined;
      if (comparePositions(position, completeAfter) < 0 || comparePositions(position, newest) > 0) return undefined;
      const last = new Map<string, RecentEvent>();
      for (const event of events) {
        if ((userId !== undefined && event.userId !== userId) || comparePositions(event.position, position) <= 0) continue;
        last.delete(event.challengeId);
        last.set(event.challengeId, event);
      }
      return [...last.values()];
    },
  };
};
