import { closeSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { runStep } from '@florin/local';

const TIMEOUT_MS = 60_000;

/** Several times what the engines write in a run; only what is used takes memory. */
const SIZE = '2g';

const LARGE_BYTES = 4 * 1024 * 1024;
const SMALL_BYTES = 4096;

/** A file system of its own, which can be full without filling that of the machine. */
export type Disk = {
  /** Takes all the space that is left, to the last page; again when some was released meanwhile. */
  fill: () => void;
  /** Gives the space back. */
  release: () => void;
};

const run = (command: string, ...args: string[]): Promise<string> => runStep({ command, args, timeoutMs: TIMEOUT_MS });

const isFull = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ENOSPC';

/** Appends pages to a file until there is no space for another one. */
const fillWith = (path: string): void => {
  const file = openSync(path, 'a');
  try {
    for (const bytes of [LARGE_BYTES, SMALL_BYTES]) {
      const page = Buffer.alloc(bytes);
      try {
        for (;;) writeSync(file, page);
      } catch (error) {
        if (!isFull(error)) throw error;
      }
    }
  } finally {
    closeSync(file);
  }
};

/**
 * Puts a directory with its files on a disk in memory. It must run inside of the namespaces of `runInNamespaces`, whose end removes the disk.
 * @param directories of which there is one: engines name theirs differently
 */
export const mountDisk = async ([directory, ...others]: readonly string[]): Promise<Disk> => {
  if (directory === undefined || others.length > 0) throw new Error('the engine does not have one directory');
  const former = `${directory}-before`;
  renameSync(directory, former);
  await run('mkdir', directory);
  await run('mount', '-t', 'tmpfs', '-o', `size=${SIZE}`, 'mongodb', directory);
  await run('cp', '--archive', `${former}/.`, directory);
  rmSync(former, { recursive: true });
  const ballast = join(directory, 'ballast');
  return { fill: () => fillWith(ballast), release: () => rmSync(ballast, { force: true }) };
};
