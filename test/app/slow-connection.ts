import type { Page } from 'playwright-core';

/** A slow mobile connection: 50 KB a second, and 400 milliseconds until an answer begins. */
const SLOW = { offline: false, latency: 400, downloadThroughput: 50_000, uploadThroughput: 50_000 };

/** Slows the connection of a page down, and not that of its service worker, which fetches at full speed. */
export const slowConnection = async (page: Page): Promise<void> => {
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  await session.send('Network.emulateNetworkConditions', SLOW);
};
