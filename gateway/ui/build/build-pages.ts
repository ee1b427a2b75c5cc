import { execFile } from 'node:child_process';
import { globSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { compressTexts } from './compress.ts';
import { hashInputs } from './hash-inputs.ts';

const run = promisify(execFile);

export type Pages = {
  /** The first lines of reports. */
  name: string;
  /** The package; its files are built into its `dist`. */
  directory: string;
  /** Directories of the other packages that are bundled with it, besides this one. */
  uses: readonly string[];
};

/** Moves a file into its place in one step, so that no reader finds a part of it. */
const place = async (from: string, to: string): Promise<void> => {
  await mkdir(dirname(to), { recursive: true });
  await rename(from, to);
};

/**
 * Replaces the built pages. The page comes after the files that it names, and files that it no longer names go last, so that a server that reads
 * in between finds one of the two whole.
 */
const publish = async (made: string, dist: string): Promise<void> => {
  const isPage = (path: string): boolean => path === 'index.html';
  const files = globSync('**/*.*', { cwd: made }).sort((a, b) => Number(isPage(a)) - Number(isPage(b)));
  for (const path of files) await place(join(made, path), join(dist, path));
  const current = new Set(files);
  for (const path of globSync('**/*.*', { cwd: dist })) if (!current.has(path)) await rm(join(dist, path), { force: true });
};

/**
 * Builds pages into the `dist` of their package, unless they were built from the same inputs before.
 * @param report is told one line when there is something to build
 * @throws Error when a source cannot be built; what was built before stays
 */
export const buildPages = async ({ name, directory, uses }: Pages, report: (line: string) => void): Promise<void> => {
  const dist = join(directory, 'dist');
  // Names the inputs that the files beside it were built from.
  const stampFile = join(dist, 'inputs.sha256');
  const inputs = await hashInputs(directory, uses);
  if ((await readFile(stampFile, 'utf8').catch(() => '')) === inputs) return;
  const startedAt = performance.now();
  const made = await mkdtemp(join(directory, '.build-'));
  try {
    // The whole environment of the bundler: what it makes must not depend on that of its caller, such as a test run. It looks for settings in a
    // home directory, which the user of an image's build may lack.
    const env = { NODE_ENV: 'production', HOME: directory };
    const { stderr } = await run(process.execPath, [join(import.meta.dirname, 'bundle.ts'), directory, made], { env });
    for (const line of stderr.split('\n')) if (line.trim() !== '') report(`${name}: ${line}`);
    await compressTexts(made);
    const stamp = join(made, 'stamp');
    await publish(made, dist);
    await writeFile(stamp, inputs);
    await rename(stamp, stampFile);
  } finally {
    await rm(made, { recursive: true, force: true });
  }
  report(`${name}: built in ${((performance.now() - startedAt) / 1000).toFixed(1)} s`);
};
