import { linkSync, renameSync, rmSync, writeFileSync } from 'node:fs';

/** Replaces a file in one step: a reader sees the old content or the new, and a kill in between leaves the old. */
export function replaceFile(path: string, content: string): void {
  const target = temporary(path);
  writeFileSync(target, content, { mode: 0o600 });
  renameSync(target, path);
}

/** Writes a file unless it is there, in one step. The first of two concurrent writers wins. */
export function writeOnce(path: string, content: string): void {
  const target = temporary(path);
  writeFileSync(target, content, { mode: 0o600 });
  try {
    linkSync(target, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(target, { force: true });
  }
}

let counter = 0;

function temporary(path: string): string {
  return `${path}.${process.pid}-${counter++}.new`;
}
