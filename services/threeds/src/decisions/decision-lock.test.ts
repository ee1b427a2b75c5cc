import { randomUUID } from 'node:crypto';
import { quietLogger } from '@florin/rpc/testing';
import { describe, expect, it } from 'vitest';
import { createDecisionLock, type DecisionLock, underLock } from './decision-lock.ts';

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
      await new Promise((resolve) => setTimeout(resolve, 10));
      inside -= 1;
    };
    await Promise.all(Array.from({ length: 5 }, () => underLock(lock, id, quietLogger, work)));
    expect(seen).toHaveLength(5);
    expect(seen.filter((contended) => !contended)).toHaveLength(1);
  });

  it('is held per challenge and released afterwards, even after a failure', async () => {
    const id = randomUUID();
    const fail = underLock(lock, id, quietLogger, () => Promise.reject(new Error('inside')));
    await expect(fail).rejects.toThrow('inside');
    await underLock(lock, id, quietLogger, async (contended) => {
      expect(contended).toBe(false);
      await underLock(lock, randomUUID(), quietLogger, async (other) => expect(other).toBe(false));
    });
  });

  it('bounds the wait for a held lock', async () => {
    const id = randomUUID();
    await lock.acquire(id);
    const late = await lock.acquire(id);
    expect(late.contended).toBe(true);
    await late.release();
  });

  it.each<[string, DecisionLock]>([
    ['cannot be acquired', { acquire: () => Promise.reject(new Error('unavailable')) }],
    ['cannot be released', { acquire: async () => ({ contended: true, release: () => Promise.reject(new Error('unavailable')) }) }],
  ])('that %s does not stop the work', async (_name, broken) => {
    expect(await underLock(broken, 'x', quietLogger, async (contended) => contended)).toBe(true);
  });

  it('is free again after each holder', async () => {
    const id = randomUUID();
    for (let count = 0; count < 3; count += 1) await underLock(lock, id, quietLogger, async (contended) => expect(contended).toBe(false));
  });
});
