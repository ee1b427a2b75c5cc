import type { PlacedEvent } from '../feed-block.ts';
import { FAILING_MS, MAX_RETRY_AFTER_MS, waitAfter } from './schedule.ts';
import { createSubjectQueues, type ParkedSubject } from './subject-queues.ts';

/**
 * How far the deliveries to an endpoint are, as it is stored. Everything up to `cursor` was delivered or given up, or is in `parked`. Later deliveries
 * are repeated if the process ends now.
 */
export type Progress = {
  cursor: number;
  parked: ParkedSubject[];
  /** Failures since the last success. */
  failures: number;
  /** Time of the first of them. */
  failingSince?: Date;
  /** For how long deliverers have seen it fail, by their own stopwatches, in milliseconds. A clock that jumps adds nothing. */
  failingMs?: number;
  /** Lowest sequence among them. */
  failingFrom?: number;
  lastSuccessAt?: Date;
};

/** An event to deliver now. Its receiver may answer it with a wait, which then holds for the whole endpoint. */
export type Job = {
  sequence: number;
  /** Absent for an event of which only the sequence is known: it is read from the feed. */
  event?: PlacedEvent;
  /** Number of the attempt, from 1. */
  attempt: number;
};

export type Outcome =
  | { kind: 'delivered' }
  | { kind: 'failed'; retryAfterMs?: number | undefined }
  /** The event is not kept any more. */
  | { kind: 'skipped' }
  /** Nothing was sent, for a reason of this side. */
  | { kind: 'postponed' };

/** How deliveries are at a moment. */
export type LaneStatus = {
  /** True if the last one succeeded, failed, or so many have failed that the endpoint counts as down. */
  state: 'working' | 'failing' | 'down';
  /** Subjects of which an event failed. */
  parked: number;
  /** Age of the oldest event that waits, those of parked subjects apart. */
  lagMs: number;
};

/**
 * Longest time without a try while an endpoint is down, in milliseconds: after hours, the next attempts are hours away, and everything else would wait for them although the receiver
 * is back.
 */
const PROBE_MS = 5 * 60 * 1000;

/** The limits of a lane. */
export const LANE_LIMITS = {
  /** Deliveries at the same time. */
  flying: 16,
  /** Events that wait for a first attempt. */
  ready: 128,
  /** Parked subjects. No other subject begins while there are as many. */
  parked: 256,
  /** Events of parked subjects. */
  parkedEvents: 4096,
  /** Failures in a row after which an endpoint counts as down: it is then tried with one delivery at a time, of few subjects. */
  failuresOfDown: 8,
} as const;

/**
 * The deliveries to one endpoint: at most one per subject at a time, in the order of the feed. A subject whose event fails is parked with what follows it, and the others
 * go on. After the last attempt an event is given up, and its subject goes on. The lane knows no clock and no network.
 */
