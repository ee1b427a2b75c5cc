import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { gzipSync } from 'node:zlib';
import { bundleScript } from '@florin/image';
import { expect, it } from 'vitest';

const require = createRequire(import.meta.url);

/** What an app may pay for the client, gzipped. */
const MAX_BYTES = 12 * 1024;

const sizeOf = async (entry: string): Promise<number> => gzipSync(await bundleScript(require.resolve(entry)), { level: 9 }).length;

it('@florin/client is small, and its README says how small', async () => {
  const size = await sizeOf('@florin/client');
  expect(size).toBeLessThan(MAX_BYTES);
  const readme = readFileSync(require.resolve('@florin/client').replace('src/index.ts', 'README.md'), 'utf8');
  const [, stated = ''] = /(\d+\.\d) KB gzipped/.exec(readme) ?? [];
  expect(Math.abs(Number(stated) - size / 1024)).toBeLessThan(0.5);
});
