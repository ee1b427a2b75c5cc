import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createFeedChecker, type Event, type FeedState } from './index.ts';

/** A feed of which a filter lets some places through: the events in their order, and the checkpoint at its end. */
const feedOf = (through: readonly boolean[], begin = 0) => {
  const changes = new Map<string, number>();
  let previousSequence = begin;
  const events = through.flatMap((isThrough, index): Event[] => {
    const subject = `payment/${index % 3}`;
    const subjectSequence = (changes.get(subject) ?? 0) + 1;
    changes.set(subject, subjectSequence);
    if (!isThrough) return [];
    const sequence = begin + index + 1;
    const event = { id: `id-${sequence}`, type: 'payment.cleared', timestamp: '', subject, subjectSequence, data: {} };
    const placed = { ...event, sequence, previousSequence };
    previousSequence = sequence;
    return [placed];
  });
  return { events, checkpoint: { timestamp: '', sequence: begin + through.length, previousSequence } };
};

const ALL = feedOf(Array.from({ length: 6 }, () => true));

const shuffled = <T>(items: readonly T[], order: readonly number[]): T[] =>
  items
    .map((item, index) => ({ item, key: order[index % Math.max(1, order.length)] ?? 0, index }))
    .sort((a, b) => a.key - b.key || a.index - b.index)
    .map(({ item }) => item);

describe('a feed checker', () => {
  it('is complete after every event was taken, in any order, any number of times, with any filter', () => {
    const cases = fc.record({
      through: fc.array(fc.boolean(), { maxLength: 40 }),
      begin: fc.nat(1000),
      order: fc.array(fc.nat(50), { minLength: 1 }),
    });
    fc.assert(
      fc.property(cases, ({ through, begin, order }) => {
        const { events, checkpoint } = feedOf(through, begin);
        const checker = createFeedChecker({ after: begin });
        const taken = shuffled([...events, ...events], order).map((event) => checker.take(event));
        expect(taken.filter((one) => one !== 'repeat')).toHaveLength(events.length);
        expect(checker.isComplete(checkpoint)).toBe(true);
        expect(checker.gaps()).toEqual([]);
        expect(checker.completeTo()).toBe(checkpoint.previousSequence);
        expect(checker.state().ahead).toEqual([]);
      }),
    );
  });

  it('is not complete when any event is missing, and says where it is', () => {
    const cases = fc.record({
      through: fc.array(fc.boolean(), { minLength: 1, maxLength: 30 }),
      pick: fc.nat(),
      order: fc.array(fc.nat(50)),
    });
    fc.assert(
      fc.property(cases, ({ through, pick, order }) => {
        const { events, checkpoint } = feedOf(through);
        fc.pre(events.length > 0);
        const missing = events[pick % events.length];
        if (missing === undefined) return expect.fail('no event');
        const checker = createFeedChecker();
        for (const event of shuffled(events, order)) if (event !== missing) checker.take(event);
        expect(checker.isComplete(checkpoint)).toBe(false);
        expect(checker.completeTo()).toBe(missing.previousSequence);
        const isLast = missing === events.at(-1);
        expect(checker.gaps()).toEqual(isLast ? [] : [{ after: missing.previousSequence, last: missing.sequence }]);
        expect(checker.take(missing)).not.toBe('repeat');
        expect(checker.isComplete(checkpoint)).toBe(true);
      }),
    );
  });

  it('goes on from its state', () => {
    const [first, second, third, fourth] = ALL.events as [Event, Event, Event, Event];
    const before = createFeedChecker();
    for (const event of [first, third, fourth]) before.take(event);
    const state = JSON.parse(JSON.stringify(before.state())) as FeedState;
    const after = createFeedChecker({ state });
    expect(after.gaps()).toEqual([{ after: 1, last: 2 }]);
    expect(after.take(third)).toBe('repeat');
    expect(after.take(second)).toBe('new');
    expect(after.completeTo()).toBe(4);
  });

  it('begins at a cursor', () => {
    const { events, checkpoint } = feedOf([true, true], 1042);
    const checker = createFeedChecker({ after: 'acme:1042' });
    expect(events.map((event) => checker.take(event))).toEqual(['new', 'new']);
    expect(checker.isComplete(checkpoint)).toBe(true);
    expect(() => createFeedChecker({ after: 'acme' })).toThrow(RangeError);
    expect(() => createFeedChecker({ after: -1 })).toThrow(RangeError);
  });

  it('tells of a change that comes after a later one of its subject', () => {
    const [first, , , later] = ALL.events as [Event, Event, Event, Event];
    const checker = createFeedChecker();
    expect(checker.take(later)).toBe('new');
    expect(checker.take(first)).toBe('late');
    expect(checker.take(first)).toBe('repeat');
  });

  it('goes on after its filter was narrowed', () => {
    const [first] = ALL.events as [Event];
    const checker = createFeedChecker({ after: 8 });
    expect(checker.take({ ...first, sequence: 12, previousSequence: 5 })).toBe('new');
    expect(checker.completeTo()).toBe(12);
  });

  it('rejects another event in a place that is taken, and too many after a gap', () => {
    const [, second, third, fourth] = ALL.events as [Event, Event, Event, Event];
    const checker = createFeedChecker({ maxAhead: 2 });
    checker.take(third);
    expect(() => checker.take({ ...third, id: 'other' })).toThrow(expect.objectContaining({ code: 'EVENT_CONFLICT' }));
    expect(() => checker.take({ ...fourth, previousSequence: third.previousSequence })).toThrow(
      expect.objectContaining({ code: 'EVENT_CONFLICT' }),
    );
    checker.take(second);
    expect(() => checker.take(fourth)).toThrow(expect.objectContaining({ code: 'TOO_MANY_AHEAD' }));
  });

  it('forgets the subjects that changed longest ago', () => {
    const checker = createFeedChecker({ maxSubjects: 2 });
    for (const event of [...ALL.events].reverse()) checker.take(event);
    expect(checker.completeTo()).toBe(6);
  });
});
