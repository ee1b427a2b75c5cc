import { execFile } from 'node:child_process';
import { globSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { compressTexts } from './compress.ts';
import { hashInputs } from './hash-inputs.ts';
import { APP_DIR, DIST_DIR, STAMP_FILE } from './places.ts';

const run = promisify(execFile);

/**
 * The whole environment of the bundler: what it makes must not depend on that of its caller, such as a test run. It looks for settings in a
 * home directory, which the user of an image's build may lack.
 */
const PRODUCTION = { NODE_ENV: 'production', HOME: APP_DIR };

/** Moves a file into its place in one step, so that no reader finds a part of it. */
const place = async (from: string, to: string): Promise<void> => {
  await mkdir(dirname(to), { recursive: true });
  await rename(from, to);
};

/**
 * Replaces the built app. The page comes after the files that it names, and files that it no longer names go last, so that a server that reads
 * in between finds one of the two whole.
 */
const publish = async (made: string): Promise<void> => {
  const isPage = (path: string): boolean => path === 'index.html';
  const files = globSync('**/*.*', { cwd: made }).sort((a, b) => Number(isPage(a)) - Number(isPage(b)));
  for (const path of files) await place(join(made, path), join(DIST_DIR, path));
  const current = new Set(files);
  for (const path of globSync('**/*.*', { cwd: DIST_DIR })) if (!current.has(path)) await rm(join(DIST_DIR, path), { force: true });
};

/**
 * Builds the app into `gateway/app/dist`, unless it was built from the same inputs before.
 * @param report is told one line when there is something to build
 * @throws Error when a source cannot be built; the app that was built before stays
 */
export const buildApp = async (report: (line: string) => void): Promise<void> => {
  const inputs = await hashInputs();
  if ((await readFile(STAMP_FILE, 'utf8').catch(() => '')) === inputs) return;
  const startedAt = performance.now();
  const directory = await mkdtemp(join(APP_DIR, '.build-'));
  try {
    const bundle = join(import.meta.dirname, 'bundle.ts');
    const { stderr } = await run(process.execPath, [bundle, directory], { env: PRODUCTION });
    for (const line of stderr.split('\n')) if (line.trim() !== '') report(`App: ${line}`);
    await compressTexts(directory);
    const stamp = join(directory, 'stamp');
    await publish(directory);
    await writeFile(stamp, inputs);
    await rename(stamp, STAMP_FILE);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
  report(`App: built in ${((performance.now() - startedAt) / 1000).toFixed(1)} s`);
};
