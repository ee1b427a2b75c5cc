import { fakeClock } from '@florin/rpc/testing';
import { expect, it } from 'vitest';
import { createRecentAccounts } from './recent-accounts.ts';

const facts = (id: string) => ({ id, chainId: 100, nativeCurrency: 'EUR', additionalCurrencies: [] });

const start = (accounts: Record<string, string | undefined>, maxUsers?: number) => {
  const clock = fakeClock();
  const lookups: string[] = [];
  const recent = createRecentAccounts(
    async (userId) => {
      lookups.push(userId);
      const id = accounts[userId];
      return id === undefined ? undefined : facts(id);
    },
    clock.now,
    maxUsers,
  );
  return { recent, clock, lookups, accounts };
};

it('looks an account up once in five seconds', async () => {
  const { recent, clock, lookups, accounts } = start({ ann: 'a1' });
  expect((await recent.find('ann'))?.id).toBe('a1');
  accounts['ann'] = 'a2';
  clock.advanceSeconds(4);
  expect((await recent.find('ann'))?.id).toBe('a1');
  clock.advanceSeconds(1);
  expect((await recent.find('ann'))?.id).toBe('a2');
  expect(lookups).toEqual(['ann', 'ann']);
});

it('does not remember that a user has no account', async () => {
  const { recent, accounts } = start({});
  expect(await recent.find('ann')).toBeUndefined();
  accounts['ann'] = 'a1';
  expect((await recent.find('ann'))?.id).toBe('a1');
});

it('looks a forgotten account up again', async () => {
  const { recent, accounts } = start({ ann: 'a1' });
  await recent.find('ann');
  accounts['ann'] = 'a2';
  recent.forget('ann');
  expect((await recent.find('ann'))?.id).toBe('a2');
});

it('evicts the least recently used account', async () => {
  const { recent, lookups } = start({ ann: 'a', ben: 'b', cem: 'c' }, 2);
  for (const userId of ['ann', 'ben', 'ann', 'cem', 'ann', 'ben']) await recent.find(userId);
  expect(lookups).toEqual(['ann', 'ben', 'cem', 'ben']);
});
