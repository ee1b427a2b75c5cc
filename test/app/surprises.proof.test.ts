import { expect, it } from 'vitest';
import { newEmail, press } from '../support/in-browser.ts';
import { createAnnouncedWallet } from './announced-wallet.ts';
import { openApp } from './app-in-browser.ts';
import { checkScreen } from './check-screen.ts';
import { approve, becomeCardholder, closeSheet, goTo, signInWith, startPayment } from './steps.ts';

const RUN_MS = 180_000;

const WALLET = 'Announced Wallet';

const app = openApp();

it('goes on after a wallet that refuses, and switches the chain of one that is on another', { timeout: RUN_MS }, async (test) => {
  const wallet = createAnnouncedWallet();
  const { page } = await app.visit(test, { wallet });
  wallet.refuseNext();
  await signInWith(page, WALLET);
  await page.getByRole('status').getByText('You said no in your wallet.').waitFor();
  expect(await page.getByText('WALLET_REFUSED').count()).toBe(0);
  await becomeCardholder(page, WALLET, newEmail());

  await startPayment(page);
  wallet.setChain(1);
  wallet.refuseNext();
  await page.getByRole('button', { name: 'Approve' }).click();
  await page.getByRole('alert').getByText('Your wallet is on another network. Choose Gnosis in your wallet').waitFor();
  await approve(page);
  expect(wallet.asked).toContain('wallet_switchEthereumChain');
});

it('closes a payment by going back, offers it again, and declines it with the text for that', { timeout: RUN_MS }, async (test) => {
  const { page } = await app.visit(test, { wallet: createAnnouncedWallet() });
  await becomeCardholder(page, WALLET, newEmail());
  await goTo(page, 'Home');
  await startPayment(page);
  await page.goBack();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  expect(page.url()).toMatch(/\/app\/?$/);
  await page.getByText('A payment waits for your decision').waitFor();
  await page.getByRole('link', { name: /Review/ }).click();
  await page.getByText('APPROVE this card payment').waitFor();
  await page.getByRole('button', { name: 'Decline' }).click();
  await page.getByText('DECLINE this card payment').waitFor();
  await page.getByText('Nothing is paid.').waitFor();
  await checkScreen(page, 'approve-decline');
  await page.getByRole('button', { name: 'Back', exact: true }).waitFor();
  await page.getByRole('button', { name: 'Sign the refusal' }).click();
  await page.getByRole('heading', { name: 'Declined' }).waitFor();
  await checkScreen(page, 'declined');
  await press(page, page.getByRole('button', { name: 'Freeze the card' }), page.getByText('The card is frozen.'));
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await goTo(page, 'Cards');
  await page.getByText('Frozen', { exact: true }).first().waitFor();

  // It has left no payment.
  await goTo(page, 'Payments');
  await page.getByText('No payments here').waitFor();
  await page.getByRole('link', { name: 'Approvals' }).click();
  await page.getByRole('link', { name: /Bookshop.*Declined.*€49\.99/ }).click();
  await page.getByRole('heading', { name: 'Declined' }).waitFor();
  await closeSheet(page);
  await checkScreen(page, 'approvals');
});

it('says that time is up when a payment expires while it is open', { timeout: RUN_MS }, async (test) => {
  const { page, openTab } = await app.visit(test, { wallet: createAnnouncedWallet() });
  await becomeCardholder(page, WALLET, newEmail());
  await startPayment(page);
  const other = await openTab();
  await other.getByText('APPROVE this card payment').waitFor();
  await closeSheet(other);
  await other.getByRole('button', { name: 'Sandbox' }).click();
  await other.getByRole('button', { name: '10 minutes on' }).waitFor();
  await checkScreen(other, 'sandbox');
  await other.getByRole('button', { name: '10 minutes on' }).click();
  await page.getByRole('heading', { name: 'Time is up' }).waitFor();
  await page.getByText('Nothing was paid.').waitFor();
  await checkScreen(page, 'expired');
  await closeSheet(page);
  await page.goto(`${app.url}/payments/approvals`);
  await page.getByRole('link', { name: /Bookshop.*Time is up/ }).waitFor();
});

it('shows in one tab what was done in the other, and signs both out', { timeout: RUN_MS }, async (test) => {
  const { page, openTab } = await app.visit(test, { wallet: createAnnouncedWallet() });
  await becomeCardholder(page, WALLET, newEmail());
  const other = await openTab();
  await other.getByText('€500.00').waitFor();
  await startPayment(page);
  await other.getByText('APPROVE this card payment').waitFor();
  await approve(other);
  await page.getByRole('heading', { name: 'Approved' }).waitFor();
  await closeSheet(page);
  await closeSheet(other);
  await other.getByText('€450.01').waitFor();
  await goTo(page, 'Security');
  await page.getByRole('button', { name: 'Sign out everywhere' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Sign out everywhere' }).click();
  await page.getByRole('heading', { name: 'Choose a wallet' }).waitFor();
  await other.getByRole('heading', { name: 'Choose a wallet' }).waitFor();
});

it('says that it is offline, and catches up afterwards', { timeout: RUN_MS }, async (test) => {
  const { page, context } = await app.visit(test, { wallet: createAnnouncedWallet() });
  await becomeCardholder(page, WALLET, newEmail());
  await goTo(page, 'Home');
  await context.setOffline(true);
  await page.getByText('You are offline.').waitFor();
  await goTo(page, 'Security');
  await page.getByText('This appears as soon as you are online again.').first().waitFor();
  await context.setOffline(false);
  await page.getByText('You are offline.').waitFor({ state: 'detached' });
  await page.getByText('This appears as soon as you are online again.').first().waitFor({ state: 'detached' });
  await startPayment(page);
});

it('offers no withdrawal where no chain is connected, and says so at its address', { timeout: RUN_MS }, async (test) => {
  const { page } = await app.visit(test, { wallet: createAnnouncedWallet() });
  await becomeCardholder(page, WALLET, newEmail());
  await goTo(page, 'Account');
  await page.getByRole('heading', { name: 'Account', level: 1 }).waitFor();
  expect(await page.getByRole('link', { name: 'Withdraw' }).count()).toBe(0);
  await page.goto(`${app.url}/account/withdraw`);
  await page.getByText(/^Withdrawals are not possible now/).waitFor();
  expect(await page.getByLabel('Amount').count()).toBe(0);
});
