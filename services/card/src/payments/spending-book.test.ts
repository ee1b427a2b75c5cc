import { describe, expect, it } from 'vitest';
import type { Spending } from '../domain/spending.ts';
import type { SpendingStore } from '../store/spendings.ts';
import { createSpendingBook } from './spending-book.ts';

/** A store that several processes share, with the number of reads of whole documents. */
const createStore = () => {
  const stored = new Map<string, Spending>();
  const calls = { finds: 0, saves: 0 };
  const spendings = {
    find: async (id: string) => {
      calls.finds += 1;
      return stored.get(id);
    },
    findSettings: async (id: string) => {
      const found = stored.get(id);
      return found === undefined ? undefined : { limits: found.limits, controls: found.controls, clockAhead: found.clockAhead };
    },
    save: async (current: Spending, next: Spending) => {
      await Promise.resolve();
      calls.saves += 1;
      if ((stored.get(current.id)?.revision ?? 0) !== current.revision) return false;
      stored.set(next.id, { ...next, revision: current.revision + 1 });
      return true;
    },
  } as unknown as SpendingStore;
  return { stored, calls, spendings };
};

type Book = ReturnType<typeof createSpendingBook>;

/** Counts up to 10. @returns whether there was room */
const count = (book: Book): Promise<boolean> =>
  book.change('card', (spending) =>
    spending.clockAhead < 10
      ? { spending: { ...spending, clockAhead: spending.clockAhead + 1 }, result: true }
      : { spending, result: false },
  );

describe('books of several processes', () => {
  it('never exceed a limit together, and leave no room unused', async () => {
    const { spendings, stored } = createStore();
    const books = [createSpendingBook({ spendings }), createSpendingBook({ spendings }), createSpendingBook({ spendings })];
    const results = await Promise.all(Array.from({ length: 30 }, (_, index) => count(books[index % 3] as Book)));
    expect(results.filter((counted) => counted)).toHaveLength(10);
    expect(stored.get('card')?.clockAhead).toBe(10);
  });

  it('decline by what is stored, not by what they remember', async () => {
    const { spendings } = createStore();
    const [one, other] = [createSpendingBook({ spendings }), createSpendingBook({ spendings })];
    for (let turn = 0; turn < 10; turn += 1) await count(one);
    expect(await count(one)).toBe(false);
    await other.change('card', (spending) => ({ spending: { ...spending, clockAhead: 5 }, result: undefined }));
    expect(await count(one)).toBe(true);
  });

  it('see settings of another process at once', async () => {
    const { spendings } = createStore();
    const [one, other] = [createSpendingBook({ spendings }), createSpendingBook({ spendings })];
    await count(one);
    await other.change('card', (spending) => ({ spending: { ...spending, controls: { atmOff: true } }, result: undefined }));
    expect((await one.look('card')).controls).toEqual({ atmOff: true });
  });
});

describe('a book', () => {
  it('reads a document once, and not again while it is the only writer', async () => {
    const { spendings, calls } = createStore();
    const book = createSpendingBook({ spendings });
    await book.look('card');
    for (let turn = 0; turn < 10; turn += 1) await count(book);
    expect(calls).toEqual({ finds: 1, saves: 10 });
  });

  it('writes deferred changes with the next one', async () => {
    const { spendings, stored, calls } = createStore();
    const book = createSpendingBook({ spendings });
    await count(book);
    book.defer('card', (spending) => ({ ...spending, clockAhead: spending.clockAhead + 5 }));
    await count(book);
    expect([stored.get('card')?.clockAhead, calls.saves]).toEqual([7, 2]);
  });

  it('starts from what is stored after a write whose outcome is unknown', async () => {
    const { spendings, stored } = createStore();
    const book = createSpendingBook({ spendings });
    await count(book);
    const { save } = spendings;
    spendings.save = async (current, next) => {
      await save(current, next);
      throw new Error('the connection was lost');
    };
    await expect(count(book)).rejects.toThrow();
    spendings.save = save;
    await count(book);
    expect(stored.get('card')?.clockAhead).toBe(3);
  });
});
