import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { gzipSync } from 'node:zlib';
import { bundleScript } from '@florin/image';
import { expect, it } from 'vitest';

const require = createRequire(import.meta.url);

/** The most that an app pays for the client, gzipped. */
const MAX_BYTES = 12.75 * 1024;

/** Loaded with the set-up of an account, and once it has a backup key. */
const LATER = /set-up-signature|safe-control/;

const sizeOf = async (entry: string): Promise<number> =>
  gzipSync(await bundleScript(require.resolve(entry), 'node', [LATER]), { level: 9 }).length;

it.each([
  ['@florin/client', 'src/index.ts', /; (\d+\.\d) KB gzipped/],
  ['@florin/client/viem', 'src/viem/index.ts', /`\/viem` (\d+\.\d) KB/],
])('%s is small, and the README says how small', async (entry, file, pattern) => {
  const size = await sizeOf(entry);
  expect(size).toBeLessThan(MAX_BYTES);
  const readme = readFileSync(require.resolve(entry).replace(file, 'README.md'), 'utf8');
  const [, stated = ''] = pattern.exec(readme) ?? [];
  expect(Math.abs(Number(stated) - size / 1024)).toBeLessThan(0.5);
});
