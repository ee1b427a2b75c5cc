import { createHash } from 'node:crypto';
import { globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';

/** The files of a package that decide the result of a build. */
const OF_PACKAGE = ['{src,public,build,offline}/**/*.*', 'index.html', 'package.json', 'tsconfig.json', 'vite.config.ts'];

/** Decides the result of every build: this package, and the versions of all others. */
const SHARED = [resolve(import.meta.dirname, '..'), resolve(import.meta.dirname, '../../../package-lock.json')] as const;

const inputsIn = (directory: string): string[] =>
  globSync(OF_PACKAGE, { cwd: directory })
    .filter((path) => !/\.test\.tsx?$/.test(path))
    .sort()
    .map((path) => resolve(directory, path));

/** The SHA-256 of everything that decides the result of a build: paths and contents. @param uses directories of other packages that are bundled as well */
export const hashInputs = async (directory: string, uses: readonly string[]): Promise<string> => {
  const [own, lockfile] = SHARED;
  const root = resolve(lockfile, '..');
  const hash = createHash('sha256');
  for (const file of [...[directory, ...uses, own].flatMap(inputsIn), lockfile]) {
    const content = await readFile(file);
    hash.update(`${file.slice(root.length)}\0${content.length}\0`).update(content);
  }
  return hash.digest('hex');
};
