import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Page } from 'playwright-core';
import { expect, it, onTestFinished } from 'vitest';
import { expectSoon } from '../support/in-browser.ts';
import { createCard, newWallet, registerPerson } from '../support/story.ts';
import { createAnnouncedWallet } from './announced-wallet.ts';
import { openApp } from './app-in-browser.ts';
import { checkScreen } from './check-screen.ts';
import { goTo } from './steps.ts';

const RUN_MS = 240_000;

const app = openApp();

/** Makes a person who has a card and 500 euros, and has paid for a book. */
const makeCardholder = async (host: string) => {
  const { api } = app.platform;
  const person = await registerPerson(api, newWallet(), { domain: host });
  const { sandbox } = api.as(person.token);
  const cardId = await createCard(api, person.token);
  await sandbox.createDeposit({ token: 'EURe', amount: `500${'0'.repeat(18)}` });
  await sandbox.createPayment({
    ...{ cardId, amount: '3000', currency: 'EUR', capture: true },
    merchant: { name: 'Bookshop', country: 'DE', categoryCode: '5942' },
  });
  return person;
};

const signIn = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: /Announced Wallet/ }).click();
  await page.getByText('€470.00').waitFor();
  await page.getByText('Bookshop').waitFor();
};

/** Waits until the browser has all files of the app. */
const untilKept = (page: Page) =>
  expectSoon(() =>
    page.evaluate<boolean>("navigator.serviceWorker.getRegistration('/app').then((found) => found?.active?.state === 'activated')"),
  ).toBe(true);

it('can be installed, and starts without a connection with the last balance and payments and their age', {
  timeout: RUN_MS,
}, async (test) => {
  const person = await makeCardholder(new URL(app.url).host);
  const { page, context } = await app.visit(test, { keepsApp: true, wallet: createAnnouncedWallet(person.wallet) });
  await signIn(page);
  await untilKept(page);
  const session = await context.newCDPSession(page);
  const { installabilityErrors } = await session.send('Page.getInstallabilityErrors');
  // A private window is never installed from.
  expect(installabilityErrors.map(({ errorId }) => errorId).filter((id) => id !== 'in-incognito')).toEqual([]);

  await context.setOffline(true);
  await page.reload();
  await page.getByRole('heading', { name: 'We cannot reach Florin' }).waitFor();
  await page.getByText('€470.00').waitFor();
  await page.getByText('−€30.00').waitFor();
  await page.getByText(/^As of \d{1,2} \w+ \d{4}, \d\d:\d\d$/).waitFor();
  await checkScreen(page, 'offline');
  // A value that another build has kept does not keep the app from starting.
  const kept = await page.evaluate<string>("localStorage.getItem('florin.last-known')");
  await page.evaluate("localStorage.setItem('florin.last-known', '{\"payments\":[{}]}')");
  await page.reload();
  await page.getByRole('heading', { name: 'We cannot reach Florin' }).waitFor();
  await page.evaluate(`localStorage.setItem('florin.last-known', ${JSON.stringify(kept)})`);
  await context.setOffline(false);
  await page.getByRole('link', { name: 'Add money' }).waitFor();

  // The platform does not answer.
  await context.addInitScript(`(() => {
    const { fetch } = globalThis;
    globalThis.fetch = async (...given) => {
      if (sessionStorage.getItem('silent') !== null) await new Promise((resolve) => addEventListener('answer', resolve, { once: true }));
      return fetch(...given);
    };
  })()`);
  await page.evaluate("sessionStorage.setItem('silent', 'yes')");
  await page.reload();
  await page.getByText(/^As of /).waitFor();
  await page.getByText('€470.00').waitFor();
  await page.evaluate("(sessionStorage.removeItem('silent'), dispatchEvent(new Event('answer')))");
  await page.getByRole('link', { name: 'Add money' }).waitFor();

  await goTo(page, 'Security');
  await page.getByRole('button', { name: 'Sign out', exact: true }).click();
  await page.getByRole('heading', { name: 'Choose a wallet' }).waitFor();
  await context.setOffline(true);
  await page.reload();
  await page.getByRole('heading', { name: 'Choose a wallet' }).waitFor();
  expect(await page.evaluate('JSON.stringify(localStorage)')).not.toContain('Bookshop');
});

/** The platform behind a proxy, whose second build of the app differs from the first. */
const openTwoBuilds = async () => {
  let build = 1;
  const platform = new URL(app.url);
  const proxy = createServer((asked, answer) => {
    const headers = { ...asked.headers, ...(asked.url === '/app/sw.js' ? { 'accept-encoding': 'identity' } : {}) };
    const passed = request(
      { host: platform.hostname, port: platform.port, path: asked.url, method: asked.method, headers },
      async (got) => {
        if (asked.url !== '/app/sw.js') {
          answer.writeHead(got.statusCode ?? 502, got.headers);
          got.pipe(answer);
          return;
        }
        const script = `${await text(got)}\n// build ${build}`;
        answer.writeHead(200, { ...got.headers, 'content-length': Buffer.byteLength(script) }).end(script);
      },
    );
    passed.on('error', () => answer.destroy());
    answer.on('close', () => passed.destroy());
    asked.pipe(passed);
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    proxy.closeAllConnections();
    proxy.close();
  });
  const host = `127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  return {
    host,
    publish: () => {
      build += 1;
    },
  };
};

it('offers a new version, and goes on with it when the person wants it', { timeout: RUN_MS }, async (test) => {
  const { host, publish } = await openTwoBuilds();
  const person = await makeCardholder(host);
  const { page } = await app.visit(test, { keepsApp: true, wallet: createAnnouncedWallet(person.wallet) });
  await page.goto(`http://${host}/app`);
  await signIn(page);
  await untilKept(page);
  await page.reload();
  await page.getByText('€470.00').waitFor();
  expect(await page.getByText('A new version of the app is ready.').count()).toBe(0);
  publish();
  await page.evaluate("navigator.serviceWorker.getRegistration('/app').then((found) => found.update()).then(() => undefined)");
  await page.getByText('A new version of the app is ready.').waitFor();
  await checkScreen(page, 'update');
  await Promise.all([page.waitForEvent('load'), page.getByRole('button', { name: 'Load it' }).click()]);
  await page.getByText('€470.00').waitFor();
  expect(await page.getByText('A new version of the app is ready.').count()).toBe(0);
});
