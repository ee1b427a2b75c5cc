import { randomUUID } from 'node:crypto';
import { AdjustmentService } from '@florin/proto/ledger/v1/adjustment_service';
import { LEDGER_SCOPES } from '@florin/proto/ledger/v1/scopes';
import type { RpcChannel } from '@florin/rpc/client';
import { afterAll, beforeAll, expect, it, type TestContext } from 'vitest';
import { checkScreen } from '../app/check-screen.ts';
import { type CardNetwork, connectCardNetwork, euro, SHOP } from '../support/card-network.ts';
import { expectSoon, START_MS } from '../support/in-browser.ts';
import { openOperatorChannel } from '../support/operator-channel.ts';
import { newEmail, untilDone } from '../support/story.ts';
import { type MadePerson, makePerson } from './make-person.ts';
import { openOffice } from './office-in-browser.ts';
import { button, confirm, enrolAs, goTo, openFile, REASON } from './steps.ts';

const STORY_MS = 240_000;

// Every order of more than one euro needs a second operator.
const office = openOffice({ APPROVAL_ABOVE: JSON.stringify({ EURe: `1${'0'.repeat(18)}` }) });
let ledger: RpcChannel;
let network: CardNetwork;
let person: MadePerson;
beforeAll(async () => {
  const { platform } = office;
  const scopes = [LEDGER_SCOPES.writeAdjustments, LEDGER_SCOPES.readAdjustments];
  ledger = openOperatorChannel(platform, { audience: 'ledger', baseUrl: platform.urls['LEDGER_URL'], scopes });
  network = connectCardNetwork(platform.urls['CARD_URL'] ?? '', platform.operatorKey);
  person = await makePerson(office.platform);
}, START_MS);
afterAll(() => Promise.all([ledger?.close(), network?.close()]));

/** Somebody else orders 250 euros for the person. An order is known by its id, so that it can be repeated. */
const order = async (reason: string): Promise<void> => {
  const transfers = [{ debit: 'settlement', credit: person.accountId, token: 'EURe', amount: `250${'0'.repeat(18)}` }];
  const change = { case: 'transfers' as const, value: { transfers } };
  const adjustmentId = randomUUID();
  await untilDone(() =>
    ledger.client(AdjustmentService).createAdjustment({ adjustmentId, change, metadata: { actor: 'operator:somebody', reason } }),
  );
};

/** An operator does not approve an order of somebody whom they have let in, and is told why. */
const approveOfInviter = async (test: TestContext): Promise<void> => {
  const boss = await office.sit(test, await office.invite(newEmail(), 'finance', 'admin'));
  await enrolAs(boss.page, 'Bea Both');
  const icons = await boss.page.evaluate<string[]>("[...document.querySelectorAll('.menu svg')].map((icon) => icon.innerHTML)");
  expect([icons.length, new Set(icons).size]).toEqual([11, 11]);
  await goTo(boss.page, 'Operators');
  await button(boss.page, 'Invite').click();
  const dialog = boss.page.getByRole('dialog');
  const email = newEmail();
  await dialog.getByLabel('E-mail address').fill(email);
  await dialog.getByRole('checkbox', { name: /^Finance/ }).check();
  await confirm(boss.page, 'Make the link', `Link for ${email}`);
  const link = (await dialog.locator('.signed-text').textContent()) ?? '';
  const admin = await office.sit(test, await office.invite(newEmail(), 'admin'));
  await enrolAs(admin.page, 'Ada Admin');
  await goTo(admin.page, 'Operators');
  await button(admin.page.getByRole('row').filter({ hasText: email }), 'Approve').click();
  await confirm(admin.page, 'Approve', 'The link works now.');
  const tied = await office.sit(test, link);
  await enrolAs(tied.page, 'Ida Invited');
  await goTo(tied.page, 'Money', 'Money to approve');
  await button(tied.page, 'Order money').click();
  const ordering = tied.page.getByRole('dialog');
  await ordering.getByLabel('From', { exact: true }).fill('settlement');
  await ordering.getByLabel('To', { exact: true }).fill(person.accountId);
  await ordering.getByLabel('Amount').fill('250');
  await confirm(tied.page, 'Order €250.00', 'The order waits for another operator.');

  await boss.page.keyboard.press('Escape');
  await dialog.getByText('The link is shown only this once.').waitFor();
  await button(boss.page, 'I have the link').click();
  await goTo(boss.page, 'Money', 'Money to approve');
  const row = boss.page.getByRole('row').filter({ hasText: 'Ida Invited' });
  await button(row, 'Approve').click();
  await confirm(boss.page, 'Approve €250.00', /^One of you was let in by the other/);
  await boss.page.getByText('SELF_APPROVAL').waitFor();
  await button(boss.page, 'Cancel').click();
  await button(row, 'Reject').click();
  await confirm(boss.page, 'Reject', 'The order was rejected.');
  await row.waitFor({ state: 'detached' });
};

