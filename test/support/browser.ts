import { access } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { processEnvironment } from '@florin/rpc/config';
import { nodeTools } from './node-tools.ts';

/** Where distributions install Chromium, after `CHROMIUM_PATH`. */
const PATHS = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** The part of playwright-core's interface that the tests use. */
export type Page = {
  goto: (url: string) => Promise<unknown>;
  evaluate: <T>(script: string) => Promise<T>;
  setViewportSize: (size: { width: number; height: number }) => Promise<void>;
  emulateMedia: (media: { colorScheme: 'light' | 'dark' }) => Promise<void>;
  exposeFunction: (name: string, fn: (...args: never[]) => unknown) => Promise<void>;
  close: () => Promise<void>;
};
type BrowserProcess = { newPage: () => Promise<Page>; close: () => Promise<void> };
type Playwright = { chromium: { launch: (options: { executablePath: string; args: string[] }) => Promise<BrowserProcess> } };

const findChromium = async (): Promise<string | undefined> => {
  for (const path of [processEnvironment()['CHROMIUM_PATH'] ?? '', ...PATHS]) {
    const isThere = await access(path).then(
      () => true,
      () => false,
    );
    if (isThere) return path;
  }
  return undefined;
};

/**
 * Starts Chromium, in which every host under `.example` is this machine.
 * @returns undefined, after one line that says why, where Chromium or playwright-core is missing
 */
export const openBrowser = async (report: (line: string) => void): Promise<BrowserProcess | undefined> => {
  const executablePath = await findChromium();
  if (executablePath === undefined) {
    report('Browser: Chromium is not installed; set CHROMIUM_PATH');
    return undefined;
  }
  const folder = await nodeTools({ 'playwright-core': '1.65.1' }, report);
  if (folder === undefined) return undefined;
  const entry = pathToFileURL(join(folder, 'node_modules/playwright-core/index.mjs')).href;
  const { chromium } = (await import(entry)) as Playwright;
  return chromium.launch({ executablePath, args: ['--no-sandbox', '--host-resolver-rules=MAP *.example 127.0.0.1'] });
};

/** Serves an empty page on a free port of this machine, under every host name. */
export const servePage = async (): Promise<{ port: number; close: () => void }> => {
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html').end('<!doctype html><title>app</title>');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { port: (server.address() as AddressInfo).port, close: () => server.close() };
};
