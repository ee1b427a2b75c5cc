import { describe, expect, it } from 'vitest';
import { type Counted, countIn } from './approval-window.ts';

const AT = new Date('2026-01-31T12:00:00Z');
const RULES = { windowMs: 3_600_000, limitOf: () => 100n };
const order = (id: string, amount: string, at = AT): Counted => ({ id, at, amounts: [['EURe', amount]] });

describe('a window of orders without approval', () => {
  it('counts a repeated order once', () => {
    const once = countIn([], order('a', '100'), RULES);
    expect(countIn(once ?? [], order('a', '100'), RULES)).toEqual(once);
    expect(countIn(once ?? [], order('b', '1'), RULES)).toBeUndefined();
  });

  it('does not replace an order by another one with the same id', () => {
    const counted = countIn([], order('a', '99'), RULES) ?? [];
    const both = countIn(counted, order('a', '1'), RULES) ?? [];
    expect(both).toEqual([order('a', '99'), order('a', '1')]);
    expect(countIn(both, order('b', '1'), RULES)).toBeUndefined();
  });

  it('forgets an order once its time has passed', () => {
    const counted = countIn([], order('a', '100'), RULES) ?? [];
    expect(countIn(counted, order('b', '100', new Date(AT.getTime() + RULES.windowMs)), RULES)).toHaveLength(1);
  });
});