it('moves money when another operator than the one who ordered it approves, with the passkey', { timeout: STORY_MS }, async (test) => {
  const first = await office.sit(test, await office.invite(newEmail(), 'finance'));
  await enrolAs(first.page, 'Fred Finance');
  await order('Booked twice by mistake');
  await goTo(first.page, 'Money', 'Money to approve');
  await button(first.page, 'Order money').click();
  const dialog = first.page.getByRole('dialog');
  await dialog.getByLabel('From', { exact: true }).fill('settlement');
  await dialog.getByLabel('To', { exact: true }).fill(person.userId);
  await dialog.getByLabel('Amount').fill('0.5');
  await dialog.getByLabel('Reason').fill(REASON);
  await dialog.getByText('There is no such account: enter the id of an account').waitFor();
  const refused = dialog.locator('.notice-bad');
  expect(await refused.count()).toBe(0);
  const tried = async () => {
    await button(dialog, 'Move €0.50').click();
    await refused.waitFor();
    return refused.textContent();
  };
  await expectSoon(tried).toContain('Nothing moved: there is no account with this id or name');
  await dialog.getByLabel('To', { exact: true }).fill(person.accountId);
  await confirm(first.page, 'Move €0.50', 'The money has moved.');
  await button(first.page, 'Order money').click();
  await dialog
    .getByText(/^Up to €1\.00 within 24 hours are booked at once, by you alone, earlier orders included: another operator may/)
    .waitFor();
  await dialog.getByLabel('From', { exact: true }).fill('settlement');
  await dialog.getByLabel('To', { exact: true }).fill(person.accountId);
  // The order that failed counts too.
  await dialog.getByLabel('Amount').fill('0.5');
  await dialog.getByText('Of €1.00 within 24 hours nothing is left: another operator has to approve it.').waitFor();
  await button(dialog, 'Order €0.50').waitFor();
  await dialog.getByLabel('Amount').fill('250');
  await checkScreen(first.page, 'order-money', 'back-office');
  await confirm(first.page, 'Order €250.00', 'The order waits for another operator.');
  const own = first.page.getByRole('row').filter({ hasText: REASON });
  await own.getByText('You ordered it: another operator approves it.').waitFor();
  expect(await own.getByRole('button').allTextContents()).toEqual(['Withdraw']);
  expect(await own.textContent()).toContain('€250.00');
  await checkScreen(first.page, 'money', 'back-office');

  const second = await office.sit(test, await office.invite(newEmail(), 'finance'));
  await enrolAs(second.page, 'Frida Finance');
  await second.page.goto(`${office.url}/queues/orders`);
  const menuItem = second.page.getByRole('navigation').getByRole('link', { name: 'Money', exact: true });
  const description = menuItem.locator('[hidden]');
  await expectSoon(() => description.textContent()).toBe('2 open');
  expect(await menuItem.getAttribute('aria-describedby')).toBe(await description.getAttribute('id'));
  await second.page.getByRole('table', { name: 'Open items' }).getByRole('link').first().click();
  await second.page.locator('tr[aria-current]').getByText('€250.00').waitFor();
  const theirs = second.page.getByRole('row').filter({ hasText: REASON });
  await button(theirs, 'Approve').click();
  await second.page.getByText(/^The money moves at once: €250\.00 Card network → .•••@/).waitFor();
  await checkScreen(second.page, 'approve-money', 'back-office');
  await second.page
    .getByRole('dialog')
    .getByText(/^Spendable now €88\.00 → afterwards €338\.00$/)
    .waitFor();
  await confirm(second.page, 'Approve €250.00', 'The money has moved.');
  await theirs.waitFor({ state: 'detached' });
  // The list of whoever ordered it is read anew by itself.
  await own.waitFor({ state: 'detached', timeout: 60_000 });
  await button(second.page.getByRole('row', { name: /Booked twice by mistake/ }), 'Reject').click();
  await checkScreen(second.page, 'reject-order', 'back-office');
  await confirm(second.page, 'Reject', 'The order was rejected.');
  await second.page.getByText('Nothing waits for approval').waitFor();

  await approveOfInviter(test);

  await goTo(second.page, 'Chain');
  await second.page.getByText('No chain is watched').waitFor();
  await second.page.getByText('No transfer needs a person').waitFor();
  await checkScreen(second.page, 'chain', 'back-office');
});

