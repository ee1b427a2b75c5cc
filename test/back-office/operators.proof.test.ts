import { expect, it } from 'vitest';
import { checkScreen } from '../app/check-screen.ts';
import { newEmail, press } from '../support/in-browser.ts';
import { openOffice } from './office-in-browser.ts';
import { button, confirm, enrolAs, goTo, REASON, signIn, signOut } from './steps.ts';

const STORY_MS = 240_000;
/** Longer than a confirmation by passkey lasts. */
const LONG_SECONDS = 301;

const office = openOffice();

it('lets an administrator enrol, sign in again, invite a viewer, disable them, and read all of it in the audit log', {
  timeout: STORY_MS,
}, async (test) => {
  const { page, refusePasskey } = await office.sit(test, await office.invite(newEmail('ada'), 'admin'));
  await page.getByLabel('Your name').waitFor();
  await checkScreen(page, 'enrol', 'back-office');
  await enrolAs(page, 'Ada Admin');
  await signOut(page);
  await checkScreen(page, 'sign-in', 'back-office');
  await signIn(page);

  await goTo(page, 'Operators');
  await page.getByRole('cell', { name: /Ada Admin/ }).waitFor();
  await button(page, 'Invite').click();
  const email = newEmail('vera');
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('E-mail address').fill(email);
  await checkScreen(page, 'invite', 'back-office');
  office.platform.clock.advanceSeconds(LONG_SECONDS);
  await refusePasskey(true);
  await dialog.getByLabel('Reason').fill(REASON);
  await press(page, button(dialog, 'Make the link'), dialog.getByText('PASSKEY_CANCELLED'));
  await refusePasskey(false);
  await confirm(page, 'Make the link', `Link for ${email}`);
  const link = (await dialog.locator('.signed-text').textContent()) ?? '';
  expect(link).toContain(`${office.url}/enrol#`);
  await checkScreen(page, 'invitation-link', 'back-office');
  await button(page, 'I have the link').click();

  const viewer = await office.sit(test, link);
  await enrolAs(viewer.page, 'Vera Viewer');
  // A viewer is offered the overview and the proofs of reserves, neither in the menu nor at its address anything else.
  expect(await viewer.page.getByRole('navigation').getByRole('link').allTextContents()).toEqual(['Overview', 'Reserves']);
  await viewer.page.goto(`${office.url}/people`);
  await viewer.page.getByText('Your roles do not allow this.').waitFor();
  expect(await viewer.page.getByRole('textbox').count()).toBe(0);
  await viewer.page.goto(link);
  await viewer.page.getByRole('heading', { name: 'This link does not work any more' }).waitFor();

  await page.reload();
  await page.getByRole('cell', { name: /Vera Viewer/ }).waitFor();
  await checkScreen(page, 'operators', 'back-office');
  const vera = page.getByRole('row', { name: /Vera Viewer/ });
  await button(vera, 'Roles').click();
  await dialog.getByRole('checkbox', { name: /^Viewer/ }).uncheck();
  await checkScreen(page, 'operator-roles', 'back-office');
  await confirm(page, 'Keep only these', 'The roles are changed.');
  await viewer.page.goto(office.url);
  await viewer.page.getByText('Your roles do not allow this.').waitFor();
  await button(vera, 'Disable').click();
  await confirm(page, 'Disable', 'The operator is disabled.');
  await viewer.page.goto(office.url);
  await viewer.page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor();

  await goTo(page, 'Audit log');
  const disabling = page.getByRole('row', { name: /operators\.disable/ });
  await disabling.waitFor();
  expect(await disabling.textContent()).toContain(REASON);
  expect(await disabling.textContent()).toContain('Ada Admin');
  await button(page, 'Check the chain').click();
  await page.getByText(/^The chain is whole up to number \d+\.$/).waitFor();
  await checkScreen(page, 'audit-log', 'back-office');
  const [download] = await Promise.all([page.waitForEvent('download'), button(page, 'Save as CSV').click()]);
  expect(download.suggestedFilename()).toBe('florin-audit-log.csv');
  await page.getByLabel('Operation').selectOption('operators.disable');
  await page.getByLabel('Outcome').selectOption('OK');
  await button(page, 'Filter').click();
  await expect.poll(() => page.getByRole('row').count()).toBe(2);
  await disabling.waitFor();
});

it('says what a passkey that gave no answer means, and goes on when it answers', { timeout: STORY_MS }, async (test) => {
  const { page, refusePasskey } = await office.sit(test, await office.invite(newEmail('otto'), 'viewer'));
  await enrolAs(page, 'Otto Operator');
  await signOut(page);
  await refusePasskey(true);
  await button(page, 'Sign in with a passkey').click();
  await page.getByText('PASSKEY_CANCELLED').waitFor();
  await refusePasskey(false);
  await signIn(page);
});

