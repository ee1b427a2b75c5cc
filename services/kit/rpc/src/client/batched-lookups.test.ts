import { describe, expect, it } from 'vitest';
import { REQUEST_ID_HEADER } from '../request-id.ts';
import { beginCall } from '../tracing/index.ts';
import { createBatchedLookups } from './batched-lookups.ts';

type Asked = { ids: readonly string[]; options: { headers?: Record<string, string>; timeoutMs: number } };

const TIMEOUT_MS = 1500;

const createRecords = (records: Record<string, string>) => {
  const asked: Asked[] = [];
  const find = createBatchedLookups<string>(TIMEOUT_MS, (ids, options) => {
    asked.push({ ids, options });
    return Promise.resolve(new Map(ids.flatMap((id) => (records[id] === undefined ? [] : [[id, records[id]] as const]))));
  });
  return { asked, find };
};

describe('batched lookups', () => {
  it('find what is asked at once with one call, each id once', async () => {
    const { asked, find } = createRecords({ a: '1', b: '2' });
    expect(await Promise.all(['a', 'b', 'c', 'a'].map(find))).toEqual(['1', '2', undefined, '1']);
    expect(asked).toEqual([{ ids: ['a', 'b', 'c'], options: { timeoutMs: TIMEOUT_MS } }]);
  });

  it('see what was written before they were asked, though a call for the same id is under way', async () => {
    const records: Record<string, string> = { a: 'old' };
    const { asked, find } = createRecords(records);
    const before = find('a');
    await Promise.resolve();
    records['a'] = 'new';
    expect(await find('a')).toBe('new');
    expect(await before).toBe('old');
    expect(asked).toHaveLength(2);
  });

  it('carry the id of a request that they serve', async () => {
    const { asked, find } = createRecords({ a: '1' });
    await beginCall('request-1', undefined).run(() => find('a'));
    expect(asked[0]?.options.headers).toEqual({ [REQUEST_ID_HEADER]: 'request-1' });
  });

  it('fail with the error of the call', async () => {
    const find = createBatchedLookups<string>(TIMEOUT_MS, () => Promise.reject(new Error('down')));
    await expect(Promise.all([find('a'), find('b')])).rejects.toThrow('down');
  });

  it('keep the time of each caller while no call ends', async () => {
    const find = createBatchedLookups<string>(20, () => new Promise(() => undefined));
    const turn = () => new Promise((resolve) => setTimeout(resolve, 15));
    const all: Promise<unknown>[] = [];
    // More calls than may be under way at the same time.
    for (let count = 0; count < 20; count += 1) {
      all.push(find(`${count}`).catch((error: unknown) => error));
      await turn();
    }
    expect(await Promise.all(all)).toEqual(all.map(() => expect.objectContaining({ code: 'SERVICE_UNAVAILABLE' })));
  });
});
