import { DEFAULT_ASSETS } from '@florin/rpc/assets';
import { expect, it } from 'vitest';
import { createLimitsOf, uncollectedLimits } from './collection-limits.ts';

const CONFIGURED = { GBPe: 5n };
const WHOLE = 10n ** 18n;

it('bound what is spent from Safes that allow nothing to be collected, outside the sandbox without being asked to', async () => {
  const limitsOf = (SANDBOX: boolean, own?: { token: string; amount: string }[]) =>
    createLimitsOf(
      async () => (own === undefined ? undefined : { collectionLimits: own }),
      uncollectedLimits(DEFAULT_ASSETS, { UNCOLLECTED_LIMITS: CONFIGURED, SANDBOX }),
      () => new Date(),
    )('account');
  const [live, sandbox] = [await limitsOf(false), await limitsOf(true)];
  expect([live?.get('EURe'), live?.get('GBPe'), live?.get('USDC.e')]).toEqual([1000n * WHOLE, 5n, 1_000_000_000n]);
  expect(sandbox).toEqual(new Map(Object.entries(CONFIGURED)));
  const allowing = await limitsOf(false, [{ token: 'EURe', amount: '7' }]);
  expect([allowing?.get('EURe'), allowing?.get('GBPe'), allowing?.get('USDC.e')]).toEqual([7n, 5n, 1_000_000_000n]);
});

it('are those that a Safe allows some seconds later, for an account that was read before', async () => {
  let now = 0;
  let own: { token: string; amount: string }[] = [];
  const limitsOf = createLimitsOf(
    async () => ({ collectionLimits: own }),
    new Map(),
    () => new Date(now),
  );
  await limitsOf('account');
  own = [{ token: 'EURe', amount: '7' }];
  expect((await limitsOf('account'))?.size).toBe(0);
  now = 5001;
  expect((await limitsOf('account'))?.get('EURe')).toBe(7n);
});
