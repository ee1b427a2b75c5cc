import { setTimeout as delay } from 'node:timers/promises';
import type { BrowserContext, Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { expectSoon, newEmail } from '../support/in-browser.ts';
import { createAnnouncedWallet } from './announced-wallet.ts';
import { openApp } from './app-in-browser.ts';
import { checkScreen } from './check-screen.ts';
import { becomeCardholder, goTo, orderFirstCard, registerAs, signInWith } from './steps.ts';

const RUN_MS = 180_000;

const WALLET = 'Announced Wallet';

/** Longer than an access token lives. */
const LONG_SECONDS = 16 * 60;

const app = openApp();

/** Counts the refreshes of all tabs, and how many of them were under way at once: counted outside the tabs, whose clocks differ by milliseconds. */
const countRefreshes = async (context: BrowserContext) => {
  const counts = { all: 0, underWay: 0, most: 0, statuses: new Set<number>() };
  await context.route('**/app/session/refresh', async (route) => {
    counts.underWay += 1;
    counts.most = Math.max(counts.most, counts.underWay);
    // Long enough for the other tab to come, if it does not wait.
    await delay(1000);
    const response = await route.fetch();
    counts.statuses.add(response.status());
    counts.all += 1;
    // From here on the tab may end its turn.
    counts.underWay -= 1;
    await route.fulfill({ response });
  });
  return counts;
};

it('stays signed in in two tabs whose tokens expire at once: each refreshes, one after the other', { timeout: RUN_MS }, async (test) => {
  const { page, context, openTab } = await app.visit(test, { wallet: createAnnouncedWallet() });
  await becomeCardholder(page, WALLET, newEmail());
  const other = await openTab();
  await other.getByText('€500.00').waitFor();
  const refreshes = await countRefreshes(context);
  app.platform.clock.advanceSeconds(LONG_SECONDS);
  const linkOf = (tab: Page) => tab.getByRole('navigation').getByRole('link', { name: 'Security', exact: true });
  // At once: what is clicked brings its tab to the front, and the other one waits for that.
  await Promise.all([page, other].map((tab) => linkOf(tab).dispatchEvent('click')));
  for (const tab of [page, other]) await tab.getByText('This device').waitFor();
  await expectSoon(() => refreshes.all).toBeGreaterThanOrEqual(2);
  expect([...refreshes.statuses]).toEqual([200]);
  expect(refreshes.most).toBe(1);
  for (const tab of [page, other]) {
    await tab.reload();
    await tab.getByText('This device').waitFor();
  }
});

it('does not take a server that is away for a sign-out', { timeout: RUN_MS }, async (test) => {
  const { page, context, problems } = await app.visit(test, { wallet: createAnnouncedWallet() });
  await becomeCardholder(page, WALLET, newEmail());
  await context.route('**/app/session/refresh', (route) => route.fulfill({ status: 502, body: 'Bad Gateway' }));
  await page.reload();
  await page.getByRole('heading', { level: 1, name: 'We cannot reach Florin' }).waitFor();
  expect(await page.getByRole('button', { name: /^Continue with/ }).count()).toBe(0);
  await checkScreen(page, 'unreachable');
  await context.unroute('**/app/session/refresh');
  await page.getByText('€500.00').waitFor();

  const rest = new RegExp(`^${app.platform.url}/(?:user|auth|pci)\\b`);
  await context.route(rest, (route) => route.fulfill({ status: 502, body: 'Bad Gateway' }));
  await goTo(page, 'Security');
  // One for all parts of the screen.
  const failure = page.locator('main > .notice-bad');
  await failure.waitFor();
  expect(await page.locator('main .panel .notice-bad').count()).toBe(0);
  await checkScreen(page, 'security-away');
  await context.unroute(rest);
  await failure.getByRole('button', { name: 'Try again' }).click();
  await page.getByText('This device').waitFor();
  await failure.waitFor({ state: 'detached' });
  expect(problems.splice(0).every((problem) => problem.includes('502'))).toBe(true);
});

const sessionCookies = async (context: BrowserContext): Promise<string[]> =>
  (await context.cookies()).filter(({ name }) => name.includes('florin-session')).map(({ value }) => value);

it('says that the platform was not told of a sign-out, and tells it later', { timeout: RUN_MS }, async (test) => {
  const { page, context } = await app.visit(test, { wallet: createAnnouncedWallet() });
  await signInWith(page, WALLET);
  await registerAs(page, newEmail());
  await orderFirstCard(page);
  for (const way of ['pressing again', 'opening the app again'] as const) {
    await goTo(page, 'Security');
    await page.getByText('This device').waitFor();
    await context.setOffline(true);
    await page.getByRole('button', { name: 'Sign out', exact: true }).click();
    await page.getByRole('heading', { name: 'You are signed out in this page only' }).waitFor();
    expect(await sessionCookies(context)).toHaveLength(1);
    if (way === 'pressing again') await checkScreen(page, 'signed-out-here-only');
    await context.setOffline(false);
    if (way === 'pressing again') await page.getByRole('button', { name: 'Sign out again' }).click();
    else await page.reload();
    await page.getByRole('heading', { name: 'You are signed out in this page only' }).waitFor({ state: 'detached' });
    await expectSoon(() => sessionCookies(context)).toEqual([]);
    await signInWith(page, WALLET);
    await page.getByRole('navigation').waitFor();
  }
});

it('works until the page is left in a browser that lets it keep nothing, and says so', { timeout: RUN_MS }, async (test) => {
  const { page } = await app.visit(test, { forbidsStorage: true });
  await page.getByText('This browser lets the page keep nothing').waitFor();
  await signInWith(page, 'Test wallet');
  await registerAs(page, newEmail());
  await orderFirstCard(page);
  await page.reload();
  await page.getByText('This browser lets the page keep nothing').waitFor();
});
