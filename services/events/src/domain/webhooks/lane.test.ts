import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PlacedEvent } from '../feed-block.ts';
import { afterEnabling, afterReplay, createLane, type Job, LANE_LIMITS, type Lane, type Outcome, type Progress } from './lane.ts';
import { FAILING_MS, MAX_ATTEMPTS, parseRetryAfter, WAITS_MS, waitAfter } from './schedule.ts';

const START: Progress = { cursor: 0, parked: [], failures: 0 };
const NOW = new Date('2026-03-01T12:00:00Z');
const DELIVERED: Outcome = { kind: 'delivered' };
const FAILED: Outcome = { kind: 'failed' };

const later = (ms: number): Date => new Date(NOW.getTime() + ms);

const eventOf = (sequence: number, subject: string): PlacedEvent => ({
  id: `event-${sequence}`,
  type: 'card.issued',
  at: NOW,
  subject,
  sequence,
  previousSequence: sequence - 1,
  subjectSequence: sequence,
  data: '{}',
});

/** A lane that has been offered an event per subject, in their order from sequence 1. */
const laneOf = (subjects: readonly string[], progress = START): Lane => {
  const lane = createLane(progress);
  lane.offer(
    subjects.map((subject, index) => eventOf(index + 1, subject)),
    subjects.length,
  );
  return lane;
};

const takeAll = (lane: Lane, now = NOW): Job[] => {
  const jobs: Job[] = [];
  for (let job = lane.next(now); job !== undefined; job = lane.next(now)) jobs.push(job);
  return jobs;
};

/** Delivers what there is until nothing is left to do at the time. */
const run = (lane: Lane, outcomeOf: (job: Job) => Outcome, now = NOW): number[] => {
  const tried: number[] = [];
  for (let job = lane.next(now); job !== undefined; job = lane.next(now)) {
    tried.push(job.sequence);
    lane.settle(job, outcomeOf(job), now, 0);
  }
  return tried;
};

