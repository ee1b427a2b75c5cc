import { describe, expect, it } from 'vitest';
import { troubleCards } from './index.ts';

/** The short form of `npm run faults -- cards`. */
describe('card payments', () => {
  it('are neither lost nor doubled while services and engines are killed, and nothing stays held', async () => {
    const { problems, payments } = await troubleCards({ kills: 3, holders: 2, report: () => undefined });
    expect(problems).toEqual([]);
    expect(payments).toBeGreaterThan(0);
  }, 240_000);
});
