import { beforeAll, expect, it } from 'vitest';
import { checkScreen } from '../app/check-screen.ts';
import { newEmail, press, START_MS } from '../support/in-browser.ts';
import { acceptAllTerms, explainFunds, type Person, registerPerson } from '../support/story.ts';
import { untilThere } from './make-person.ts';
import { openOffice } from './office-in-browser.ts';
import { button, confirm, enrolAs, openFile, openPart, REASON } from './steps.ts';

const STORY_MS = 240_000;

/** Longer than a confirmation by passkey counts. */
const LONG_SECONDS = 301;

const office = openOffice({ ONBOARDING: 'kyc' });
let person: Person;

/** Somebody whose identity check was approved, and two of whose deposits the screening holds. */
const makePending = async (): Promise<Person> => {
  const { api } = office.platform;
  const approved = await registerPerson(api, undefined, { email: newEmail() });
  await acceptAllTerms(api, approved.token);
  await api.call('POST', '/sandbox/kyc', { token: approved.token, body: { status: 'approved' } });
  await explainFunds(api, approved.token);
  for (const units of [40, 70]) {
    const body = { token: 'EURe', amount: `${units}${'0'.repeat(18)}`, kyt: 'hold' };
    await api.call('POST', '/sandbox/deposits', { token: approved.token, body });
  }
  return approved;
};

beforeAll(async () => {
  person = await untilThere(makePending);
}, START_MS);

it('decides deposits that the screening holds, once the passkey has confirmed who is there', { timeout: STORY_MS }, async (test) => {
  const { page, refusePasskey } = await office.sit(test, await office.invite(newEmail('cora'), 'compliance'));
  await enrolAs(page, 'Cora Compliance');
  await openFile(page, person.email);
  await openPart(page, 'Deposits and withdrawals');
  const accepted = page.getByRole('row').filter({ hasText: '€40.00' });
  const rejected = page.getByRole('row').filter({ hasText: '€70.00' });
  await accepted.getByText('Pending').waitFor();

  office.platform.clock.advanceSeconds(LONG_SECONDS);
  await refusePasskey(true);
  await button(accepted, 'Accept').click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('heading', { name: 'Accept the deposit of €40.00' }).waitFor();
  // The sandbox knows no senders.
  expect(await dialog.getByText('Others from this sender').count()).toBe(0);
  await checkScreen(page, 'accept-deposit', 'back-office');
  await dialog.getByLabel('Reason').fill(REASON);
  await press(page, button(dialog, 'Accept'), dialog.getByText('PASSKEY_CANCELLED'));
  await refusePasskey(false);
  await confirm(page, 'Accept', 'The deposit was accepted.');
  await accepted.getByText('Approved').waitFor();

  await button(rejected, 'Reject').click();
  await confirm(page, 'Reject', 'The deposit was rejected.');
  await rejected.getByText('Rejected').waitFor();
  expect(await page.getByRole('row').getByRole('button').count()).toBe(0);
  await openPart(page, 'Account');
  await page.getByRole('cell', { name: '€40.00', exact: true }).waitFor();
  expect(await page.getByRole('cell', { name: '€70.00' }).count()).toBe(0);
});

it('takes an identity check back, which blocks the account', { timeout: STORY_MS }, async (test) => {
  const { page } = await office.sit(test, await office.invite(newEmail('kim'), 'compliance'));
  await enrolAs(page, 'Kim Compliance');
  await openFile(page, person.email);
  await button(page, 'Take the identity check back').click();
  await page.getByText('The approval ends.').waitFor();
  await confirm(page, 'Take the identity check back', 'The identity check was taken back.');
  await page.getByText('In review', { exact: true }).first().waitFor();
  await page.getByText('Blocked', { exact: true }).waitFor();
  await button(page, 'Unblock the account').waitFor();
  expect(await button(page, 'Take the identity check back').count()).toBe(0);
  const { kycStatus } = await untilThere(() => office.platform.api.call<{ kycStatus: string }>('GET', '/user', { token: person.token }));
  expect(kycStatus).toBe('in_review');
});
