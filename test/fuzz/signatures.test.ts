import { scaled } from '@florin/rpc/testing/scaled';
import { expect, it } from 'vitest';
import { compareRecoverers } from './signatures.ts';

const COUNT = scaled(1000);

/** The short form of `npm run fuzz -- signatures`. */
it('the libraries that recover keys agree on random and altered signatures', async () => {
  const { failure, compared, recovered } = await compareRecoverers(COUNT);
  expect(failure).toBeUndefined();
  expect(compared).toBe(COUNT);
  expect(recovered).toBeGreaterThan(COUNT * 0.7);
}, 60_000);
