import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { ROOT } from '../support/settings.ts';

const DIST = join(ROOT, 'gateway/app/dist');

/**
 * Collects the scripts that a page loads from now on.
 * @returns a function that adds up their sizes as they were built, gzipped, in bytes
 */
export const collectScripts = (page: Page): (() => Promise<number>) => {
  const paths = new Set<string>();
  page.on('request', (request) => {
    if (request.resourceType() === 'script') paths.add(new URL(request.url()).pathname.replace(/^\/app\//, ''));
  });
  return async () => {
    const sizes = await Promise.all([...paths].map(async (path) => (await readFile(join(DIST, `${path}.gz`))).length));
    return sizes.reduce((sum, size) => sum + size, 0);
  };
};

/** Counts the bytes that a page transfers from now on, compressed and with their headers. @returns a function that tells how many */
export const countBytes = async (page: Page): Promise<() => number> => {
  const session = await page.context().newCDPSession(page);
  let bytes = 0;
  session.on('Network.loadingFinished', ({ encodedDataLength }) => {
    bytes += encodedDataLength;
  });
  await session.send('Network.enable');
  return () => bytes;
};
