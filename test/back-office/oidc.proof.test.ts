import { type Account, CLIENT, startOidcProvider } from '@florin/back-office/testing/oidc-provider';
import type { Page } from 'playwright-core';
import { afterAll, expect, it, type TestContext } from 'vitest';
import { checkScreen } from '../app/check-screen.ts';
import { openOffice, type Seat } from './office-in-browser.ts';
import { button, enrolAs, signIn, signOut } from './steps.ts';

const STORY_MS = 240_000;

const ACCOUNTS: Readonly<Record<string, Account>> = {
  ann: { email: 'ann@example.org', email_verified: true, name: 'Ann Analyst', groups: ['support', 'viewer'] },
  cat: { email: 'cat@example.org', email_verified: true, name: 'Cat Careful', groups: ['viewer'] },
  bob: { email: 'bob@example.org', email_verified: true, name: 'Bob Bystander', groups: ['king'] },
};

let provider: Awaited<ReturnType<typeof startOidcProvider>> | undefined;
const office = openOffice(
  {},
  {
    office: async (origin) => {
      provider = await startOidcProvider(`${origin}/sign-in/oidc/callback`, ACCOUNTS);
      return {
        OIDC_ISSUER: provider.issuer,
        OIDC_CLIENT_ID: CLIENT.id,
        OIDC_CLIENT_SECRET: CLIENT.secret,
        OIDC_NAME: 'Example',
        OIDC_ROLES_CLAIM: 'groups',
      };
    },
  },
);
afterAll(() => provider?.close());

/** Opens the sign-in. The pages of the provider ask for a font of another site. */
const sit = async (test: TestContext): Promise<Seat> => {
  const seat = await office.sit(test, office.url);
  await seat.context.route(/^https:\/\/fonts\./, (route) => route.fulfill({ contentType: 'text/css', body: '' }));
  return seat;
};

/** Signs in at the provider, and comes back. */
const goThrough = async (page: Page, name: string): Promise<void> => {
  await page.getByRole('link', { name: 'Sign in with Example' }).click();
  await throughPages(page, name);
};

const throughPages = async (page: Page, name: string): Promise<void> => {
  await page.getByPlaceholder('Enter any login').fill(name);
  await page.getByPlaceholder('and password').fill('any');
  await button(page, 'Sign-in').click();
  await button(page, 'Continue').click();
  await page.waitForURL((url) => url.origin === office.url);
};

it('signs an operator in at the OpenID provider, who adds a passkey and signs in with it from then on', {
  timeout: STORY_MS,
}, async (test) => {
  const { page } = await sit(test);
  await page.getByRole('link', { name: 'Sign in with Example' }).waitFor();
  await checkScreen(page, 'sign-in-provider', 'back-office');
  await goThrough(page, 'ann');
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
  const menu = ['Overview', 'Work queues', 'People', 'Reserves', 'Partners'];
  expect(await page.getByRole('navigation').getByRole('link').allTextContents()).toEqual(menu);

  await button(page, 'You and this browser').click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('Ann Analyst (ann@example.org)').waitFor();
  await button(dialog, 'Add a passkey').click();
  await page.getByText('The passkey was added.').waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await signOut(page);
  await signIn(page);
  await button(page, 'You and this browser').click();
  await dialog.getByText('Ann Analyst (ann@example.org)').waitFor();
});

it('links an operator who has a passkey to a person at the provider, and not by an address', { timeout: STORY_MS }, async (test) => {
  const { page, context } = await office.sit(test, await office.invite('cat@example.org', 'viewer'));
  await context.route(/^https:\/\/fonts\./, (route) => route.fulfill({ contentType: 'text/css', body: '' }));
  await enrolAs(page, 'Cat Careful');
  await signOut(page);
  await goThrough(page, 'cat');
  await page.getByText('Your account here is not linked to this one.', { exact: false }).waitFor();
  await signIn(page);
  await button(page, 'You and this browser').click();
  await page.getByRole('link', { name: 'Your passkeys' }).click();
  await page.getByRole('heading', { name: 'Sign-in at Example' }).waitFor();
  await button(page, 'Link').click();
  await page.waitForURL((url) => url.origin !== office.url || url.pathname === '/passkeys');
  if (!page.url().startsWith(office.url)) await throughPages(page, 'cat');
  await page.getByText('You are cat there.', { exact: false }).waitFor();
  await signOut(page);
  await page.getByRole('link', { name: 'Sign in with Example' }).click();
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
});

it('says why somebody whom the provider knows is not let in', { timeout: STORY_MS }, async (test) => {
  const { page } = await sit(test);
  await goThrough(page, 'bob');
  await page.getByRole('alert').getByText('FORBIDDEN').waitFor();
  await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor();
});
