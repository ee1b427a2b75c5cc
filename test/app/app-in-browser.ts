import type { Environment } from '@florin/rpc/config';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { expect, onTestFinished, type TestContext } from 'vitest';
import { openBrowser } from '../support/browser.ts';
import { type PlatformInProcess, startPlatformInProcess } from '../support/platform-in-process.ts';
import type { AnnouncedWallet } from './announced-wallet.ts';
import { collectProblems } from './page-problems.ts';

export type Visit = {
  /** Announced to the pages of the visitor; without one the browser has no wallet. */
  wallet?: AnnouncedWallet;
  /** Another one. */
  secondWallet?: AnnouncedWallet;
  /** The browser lets pages keep nothing. */
  forbidsStorage?: boolean;
  /** Language of the browser. Default: English. */
  locale?: 'en-GB' | 'de-DE';
  /** Default: the width of a phone. */
  viewport?: { width: number; height: number };
  /** Where the visitor begins, below /app. */
  path?: string;
};

/** A visitor: a browser with cookies of its own, and its first tab. */
export type Visitor = {
  context: BrowserContext;
  page: Page;
  /** What must not happen, and is expected to be empty at the end of the test; a test that causes some takes it out. */
  problems: string[];
  /** Opens another tab of the same browser. */
  openTab: (path?: string) => Promise<Page>;
};

export type AppInBrowser = {
  platform: PlatformInProcess;
  /** The address of the app. */
  url: string;
  /** Opens the app for a new visitor, until the test ends; without Chromium the test is skipped. */
  visit: (test: TestContext, visit?: Visit) => Promise<Visitor>;
  close: () => Promise<void>;
};

/** A clock that goes on by itself, as pages and their countdowns expect, and can be moved. */
const runningClock = () => {
  let ahead = 0;
  return {
    now: () => new Date(Date.now() + ahead),
    advanceSeconds: (seconds: number) => {
      ahead += seconds * 1000;
    },
  };
};

/** As long as a loaded machine may take for one step. */
const PATIENCE_MS = 60_000;

/** Expects of a value that it will be as it should. */
export const expectSoon = <T>(read: () => T | Promise<T>) => expect.poll(read, { timeout: PATIENCE_MS });

const NO_STORAGE =
  "Object.defineProperty(window, 'localStorage', { get: () => { throw new DOMException('The operation is insecure.', 'SecurityError'); } })";

type Options = {
  /** Of the platform; one that stands still where a busy machine must not be too late. */
  clock?: ReturnType<typeof runningClock>;
  /** Environment of the chain service; without it there is none. */
  chain?: Environment;
};

const PHONE = { width: 390, height: 844 };

const report = (line: string) => void process.stdout.write(`${line}\n`);

/**
 * Starts the whole platform, events included, with the built app, and Chromium beside it.
 */
export const startAppInBrowser = async (env: Environment = {}, { clock = runningClock(), chain }: Options = {}): Promise<AppInBrowser> => {
  const started = await Promise.all([
    startPlatformInProcess(env, { clock, events: {}, ...(chain === undefined ? {} : { chain }) }),
    openBrowser(report),
  ]);
  const [platform, browser]: [PlatformInProcess, Browser | undefined] = started;
  const url = `${platform.url}/app`;

  const visit: AppInBrowser['visit'] = async (
    { skip },
    { wallet, secondWallet, forbidsStorage = false, locale = 'en-GB', viewport = PHONE, path = '' } = {},
  ) => {
    if (browser === undefined) return skip('Chromium is not available');
    const context = await browser.newContext({ locale, viewport, timezoneId: 'Europe/Berlin' });
    context.setDefaultTimeout(PATIENCE_MS);
    context.setDefaultNavigationTimeout(PATIENCE_MS);
    const problems = await collectProblems(context);
    onTestFinished(async () => {
      await context.close();
      expect(problems).toEqual([]);
    });
    if (forbidsStorage) await context.addInitScript(NO_STORAGE);
    await wallet?.announceTo(context);
    await secondWallet?.announceTo(context);
    const openTab = async (tabPath = ''): Promise<Page> => {
      const page = await context.newPage();
      await page.goto(`${url}${tabPath}`);
      return page;
    };
    return { context, page: await openTab(path), problems, openTab };
  };

  return {
    platform,
    url,
    visit,
    close: async () => {
      await browser?.close();
      await platform.close();
    },
  };
};
