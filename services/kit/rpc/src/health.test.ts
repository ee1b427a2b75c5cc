import { describe, expect, it } from 'vitest';
import { createHealthCheck } from './health.ts';

const pings = (result: () => Promise<unknown>) => {
  let count = 0;
  const ping = () => {
    count += 1;
    return result();
  };
  return { ping, count: () => count };
};

describe('health check', () => {
  it('pings a dependency once for concurrent callers', async () => {
    const gate = Promise.withResolvers<void>();
    const store = pings(() => gate.promise);
    const check = createHealthCheck({ store: store.ping });
    const results = Promise.all(Array.from({ length: 100 }, () => check()));
    gate.resolve();
    expect(new Set((await results).map(String))).toEqual(new Set(['']));
    expect(store.count()).toBe(1);
  });

  it('pings again for later callers, and names dependencies that do not respond', async () => {
    let up = false;
    const store = pings(async () => {
      if (!up) throw new Error('away');
    });
    const check = createHealthCheck({ store: store.ping, other: async () => undefined });
    expect(await check()).toEqual(['store']);
    up = true;
    expect(await check()).toEqual([]);
    expect(store.count()).toBe(2);
  });
});
