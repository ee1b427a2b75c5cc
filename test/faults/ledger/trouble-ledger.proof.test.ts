import { describe, expect, it } from 'vitest';
import { troubleLedger } from './index.ts';

/** The short form of `npm run faults -- ledger`. */
describe('two ledger processes on two shards', () => {
  it('lose and double nothing while they and the engines are killed, stopped, cut off, and given a wrong clock', async () => {
    const { problems, entries } = await troubleLedger({ kills: 3, callers: 4, report: () => undefined });
    expect(problems).toEqual([]);
    expect(entries).toBeGreaterThan(0);
  }, 300_000);
});
