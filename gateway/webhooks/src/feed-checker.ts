import { WebhookError } from './errors.ts';
import type { Checkpoint, Event } from './events.ts';

/**
 * The outcome of an event: `new`; `repeat`, taken before; `late`, new, but a later change of its subject was taken before, so that its state is out of date.
 */
export type Taken = 'new' | 'repeat' | 'late';

/** Something is missing: at least the event `last`, and perhaps others after `after`. */
export type Gap = { after: number; last: number };

/** The checker's state as JSON, to be stored with the effects of the events. */
export type FeedState = {
  /** Nothing up to this place is missing. */
  completeTo: number;
  /** Events that were taken after a gap. */
  ahead: readonly { id: string; sequence: number; previousSequence: number }[];
};

export type FeedCheckerOptions = {
  /** Place after which reading begins: that of the endpoint's or the reader's first cursor, `acme:1042` or 1042. Default 0, the beginning of the feed. */
  after?: number | string;
  /** State of an earlier checker, instead of `after`. */
  state?: FeedState;
  /** Most events after a gap that are remembered. Default 10,000. */
  maxAhead?: number;
  /** Most subjects whose last change is remembered, for `late`. Default 10,000. */
  maxSubjects?: number;
};

export type FeedChecker = {
  /**
   * Takes an event, in any order.
   * @throws WebhookError EVENT_CONFLICT if another event has its place, TOO_MANY_AHEAD if the gap should be filled before: read the events after `completeTo()`
   */
  take: (event: Event) => Taken;
  /** Reports whether everything up to a checkpoint was taken. */
  isComplete: (checkpoint: Checkpoint) => boolean;
  /** Place up to which nothing is missing. Reading `GET /events` from here fills every gap. */
  completeTo: () => number;
  /** The gaps before what was taken, in their order. */
  gaps: () => Gap[];
  state: () => FeedState;
};

const DEFAULT_MAX = 10_000;

const placeOf = (cursor: number | string): number =>
  Number(typeof cursor === 'number' ? cursor : cursor.slice(cursor.lastIndexOf(':') + 1));

/** Remembers the last change of each subject, and forgets those that changed longest ago. */
const createSubjects = (max: number) => {
  const changes = new Map<string, number>();
  /** @returns whether a later change was noted before */
  return ({ subject, subjectSequence }: Event): boolean => {
    const last = changes.get(subject) ?? 0;
    changes.delete(subject);
    changes.set(subject, Math.max(last, subjectSequence));
    const [oldest] = changes.keys();
    if (changes.size > max && oldest !== undefined) changes.delete(oldest);
    return subjectSequence < last;
  };
};

/**
 * Proves by what a reader receives alone that nothing is missing. Each event names the one before it that the reader's filter lets through, so events form a chain, and
 * a checkpoint names its end. Deliveries may arrive in any order and more than once. A reader that changes its filter creates a new checker at `completeTo()`.
 * @throws RangeError if `after` is not a place or cursor
 */
export const createFeedChecker = ({
  after = 0,
  state,
  maxAhead = DEFAULT_MAX,
  maxSubjects = DEFAULT_MAX,
}: FeedCheckerOptions = {}): FeedChecker => {
  let completeTo = state?.completeTo ?? placeOf(after);
  if (!Number.isSafeInteger(completeTo) || completeTo < 0) throw new RangeError('after must be a place in the feed, or a cursor');
  /** Events after a gap, by their place. */
  const ahead = new Map(state?.ahead.map((one) => [one.sequence, one]));
  /** Places of the events after a gap, by the place that they name. */
  const following = new Map(state?.ahead.map(({ sequence, previousSequence }) => [previousSequence, sequence]));
  const noteChange = createSubjects(maxSubjects);

  const advance = (): void => {
    for (let next = following.get(completeTo); next !== undefined; next = following.get(completeTo)) {
      following.delete(completeTo);
      ahead.delete(next);
      completeTo = next;
    }
  };

  const conflict = ({ sequence }: Event) => new WebhookError('EVENT_CONFLICT', `two events claim the place ${sequence}`);

  /** Notes an event that has others missing before it. */
  const keep = (event: Event): void => {
    const { id, sequence, previousSequence } = event;
    if (following.has(previousSequence)) throw conflict(event);
    if (ahead.size >= maxAhead) throw new WebhookError('TOO_MANY_AHEAD', `too many events wait for those after ${completeTo}`);
    ahead.set(sequence, { id, sequence, previousSequence });
    following.set(previousSequence, sequence);
  };

  return {
    take: (event) => {
      const { id, sequence, previousSequence } = event;
      const known = ahead.get(sequence);
      if (known !== undefined && (known.id !== id || known.previousSequence !== previousSequence)) throw conflict(event);
      if (known !== undefined || sequence <= completeTo) return 'repeat';
      if (previousSequence > completeTo) keep(event);
      else {
        completeTo = sequence;
        advance();
      }
      return noteChange(event) ? 'late' : 'new';
    },

    isComplete: ({ previousSequence }) => previousSequence <= completeTo,

    completeTo: () => completeTo,

    gaps: () => {
      const taken = [...ahead.values()].sort((a, b) => a.sequence - b.sequence);
      let reached = completeTo;
      return taken.flatMap(({ sequence, previousSequence }) => {
        const gap = { after: reached, last: previousSequence };
        reached = sequence;
        return gap.last > gap.after ? [gap] : [];
      });
    },

    state: () => ({ completeTo, ahead: [...ahead.values()] }),
  };
};
