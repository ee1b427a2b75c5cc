import type { Page } from 'playwright-core';
import { expectSoon } from '../support/in-browser.ts';

/** A person's steps in the app, in English. Each step ends when the app shows that it is done. */
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: typeof name === 'string' });

/** Signs in with the wallet of a name. */
export const signInWith = async (page: Page, wallet: string): Promise<void> => {
  await button(page, `Continue with ${wallet}`).click();
};

/** Registers with an e-mail address and the code that was sent to it. @param next title of the screen after it */
export const registerAs = async (page: Page, email: string, next = 'Order your card'): Promise<void> => {
  await page.getByLabel('E-mail address').fill(email);
  await button(page, 'Send the code').click();
  await button(page, 'Read the mail').click();
  await expectSoon(() => page.getByLabel('Code from the e-mail').inputValue()).toMatch(/^\d{6}$/);
  await button(page, 'Create my account').click();
  await page.getByRole('heading', { level: 1, name: next }).waitFor();
};

/** Orders the first card, which opens. */
export const orderFirstCard = async (page: Page): Promise<void> => {
  await button(page, 'Order the card').click();
  await button(page, 'Show the details').waitFor();
};

/** Opens a screen of the menu. */
export const goTo = async (page: Page, screen: 'Home' | 'Cards' | 'Payments' | 'Account' | 'Security'): Promise<void> => {
  await page.getByRole('navigation').getByRole('link', { name: screen, exact: true }).click();
  await page.getByRole('heading', { level: 1, name: screen }).waitFor({ state: 'attached' });
};

/** Sends 500 euros to the account. */
export const addMoney = async (page: Page): Promise<void> => {
  await goTo(page, 'Home');
  await page.getByRole('link', { name: 'Add money' }).click();
  await button(page, 'Send €500.00').click();
  await page.getByText('€500.00 arrived.').waitFor();
};

/** Has the shop of the sandbox ask for an approval, which opens. */
export const startPayment = async (page: Page): Promise<void> => {
  await button(page, 'Sandbox').click();
  await button(page, 'Pay, and ask for approval').click();
  await page.getByText('APPROVE this card payment').waitFor();
};

/** Approves the payment that is open. */
export const approve = async (page: Page): Promise<void> => {
  await button(page, 'Approve').click();
  await page.getByRole('heading', { name: 'Approved' }).waitFor();
};

/** Closes what lies above the screen. */
export const closeSheet = async (page: Page): Promise<void> => {
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
};

/** Has the shop do something with the last payment. */
export const shopDoes = async (page: Page, action: 'Settle it' | 'Refund it' | 'Reverse it', done: string): Promise<void> => {
  await button(page, 'Sandbox').click();
  await button(page, action).click();
  await page.getByText(done).waitFor();
  await closeSheet(page);
};

/** From the first page to a card with money. */
export const becomeCardholder = async (page: Page, wallet: string, email: string): Promise<void> => {
  await signInWith(page, wallet);
  await registerAs(page, email);
  await orderFirstCard(page);
  await addMoney(page);
};