export const createLane = (start: Progress) => {
  const queues = createSubjectQueues(start.parked);
  let readTo = start.cursor;
  let { failures, failingSince, failingFrom, lastSuccessAt } = start;
  let failingMs = start.failingMs ?? 0;
  let flying = 0;
  /** Deliveries at the same time: one until the first success, then twice as many with each, since the load that a new endpoint takes is not known. */
  let width = 1;
  /** The receiver asked for time. */
  let held: { at: Date; waitMs: number } | undefined;
  let triedAt: Date | undefined;

  const isHeld = (now: Date): boolean => {
    // A clock that was set back must not prolong the wait.
    if (held !== undefined && held.at.getTime() > now.getTime() + held.waitMs) held.at = new Date(now.getTime() + held.waitMs);
    if (held !== undefined && held.at <= now) held = undefined;
    return held !== undefined;
  };

  const isDown = (): boolean => failures >= LANE_LIMITS.failuresOfDown;

  /** Reports whether there may be another delivery now. */
  const isOpen = (now: Date): boolean => !isHeld(now) && flying < (isDown() ? 1 : width);

  /** Lets one event be tried beside its schedule when nothing was for a while: whether the receiver is back shows by that. */
  const probe = (now: Date): void => {
    if (!isDown() || flying > 0 || (triedAt !== undefined && Math.abs(now.getTime() - triedAt.getTime()) < PROBE_MS)) return;
    triedAt = now;
    queues.hastenFirst(now);
  };

  /** Reports whether another subject may begin. */
  const mayBegin = (): boolean => queues.parked() < (isDown() ? LANE_LIMITS.failuresOfDown : LANE_LIMITS.parked);

  const succeeded = (now: Date): void => {
    // The receiver is back: events that failed because of it need not wait, and have lost none of their attempts.
    if (isDown()) queues.hasten(now);
    failures = 0;
    failingSince = undefined;
    failingMs = 0;
    failingFrom = undefined;
    lastSuccessAt = now;
    width = Math.min(width * 2, LANE_LIMITS.flying);
  };

  return {
    /** Reports whether the lane takes further events. */
    wantsEvents: (): boolean =>
      queues.ready() < (isDown() ? LANE_LIMITS.flying : LANE_LIMITS.ready) && queues.parkedEvents() < LANE_LIMITS.parkedEvents,

    /** Adds the events that the filter lets through between the end of the last call and `through`. */
    offer: (events: readonly PlacedEvent[], through: number): void => {
      for (const event of events) if (event.sequence > readTo) queues.add(event);
      readTo = Math.max(readTo, through);
    },

    /** Reports whether `next` would return an event. */
    hasNext: (now: Date): boolean => {
      if (!isOpen(now)) return false;
      probe(now);
      return queues.findDue(now) !== undefined || (mayBegin() && queues.hasReady());
    },

    /** Takes the next event to deliver; undefined while there is none. */
    next: (now: Date): Job | undefined => {
      if (!isOpen(now)) return undefined;
      probe(now);
      const queue = queues.takeDue(now) ?? (mayBegin() ? queues.takeReady() : undefined);
      const [head] = queue?.items ?? [];
      if (queue === undefined || head === undefined) return undefined;
      flying += 1;
      return { ...head, attempt: queue.attempts + 1 };
    },

    /**
     * Reports what became of a job.
     * @param random from 0 to 1
     */
    settle: ({ sequence }: Pick<Job, 'sequence'>, outcome: Outcome, now: Date, random: number): void => {
      flying -= 1;
      const queue = queues.flyingOf(sequence);
      if (outcome.kind === 'postponed') {
        queues.postpone(queue, now);
        return;
      }
      if (outcome.kind === 'failed') {
        failures += 1;
        triedAt = now;
        failingSince ??= now;
        failingFrom = Math.min(failingFrom ?? sequence, sequence);
        if (outcome.retryAfterMs !== undefined) {
          const holdMs = Math.min(outcome.retryAfterMs, MAX_RETRY_AFTER_MS);
          held = { at: new Date(now.getTime() + holdMs), waitMs: holdMs };
        }
        if (queues.hasFailedEarly(queue, now)) return;
        const waitMs = waitAfter(queue.attempts + 1, random);
        if (waitMs !== undefined) {
          queues.park(queue, { at: new Date(now.getTime() + waitMs), waitMs });
          return;
        }
      } else if (outcome.kind === 'delivered') succeeded(now);
      queues.advance(queue);
    },

    /** Reports whether it has failed for so long that it has to be disabled. */
    isFailing: (): boolean => failingMs >= FAILING_MS,

    /** Tells that so many milliseconds have passed, by a stopwatch. */
    pass: (ms: number): void => {
      if (failures > 0) failingMs += ms;
    },

    /** Reports whether the last delivery failed, or none was made yet. */
    isDoubtful: (): boolean => failures > 0 || lastSuccessAt === undefined,

    /** The state of the deliveries at a moment. */
    status: (now: Date): LaneStatus => ({
      state: isDown() ? 'down' : failures > 0 ? 'failing' : 'working',
      parked: queues.parked(),
      lagMs: Math.max(0, now.getTime() - (queues.oldestUnparkedAt() ?? now).getTime()),
    }),

    /** When there may be something to deliver without a new event; undefined if nothing waits for a time. */
    dueAt: (): Date | undefined => held?.at ?? queues.dueAt(),

    flying: (): number => flying,

    /** Sequence up to which the feed was read. */
    readTo: (): number => readTo,

    /** Reports whether everything that was read is delivered or given up. */
    isIdle: (): boolean => flying === 0 && queues.isEmpty(),

    progress: (): Progress => ({
      cursor: (queues.lowestUnparked() ?? readTo + 1) - 1,
      parked: queues.snapshot(),
      failures,
      ...(failingSince === undefined ? {} : { failingSince }),
      ...(failingMs === 0 ? {} : { failingMs }),
      ...(failingFrom === undefined ? {} : { failingFrom }),
      ...(lastSuccessAt === undefined ? {} : { lastSuccessAt }),
    }),
  };
};

export type Lane = ReturnType<typeof createLane>;

/**
 * Progress of an endpoint that is enabled again: it goes on with the first event that failed since the last success, so that nothing is lost. Events parked for longer are
 * tried at once.
 */
export const afterEnabling = ({ cursor: former, parked, failingFrom, lastSuccessAt }: Progress): Progress => {
  const cursor = Math.min(former, (failingFrom ?? former + 1) - 1);
  return {
    cursor,
    parked: parked
      .map(({ subject, sequences }) => ({
        subject,
        sequences: sequences.filter((sequence) => sequence <= cursor),
        attempts: 0,
        nextAt: new Date(0),
        waitMs: 0,
      }))
      .filter(({ sequences }) => sequences.length > 0),
    failures: 0,
    ...(lastSuccessAt === undefined ? {} : { lastSuccessAt }),
  };
};

/** Where an endpoint goes on whose owner asks for everything after a sequence. */
export const afterReplay = ({ lastSuccessAt }: Progress, after: number): Progress => ({
  cursor: after,
  parked: [],
  failures: 0,
  ...(lastSuccessAt === undefined ? {} : { lastSuccessAt }),
});