describe('the deliveries to an endpoint', () => {
  it('are one at a time for each subject, in the order of the feed, and others at the same time', () => {
    const lane = laneOf(['a', 'a', 'b', 'c', 'b']);
    // The capacity of a new endpoint is unknown: its first delivery is alone.
    const [first] = takeAll(lane);
    expect(first?.sequence).toBe(1);
    lane.settle({ sequence: 1 }, DELIVERED, NOW, 0);
    expect(takeAll(lane).map(({ sequence }) => sequence)).toEqual([3, 4]);
    lane.settle({ sequence: 3 }, DELIVERED, NOW, 0);
    expect(takeAll(lane).map(({ sequence }) => sequence)).toEqual([2, 5]);
    expect(lane.progress().cursor).toBe(1);
    for (const sequence of [4, 2, 5]) lane.settle({ sequence }, DELIVERED, NOW, 0);
    expect(lane.progress()).toMatchObject({ cursor: 5, parked: [], failures: 0, lastSuccessAt: NOW });
    expect(lane.isIdle()).toBe(true);
  });

  it('of a subject that fails wait, with what follows, and those of others go on', () => {
    const lane = laneOf(['a', 'b', 'a', 'c']);
    expect(run(lane, ({ sequence }) => (sequence === 1 ? FAILED : DELIVERED))).toEqual([1, 2, 4]);
    expect(lane.progress()).toMatchObject({ cursor: 4, parked: [{ subject: 'a', sequences: [1, 3], attempts: 1 }] });
    expect(lane.dueAt()).toEqual(later(WAITS_MS[0]));
    expect(run(lane, () => DELIVERED, later(WAITS_MS[0] - 1))).toEqual([]);
    expect(run(lane, () => DELIVERED, later(WAITS_MS[0]))).toEqual([1, 3]);
    expect(lane.isIdle()).toBe(true);
  });

  it('are ten attempts over about 75 hours; then the event is given up and its subject goes on', () => {
    const lane = laneOf(['a', 'a', 'b']);
    const times: number[] = [];
    let now = NOW;
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
      const tried = run(lane, ({ sequence }) => (sequence === 1 ? FAILED : DELIVERED), now);
      expect(tried[0]).toBe(1);
      times.push(now.getTime() - NOW.getTime());
      now = lane.dueAt() ?? now;
    }
    expect(times.at(-1)).toBe(WAITS_MS.reduce((sum, wait) => sum + wait, 0));
    expect((times.at(-1) ?? 0) / 3_600_000).toBeCloseTo(75.2, 1);
    expect(lane.isIdle()).toBe(true);
    expect(lane.progress()).toMatchObject({ cursor: 3, parked: [] });
  });

  it('to an endpoint that is down are single tries of few subjects; when one succeeds, all go on', () => {
    const lane = laneOf(Array.from({ length: 100 }, (_, index) => `s${index}`));
    let now = NOW;
    for (let round = 0; round < 5; round += 1) {
      run(lane, () => FAILED, now);
      now = lane.dueAt() ?? now;
    }
    expect(lane.progress().parked).toHaveLength(LANE_LIMITS.failuresOfDown);
    expect(lane.isDoubtful()).toBe(true);
    expect(takeAll(lane, now)).toHaveLength(1);
    expect(lane.wantsEvents()).toBe(false);
    const [{ sequences: [sequence = 0] = [] } = {}] = lane.progress().parked;
    lane.settle({ sequence }, DELIVERED, now, 0);
    run(lane, () => DELIVERED, now);
    expect(lane.isIdle()).toBe(true);
    expect(lane.progress()).toMatchObject({ cursor: 100, failures: 0 });
  });

  it.each([
    ['goes on', (lane: Lane) => lane],
    ['is killed', (lane: Lane) => createLane(structuredClone(lane.progress()))],
  ])('are not given up earlier because the receiver goes down and comes back again and again, when the process %s', (_name, next) => {
    const poison = 1;
    let lane = laneOf(['poison']);
    let read = 1;
    let givenUpAt: Date | undefined;
    let tries = 0;
    for (let minute = 0; givenUpAt === undefined; minute += 1) {
      const now = later(minute * 60_000);
      const isDown = minute % 10 < 9;
      read += 1;
      lane.offer([eventOf(read, `s${read}`)], read);
      const attempt = ({ sequence }: Job): Outcome => {
        if (sequence === poison) tries += 1;
        return isDown || sequence === poison ? FAILED : DELIVERED;
      };
      run(lane, attempt, now);
      lane = next(lane);
      if (lane.progress().parked.every(({ subject }) => subject !== 'poison')) givenUpAt = now;
    }
    expect(givenUpAt.getTime() - NOW.getTime()).toBeGreaterThanOrEqual(WAITS_MS.reduce((sum, wait) => sum + wait, 0));
    // It was tried at each recovery as well.
    expect(tries).toBeGreaterThan(100);
  });

  it('to an endpoint that was down for hours go on within minutes after it is back, long before the next attempts are due', () => {
    const lane = laneOf(Array.from({ length: 20 }, (_, index) => `s${index}`));
    const minute = 60_000;
    const during = (from: number, minutes: number, outcome: Outcome): number[] =>
      Array.from({ length: minutes }, (_, index) => run(lane, () => outcome, later((from + index) * minute))).flat();
    during(0, 60, FAILED);
    // In five hours: one every five minutes, and the attempts of the schedule.
    expect(during(60, 300, FAILED).length).toBeLessThan(60 + 3 * LANE_LIMITS.failuresOfDown);
    const delivered = during(360, 6, DELIVERED);
    expect(delivered.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, index) => index + 1));
    expect(lane.isIdle()).toBe(true);
  });

  it('of what the receiver rejects are not tried all the time because it takes others', () => {
    const isPoison = (sequence: number): boolean => sequence % 3 !== 0;
    const lane = laneOf(Array.from({ length: 120 }, (_, index) => `s${index}`));
    const outcome = ({ sequence }: Job): Outcome => (isPoison(sequence) ? FAILED : DELIVERED);
    const triedAt = (now: Date) => run(lane, outcome, now).filter((sequence) => sequence === 1).length;
    expect(triedAt(NOW)).toBeLessThanOrEqual(2);
    lane.offer([eventOf(123, 'later')], 123);
    expect(triedAt(later(WAITS_MS[0]))).toBeLessThanOrEqual(1);
    expect(lane.progress().parked).toHaveLength(80);
    expect(lane.progress().parked.every(({ attempts }) => attempts <= 2)).toBe(true);
  });

  it('that are tried before their time since the receiver is back keep that time when they fail', () => {
    const nextAt = later(3_600_000);
    const poison = { subject: 'poison', sequences: [1], attempts: 5, nextAt, waitMs: 3_600_000 };
    const due = { subject: 'due', sequences: [2], attempts: 1, nextAt: NOW, waitMs: 5000 };
    const lane = createLane({ cursor: 2, parked: [poison, due], failures: LANE_LIMITS.failuresOfDown });
    expect(run(lane, ({ sequence }) => (sequence === 2 ? DELIVERED : { kind: 'postponed' }))).toEqual([2, 1]);
    // This side could not try it: the try is not lost.
    expect(lane.next(later(999))).toBeUndefined();
    expect(run(lane, () => FAILED, later(1000))).toEqual([1]);
    expect(lane.progress().parked).toEqual([poison]);
    expect(lane.dueAt()).toEqual(nextAt);
    expect(lane.next(nextAt)).toMatchObject({ sequence: 1, attempt: 6 });
  });

  it('wait for as long as the receiver asks for, a day at most', () => {
    const lane = laneOf(['a', 'b']);
    lane.next(NOW);
    lane.settle({ sequence: 1 }, { kind: 'failed', retryAfterMs: 60_000 }, NOW, 0);
    expect(lane.next(later(59_000))).toBeUndefined();
    expect(lane.next(later(60_000))?.sequence).toBe(1);
    lane.settle({ sequence: 1 }, { kind: 'failed', retryAfterMs: 1e12 }, later(60_000), 0);
    expect(lane.next(later(86_400_000 + 60_000))).toBeDefined();
  });

  it('do not wait longer after the clock was set back', () => {
    const lane = laneOf(['a']);
    run(lane, () => FAILED, later(1e10));
    expect(lane.next(NOW)).toBeUndefined();
    expect(lane.next(later(WAITS_MS[0]))?.attempt).toBe(2);
  });

  it('fail after five days without a success', () => {
    const lane = laneOf(['a']);
    lane.pass(FAILING_MS);
    run(lane, () => FAILED);
    lane.pass(FAILING_MS - 1);
    expect(lane.isFailing()).toBe(false);
    const next = createLane(lane.progress());
    next.pass(1);
    expect(next.isFailing()).toBe(true);
    expect(afterEnabling({ ...lane.progress(), cursor: 50 })).toEqual({ cursor: 0, parked: [], failures: 0 });
  });

  it('do not fail because a clock jumps, and count anew after a success', () => {
    const lane = laneOf(['a', 'b']);
    run(lane, () => FAILED);
    lane.pass(FAILING_MS - 1);
    run(lane, () => FAILED, later(2 * FAILING_MS));
    expect(lane.isFailing()).toBe(false);
    run(lane, () => DELIVERED, later(3 * FAILING_MS));
    expect(lane.progress().failingMs).toBeUndefined();
    lane.pass(1);
    expect(lane.isFailing()).toBe(false);
  });

  it('go on at once with what is parked when the endpoint is enabled, and anew after a replay', () => {
    const lane = laneOf(['a', 'a', 'b']);
    run(lane, ({ sequence }) => (sequence === 1 ? FAILED : DELIVERED));
    const enabled = createLane(afterEnabling(lane.progress()));
    expect(enabled.next(NOW)).toMatchObject({ sequence: 1, attempt: 1 });
    expect(afterReplay(lane.progress(), 2)).toEqual({ cursor: 2, parked: [], failures: 0, lastSuccessAt: NOW });
  });

  it('that were given up while nothing succeeded are made again when the endpoint is enabled, and nothing that succeeded is', () => {
    const progress: Progress = {
      cursor: 20,
      parked: [
        { subject: 'old', sequences: [3, 12], attempts: 2, nextAt: later(1000), waitMs: 1000 },
        { subject: 'new', sequences: [11], attempts: 4, nextAt: later(1000), waitMs: 1000 },
      ],
      failures: 9,
      failingSince: NOW,
      failingFrom: 9,
    };
    expect(afterEnabling(progress)).toEqual({
      cursor: 8,
      parked: [{ subject: 'old', sequences: [3], attempts: 0, nextAt: new Date(0), waitMs: 0 }],
      failures: 0,
    });
  });

  it('that this side could not make are no attempts', () => {
    const lane = laneOf(['a']);
    run(lane, () => ({ kind: 'postponed' }));
    expect(lane.progress()).toMatchObject({ failures: 0, parked: [{ attempts: 0 }] });
    expect(lane.next(later(1000))).toMatchObject({ sequence: 1, attempt: 1 });
  });

  it('take no more events than the lane may hold', () => {
    const lane = laneOf(Array.from({ length: LANE_LIMITS.ready }, () => 'a'));
    expect(lane.wantsEvents()).toBe(false);
  });

  it('reach every event at least once and each subject in order, whatever fails and whenever the process is killed', () => {
    const steps = fc.array(fc.record({ pick: fc.nat(), outcome: fc.integer({ min: 0, max: 9 }) }), { minLength: 1, maxLength: 200 });
    const subjects = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { minLength: 1, maxLength: 40 });
    fc.assert(
      fc.property(subjects, steps, (feed, script) => {
        const events = feed.map((subject, index) => eventOf(index + 1, subject));
        const received: number[] = [];
        let now = NOW;
        let lane = createLane(START);
        let inFlight: Job[] = [];
        const read = () => lane.offer(events.slice(lane.readTo(), lane.readTo() + 5), Math.min(lane.readTo() + 5, events.length));
        const settle = (job: Job, outcome: Outcome) => {
          if (outcome.kind === 'delivered') received.push(job.sequence);
          lane.settle(job, outcome, now, 0.5);
        };
        for (const { pick, outcome } of script) {
          read();
          const job = lane.next(now);
          if (job !== undefined) {
            const busy = inFlight.map(({ sequence }) => feed[sequence - 1]);
            expect(busy).not.toContain(feed[job.sequence - 1]);
            inFlight.push(job);
          }
          if (outcome === 9) {
            // Killed: what was in flight is lost, and the stored progress is all that is left.
            lane = createLane(structuredClone(lane.progress()));
            inFlight = [];
          } else if (inFlight.length > 0 && outcome > 2) {
            const [landed] = inFlight.splice(pick % inFlight.length, 1);
            if (landed !== undefined) settle(landed, outcome > 6 ? FAILED : DELIVERED);
          }
          now = new Date(now.getTime() + 1000);
        }
        for (const job of inFlight) settle(job, DELIVERED);
        for (let round = 0; round < 500 && !(lane.isIdle() && lane.readTo() === events.length); round += 1) {
          read();
          now = new Date(now.getTime() + 3_600_000);
          for (let job = lane.next(now); job !== undefined; job = lane.next(now)) settle(job, DELIVERED);
        }
        expect(lane.isIdle()).toBe(true);
        // Script steps are too short for ten attempts over days, so nothing was given up.
        expect(new Set(received)).toEqual(new Set(events.map(({ sequence }) => sequence)));
        const firsts = [...new Set(received)];
        for (const subject of new Set(feed)) {
          const own = firsts.filter((sequence) => feed[sequence - 1] === subject);
          expect(own).toEqual(own.toSorted((a, b) => a - b));
        }
        expect(lane.progress().cursor).toBe(events.length);
      }),
      { numRuns: 300 },
    );
  });
});

describe('waits', () => {
  it('are those of the schedule, up to a fifth longer', () => {
    expect(waitAfter(1, 0)).toBe(5000);
    expect(waitAfter(1, 1)).toBe(6000);
    expect(waitAfter(MAX_ATTEMPTS, 0)).toBeUndefined();
  });

  it.each([
    ['120', 120_000],
    ['0', 0],
    ['Sun, 01 Mar 2026 12:01:00 GMT', 60_000],
    ['Sun, 01 Mar 2026 11:00:00 GMT', 0],
    ['soon', undefined],
    ['-1', undefined],
    ['1e3', undefined],
    ['', undefined],
  ])('that a receiver asks for by %j are %s ms', (text, expected) => {
    expect(parseRetryAfter(text, NOW)).toBe(expected);
  });
});
