import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { expectSoon, newEmail } from '../support/in-browser.ts';
import { createAnnouncedWallet } from './announced-wallet.ts';
import { openApp } from './app-in-browser.ts';
import { addMoney, approve, closeSheet, goTo, orderFirstCard, registerAs, signInWith, startPayment } from './steps.ts';

const RUN_MS = 240_000;

/** Texts of what only somebody sees who is signed in, by their keys: the sheet of a payment, the drawer of the sandbox, the home screen, the steps to a card, each group of screens, preferences. */
const LATER = [
  'approve.text',
  'terms.title',
  'home.fund_title',
  'sandbox.lead',
  'cards.none',
  'limits.lead',
  'payments.none',
  'payment.history',
  'account.details',
  'security.title',
  'app.theme_dark',
];

/** The catalogues of texts have every key. */
const CATALOGUE = /\/(?:en|de)-[^/]*\.js$/;

/** Collects the code that a page loads from now on. @returns a function that tells which of the later texts it shows */
const collectLater = (page: Page): (() => string[]) => {
  const scripts: string[] = [];
  page.on('response', async (response) => {
    if (response.request().resourceType() !== 'script' || CATALOGUE.test(response.url())) return;
    // Responses that are on their way when the page closes are not read.
    scripts.push(await response.text().catch(() => ''));
  });
  return () => LATER.filter((key) => scripts.some((script) => script.includes(key)));
};

const app = openApp();

it('loads the other screens once somebody is signed in, who then opens them without loading anything', {
  timeout: RUN_MS,
}, async (test) => {
  const { context, page } = await app.visit(test, { wallet: createAnnouncedWallet() });
  const later = collectLater(page);
  await page.reload({ waitUntil: 'networkidle' });
  await page.getByRole('button', { name: 'Continue with Announced Wallet' }).waitFor();
  expect(later()).toEqual([]);

  await signInWith(page, 'Announced Wallet');
  await registerAs(page, newEmail());
  await expectSoon(later).toEqual(LATER);

  const asked: string[] = [];
  await context.route('**/*.js', (route) => {
    asked.push(route.request().url());
    return route.abort();
  });
  await orderFirstCard(page);
  await addMoney(page);
  for (const screen of ['Cards', 'Payments', 'Account', 'Security', 'Home'] as const) await goTo(page, screen);
  await startPayment(page);
  await approve(page);
  await closeSheet(page);
  await page.getByRole('button', { name: 'Language, Appearance' }).click();
  await closeSheet(page);
  expect(asked).toEqual([]);
});
