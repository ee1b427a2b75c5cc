import { access } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { processEnvironment } from '@florin/rpc/config';
import { type Browser, chromium } from 'playwright-core';

/** Where distributions install Chromium, after `CHROMIUM_PATH`. */
const PATHS = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

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
 * @returns undefined, after one line that says why, where Chromium is missing
 */
export const openBrowser = async (report: (line: string) => void): Promise<Browser | undefined> => {
  const executablePath = await findChromium();
  if (executablePath === undefined) {
    report('Browser: Chromium is not installed; set CHROMIUM_PATH');
    return undefined;
  }
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
