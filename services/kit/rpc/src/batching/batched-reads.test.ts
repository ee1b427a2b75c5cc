import { describe, expect, it } from 'vitest';
import { createBatchedReads } from './batched-reads.ts';

/** A store whose queries end when the test ends them. */
const createStore = (start: 'now' | 'turn' = 'now') => {
  const queries: { ids: readonly string[]; end: (found: Record<string, string> | Error) => void }[] = [];
  const read = createBatchedReads<string>(
    (ids) =>
      new Promise((resolve, reject) => {
        queries.push({ ids, end: (found) => (found instanceof Error ? reject(found) : resolve(new Map(Object.entries(found)))) });
      }),
    { concurrency: 2, maxItems: 100, start },
  );
  const idsOf = (index: number) => queries[index]?.ids;
  return {
    read,
    idsOf,
    count: () => queries.length,
    end: (index: number, found: Record<string, string> | Error) => queries[index]?.end(found),
  };
};

describe('batched reads', () => {
  it('query at once while few queries run', async () => {
    const { read, idsOf, end } = createStore();
    const both = Promise.all([read('a'), read('b')]);
    expect([idsOf(0), idsOf(1)]).toEqual([['a'], ['b']]);
    end(0, { a: '1' });
    end(1, {});
    expect(await both).toEqual(['1', undefined]);
  });

  it('that arrive while queries run share a later one, which sees what was written in between', async () => {
    const { read, idsOf, count, end } = createStore();
    const first = [read('a'), read('b')];
    const later = [read('a'), read('c'), read('c')];
    expect(count()).toBe(2);
    end(0, { a: 'old' });
    expect(await first[0]).toBe('old');
    expect(idsOf(2)).toEqual(['a', 'c']);
    end(2, { a: 'new', c: '3' });
    expect(await Promise.all(later)).toEqual(['new', '3', '3']);
    end(1, {});
    expect(await first[1]).toBeUndefined();
  });

  it('have at most a hundred ids per query', async () => {
    const { read, idsOf, end } = createStore();
    const blocking = [read('x'), read('y')];
    const all = Array.from({ length: 150 }, (_, index) => read(`${index}`));
    end(0, {});
    end(1, {});
    await Promise.all(blocking);
    expect([idsOf(2)?.length, idsOf(3)?.length]).toEqual([100, 50]);
    end(2, {});
    end(3, {});
    expect(await Promise.all(all)).toHaveLength(150);
  });

  it('fail together, and later ones do not', async () => {
    const { read, end } = createStore();
    const blocking = [read('x'), read('y')];
    const shared = [read('a'), read('b')];
    end(0, new Error('down'));
    await expect(blocking[0]).rejects.toThrow('down');
    end(2, new Error('still down'));
    for (const one of shared) await expect(one).rejects.toThrow('still down');
    const next = read('c');
    end(3, { c: '3' });
    expect(await next).toBe('3');
    end(1, {});
    await blocking[1];
  });

  it('of one turn of the event loop share a query where they wait for it', async () => {
    const { read, idsOf, count, end } = createStore('turn');
    const all = Promise.all([read('a'), read('b'), read('a')]);
    expect(count()).toBe(0);
    await Promise.resolve();
    expect([count(), idsOf(0)]).toEqual([1, ['a', 'b']]);
    end(0, { a: '1', b: '2' });
    expect(await all).toEqual(['1', '2', '1']);
  });
});
