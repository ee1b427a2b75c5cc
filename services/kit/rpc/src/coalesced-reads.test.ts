import { describe, expect, it } from 'vitest';
import { createCoalescedReads } from './coalesce.ts';

/** A store whose queries end when the test ends them. */
const createStore = () => {
  const queries: { ids: readonly string[]; end: (found: Record<string, string> | Error) => void }[] = [];
  const read = createCoalescedReads<string>({
    maxCalls: 2,
    maxItems: 100,
    load: (ids) =>
      new Promise((resolve, reject) => {
        queries.push({ ids, end: (found) => (found instanceof Error ? reject(found) : resolve(new Map(Object.entries(found)))) });
      }),
  });
  return {
    read,
    idsOf: (index: number) => queries[index]?.ids,
    count: () => queries.length,
    end: (index: number, found: Record<string, string> | Error) => queries[index]?.end(found),
  };
};
const turn = () => new Promise((resolve) => setImmediate(resolve));

/** A store with two queries under way. */
const createBusyStore = async () => {
  const store = createStore();
  const first = store.read('x');
  await turn();
  const second = store.read('y');
  await turn();
  return { ...store, blocking: [first, second] as const };
};

describe('coalesced reads', () => {
  it('query at once while few queries run', async () => {
    const { read, idsOf, end, blocking } = await createBusyStore();
    expect([idsOf(0), idsOf(1)]).toEqual([['x'], ['y']]);
    end(0, { x: '1' });
    end(1, {});
    expect(await Promise.all(blocking)).toEqual(['1', undefined]);
    const both = Promise.all([read('a'), read('b'), read('a')]);
    await turn();
    expect(idsOf(2)).toEqual(['a', 'b']);
    end(2, { b: '2' });
    expect(await both).toEqual([undefined, '2', undefined]);
  });

  it('that arrive while queries run share a later one, which sees what was written in between', async () => {
    const { read, idsOf, count, end, blocking } = await createBusyStore();
    const later = [read('x'), read('c'), read('c')];
    await turn();
    expect(count()).toBe(2);
    end(0, { x: 'old' });
    expect(await blocking[0]).toBe('old');
    await turn();
    expect(idsOf(2)).toEqual(['x', 'c']);
    end(2, { x: 'new', c: '3' });
    expect(await Promise.all(later)).toEqual(['new', '3', '3']);
    end(1, {});
    expect(await blocking[1]).toBeUndefined();
  });

  it('of an id that a query under way is reading wait for another query', async () => {
    const { read, idsOf, end, blocking } = await createBusyStore();
    const again = read('x');
    end(0, { x: 'old' });
    end(1, {});
    await Promise.all(blocking);
    await turn();
    expect(idsOf(2)).toEqual(['x']);
    end(2, { x: 'new' });
    expect(await again).toBe('new');
  });

  it('have at most a hundred ids per query', async () => {
    const { read, idsOf, end, blocking } = await createBusyStore();
    const all = Array.from({ length: 150 }, (_, index) => read(`${index}`));
    end(0, {});
    end(1, {});
    await Promise.all(blocking);
    await turn();
    expect([idsOf(2)?.length, idsOf(3)?.length]).toEqual([100, 50]);
    end(2, {});
    end(3, {});
    expect(await Promise.all(all)).toHaveLength(150);
  });

  it('fail together, and later ones do not', async () => {
    const { read, end, blocking } = await createBusyStore();
    const shared = [read('a'), read('b')];
    end(0, new Error('down'));
    await expect(blocking[0]).rejects.toThrow('down');
    await turn();
    end(2, new Error('still down'));
    for (const one of shared) await expect(one).rejects.toThrow('still down');
    const next = read('c');
    await turn();
    end(3, { c: '3' });
    expect(await next).toBe('3');
    end(1, {});
    await blocking[1];
  });
});
