import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { openAhead } from './open-ahead.ts';

const ITEMS = Array.from({ length: 20 }, (_, index) => index);

/** Opens that end when a test says so. */
const createOpens = () => {
  const waiting = new Map<number, PromiseWithResolvers<string>>();
  return {
    waiting,
    open: (item: number): Promise<string> => {
      const one = Promise.withResolvers<string>();
      waiting.set(item, one);
      return one.promise.finally(() => waiting.delete(item));
    },
  };
};

const collect = async (items: AsyncGenerator<string>, found: string[] = []): Promise<string[]> => {
  for await (const item of items) found.push(item);
  return found;
};

describe('openAhead', () => {
  it('opens a few at a time, and yields them in their order, whichever is there first', async () => {
    const { waiting, open } = createOpens();
    let most = 0;
    const all = collect(openAhead(ITEMS, open));
    for (let done = 0; done < ITEMS.length; ) {
      await turn();
      most = Math.max(most, waiting.size);
      const last = [...waiting.keys()].at(-1);
      if (last === undefined) continue;
      waiting.get(last)?.resolve(`opened ${last}`);
      done += 1;
    }
    expect(await all).toEqual(ITEMS.map((item) => `opened ${item}`));
    expect(most).toBe(4);
  });

  it('opens nothing for nothing', async () => {
    const { open } = createOpens();
    expect(await collect(openAhead([], open))).toEqual([]);
  });

  it('throws an error in its turn, after what came before, and begins nothing more', async () => {
    const { waiting, open } = createOpens();
    const found: string[] = [];
    const all = collect(openAhead(ITEMS, open), found);
    await turn();
    waiting.get(2)?.reject(new Error('gone'));
    waiting.get(1)?.resolve('opened 1');
    await turn();
    expect(found).toEqual([]);
    waiting.get(0)?.resolve('opened 0');
    for (const item of [3, 4, 5]) {
      while (!waiting.has(item)) await turn();
      waiting.get(item)?.resolve(`opened ${item}`);
    }
    await expect(all).rejects.toThrow('gone');
    expect(found).toEqual(['opened 0', 'opened 1']);
    expect(waiting.size).toBe(0);
  });
});
