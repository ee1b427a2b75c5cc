import { describe, expect, it } from 'vitest';
import { quietLogger, waitFor } from './testing/index.ts';
import { pause, startRounds, within } from './time.ts';

const NEVER_MS = 3_600_000;

/** Work that a test completes explicitly. */
const openWork = () => {
  let end = (): void => undefined;
  const work = new Promise<void>((resolve) => {
    end = resolve;
  });
  return { work, end };
};

describe('within', () => {
  it('settles as the work does', async () => {
    expect(await within(1000, Promise.resolve(7))).toBe(7);
    await expect(within(1000, Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  });

  it('rejects with SERVICE_UNAVAILABLE when the work takes longer', async () => {
    await expect(within(5, new Promise(() => undefined))).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  });
});

describe('rounds', () => {
  const count = (round: (n: number) => Promise<void> | void, intervalMs = NEVER_MS) => {
    let started = 0;
    const rounds = startRounds({
      round: async () => {
        started += 1;
        await round(started);
      },
      intervalMs,
      logger: quietLogger,
      failed: 'failed',
    });
    return { rounds, started: () => started };
  };

  it('start immediately and repeat, also after a failed round', async () => {
    const { rounds, started } = count(() => Promise.reject(new Error('engine is unavailable')), 5);
    await waitFor('a third round', async () => (started() >= 3 ? true : undefined));
    await rounds.close();
  });

  it('never overlap, and several kicks during one round cause one more', async () => {
    const { work, end } = openWork();
    const { rounds, started } = count((n) => (n === 1 ? work : undefined));
    for (let kick = 0; kick < 5; kick += 1) rounds.kick();
    expect(started()).toBe(1);
    end();
    await waitFor('the second round', async () => (started() === 2 ? true : undefined));
    await pause(20);
    expect(started()).toBe(2);
    rounds.kick();
    expect(started()).toBe(3);
    await rounds.close();
  });

  it('end with the running round when they are closed', async () => {
    const { work, end } = openWork();
    let ended = false;
    const { rounds, started } = count(async () => {
      await work;
      ended = true;
    }, 1);
    rounds.kick();
    const closing = rounds.close();
    end();
    await closing;
    expect(ended).toBe(true);
    rounds.kick();
    expect(started()).toBe(1);
  });

  it('report to the running round that it should end', async () => {
    const seen: boolean[] = [];
    const { work, end } = openWork();
    const rounds = startRounds({
      round: async (closed) => {
        seen.push(closed());
        await work;
        seen.push(closed());
      },
      intervalMs: NEVER_MS,
      logger: quietLogger,
      failed: 'failed',
    });
    const closing = rounds.close();
    end();
    await closing;
    expect(seen).toEqual([false, true]);
  });
});
