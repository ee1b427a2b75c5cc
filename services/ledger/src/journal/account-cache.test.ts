import { describe, expect, it } from 'vitest';
import { accountState } from '../domain/account-state.ts';
import { createAccountCache } from './account-cache.ts';

const account = (amount: number) => accountState('active', [['EURe/available', BigInt(amount)]]);

describe('the accounts that were used lately', () => {
  it('are at most twice as many as asked for, the last ones among them', () => {
    const cache = createAccountCache(10);
    for (let index = 0; index < 100; index += 1) {
      cache.set(String(index), account(index));
      expect(cache.get('0')).toEqual(account(0));
    }
    const kept = Array.from({ length: 100 }, (_, index) => String(index)).filter((id) => cache.get(id) !== undefined);
    expect(kept.length).toBeLessThanOrEqual(20);
    expect(kept).toContain('99');
  });

  it('are as they were set last, in both generations', () => {
    const cache = createAccountCache(2);
    cache.set('a', account(1));
    for (const id of ['b', 'c', 'a', 'd', 'e']) {
      cache.set(id, account(id === 'a' ? 2 : 0));
      expect(cache.get('a')).toEqual(account(['b', 'c'].includes(id) ? 1 : 2));
    }
  });
});
