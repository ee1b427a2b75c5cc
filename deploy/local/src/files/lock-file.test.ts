import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryDirectory } from '../testing/temporary-directory.ts';
import { LockHeldError, takeLock, waitForLock } from './lock-file.ts';

describe('a lock file', () => {
  it('has one holder at a time', () => {
    const path = join(temporaryDirectory(), 'lock');
    const lock = takeLock(path);
    expect(() => takeLock(path)).toThrow(LockHeldError);
    lock.release();
    takeLock(path).release();
    expect(existsSync(path)).toBe(false);
  });

  it.each([
    { holder: 'a process that has exited', content: JSON.stringify({ pid: 2 ** 22 + 1, identity: 'x:1', token: 'a' }) },
    { holder: 'an earlier process with the same pid', content: JSON.stringify({ pid: process.pid, identity: 'x:1', token: 'a' }) },
    { holder: 'an unreadable holder', content: '{"pid":' },
  ])('of $holder is replaced immediately', ({ content }) => {
    const directory = temporaryDirectory();
    const path = join(directory, 'lock');
    writeFileSync(path, content);
    const lock = takeLock(path);
    expect(() => takeLock(path)).toThrow(LockHeldError);
    lock.release();
    expect(readdirSync(directory)).toEqual([]);
  });

  it('is not released by a former holder', () => {
    const path = join(temporaryDirectory(), 'lock');
    const lost = takeLock(path);
    writeFileSync(path, JSON.stringify({ pid: process.pid, identity: 'x:1', token: 'other' }));
    lost.release();
    expect(existsSync(path)).toBe(true);
  });

  it('can be awaited', async () => {
    const path = join(temporaryDirectory(), 'lock');
    const first = takeLock(path);
    const waited: number[] = [];
    const second = waitForLock(path, (pid) => {
      waited.push(pid);
      first.release();
    });
    (await second).release();
    expect(waited).toEqual([process.pid]);
  });

  it('is no longer awaited after cancellation', async () => {
    const path = join(temporaryDirectory(), 'lock');
    const lock = takeLock(path);
    const cancel = new AbortController();
    const waiting = waitForLock(path, () => cancel.abort(new Error('cancelled')), cancel.signal);
    await expect(waiting).rejects.toThrow('cancelled');
    lock.release();
  });
});
