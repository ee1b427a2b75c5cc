import { describe, expect, it } from 'vitest';
import { depositIdOf } from './deposit.ts';

const event = (number: number) => ({ chainId: 100, txHash: `0x${number}`, logIndex: 0 });

describe('ids of deposits', () => {
  it('are UUIDs of version 8, one per event', () => {
    const id = depositIdOf(event(1));
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(depositIdOf(event(1))).toBe(id);
    expect(depositIdOf({ ...event(1), logIndex: 1 })).not.toBe(id);
    expect(depositIdOf({ ...event(1), chainId: 1 })).not.toBe(id);
    expect(depositIdOf(event(2))).not.toBe(id);
  });
});
