import { describeOnEvm } from '@florin/evm/local-chain';
import { seededRandom } from '@florin/rpc/testing/seeded-random';
import { expect, it } from 'vitest';
import { troubleChain } from './index.ts';

/** The short form of `npm run faults -- chain`. */
describeOnEvm('money on a chain', { timeout: 900_000 }, () => {
  it('is booked as it moved, though chain and ledger are killed, the chain is reorganized, nodes lie, and owners leave', async () => {
    const { problems } = await troubleChain({ kills: 2, people: 2, random: seededRandom(1), report: () => undefined });
    expect(problems).toEqual([]);
  });
});