it('orders from a person’s file, and shows whose money it is, what the order makes of it, and how it ended', {
  timeout: STORY_MS,
}, async (test) => {
  const first = await office.sit(test, await office.invite(newEmail(), 'finance'));
  await enrolAs(first.page, 'Fay Finance');
  await openFile(first.page, person.email);
  await button(first.page, 'Credit this person').click();
  const dialog = first.page.getByRole('dialog');
  expect(await dialog.getByLabel('To', { exact: true }).inputValue()).toBe(person.accountId);
  await dialog.getByLabel('From', { exact: true }).fill('setlement');
  await dialog.getByLabel('Amount').fill('20');
  await dialog.getByLabel('Reason').fill(REASON);
  await button(dialog, 'Order €20.00').click();
  await dialog.getByText('There is no such account').waitFor();
  await dialog.getByLabel('From', { exact: true }).fill('settlement');
  await dialog.getByRole('link', { name: /^.•••@/ }).waitFor();
  await dialog.getByText(/^Spendable now €[\d.]+ → afterwards €[\d.]+$/).waitFor();
  await checkScreen(first.page, 'order-for-person', 'back-office');
  await confirm(first.page, 'Order €20.00', 'The order waits for another operator.');
  await button(first.page, 'Charge this person').click();
  await dialog.getByLabel('To', { exact: true }).fill('fees');
  await dialog.getByLabel('Amount').fill('9000');
  await dialog.getByText('The account does not have that much: the order would fail.').waitFor();
  await button(dialog, 'Cancel').click();
  await goTo(first.page, 'Money', 'Money to approve');
  const row = first.page.getByRole('row').filter({ hasText: '€20.00' });
  await button(row, 'Withdraw').click();
  await checkScreen(first.page, 'withdraw-order', 'back-office');
  await confirm(first.page, 'Withdraw', 'The order was withdrawn.');
  await row.waitFor({ state: 'detached' });
  await first.page.getByText('All', { exact: true }).click();
  await row.getByText(`Fay Finance: ${REASON}`).waitFor();

  // A session that ends takes no words along.
  await goTo(first.page, 'Money', 'Money to approve');
  await order('Twice, as it seems');
  await first.page.reload();
  await button(first.page.getByRole('row', { name: /Twice, as it seems/ }), 'Reject').click();
  await dialog.getByLabel('Reason').fill('It was booked once only');
  office.platform.clock.advanceSeconds(16 * 60);
  await button(dialog, 'Reject').click();
  await first.page.getByText('Your session has ended.').waitFor();
  await button(first.page, 'Sign in with a passkey').click();
  await button(first.page.getByRole('row', { name: /Twice, as it seems/ }), 'Reject').click();
  await expectSoon(() => dialog.getByLabel('Reason').inputValue()).toBe('It was booked once only');
  await button(dialog, 'Cancel').click();
  await button(first.page, 'Order money').click();
  await dialog.getByLabel('Amount').fill('12.34');
  await first.page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await button(first.page, 'Order money').click();
  await expectSoon(() => dialog.getByLabel('Amount').inputValue()).toBe('12.34');
});

it('charges a person what the network has charged for a card that nobody knew, when a second operator approves', {
  timeout: STORY_MS,
}, async (test) => {
  const event = { eventId: randomUUID(), transactionId: randomUUID(), cardId: randomUUID() };
  await untilDone(() => network.processor.clear({ event, amount: euro(1200), merchant: SHOP }));
  const first = await office.sit(test, await office.invite(newEmail(), 'finance'));
  await enrolAs(first.page, 'Fred Finance');
  await goTo(first.page, 'Exceptions', 'Exceptions of card payments');
  const row = first.page.getByRole('row', { name: /Unknown card/ });
  await row.getByText('Find the account that it is for').waitFor();
  await checkScreen(first.page, 'exceptions', 'back-office');
  await button(row, 'Decide').click();
  await first.page.getByRole('dialog').getByLabel('Account').fill(person.accountId);
  await checkScreen(first.page, 'decide-exception', 'back-office');
  await confirm(first.page, 'Book', 'Another operator has to approve the order. Then the exception is resolved.');

  const second = await office.sit(test, await office.invite(newEmail(), 'finance'));
  await enrolAs(second.page, 'Fiona Finance');
  await goTo(second.page, 'Money', 'Money to approve');
  await button(second.page.getByRole('row').filter({ hasText: 'suspense' }), 'Approve').click();
  await confirm(second.page, 'Approve €12.00', 'The money has moved.');
  await goTo(second.page, 'Exceptions', 'Exceptions of card payments');
  await second.page.getByText('Nothing waits for a decision').waitFor();
});
