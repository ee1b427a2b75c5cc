import { linkSync, renameSync, rmSync, writeFileSync } from 'node:fs';

/** Replaces a file atomically: readers see either the old or the new content, and a kill leaves one of them. */
export const replaceFile = (path: string, content: string): void => {
  const target = temporary(path);
  writeFileSync(target, content, { mode: 0o600 });
  renameSync(target, path);
};

/** Writes a file atomically unless it exists. The first of two concurrent writers wins. */
export const writeOnce = (path: string, content: string): void => {
  const target = temporary(path);
  writeFileSync(target, content, { mode: 0o600 });
  try {
    linkSync(target, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(target, { force: true });
  }
};

let counter = 0;

const temporary = (path: string): string => {
  return `${path}.${process.pid}-${counter++}.new`;
};
