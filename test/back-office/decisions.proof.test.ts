import { randomBytes } from 'node:crypto';
import { MovementService } from '@florin/proto/ledger/v1/movement_service';
import { LEDGER_SCOPES } from '@florin/proto/ledger/v1/scopes';
import type { RpcChannel } from '@florin/rpc/client';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { checkScreen } from '../app/check-screen.ts';
import { newEmail, press, START_MS } from '../support/in-browser.ts';
import { openOperatorChannel } from '../support/operator-channel.ts';
import { acceptAllTerms, explainFunds, type Person, registerPerson, untilDone } from '../support/story.ts';
import { openOffice } from './office-in-browser.ts';
import { button, confirm, enrolAs, goTo, openFile, openPart, REASON } from './steps.ts';

const STORY_MS = 240_000;

/** Longer than a confirmation by passkey counts. */
const LONG_SECONDS = 301;

const office = openOffice({ ONBOARDING: 'kyc' });
let ledger: RpcChannel;
let person: Person;

const SENDER = '0x52908400098527886E0F7030069857D2E4169EE7';

/** Somebody whose identity check was approved, and two of whose deposits the screening holds. */
const makePending = async (): Promise<Person> => {
  const { api } = office.platform;
  const approved = await registerPerson(api, undefined, { email: newEmail() });
  await acceptAllTerms(api, approved.token);
  await api.call('POST', '/sandbox/kyc', { token: approved.token, body: { status: 'approved' } });
  await explainFunds(api, approved.token);
  const { id: accountId, chain } = await api.call<{ id: string; chain: { id: string } }>('GET', '/user/account', { token: approved.token });
  const chainId = Number(chain.id);
  for (const units of [40, 70]) {
    // The sandbox's screening holds transactions whose hash ends like this.
    const txHash = `0x${randomBytes(28).toString('hex')}0000401d`;
    const deposit = { accountId, chainId, txHash, token: 'EURe', amount: `${units}${'0'.repeat(18)}`, fromAddress: SENDER };
    await ledger.client(MovementService).recordDeposit(deposit);
  }
  return approved;
};

beforeAll(async () => {
  const { platform } = office;
  const scopes = [LEDGER_SCOPES.writeDeposits];
  ledger = openOperatorChannel(platform, { audience: 'ledger', baseUrl: platform.urls['LEDGER_URL'], scopes });
  person = await untilDone(makePending);
}, START_MS);
afterAll(() => ledger?.close());

it('takes a held deposit from its queue, notes what was done, and keeps its view of the queue', { timeout: STORY_MS }, async (test) => {
  const { page } = await office.sit(test, await office.invite(newEmail('quentin'), 'compliance'));
  await enrolAs(page, 'Quentin Compliance');
  const queues = page.getByRole('table', { name: 'Work queues' });
  await queues.getByRole('row').filter({ hasText: 'Held deposits' }).getByText('2', { exact: true }).waitFor();
  await goTo(page, 'Work queues');
  await checkScreen(page, 'queues', 'back-office');
  await queues.getByRole('link', { name: 'Held deposits', exact: true }).click();
  const items = page.getByRole('table', { name: 'Open items' });
  const row = items.getByRole('row').filter({ hasText: '€70.00' });
  await row.getByText('Nobody').waitFor();
  await button(row, 'Work on it').click();
  const dialog = page.getByRole('dialog');
  await press(page, button(dialog, 'Take it'), page.getByText('It is assigned.'));
  await row.getByText('Quentin Compliance').waitFor();
  await dialog.getByLabel('New note').fill('too short');
  await button(dialog, 'Add the note').click();
  await dialog.getByText('At least 10 characters.').waitFor();
  await dialog.getByLabel('New note').fill(REASON);
  await press(page, button(dialog, 'Add the note'), dialog.getByRole('list', { name: 'Notes' }).getByText(REASON));
  await checkScreen(page, 'queue-item', 'back-office');
  await button(dialog, 'Close').click();
  await page.getByText('Mine', { exact: true }).click();
  await expect.poll(() => items.getByRole('row').count()).toBe(2);
  await checkScreen(page, 'queue', 'back-office');
  await goTo(page, 'Overview');
  await queues.getByRole('link', { name: 'Held deposits', exact: true }).click();
  await row.getByText(REASON).waitFor();
  expect(await items.getByRole('row').count()).toBe(2);
  const [file] = await Promise.all([page.waitForEvent('download'), button(page, 'Save as CSV').click()]);
  expect(file.suggestedFilename()).toBe('florin-deposits.csv');
  await row.getByRole('link').click();
  await page.getByRole('heading', { level: 1, name: 'Person', exact: true }).waitFor();
  await page.getByLabel('Reason').fill(REASON);
  await press(page, button(page, 'Open the file'), page.getByRole('heading', { name: 'The deposit that was found' }));
  await button(page, 'Accept').click();
  await dialog.getByText('1, accepted: 0, rejected: 0').waitFor();
});

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
  await dialog.getByText('1, accepted: 0, rejected: 0').waitFor();
  await checkScreen(page, 'accept-deposit', 'back-office');
  await dialog.getByLabel('Reason').fill(REASON);
  await press(page, button(dialog, 'Accept'), dialog.getByText('PASSKEY_CANCELLED'));
  await refusePasskey(false);
  await confirm(page, 'Accept', 'The deposit was accepted.');
  await accepted.getByText('Approved').waitFor();
  await accepted.getByText('decided by Cora Compliance').waitFor();

  await button(rejected, 'Reject').click();
  await dialog.getByText('1, accepted: 1, rejected: 0').waitFor();
  await confirm(page, 'Reject', 'The deposit was rejected.');
  await rejected.getByText('Rejected').waitFor();
  await rejected.getByText('decided by Cora Compliance').waitFor();
  expect(await page.getByRole('row').getByRole('button').count()).toBe(0);
  await openPart(page, 'Account');
  const balances = page.getByRole('table', { name: 'Balances' });
  await balances.getByRole('cell', { name: '€40.00', exact: true }).waitFor();
  expect(await balances.getByRole('cell', { name: '€70.00' }).count()).toBe(0);
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
  const { kycStatus } = await untilDone(() => office.platform.api.call<{ kycStatus: string }>('GET', '/user', { token: person.token }));
  expect(kycStatus).toBe('in_review');
});
