import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { comparePositions, createEventIds, createSerials, parseEventId } from './event-ids.ts';

const position = fc.tuple(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 0, max: 3 })).map(([time, sequence]) => `${time}-${sequence}`);
const stamp = fc.record({ position, own: fc.boolean(), incomplete: fc.boolean() });

/** The order that clients may rely on: position first, then serial. */
const compareIds = (a: string, b: string): number => {
  const [one, other] = [parseEventId(a), parseEventId(b)];
  if (one === undefined || other === undefined) throw new Error(`${a} or ${b} is not an id`);
  return comparePositions(one.position, other.position) || one.serial - other.serial;
};

describe('event ids', () => {
  it('increase strictly for any order of positions, also over reconnects', () => {
    fc.assert(
      fc.property(fc.array(fc.array(stamp, { maxLength: 10 }), { maxLength: 5 }), (connections) => {
        const ids: string[] = [];
        for (const [index, stamps] of connections.entries()) {
          // Each connection may be served by another process.
          const nextId = createEventIds(createSerials(1000 - index), ids.length === 0 ? undefined : parseEventId(ids.at(-1) ?? ''));
          for (const one of stamps) ids.push(nextId(one));
        }
        for (const [index, id] of ids.entries()) if (index > 0) expect(compareIds(id, ids[index - 1] ?? '')).toBeGreaterThan(0);
      }),
    );
  });

  it('are the position for a change of its own, and tell whether what precedes them was sent', () => {
    const nextId = createEventIds(createSerials(10), undefined);
    expect(nextId({ position: '5-0', own: true, incomplete: false })).toBe('5-0');
    expect(nextId({ position: '5-0', own: false, incomplete: false })).toBe('5-0.11');
    expect(nextId({ position: '6-0', own: true, incomplete: true })).toBe('6-0.12p');
    expect(nextId({ position: '4-0', own: true, incomplete: false })).toBe('6-0.13');
  });

  it.each([
    ['5-0', { position: '5-0', serial: 0, incomplete: false }],
    ['5-0.7', { position: '5-0', serial: 7, incomplete: false }],
    ['5-0.7p', { position: '5-0', serial: 7, incomplete: true }],
  ])('parse %s', (text, point) => {
    expect(parseEventId(text)).toEqual(point);
  });

  it.each(['', 'x', '5', '5-', '-0', '5-0.', '5-0.p', '5-0p', '5-0.7x', '5-0.7p ', '5-0\n', `${'1'.repeat(17)}-0`])(
    'do not parse %j',
    (text) => {
      expect(parseEventId(text)).toBeUndefined();
    },
  );
});
