import { globSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { compressTexts } from './compress.ts';
import { hashInputs } from './hash-inputs.ts';
import { APP_DIR, DIST_DIR, STAMP_FILE } from './places.ts';

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
  // Only now, because loading it takes longer than finding out that there is nothing to build.
  const { build } = await import('vite');
  const startedAt = performance.now();
  const directory = await mkdtemp(join(APP_DIR, '.build-'));
  try {
    await build({
      root: APP_DIR,
      configFile: join(APP_DIR, 'vite.config.ts'),
      logLevel: 'warn',
      mode: 'production',
      build: { outDir: directory, emptyOutDir: true },
    });
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
