import { describe, expect, it } from 'vitest';
import { createSleepers } from './time.ts';

const NEVER = new AbortController().signal;
const FOREVER_MS = 2 ** 30;

describe('sleepers', () => {
  it('are woken by their name only', async () => {
    const sleepers = createSleepers();
    const risen: string[] = [];
    const waits = ['a', 'a', 'b'].map((name) => sleepers.wait(name, FOREVER_MS, NEVER).then(() => risen.push(name)));
    sleepers.wake('a');
    await Promise.all(waits.slice(0, 2));
    expect(risen).toEqual(['a', 'a']);
    sleepers.wakeAll();
    await Promise.all(waits);
    expect(risen).toEqual(['a', 'a', 'b']);
    sleepers.wake('a');
  });

  it('sleep on when what happens does not concern them', async () => {
    const sleepers = createSleepers<string>();
    const risen: string[] = [];
    const wait = (own: string) => sleepers.wait('a', FOREVER_MS, NEVER, (what) => what === own).then(() => risen.push(own));
    const waits = ['one', 'other'].map(wait);
    sleepers.wake('a', 'one');
    await waits[0];
    sleepers.wake('a', 'another');
    expect(risen).toEqual(['one']);
    sleepers.wakeAll();
    await Promise.all(waits);
    expect(risen).toEqual(['one', 'other']);
  });

  it('rise when their time is over or their signal aborts', async () => {
    const sleepers = createSleepers();
    await sleepers.wait('a', 1, NEVER);
    await sleepers.wait('a', FOREVER_MS, AbortSignal.abort());
    const controller = new AbortController();
    const waiting = sleepers.wait('a', FOREVER_MS, controller.signal);
    controller.abort();
    await expect(waiting).resolves.toBeUndefined();
  });
});
