import type { BrowserContext, Page } from 'playwright-core';

/** How much slower a phone's processor is than this one, as Lighthouse assumes. */
const SLOWDOWN = 4;

/** Part of the page: keeps what the browser measures by itself. */
const OBSERVE = `
  window.measured = { paint: 0, events: [] };
  new PerformanceObserver((list) => { for (const { startTime } of list.getEntries()) measured.paint = startTime; })
    .observe({ type: 'largest-contentful-paint', buffered: true });
  new PerformanceObserver((list) => { for (const { interactionId, duration, name, target } of list.getEntries()) if (interactionId > 0) measured.events.push({ interactionId, duration, on: name + ' ' + (target?.closest?.('a, button, input')?.textContent || target?.nodeName || 'what closed') }); })
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

/** When the browser first drew something of the page that is open, in milliseconds from the start of the navigation. */
export const firstPaintMs = (page: Page): Promise<number> =>
  page.evaluate<number>(
    `new Promise((resolve) => { const look = () => { const [paint] = performance.getEntriesByName('first-contentful-paint'); paint === undefined ? setTimeout(look, 50) : resolve(paint.startTime); }; look(); })`,
  );

/** An interaction, for example a press: how long its slowest event took until the next paint, in milliseconds, in steps of eight; which event, and on what. */
export type Interaction = { duration: number; on: string };

type Interactions = {
  /** Interaction to Next Paint as web-vitals defines it: the slowest interaction, without one for each fifty, so near the 98th percentile. */
  inpMs: number;
  worst: Interaction;
  /** How many there were, those included that took less than 16 milliseconds and have no entry. */
  count: number;
};

/** The interactions with a page so far (Event Timing). */
export const interactionsOf = async (page: Page): Promise<Interactions> => {
  await frames(page);
  const { events, count } = await page.evaluate<{ events: (Interaction & { interactionId: number })[]; count: number }>(
    '({ events: measured.events, count: performance.interactionCount })',
  );
  const slowest = Map.groupBy(events, ({ interactionId }) => interactionId)
    .values()
    .map((of) => of.reduce((one, other) => (other.duration > one.duration ? other : one)))
    .toArray()
    .toSorted((a, b) => b.duration - a.duration);
  const none = { duration: 0, on: 'nothing' };
  const inp = slowest[Math.min(slowest.length - 1, Math.floor(count / 50))] ?? none;
  return { inpMs: inp.duration, worst: slowest[0] ?? none, count };
};
