import type { BrowserContext, Page } from 'playwright-core';

/** How much slower a phone's processor is than this one, as Lighthouse assumes. */
const SLOWDOWN = 4;

/** Part of the page: keeps what the browser measures by itself. */
const OBSERVE = `
  window.measured = { paint: 0, interactions: [] };
  new PerformanceObserver((list) => { for (const { startTime } of list.getEntries()) measured.paint = startTime; })
    .observe({ type: 'largest-contentful-paint', buffered: true });
  new PerformanceObserver((list) => { for (const { interactionId, duration, name, target } of list.getEntries()) if (interactionId > 0) measured.interactions.push({ duration, on: name + ' ' + (target?.closest?.('a, button, input')?.textContent || target?.nodeName || 'what closed') }); })
    .observe({ type: 'event', buffered: true, durationThreshold: 16 });
`;

/** Opens a page whose processor is slowed down from its first script on. */
export const openSlowPage = async (context: BrowserContext): Promise<Page> => {
  await context.addInitScript(OBSERVE);
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWDOWN });
  return page;
};

/** Waits until what was drawn is measured: the browser reports after the frame. */
const frames = (page: Page): Promise<void> =>
  page.evaluate('new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve, 0))))');

/** Largest contentful paint, in milliseconds from the start of the navigation. A click or a key ends its measurement. */
export const largestPaintMs = async (page: Page): Promise<number> => {
  // The browser reports it some time after the frame.
  await page.evaluate('new Promise((resolve) => { const look = () => (measured.paint > 0 ? resolve() : setTimeout(look, 50)); look(); })');
  await frames(page);
  return page.evaluate<number>('measured.paint');
};

/** An interaction: how long until the next paint, in milliseconds, in steps of eight; which event, and on what. */
export type Interaction = { duration: number; on: string };

/** The interactions so far (Event Timing). Those below 16 milliseconds are not reported, and were fast. */
export const interactionsOf = async (page: Page): Promise<Interaction[]> => {
  await frames(page);
  return page.evaluate<Interaction[]>('measured.interactions');
};
