import { fakeClock } from '@florin/rpc/testing';
import { expect, it } from 'vitest';
import { createRecentAccounts } from './recent-accounts.ts';

const facts = (id: string) => ({ id, chainId: 100, nativeCurrency: 'EUR', additionalCurrencies: [] });

const start = (accounts: Record<string, string | undefined>, maxUsers?: number) => {
  const clock = fakeClock();
  const asked: string[] = [];
  const recent = createRecentAccounts(
    async (userId) => {
      asked.push(userId);
      const id = accounts[userId];
      return id === undefined ? undefined : facts(id);
    },
    clock.now,
    maxUsers,
  );
  return { recent, clock, asked, accounts };
};

it('asks once for a few seconds', async () => {
  const { recent, clock, asked, accounts } = start({ ann: 'a1' });
  expect((await recent.find('ann'))?.id).toBe('a1');
  accounts['ann'] = 'a2';
  clock.advanceSeconds(4);
  expect((await recent.find('ann'))?.id).toBe('a1');
  clock.advanceSeconds(1);
  expect((await recent.find('ann'))?.id).toBe('a2');
  expect(asked).toEqual(['ann', 'ann']);
});

it('remembers nobody who was not found', async () => {
  const { recent, accounts } = start({});
  expect(await recent.find('ann')).toBeUndefined();
  accounts['ann'] = 'a1';
  expect((await recent.find('ann'))?.id).toBe('a1');
});

it('forgets when told', async () => {
  const { recent, accounts } = start({ ann: 'a1' });
  await recent.find('ann');
  accounts['ann'] = 'a2';
  recent.forget('ann');
  expect((await recent.find('ann'))?.id).toBe('a2');
});

it('keeps those that were asked for last', async () => {
  const { recent, asked } = start({ ann: 'a', ben: 'b', cem: 'c' }, 2);
  for (const userId of ['ann', 'ben', 'ann', 'cem', 'ann', 'ben']) await recent.find(userId);
  expect(asked).toEqual(['ann', 'ben', 'cem', 'ben']);
});
