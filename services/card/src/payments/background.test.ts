import { quietLogger } from '@florin/rpc/testing';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createBackground } from './background.ts';

const unhandled = vi.fn();
beforeEach(() => {
  unhandled.mockClear();
  process.on('unhandledRejection', unhandled);
});
afterEach(() => {
  process.off('unhandledRejection', unhandled);
});

/** Unhandled rejections are reported before the next timer. */
const reported = () => new Promise((resolve) => setTimeout(resolve, 1));

it('survives work that fails', async () => {
  const background = createBackground(quietLogger);
  background.run(Promise.reject(new Error('the database is away')));
  await background.settled();
  await reported();
  expect(unhandled).not.toHaveBeenCalled();
});

it('waits for the work that is under way', async () => {
  const background = createBackground(quietLogger);
  const done: string[] = [];
  background.run(Promise.resolve().then(() => done.push('work')));
  await background.settled();
  expect(done).toEqual(['work']);
});
