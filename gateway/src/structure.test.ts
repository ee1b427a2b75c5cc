import { readdir, readFile } from 'node:fs/promises';
import { dirname, join, posix } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadedPackages } from './testing/loaded-packages.ts';

const FORBIDDEN = ['mongoose', 'mongodb', 'viem', 'libphonenumber-js'];

describe('the packages that main.ts loads', () => {
  it('include no database driver, chain library or phone library', async () => {
    const { files, packages } = await loadedPackages(['./src/main.ts']);
    expect(files.some((file) => file.endsWith('/gateway/src/routes/index.ts'))).toBe(true);
    expect(packages).toContain('express');
    expect(FORBIDDEN.filter((name) => packages.has(name))).toEqual([]);
  });

  it.each([
    ['@florin/data/store', 'mongoose'],
    ['viem', 'viem'],
    ['@florin/rpc/phone', 'libphonenumber-js'],
  ])('would include that of a planted import of %s: %s', async (planted, name) => {
    expect((await loadedPackages([planted, './src/main.ts'])).packages).toContain(name);
  });
});

/** The folders of src, top down. A folder imports only from itself and from folders below it. */
const LAYERS: readonly string[] = [
  '.',
  'routes',
  'docs',
  'pages',
  'middleware',
  'http',
  'schemas',
  'proofs',
  'limits',
  'idempotency',
  'partner-requests',
  'clients',
  'streaming',
];

/** May be imported from everywhere: it imports nothing from src. */
const SHARED = 'config.ts';

const IMPORT = /from '(\.[^']+)'/g;

/** Returns the imports that point upwards, of sources given by their path below src. */
const upwardImports = (sources: ReadonlyMap<string, string>): string[] => {
  const layerOf = (path: string): number => LAYERS.indexOf(path.split('/').slice(0, -1)[0] ?? '.');
  return [...sources].flatMap(([path, text]) =>
    [...text.matchAll(IMPORT)]
      .map(([, target = '']) => posix.join(dirname(path), target))
      .filter((target) => target !== SHARED && (layerOf(target) < layerOf(path) || layerOf(target) === -1))
      .map((target) => `${path} -> ${target}`),
  );
};

describe('the folders of src', () => {
  it('import downwards only', async () => {
    const names = (await readdir(import.meta.dirname, { recursive: true })).filter((name) => name.endsWith('.ts'));
    const sources = names.filter((name) => !name.endsWith('.test.ts') && !name.startsWith('testing/'));
    const texts = sources.map(async (name) => [name, await readFile(join(import.meta.dirname, name), 'utf8')] as const);
    expect(sources.length).toBeGreaterThan(80);
    expect(upwardImports(new Map(await Promise.all(texts)))).toEqual([]);
  });

  it.each([
    ['http/admit.ts', '../middleware/access-log.ts', 'middleware/access-log.ts'],
    ['clients/upstream.ts', '../http/send.ts', 'http/send.ts'],
    ['schemas/user.ts', '../routes/user/user.ts', 'routes/user/user.ts'],
    ['routes/user/user.ts', '../../app.ts', 'app.ts'],
    ['http/send.ts', '../unknown/a.ts', 'unknown/a.ts'],
  ])('would fail on an import of %s from %s', (path, specifier, target) => {
    expect(upwardImports(new Map([[path, `import { x } from '${specifier}';`]]))).toEqual([`${path} -> ${target}`]);
  });
});
