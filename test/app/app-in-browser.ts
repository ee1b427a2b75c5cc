import type { Environment } from '@florin/rpc/config';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import type { TestContext } from 'vitest';
import { openBrowser } from '../support/browser.ts';
import { type Look, openContext, runningClock, startForTests } from '../support/in-browser.ts';
import { type PlatformInProcess, startPlatformInProcess } from '../support/platform-in-process.ts';
import type { AnnouncedWallet } from './announced-wallet.ts';

export type Visit = {
  /** Announced to the pages of the visitor; without one the browser has no wallet. */
  wallet?: AnnouncedWallet;
  /** Another one. */
  secondWallet?: AnnouncedWallet;
  /** The browser lets pages keep nothing. */
  forbidsStorage?: boolean;
  locale?: Look['locale'];
  /** Default: the width of a phone. */
  viewport?: Look['viewport'];
  keepsApp?: boolean;
  /** Where the visitor begins, below /app. */
  path?: string;
};

/** A visitor: a browser with cookies of its own, and its first tab. */
export type Visitor = {
  context: BrowserContext;
  page: Page;
  /** Faults of the page, expected to be empty at the end of the test; a test that causes some takes it out. */
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

const NO_STORAGE =
  "Object.defineProperty(window, 'localStorage', { get: () => { throw new DOMException('The operation is insecure.', 'SecurityError'); } })";

type Options = {
  /** Of the platform; one that stands still where a busy machine must not be too late. */
  clock?: ReturnType<typeof runningClock>;
  /** Environment of the chain service; without it there is none. */
  chain?: Environment;
  /** Environment of the notifications service; without it there is none. */
  notifications?: Environment;
};

const PHONE = { width: 390, height: 844 };

const report = (line: string) => void process.stdout.write(`${line}\n`);

/**
 * Starts the whole platform, events included, with the built app, and Chromium beside it.
 */
export const startAppInBrowser = async (
  env: Environment = {},
  { clock = runningClock(), chain, notifications }: Options = {},
): Promise<AppInBrowser> => {
  const started = await Promise.all([
    startPlatformInProcess(env, {
      clock,
      events: {},
      ...(chain === undefined ? {} : { chain }),
      ...(notifications === undefined ? {} : { notifications }),
    }),
    openBrowser(report),
  ]);
  const [platform, browser]: [PlatformInProcess, Browser | undefined] = started;
  const url = `${platform.url}/app`;

  const visit: AppInBrowser['visit'] = async (
    { skip },
    { wallet, secondWallet, forbidsStorage = false, viewport = PHONE, path = '', ...look } = {},
  ) => {
    if (browser === undefined) return skip('Chromium is not available');
    const { context, problems } = await openContext(browser, { ...look, viewport });
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

/** Starts the app for the tests of a file, and closes it after them. */
export const openApp = (...given: Parameters<typeof startAppInBrowser>): Omit<AppInBrowser, 'close'> => {
  const app = startForTests(() => startAppInBrowser(...given));
  return {
    get platform() {
      return app().platform;
    },
    get url() {
      return app().url;
    },
    visit: (test, visit) => app().visit(test, visit),
  };
};
