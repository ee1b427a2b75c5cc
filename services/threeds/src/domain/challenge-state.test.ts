import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CHALLENGE_STATUSES, type ChallengeStatus, canBecome, isTerminal, statusAt } from './challenge-state.ts';

/** Row: from. Column: to. `x`: allowed. */
const TABLE = `
            pending processing approved declined cancelled expired failed
pending     .       x          .        .        x         x       x
processing  .       .          x        x        .         .       x
approved    .       .          .        .        .         .       .
declined    .       .          .        .        .         .       .
cancelled   .       .          .        .        .         .       .
expired     .       .          .        .        .         .       .
failed      .       .          .        .        .         .       .
`;

const [columns = [], ...rows] = TABLE.trim()
  .split('\n')
  .map((line) => line.trim().split(/\s+/));
const cells = rows.flatMap(([from, ...marks]) =>
  marks.map((mark, index) => ({ from: from as ChallengeStatus, to: columns[index] as ChallengeStatus, allowed: mark === 'x' })),
);

describe('challenge transitions', () => {
  it('are listed for every pair of statuses', () => {
    expect(cells).toHaveLength(CHALLENGE_STATUSES.length ** 2);
    expect(columns).toEqual([...CHALLENGE_STATUSES]);
  });

  it.each(cells)('$from → $to: $allowed', ({ from, to, allowed }) => {
    expect(canBecome(from, to)).toBe(allowed);
  });

  it('never leave a terminal status', () => {
    expect(CHALLENGE_STATUSES.filter(isTerminal)).toEqual(['approved', 'declined', 'cancelled', 'expired', 'failed']);
    fc.assert(
      fc.property(fc.constantFrom(...CHALLENGE_STATUSES), fc.array(fc.constantFrom(...CHALLENGE_STATUSES)), (start, wishes) => {
        let status = start;
        let ended = isTerminal(start) ? start : undefined;
        for (const wish of wishes) {
          if (canBecome(status, wish)) status = wish;
          if (ended !== undefined) expect(status).toBe(ended);
          if (isTerminal(status)) ended = status;
        }
      }),
    );
  });
});

describe('status at a time', () => {
  const expiresAt = new Date('2026-01-01T00:05:00.000Z');
  const at = (ms: number) => new Date(expiresAt.getTime() + ms);

  it.each([
    [-1, 'pending'],
    [0, 'expired'],
    [1, 'expired'],
  ] as const)('%i ms from its expiry a pending challenge is %s', (ms, status) => {
    expect(statusAt({ status: 'pending', expiresAt }, at(ms))).toBe(status);
  });

  it.each(CHALLENGE_STATUSES.filter((status) => status !== 'pending'))('never changes %s', (status) => {
    for (const ms of [-1, 0, 1]) expect(statusAt({ status, expiresAt }, at(ms))).toBe(status);
  });
});
