import { globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
  '.json': 'application/json; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
};

/** Content codings of files, the smallest first. */
export const CODINGS = ['br', 'gzip'] as const;

/** A file, with its compressed forms by content coding. */
export type AppFile = { type: string; plain: Buffer } & Partial<Record<(typeof CODINGS)[number], Buffer>>;

/** The page, and the other files by their paths below `/app/`. */
export type BuiltApp = { page: string; files: ReadonlyMap<string, AppFile> };

const readIfThere = async (path: string): Promise<Buffer | undefined> => readFile(path).catch(() => undefined);

const readAppFile = async (dist: string, path: string): Promise<AppFile> => {
  const file = join(dist, path);
  const [plain, br, gzip] = await Promise.all([readFile(file), readIfThere(`${file}.br`), readIfThere(`${file}.gz`)]);
  return {
    type: TYPES[extname(path)] ?? 'application/octet-stream',
    plain,
    ...(br === undefined ? {} : { br }),
    ...(gzip === undefined ? {} : { gzip }),
  };
};

/**
 * Reads a built app into memory; it is smaller than a megabyte.
 * @param dist where its build has put its files
 * @returns undefined when there is none
 */
export const readBuiltApp = async (dist: string): Promise<BuiltApp | undefined> => {
  const page = await readIfThere(join(dist, 'index.html'));
  if (page === undefined) return undefined;
  const paths = globSync('**/*.*', { cwd: dist }).filter((path) => extname(path) in TYPES);
  const files = await Promise.all(paths.map(async (path) => [path, await readAppFile(dist, path)] as const));
  return { page: page.toString('utf8'), files: new Map(files) };
};
