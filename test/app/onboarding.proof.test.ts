import type { Page } from 'playwright-core';
import { it } from 'vitest';
import { expectSoon, newEmail } from '../support/in-browser.ts';
import { createAnnouncedWallet } from './announced-wallet.ts';
import { openApp } from './app-in-browser.ts';
import { checkScreen } from './check-screen.ts';
import { closeSheet, goTo, registerAs, signInWith } from './steps.ts';

const RUN_MS = 240_000;

const PROVIDER = 'https://kyc.florin.example/';

const app = openApp({ ONBOARDING: 'kyc', PHONE_VERIFICATION: 'required' });

const untilTitle = (page: Page, name: string): Promise<void> => page.getByRole('heading', { level: 1, name }).waitFor();

/** Plays the provider of the identity check. */
const decideIdentity = async (page: Page, decision: 'Approve' | 'Review' | 'Ask again', next: string): Promise<void> => {
  await page.getByRole('button', { name: 'Sandbox', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: decision, exact: true }).click();
  await page.getByText('The identity check has a new result.').first().waitFor();
  await closeSheet(page);
  await untilTitle(page, next);
};

it('leads through terms, the identity check and the source of funds to a card whose phone number is confirmed', {
  timeout: RUN_MS,
}, async (test) => {
  const { page, context } = await app.visit(test, { wallet: createAnnouncedWallet() });
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  await signInWith(page, 'Announced Wallet');
  // Another wallet is still possible, where this one turns out to be the wrong one.
  await button('Use another wallet').click();
  await signInWith(page, 'Announced Wallet');
  await registerAs(page, newEmail(), 'Accept the terms');
  await page.getByRole('checkbox').first().waitFor();
  await checkScreen(page, 'terms');
  // Nobody agrees to what they have not marked.
  await button('Accept and continue').click();
  await page.getByText('Accept this to continue.').first().waitFor();
  await expectSoon(() => page.evaluate('document.activeElement.type')).toBe('checkbox');
  await checkScreen(page, 'terms-missing');
  for (const box of await page.getByRole('checkbox').all()) await box.check();
  await button('Accept and continue').click();

  await untilTitle(page, 'Prove who you are');
  await checkScreen(page, 'identity');
  await context.route(`${PROVIDER}**`, (route) =>
    route.fulfill({ contentType: 'text/html', body: '<!doctype html><title>Provider</title>' }),
  );
  await button('Start the identity check').click();
  await page.waitForURL(`${PROVIDER}**`);
  await page.goBack();
  await untilTitle(page, 'Prove who you are');
  await decideIdentity(page, 'Review', 'We are checking your documents');
  await checkScreen(page, 'identity-waits');
  await decideIdentity(page, 'Ask again', 'We need another look');
  await decideIdentity(page, 'Approve', 'Where your money comes from');

  await page.getByRole('combobox').first().waitFor();
  await checkScreen(page, 'funds');
  for (const question of await page.getByRole('combobox').all()) await question.selectOption({ index: 1 });
  await button('Send the answers').click();

  await untilTitle(page, 'Order your card');
  const phone = page.getByLabel('Phone number');
  const own = await phone.inputValue();
  await phone.fill('+1 202 555 0123');
  await button('Order the card').click();
  await page.getByRole('alert').getByText('Numbers of this country are not accepted.').waitFor();
  await phone.fill(own);
  await button('Order the card').click();
  const code = page.getByLabel('Code from the text message');
  await expectSoon(() => code.inputValue()).toMatch(/^\d{6}$/);
  const right = await code.inputValue();
  await code.fill(right === '000000' ? '000001' : '000000');
  await button('Confirm and order').click();
  await page.getByRole('alert').waitFor();
  await checkScreen(page, 'phone-code');
  await code.fill(right);
  await button('Confirm and order').click();
  await button('Show the details').waitFor();

  await goTo(page, 'Security');
  await button('Change the phone number').click();
  await page.getByLabel('New phone number').fill('0049 151 98765432');
  app.platform.clock.advanceSeconds(31);
  await button('Change').click();
  await expectSoon(() => code.inputValue()).toMatch(/^\d{6}$/);
  await button('Confirm the number').click();
  await page.getByText('The phone number was changed.').waitFor();
  await page.getByText('+4915198765432').waitFor();
});
