import { randomUUID } from 'node:crypto';
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest';
import { collectProblems } from './page-problems.ts';

/** As long as a loaded machine may take to start all that the tests of a file need. */
export const START_MS = 300_000;

/** As long as it may take for one step. */
const PATIENCE_MS = 60_000;

/** Expects of a value that it will be as it should. */
export const expectSoon = <T>(read: () => T | Promise<T>) => expect.poll(read, { timeout: PATIENCE_MS });

/** A new e-mail address, short enough for pictures. */
export const newEmail = (name = 'ada'): string => `${name}-${randomUUID().slice(0, 8)}@example.org`;

/** A clock that goes on by itself, as pages, countdowns and passkeys expect, and can be moved. */
export const runningClock = () => {
  let ahead = 0;
  return {
    now: () => new Date(Date.now() + ahead),
    advanceSeconds: (seconds: number) => {
      ahead += seconds * 1000;
    },
  };
};

/** Starts something for the tests of a file, and closes it after them. @returns it, while they run */
export const startForTests = <T extends { close: () => Promise<unknown> }>(start: () => Promise<T>): (() => T) => {
  let started: T | undefined;
  beforeAll(async () => {
    started = await start();
  }, START_MS);
  afterAll(() => started?.close());
  return () => {
    if (started === undefined) throw new Error('it is there only while the tests run');
    return started;
  };
};

export type Look = {
  /** Language of the browser. Default: English. */
  locale?: 'en-GB' | 'de-DE' | 'fr-FR' | undefined;
  viewport: { width: number; height: number };
  /** The browser keeps the app for a start without a connection; requests of its pages cannot be intercepted then. Default: no. */
  keepsApp?: boolean;
};

/**
 * Opens a browser with cookies of its own, until the test ends.
 * @returns it, and what must not happen in it: expected to be empty at the end of the test; a test that causes some takes it out
 */
export const openContext = async (
  browser: Browser,
  { locale = 'en-GB', viewport, keepsApp = false }: Look,
): Promise<{ context: BrowserContext; problems: string[] }> => {
  const context = await browser.newContext({
    ...{ locale, viewport, timezoneId: 'Europe/Berlin' },
    serviceWorkers: keepsApp ? 'allow' : 'block',
  });
  context.setDefaultTimeout(PATIENCE_MS);
  context.setDefaultNavigationTimeout(PATIENCE_MS);
  const problems = await collectProblems(context);
  onTestFinished(async () => {
    await context.close();
    expect(problems).toEqual([]);
  });
  return { context, problems };
};

/** The response of a busy machine; pressing again does the same thing once. */
const BUSY = /UPSTREAM_TIMEOUT|SERVICE_UNAVAILABLE/;

/** Presses a button until what it leads to is there; any new failure but that of a busy machine is one. */
export const press = async (page: Page, pressed: Locator, leadsTo: Locator): Promise<void> => {
  const failures = page.locator('.notice-bad');
  const after = (text: string | undefined): Locator => (text === undefined ? failures : failures.filter({ hasNotText: text }));
  const idle = pressed.and(page.locator(':not([aria-disabled])'));
  let failure = after((await failures.allTextContents())[0]);
  for (;;) {
    // Looked for from the start: what a click leads to may be gone again once a busy machine says that it has clicked.
    await Promise.all([leadsTo.or(failure).first().waitFor(), pressed.click()]);
    if (await leadsTo.isVisible()) return;
    const [text] = await failure.allTextContents();
    // The element was there for a moment.
    if (text === undefined) return;
    if (!BUSY.test(text)) throw new Error(text);
    // It names its request: that of the next one is another.
    failure = after(text);
    // It may be that of another part of the screen: what was pressed goes on, or has worked and is gone.
    await leadsTo.or(idle).first().waitFor();
    if (await leadsTo.isVisible()) return;
  }
};
