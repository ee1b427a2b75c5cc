import { expect, it } from 'vitest';
import { newSpending, type SpendingEntry } from '../domain/spending.ts';
import { createKnownSpendings } from './known-spendings.ts';

const entry = (paymentId: string): SpendingEntry => ({ paymentId, at: new Date(), atm: false, revision: 1, amount: 1n, reservations: [] });
const spending = (id: string, count: number, revision = 1) => ({
  ...newSpending(id),
  entries: Array.from({ length: count }, (_, index) => entry(String(index))),
  revision,
});

it('keeps the latest revision', () => {
  const known = createKnownSpendings();
  known.put(spending('a', 1, 2));
  known.put(spending('a', 1, 1));
  expect(known.get('a')?.revision).toBe(2);
  known.remove('a');
  known.put(spending('a', 1, 1));
  expect(known.get('a')?.revision).toBe(1);
});

it('forgets the documents that were put the longest ago beyond its size', () => {
  const known = createKnownSpendings(10);
  known.put(spending('a', 3));
  known.put(spending('b', 3));
  known.put(spending('a', 3, 2));
  known.put(spending('c', 3));
  expect(['a', 'b', 'c'].map((id) => known.get(id) !== undefined)).toEqual([true, false, true]);
  known.put(spending('d', 20));
  expect(['a', 'c', 'd'].map((id) => known.get(id) !== undefined)).toEqual([false, false, false]);
});
