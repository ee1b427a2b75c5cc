import type { Role } from '@florin/back-office/contract';
import type { Environment } from '@florin/rpc/config';
import type { Browser, BrowserContext, CDPSession, Page } from 'playwright-core';
import type { TestContext } from 'vitest';
import { startBackOffice } from '../support/back-office.ts';
import { openBrowser } from '../support/browser.ts';
import { type Look, openContext, runningClock, startForTests } from '../support/in-browser.ts';
import { type PlatformInProcess, startPlatformInProcess } from '../support/platform-in-process.ts';

const DESK = { width: 1280, height: 800 };

/** An operator at a browser of their own, which keeps their passkeys. */
export type Seat = {
  page: Page;
  context: BrowserContext;
  /** Makes the passkey refuse, as somebody who closes its window. */
  refusePasskey: (refuses: boolean) => Promise<void>;
};

export type OfficeInBrowser = {
  platform: PlatformInProcess;
  url: string;
  /** A link that makes a new operator of who follows it. */
  invite: (email: string, ...roles: readonly Role[]) => Promise<string>;
  /** Opens a browser at an address, until the test ends; without Chromium the test is skipped. */
  sit: (test: TestContext, address: string, locale?: Look['locale']) => Promise<Seat>;
  close: () => Promise<void>;
};

/** Gives a page a passkey that is inside its device, and confirms who is there. */
const addAuthenticator = async (page: Page): Promise<{ client: CDPSession; authenticatorId: string }> => {
  const client = await page.context().newCDPSession(page);
  await client.send('WebAuthn.enable');
  const { authenticatorId } = await client.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return { client, authenticatorId };
};

const report = (line: string) => void process.stdout.write(`${line}\n`);

type Options = {
  /** Environment of the chain service; without it there is none. */
  chain?: Environment;
  /** Environment of the settlement service; without it there is none. */
  settlement?: Environment;
  /** More of the back office's own environment, which may need its address. */
  office?: (origin: string) => Promise<Environment>;
};

/** Starts the whole platform, its back office, and Chromium beside them. */
export const startOfficeInBrowser = async (
  env: Environment = {},
  { chain, settlement, office }: Options = {},
): Promise<OfficeInBrowser> => {
  const started = await Promise.all([
    startPlatformInProcess(env, {
      clock: runningClock(),
      events: {},
      ...(chain === undefined ? {} : { chain }),
      ...(settlement === undefined ? {} : { settlement }),
    }),
    openBrowser(report),
  ]);
  const [platform, browser]: [PlatformInProcess, Browser | undefined] = started;
  const { url, invite, close } = await startBackOffice(platform, office);

  const sit: OfficeInBrowser['sit'] = async ({ skip }, address, locale) => {
    if (browser === undefined) return skip('Chromium is not available');
    const { context } = await openContext(browser, { locale, viewport: DESK });
    const page = await context.newPage();
    const { client, authenticatorId } = await addAuthenticator(page);
    await page.goto(address);
    const refusePasskey = async (refuses: boolean): Promise<void> => {
      await client.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: !refuses });
    };
    return { page, context, refusePasskey };
  };

  return {
    platform,
    url,
    invite: (email, ...roles) => invite(email, roles),
    sit,
    close: async () => {
      await browser?.close();
      await close();
      await platform.close();
    },
  };
};

/** Starts the back office for the tests of a file, and closes it after them. */
export const openOffice = (...given: Parameters<typeof startOfficeInBrowser>): Omit<OfficeInBrowser, 'close'> => {
  const office = startForTests(() => startOfficeInBrowser(...given));
  return {
    get platform() {
      return office().platform;
    },
    get url() {
      return office().url;
    },
    invite: (email, ...roles) => office().invite(email, ...roles),
    sit: (...seat) => office().sit(...seat),
  };
};
