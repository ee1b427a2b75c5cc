import type { BrowserContext, Request } from 'playwright-core';
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

type Refresh = { status: number; begin: number; end: number };

/** The refreshes of all tabs, with their times. */
const collectRefreshes = (context: BrowserContext): Refresh[] => {
  const refreshes: Refresh[] = [];
  const note = async (request: Request): Promise<void> => {
    const response = await request.response();
    const { startTime, responseEnd } = request.timing();
    refreshes.push({ status: response?.status() ?? 0, begin: startTime, end: startTime + responseEnd });
  };
  context.on('requestfinished', (request) => {
    if (request.url().endsWith('/app/session/refresh')) void note(request);
  });
  return refreshes;
};

it('stays signed in in two tabs whose tokens expire at once: each refreshes, one after the other', { timeout: RUN_MS }, async (test) => {
  const { page, context, openTab } = await app.visit(test, { wallet: createAnnouncedWallet() });
  await becomeCardholder(page, WALLET, newEmail());
  const other = await openTab();
  await other.getByText('€500.00').waitFor();
  const refreshes = collectRefreshes(context);
  app.platform.clock.advanceSeconds(LONG_SECONDS);
  await Promise.all([goTo(page, 'Security'), goTo(other, 'Security')]);
  for (const tab of [page, other]) await tab.getByText('This device').waitFor();
  await expectSoon(() => refreshes.length).toBeGreaterThanOrEqual(2);
  const inOrder = refreshes.toSorted((one, two) => one.begin - two.begin);
  expect(new Set(inOrder.map(({ status }) => status))).toEqual(new Set([200]));
  for (const [index, { begin }] of inOrder.slice(1).entries()) expect(begin).toBeGreaterThanOrEqual(inOrder[index]?.end ?? Number.NaN);
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
