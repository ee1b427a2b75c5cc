import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createDecisionLock } from './decision-lock.ts';

const lock = createDecisionLock();

describe('decision lock', () => {
  it('admits one holder at a time and reports contention', async () => {
    const id = randomUUID();
    let inside = 0;
    const seen: boolean[] = [];
    const work = async (contended: boolean) => {
      seen.push(contended);
      inside += 1;
      expect(inside).toBe(1);
      // Without a timer: a machine that stalls would let the others' time run out.
      for (let turn = 0; turn < 20; turn += 1) await undefined;
      inside -= 1;
    };
    await Promise.all(Array.from({ length: 5 }, () => lock(id, work)));
    expect(seen).toEqual([false, true, true, true, true]);
  });

  it('is held per challenge and released afterwards, even after a failure', async () => {
    const id = randomUUID();
    await expect(lock(id, () => Promise.reject(new Error('inside')))).rejects.toThrow('inside');
    await lock(id, async (contended) => {
      expect(contended).toBe(false);
      await lock(randomUUID(), async (other) => expect(other).toBe(false));
    });
  });

  it('bounds the wait for a held lock', async () => {
    const id = randomUUID();
    const { promise: end, resolve } = Promise.withResolvers<void>();
    const holder = lock(id, () => end);
    expect(await lock(id, async (contended) => contended)).toBe(true);
    resolve();
    await holder;
  });

  it('is free again after each holder', async () => {
    const id = randomUUID();
    for (let count = 0; count < 3; count += 1) await lock(id, async (contended) => expect(contended).toBe(false));
  });
});
