import { expect, it } from 'vitest';
import { compareRecoverers } from './signatures.ts';

/** The short form of `npm run fuzz -- signatures`. */
it('the libraries that recover keys agree on random and altered signatures', async () => {
  const { failure, compared, recovered } = await compareRecoverers(1000);
  expect(failure).toBeUndefined();
  expect(compared).toBe(1000);
  expect(recovered).toBeGreaterThan(700);
}, 60_000);
