import { linkSync, readFileSync, renameSync, rmSync, unlinkSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { isSameProcess, processIdentity } from '../processes/process-identity.ts';

type Holder = { pid: number; identity: string; token: string };

export type Lock = { release(): void };

/** Raised when a live process holds the lock; `pid` is that process. */
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
 * Takes the lock at `path` or throws `LockHeldError`. The file is linked into place with its content complete, so nobody
 * sees half of it; a lock whose holder is gone is replaced, also when the machine has given its pid to someone else.
 */
export function takeLock(path: string): Lock {
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
}

/** Takes the lock, waiting while a live process holds it; `onWait` is called once when it has to wait. */
export async function waitForLock(path: string, onWait: (pid: number) => void, signal?: AbortSignal): Promise<Lock> {
  let told = false;
  for (;;) {
    signal?.throwIfAborted();
    try {
      return takeLock(path);
    } catch (error) {
      if (!(error instanceof LockHeldError)) throw error;
      if (!told) onWait(error.pid);
      told = true;
      await sleep(250);
    }
  }
}

function tryLink(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

function readHolder(path: string): Holder | 'unreadable' | undefined {
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
    // Fall through: a file that no version of this code writes belongs to nobody.
  }
  return 'unreadable';
}

/** Removes the stale lock, and puts it back if a faster process has replaced it with a fresh one in between. */
function discardStale(path: string, staleToken: string | undefined): void {
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
}

function release(path: string, token: string): void {
  const holder = readHolder(path);
  if (holder !== undefined && holder !== 'unreadable' && holder.token === token) unlinkSync(path);
}
