import { linkSync, readFileSync, renameSync, rmSync, unlinkSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { isSameProcess, processIdentity } from '../processes/process-identity.ts';

type Holder = { pid: number; identity: string; token: string };

export type Lock = { release: () => void };

/** Raised when a live process holds the lock; `pid` is the pid of that process. */
export class LockHeldError extends Error {
  readonly pid: number;

  constructor(path: string, pid: number) {
    super(`${path} is held by process ${pid}`);
    this.name = 'LockHeldError';
    this.pid = pid;
  }
}

let counter = 0;

/**
 * Takes the lock at `path`. The file is linked into place with its content complete, so readers never see a partial file. A lock
 * whose holder is gone is replaced immediately, even if another process has been given the holder's pid.
 *
 * Not `proper-lockfile`: it detects a dead holder only by a timestamp that goes stale after at least two seconds, so a restart after
 * SIGKILL would have to wait, a launcher that blocks that long would lose its lock, and the error could not name the holder.
 *
 * @throws LockHeldError
 */
export const takeLock = (path: string): Lock => {
  const identity = processIdentity(process.pid) ?? 'unknown';
  const token = `${process.pid}-${counter++}-${Date.now()}`;
  const own = `${path}.${token}`;
  writeFileSync(own, JSON.stringify({ pid: process.pid, identity, token } satisfies Holder), { mode: 0o600 });
  try {
    for (;;) {
      if (tryLink(own, path)) return { release: () => release(path, token) };
      const holder = readHolder(path);
      if (holder === undefined) continue;
      if (holder !== 'unreadable' && isSameProcess(holder.pid, holder.identity)) {
        throw new LockHeldError(path, holder.pid);
      }
      discardStale(path, holder === 'unreadable' ? undefined : holder.token);
    }
  } finally {
    rmSync(own, { force: true });
  }
};

/** Takes the lock, waiting while a live process holds it; `onWait` is called once, with the pid of that process. */
export const waitForLock = async (path: string, onWait: (pid: number) => void, signal?: AbortSignal): Promise<Lock> => {
  let reported = false;
  for (;;) {
    signal?.throwIfAborted();
    try {
      return takeLock(path);
    } catch (error) {
      if (!(error instanceof LockHeldError)) throw error;
      if (!reported) onWait(error.pid);
      reported = true;
      await sleep(250);
    }
  }
};

const tryLink = (from: string, to: string): boolean => {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
};

const readHolder = (path: string): Holder | 'unreadable' | undefined => {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
  try {
    const value = JSON.parse(text) as Partial<Holder>;
    if (typeof value.pid === 'number' && typeof value.identity === 'string' && typeof value.token === 'string') {
      return { pid: value.pid, identity: value.identity, token: value.token };
    }
  } catch {
    // Not a lock file that any version of this code has written: it has no holder.
  }
  return 'unreadable';
};

/** Removes the stale lock; restores it if another process has replaced it with a fresh one in the meantime. */
const discardStale = (path: string, staleToken: string | undefined): void => {
  const aside = `${path}.stale-${process.pid}-${counter++}`;
  try {
    renameSync(path, aside);
  } catch {
    return;
  }
  const moved = readHolder(aside);
  const isFresh = moved !== undefined && moved !== 'unreadable' && moved.token !== staleToken;
  if (isFresh) tryLink(aside, path);
  rmSync(aside, { force: true });
};

const release = (path: string, token: string): void => {
  const holder = readHolder(path);
  if (holder !== undefined && holder !== 'unreadable' && holder.token === token) unlinkSync(path);
};
