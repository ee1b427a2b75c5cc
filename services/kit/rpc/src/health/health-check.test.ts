import { describe, expect, it } from 'vitest';
import { createHealthCheck } from './health-check.ts';

const pings = (answer: () => Promise<unknown>) => {
  let count = 0;
  const ping = () => {
    count += 1;
    return answer();
  };
  return { ping, count: () => count };
};

describe('health check', () => {
  it('asks a dependency once, however many want to know at the same time', async () => {
    const gate = Promise.withResolvers<void>();
    const store = pings(() => gate.promise);
    const check = createHealthCheck({ store: store.ping });
    const answers = Promise.all(Array.from({ length: 100 }, () => check()));
    gate.resolve();
    expect(new Set((await answers).map(String))).toEqual(new Set(['']));
    expect(store.count()).toBe(1);
  });

  it('asks anew whoever comes later, and names what does not answer', async () => {
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
