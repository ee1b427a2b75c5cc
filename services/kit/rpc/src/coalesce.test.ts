import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createCoalescer } from './coalesce.ts';
import { CodedError } from './errors/index.ts';

const codeOf = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => 'no error',
    (error: { code?: unknown }) => error.code,
  );

/** A service that settles each call when it is told to. */
const createService = () => {
  const calls: { items: readonly string[]; timeoutMs: number | undefined; settle: (error?: CodedError) => void }[] = [];
  const send = (items: readonly string[], { timeoutMs }: { timeoutMs: number | undefined }): Promise<string[]> => {
    const { promise, resolve, reject } = Promise.withResolvers<string[]>();
    calls.push({ items, timeoutMs, settle: (error) => (error === undefined ? resolve(items.map((item) => `${item}!`)) : reject(error)) });
    return promise;
  };
  return { calls, options: { send, maxItems: 3, maxCalls: 1 } };
};
const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('a coalescer', () => {
  it('sends what arrives during a call with the next one, in order, each caller with its own outcome', async () => {
    const { calls, options } = createService();
    const submit = createCoalescer(options);
    const first = submit('a');
    await turn();
    const rest = ['b', 'c', 'd', 'e'].map((item) => submit(item));
    await turn();
    expect(calls.map(({ items }) => items)).toEqual([['a']]);
    calls[0]?.settle();
    expect(await first).toBe('a!');
    for (const call of [1, 2]) {
      await turn();
      calls[call]?.settle();
    }
    expect(await Promise.all(rest)).toEqual(['b!', 'c!', 'd!', 'e!']);
    expect(calls.map(({ items }) => items)).toEqual([['a'], ['b', 'c', 'd'], ['e']]);
  });

  describe('with a spacing', () => {
    beforeEach(() => {
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    });
    afterEach(() => {
      vi.useRealTimers();
    });
    const spaced = (spacingMs = 100, maxRestMs = 0) => {
      const { calls, options } = createService();
      return { calls, submit: createCoalescer({ ...options, maxCalls: 2, spacingMs, maxRestMs }) };
    };

    it('sends the first item at once, and those that follow soon together', async () => {
      const { calls, submit } = spaced();
      void submit('a');
      await turn();
      calls[0]?.settle();
      await turn();
      void submit('b');
      vi.advanceTimersByTime(99);
      void submit('c');
      await turn();
      expect(calls.map(({ items }) => items)).toEqual([['a']]);
      vi.advanceTimersByTime(2);
      await turn();
      expect(calls.map(({ items }) => items)).toEqual([['a'], ['b', 'c']]);
    });

    it('does not delay an item after a pause, nor as many as a call may have', async () => {
      const { calls, submit } = spaced();
      void submit('a');
      await turn();
      vi.advanceTimersByTime(101);
      void submit('b');
      await turn();
      expect(calls.map(({ items }) => items)).toEqual([['a'], ['b']]);
      calls[0]?.settle();
      await turn();
      for (const item of ['c', 'd', 'e', 'f']) void submit(item);
      await turn();
      expect(calls.map(({ items }) => items)).toEqual([['a'], ['b'], ['c', 'd', 'e']]);
    });

    it.each([
      [10, 10],
      [19, 19],
      [40, 20],
    ])('after a call of %i ms, rests for %i ms before it sends what arrived meanwhile', async (tookMs, restMs) => {
      const { calls, submit } = spaced(2, 20);
      void submit('a');
      await turn();
      vi.advanceTimersByTime(tookMs);
      void submit('b');
      calls[0]?.settle();
      await turn();
      vi.advanceTimersByTime(restMs - 1);
      void submit('c');
      await turn();
      expect(calls.map(({ items }) => items)).toEqual([['a']]);
      vi.advanceTimersByTime(2);
      await turn();
      expect(calls.map(({ items }) => items)).toEqual([['a'], ['b', 'c']]);
    });

    it('does not delay an item that comes after the rest', async () => {
      const { calls, submit } = spaced(2, 20);
      void submit('a');
      await turn();
      vi.advanceTimersByTime(10);
      calls[0]?.settle();
      await turn();
      vi.advanceTimersByTime(11);
      void submit('b');
      await turn();
      expect(calls.map(({ items }) => items)).toEqual([['a'], ['b']]);
    });

    it('sends what arrives during a call when the call ends, or 50 ms after its start', async () => {
      const { calls, submit } = spaced(2);
      void submit('a');
      await turn();
      vi.advanceTimersByTime(10);
      void submit('b');
      await turn();
      expect(calls.map(({ items }) => items)).toEqual([['a']]);
      calls[0]?.settle();
      await turn();
      expect(calls.map(({ items }) => items)).toEqual([['a'], ['b']]);
      void submit('c');
      await turn();
      vi.advanceTimersByTime(49);
      await turn();
      expect(calls.map(({ items }) => items)).toEqual([['a'], ['b']]);
      vi.advanceTimersByTime(2);
      await turn();
      expect(calls.map(({ items }) => items)).toEqual([['a'], ['b'], ['c']]);
    });

    it('sends what arrived during a short call once the spacing is over', async () => {
      const { calls, submit } = spaced(20);
      void submit('a');
      await turn();
      void submit('b');
      await turn();
      calls[0]?.settle();
      await turn();
      vi.advanceTimersByTime(19);
      await turn();
      expect(calls.map(({ items }) => items)).toEqual([['a']]);
      vi.advanceTimersByTime(2);
      await turn();
      expect(calls.map(({ items }) => items)).toEqual([['a'], ['b']]);
    });
  });

  it('keeps as many calls in flight as allowed', async () => {
    const { calls, options } = createService();
    const submit = createCoalescer({ ...options, maxItems: 1, maxCalls: 2 });
    const results = ['a', 'b', 'c'].map((item) => submit(item));
    await turn();
    expect(calls).toHaveLength(2);
    calls[1]?.settle();
    expect(await results[1]).toBe('b!');
    await turn();
    expect(calls).toHaveLength(3);
    calls[0]?.settle();
    calls[2]?.settle();
    expect(await Promise.all(results)).toEqual(['a!', 'b!', 'c!']);
  });

  it('keeps calls within the largest weight, and sends a heavier item by itself', async () => {
    const { calls, options } = createService();
    const submit = createCoalescer({ ...options, weigh: (item) => item.length, maxWeight: 10 });
    const results = ['123456', '12345', 'x'.repeat(20), '1'].map((item) => submit(item));
    for (const call of [0, 1, 2, 3]) {
      await turn();
      calls[call]?.settle();
    }
    expect(await Promise.all(results)).toHaveLength(4);
    expect(calls.map(({ items }) => items.length)).toEqual([1, 1, 1, 1]);
  });

  it('repeats a call that failed because of one item, so that only its caller gets the error', async () => {
    const sent: string[] = [];
    const submit = createCoalescer<string, string>({
      maxItems: 100,
      maxCalls: 1,
      mayBlameItem: (error) => error instanceof CodedError && error.code === 'FORBIDDEN',
      send: (items) => {
        sent.push(items.join(''));
        return items.includes('x') ? Promise.reject(new CodedError('FORBIDDEN')) : Promise.resolve(items);
      },
    });
    const results = [...'abcxefgh'].map((item) => codeOf(submit(item)));
    expect(await Promise.all(results)).toEqual(['no error', 'no error', 'no error', 'FORBIDDEN', ...Array(4).fill('no error')]);
    expect(sent).toEqual(['abcxefgh', 'abcx', 'efgh', 'ab', 'cx', 'c', 'x']);
  });

  it('does not repeat a call whose outcome is unknown', async () => {
    const { calls, options } = createService();
    const submit = createCoalescer({ ...options, mayBlameItem: (error) => error instanceof CodedError && error.code === 'FORBIDDEN' });
    const results = ['a', 'b'].map((item) => codeOf(submit(item)));
    await turn();
    calls[0]?.settle(new CodedError('SERVICE_UNAVAILABLE'));
    expect(await Promise.all(results)).toEqual(['SERVICE_UNAVAILABLE', 'SERVICE_UNAVAILABLE']);
    expect(calls).toHaveLength(1);
  });

  it('rejects every item of a call with the wrong number of outcomes', async () => {
    const submit = createCoalescer<string, string>({ maxItems: 10, maxCalls: 1, send: () => Promise.resolve(['a']) });
    const results = ['a', 'b'].map((item) => codeOf(submit(item)));
    expect(await Promise.all(results)).toEqual(['INTERNAL_ERROR', 'INTERNAL_ERROR']);
  });

  it('keeps the deadline of each caller, and does not send an item after its own', async () => {
    const { calls, options } = createService();
    const submit = createCoalescer(options);
    const slow = submit('a', { timeoutMs: 60_000 });
    await turn();
    expect(await codeOf(submit('b', { timeoutMs: 1 }))).toBe('SERVICE_UNAVAILABLE');
    const last = [submit('c', { timeoutMs: 30_000 }), submit('d', { timeoutMs: 90_000 })];
    calls[0]?.settle();
    await slow;
    await turn();
    calls[1]?.settle();
    expect(await Promise.all(last)).toEqual(['c!', 'd!']);
    expect(calls.map(({ items }) => items)).toEqual([['a'], ['c', 'd']]);
    // A call lasts as long as the most patient of its callers waits.
    expect(calls[1]?.timeoutMs).toBeGreaterThan(30_000);
  });
});
