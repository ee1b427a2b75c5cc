import type { Locator, Page } from 'playwright-core';
import { expectSoon, press } from '../support/in-browser.ts';

/** An operator's steps, in English. Each step ends when the page shows that it is done. */
export const button = (page: Page | Locator, name: string) => page.getByRole('button', { name, exact: true });

const FIND = 'E-mail, wallet, last four digits, reference, transaction or id';

export const REASON = 'The person called us, ticket 4711';

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true });

/** Follows the link of an invitation, which is open, and arrives signed in. */
export const enrolAs = async (page: Page, name: string): Promise<void> => {
  await page.getByLabel('Your name').fill(name);
  await button(page, 'Make a passkey').click();
  await heading(page, 'Overview').waitFor();
};

export const signOut = async (page: Page): Promise<void> => {
  await button(page, 'You and this browser').click();
  await button(page, 'Sign out').click();
  await heading(page, 'Sign in').waitFor();
};

export const signIn = async (page: Page): Promise<void> => {
  await button(page, 'Sign in with a passkey').click();
  await heading(page, 'Overview').waitFor();
};

/** Opens a screen of the menu. */
export const goTo = async (page: Page, item: string, title = item): Promise<void> => {
  await page.getByRole('navigation', { name: 'Main menu' }).getByRole('link', { name: item, exact: true }).click();
  await heading(page, title).waitFor();
};

/**
 * Loads a screen again until something is on it, for which the screen by itself asks after minutes only.
 * @param loaded is on the screen once it has its data
 */
export const reloadUntil = async (page: Page, wanted: Locator, loaded: Locator): Promise<void> => {
  const isThere = async (): Promise<boolean> => {
    await loaded.waitFor();
    if (await wanted.isVisible()) return true;
    await page.reload();
    return false;
  };
  await expectSoon(isThere).toBe(true);
};

/** Gives a reason in the dialog that is open, and goes on with its button until this is done. */
export const confirm = async (page: Page, action: string, done: string | RegExp): Promise<void> => {
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Reason').fill(REASON);
  await press(page, button(dialog, action), page.getByText(done));
};

/** Searches for something, with a reason, until this is found. */
export const find = async (page: Page, value: string, found: Locator): Promise<void> => {
  await goTo(page, 'People', 'Find a person');
  await page.getByLabel(FIND).fill(value);
  await page.getByLabel('Why are you looking for this person?').fill(REASON);
  await press(page, button(page, 'Search'), found);
};

/** Finds a person by an e-mail address, and opens the file. */
export const openFile = async (page: Page, email: string): Promise<void> => {
  await find(page, email, page.getByRole('heading', { name: 'One person' }));
  await press(page, button(page, 'Open the file'), page.getByText(`Reason: ${REASON}`));
  await page.getByText(email, { exact: true }).first().waitFor();
};

/** Opens a part of the file that is open. */
export const openPart = (page: Page, part: string): Promise<void> =>
  page.getByRole('navigation', { name: 'Parts of the file' }).getByRole('link', { name: part, exact: true }).click();
