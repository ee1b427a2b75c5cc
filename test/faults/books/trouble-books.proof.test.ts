import { describeOnEvm } from '@florin/evm/local-chain';
import { seededRandom } from '@florin/rpc/testing/seeded-random';
import { expect, it } from 'vitest';
import { troubleBooks } from './index.ts';

/** The short form of `npm run faults -- books`. */
describeOnEvm('the three books', { timeout: 900_000 }, () => {
  it('agree once there is quiet, though chain, ledger and settlement are killed, the chain is reorganized, and nodes lie', async () => {
    const { problems, collected } = await troubleBooks({ kills: 3, people: 3, random: seededRandom(1), report: () => undefined });
    expect(problems).toEqual([]);
    expect(collected).toBeGreaterThan(0n);
  });
});
