import { createHash } from 'node:crypto';
import { globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { APP_DIR } from './places.ts';

/** Everything that decides the result of a build, relative to the package: its sources, those of the client, the build, and the versions of all packages. */
const INPUTS = [
  '{src,public,build}/**/*.*',
  'index.html',
  'package.json',
  'tsconfig.json',
  'vite.config.ts',
  '../client/src/**/*.ts',
  '../client/package.json',
  '../../package-lock.json',
];

/** The SHA-256 of the inputs' paths and contents. */
export const hashInputs = async (): Promise<string> => {
  const paths = globSync(INPUTS, { cwd: APP_DIR })
    .filter((path) => !/\.test\.tsx?$/.test(path))
    .sort();
  const hash = createHash('sha256');
  for (const path of paths) {
    const content = await readFile(resolve(APP_DIR, path));
    hash.update(`${path}\0${content.length}\0`).update(content);
  }
  return hash.digest('hex');
};
