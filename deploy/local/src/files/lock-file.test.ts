import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryDirectory } from '../testing/temporary-directory.ts';
import { LockHeldError, takeLock, waitForLock } from './lock-file.ts';

describe('a lock file', () => {
  it('is held by one', () => {
    const path = join(temporaryDirectory(), 'lock');
    const lock = takeLock(path);
    expect(() => takeLock(path)).toThrow(LockHeldError);
    lock.release();
    takeLock(path).release();
    expect(existsSync(path)).toBe(false);
  });

  it.each([
    { holder: 'a process that is gone', content: JSON.stringify({ pid: 2 ** 22 + 1, identity: 'x:1', token: 'a' }) },
    { holder: 'a process whose pid has been given away', content: JSON.stringify({ pid: process.pid, identity: 'x:1', token: 'a' }) },
    { holder: 'nobody that can be read', content: '{"pid":' },
  ])('of $holder is replaced', ({ content }) => {
    const directory = temporaryDirectory();
    const path = join(directory, 'lock');
    writeFileSync(path, content);
    const lock = takeLock(path);
    expect(() => takeLock(path)).toThrow(LockHeldError);
    lock.release();
    expect(readdirSync(directory)).toEqual([]);
  });

  it('is not released by one who lost it', () => {
    const path = join(temporaryDirectory(), 'lock');
    const lost = takeLock(path);
    writeFileSync(path, JSON.stringify({ pid: process.pid, identity: 'x:1', token: 'other' }));
    lost.release();
    expect(existsSync(path)).toBe(true);
  });

  it('can be waited for', async () => {
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

  it('stops being waited for when the wait is cancelled', async () => {
    const path = join(temporaryDirectory(), 'lock');
    const lock = takeLock(path);
    const cancel = new AbortController();
    const waiting = waitForLock(path, () => cancel.abort(new Error('cancelled')), cancel.signal);
    await expect(waiting).rejects.toThrow('cancelled');
    lock.release();
  });
});
