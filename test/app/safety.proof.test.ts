import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { newEmail, press } from '../support/in-browser.ts';
import { newWallet } from '../support/story.ts';
import { createAnnouncedWallet } from './announced-wallet.ts';
import { openApp } from './app-in-browser.ts';
import { checkScreen } from './check-screen.ts';
import { addMoney, goTo, orderFirstCard, registerAs, signInWith } from './steps.ts';

const RUN_MS = 180_000;

/** Longer than the cooling time of a new wallet. */
const LONG_SECONDS = 25 * 3600;

const app = openApp({ WALLET_COOLING_SECONDS: '86400' });

it('adds a wallet, which becomes the main one once it has cooled', { timeout: RUN_MS }, async (test) => {
  const second = createAnnouncedWallet(newWallet(), 'second');
  const { page, context } = await app.visit(test, { wallet: createAnnouncedWallet(), secondWallet: second });
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  await signInWith(page, 'Announced Wallet');
  await registerAs(page, newEmail());
  await orderFirstCard(page);
  await goTo(page, 'Security');
  await button('Add a wallet').click();
  await checkScreen(page, 'add-wallet');
  second.refuseNext();
  await page.getByRole('dialog').getByRole('button', { name: 'Second Wallet' }).click();
  await page.getByRole('status').getByText('You said no in your wallet.').waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Second Wallet' }).click();
  await page.getByText('The wallet was added.').waitFor();
  await page.getByText(/^Approves payments from/).waitFor();
  await checkScreen(page, 'wallets');
  expect(await button('Make it the main one').count()).toBe(0);

  await button('Sign out').click();
  app.platform.clock.advanceSeconds(LONG_SECONDS);
  // The page's clock goes with the platform's, as it does for people.
  await context.clock.setSystemTime(app.platform.clock.now());
  await signInWith(page, 'Second Wallet');
  await page.getByRole('navigation').waitFor();
  await goTo(page, 'Security');
  await button('Make it the main one').click();
  await page.getByText('This is your main wallet now.').waitFor();
  await page.getByRole('listitem').filter({ hasText: 'Owns the account' }).getByTitle(second.wallet.address).waitFor();
});

it('gives a copy of the data, and closes an account once it is empty', { timeout: RUN_MS }, async (test) => {
  const { page } = await app.visit(test, { wallet: createAnnouncedWallet() });
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const email = newEmail();
  await signInWith(page, 'Announced Wallet');
  await registerAs(page, email);
  await orderFirstCard(page);
  await goTo(page, 'Security');
  const [download] = await Promise.all([page.waitForEvent('download'), button('Save a copy').click()]);
  expect(download.suggestedFilename()).toMatch(/^florin-data-\d{4}-\d\d-\d\d\.json$/);
  expect(await readFile(await download.path(), 'utf8')).toContain(email);

  await addMoney(page);
  await goTo(page, 'Security');
  await button('Close the account').click();
  await page.getByRole('dialog').getByText('There is still money in your account: €500.00.').waitFor();
  await checkScreen(page, 'close-account');
  expect(await button('Close and erase').count()).toBe(0);
});

it('closes an account for good, after a fresh sign-in, and says goodbye', { timeout: RUN_MS }, async (test) => {
  const { page, context } = await app.visit(test, { wallet: createAnnouncedWallet() });
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  await signInWith(page, 'Announced Wallet');
  await registerAs(page, newEmail());
  await orderFirstCard(page);
  app.platform.clock.advanceSeconds(600);
  await context.clock.setSystemTime(app.platform.clock.now());
  await goTo(page, 'Security');
  await button('Close the account').click();
  await page.getByRole('dialog').getByText('Sign in again; this question comes back afterwards.').waitFor();
  await button('Sign in again').click();
  await signInWith(page, 'Announced Wallet');
  const word = page.getByRole('dialog').getByLabel('To go on, type “close”');
  await word.waitFor();
  await expect(button('Close and erase').isEnabled()).resolves.toBe(false);
  await word.fill('close');
  await press(page, button('Close and erase'), page.getByRole('heading', { name: 'Your account is closed' }));
  await page.locator('.facts', { hasText: 'Reference' }).waitFor();
  await checkScreen(page, 'farewell');
  await button('Done').click();
  await page.getByRole('heading', { name: 'Choose a wallet' }).waitFor();
  await page.reload();
  await page.getByRole('heading', { name: 'Choose a wallet' }).waitFor();
});