it('lets an operator name and end passkeys, and an administrator those of somebody else', { timeout: STORY_MS }, async (test) => {
  const email = newEmail('otto');
  const otto = await office.sit(test, await office.invite(email, 'viewer'));
  await enrolAs(otto.page, 'Otto Operator');
  await button(otto.page, 'You and this browser').click();
  await otto.page.getByRole('link', { name: 'Your passkeys' }).waitFor();
  await checkScreen(otto.page, 'me', 'back-office');
  await otto.page.getByRole('link', { name: 'Your passkeys' }).click();
  await otto.page.getByRole('heading', { level: 1, name: 'Your passkeys' }).waitFor();
  const passkeys = otto.page.getByRole('table', { name: 'Passkeys' });
  await button(passkeys, 'Name it').click();
  const dialog = otto.page.getByRole('dialog');
  expect(await dialog.getByLabel('Name').inputValue()).toMatch(/Chrome/);
  await dialog.getByLabel('Name').fill('Work laptop');
  await button(dialog, 'Save').click();
  await passkeys.getByText('Work laptop').waitFor();
  await checkScreen(otto.page, 'passkeys', 'back-office');
  await button(passkeys, 'End').click();
  await dialog.getByText('You confirm this with a passkey.').waitFor();
  await checkScreen(otto.page, 'end-passkey', 'back-office');
  await confirm(otto.page, 'End', /^This is the only way in that you have\./);
  await otto.page.getByText('LAST_PASSKEY').waitFor();

  const admin = await office.sit(test, await office.invite(newEmail('ada'), 'admin'));
  await enrolAs(admin.page, 'Ada Admin');
  await goTo(admin.page, 'Operators');
  const row = admin.page.getByRole('row').filter({ hasText: email });
  await button(row, 'Passkeys').click();
  const theirs = admin.page.getByRole('dialog');
  await theirs.getByText('Work laptop').waitFor();
  await checkScreen(admin.page, 'operator-passkeys', 'back-office');
  await button(theirs, 'End').click();
  await confirm(admin.page, 'End', 'The passkey has ended.');
  await otto.page.goto(office.url);
  await otto.page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor();
});

it('has a second administrator approve a link that gives rights over money', { timeout: STORY_MS }, async (test) => {
  const [ada, bea] = [
    await office.sit(test, await office.invite(newEmail('ada'), 'admin')),
    await office.sit(test, await office.invite(newEmail('bea'), 'admin')),
  ];
  await enrolAs(ada.page, 'Ada Admin');
  await enrolAs(bea.page, 'Bea Boss');
  await goTo(ada.page, 'Operators');
  await button(ada.page, 'Invite').click();
  const email = newEmail('fay');
  const dialog = ada.page.getByRole('dialog');
  await dialog.getByLabel('E-mail address').fill(email);
  await dialog.getByRole('checkbox', { name: /^Finance/ }).check();
  await confirm(ada.page, 'Make the link', 'It works once a second administrator has approved it.');
  const link = (await dialog.locator('.signed-text').textContent()) ?? '';
  await button(ada.page, 'I have the link').click();
  const own = ada.page.getByRole('row').filter({ hasText: email });
  await own.getByText('Waits for a second administrator').waitFor();
  expect(await own.getByRole('button', { name: 'Approve' }).count()).toBe(0);
  const fay = await office.sit(test, link);
  await fay.page.getByText('This link works once a second administrator has approved it.').waitFor();

  await goTo(bea.page, 'Operators');
  await checkScreen(bea.page, 'open-links', 'back-office');
  await button(bea.page.getByRole('row').filter({ hasText: email }), 'Approve').click();
  await confirm(bea.page, 'Approve', 'The link works now.');
  await fay.page.reload();
  await enrolAs(fay.page, 'Fay Finance');
});

it('shows an operator their sessions, of which they end one', { timeout: STORY_MS }, async (test) => {
  const email = newEmail('sam');
  const laptop = await office.sit(test, await office.invite(email, 'viewer'));
  await enrolAs(laptop.page, 'Sam Sessions');
  const phone = await office.sit(test, await office.invite(email, 'viewer'));
  await enrolAs(phone.page, 'Sam Sessions');
  await button(phone.page, 'You and this browser').click();
  await phone.page.getByRole('link', { name: 'Your passkeys' }).click();
  const sessions = phone.page.getByRole('table', { name: 'Your sessions' });
  await sessions.getByText('This one').waitFor();
  await press(phone.page, button(sessions, 'End'), phone.page.getByText('The session has ended.'));
  await laptop.page.goto(office.url);
  await laptop.page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor();
});

it('is there in German', { timeout: STORY_MS }, async (test) => {
  const { page } = await office.sit(test, await office.invite(newEmail('dora'), 'viewer'), 'de-DE');
  await page.getByLabel('Dein Name').fill('Dora Betrachterin');
  await page.getByRole('button', { name: 'Passkey anlegen' }).click();
  await page.getByRole('heading', { level: 1, name: 'Überblick' }).waitFor();
  await page.getByText('registriert', { exact: true }).waitFor();
});
