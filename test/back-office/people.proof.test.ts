import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { checkScreen } from '../app/check-screen.ts';
import { connectCardNetwork } from '../support/card-network.ts';
import { expectSoon, press, START_MS } from '../support/in-browser.ts';
import { newEmail } from '../support/story.ts';
import { type MadePerson, makePerson } from './make-person.ts';
import { openOffice } from './office-in-browser.ts';
import { button, confirm, enrolAs, find, goTo, openFile, openPart, REASON, reloadUntil, signOut } from './steps.ts';

const STORY_MS = 240_000;
const PHONE = { width: 390, height: 844 };

/** A Prometheus at which one alert fires. */
const prometheus = createServer((_request, response) => {
  const labels = { alertname: 'RpcFaults', severity: 'page', job: 'card' };
  const annotations = { summary: 'More than one call in a hundred to card fails.' };
  const alerts = [{ labels, annotations, state: 'firing', activeAt: '2026-11-29T01:00:00Z' }];
  response.setHeader('Content-Type', 'application/json').end(JSON.stringify({ status: 'success', data: { alerts } }));
});
afterAll(() => void prometheus.close());

const office = openOffice(
  {},
  {
    office: async () => {
      await once(prometheus.listen(0, '127.0.0.1'), 'listening');
      return { PROMETHEUS_URL: `http://127.0.0.1:${(prometheus.address() as AddressInfo).port}` };
    },
  },
);
let person: MadePerson;
beforeAll(async () => {
  person = await makePerson(office.platform);
}, START_MS);

/** On a phone the parts of a file are wider than the screen: the one that is open is seen whole. */
const expectInViewOnPhone = async (page: Page, part: string): Promise<void> => {
  const desk = page.viewportSize();
  await page.setViewportSize(PHONE);
  const link = page.getByRole('navigation', { name: 'Parts of the file' }).getByRole('link', { name: part, exact: true });
  const isInView = async () => {
    const box = await link.boundingBox();
    return box !== null && box.x >= 0 && box.x + box.width <= PHONE.width;
  };
  await expectSoon(isInView).toBe(true);
  if (desk !== null) await page.setViewportSize(desk);
};

/** On a phone a payment is a row of two lines. */
const expectTwoLinesOnPhone = async (page: Page): Promise<void> => {
  const desk = page.viewportSize();
  await page.setViewportSize(PHONE);
  const box = await page.locator('tbody tr').first().boundingBox();
  expect(box?.height).toBeLessThan(80);
  if (desk !== null) await page.setViewportSize(desk);
};

it('finds a person from the keyboard, and shows the file for as long as the reason holds', { timeout: STORY_MS }, async (test) => {
  const { page } = await office.sit(test, await office.invite(newEmail(), 'support'));
  await enrolAs(page, 'Sam Support');
  await page.getByRole('heading', { name: 'Services' }).waitFor();
  await page.getByText('More than one call in a hundred to card fails.').waitFor();
  expect(await page.getByText('Misses an objective').count()).toBe(1);
  // The events of the person may be counted after the first look, and the next one would be minutes later.
  for (const counted of [/^1 payment: 1 approved, 0 declined\.$/, '1 approval was asked for.'])
    await reloadUntil(page, page.getByText(counted), page.getByRole('table', { name: 'Sign-ups per day' }));
  expect(await page.getByRole('table', { name: 'Sign-ups per day' }).getByRole('row').count()).toBe(8);
  expect(await page.getByRole('row', { name: /^Approved 1 100%/ }).count()).toBe(2);
  await page.getByRole('table', { name: 'Approved per day' }).getByText('€12.50').waitFor({ state: 'attached' });
  await page.getByText('30 days').click();
  await page.getByRole('table', { name: 'Sign-ups per day' }).getByRole('row').nth(30).waitFor({ state: 'attached' });
  expect(await page.getByRole('table', { name: 'Sign-ups per day' }).getByRole('row').count()).toBe(31);
  await checkScreen(page, 'overview', 'back-office');

  // Without a reason the file is closed, also at its address.
  await page.goto(`${office.url}/people/${person.userId}/cards`);
  await page.getByRole('heading', { name: 'This file is closed' }).waitFor();
  expect(await page.getByText(person.email).count()).toBe(0);
  await checkScreen(page, 'closed-file', 'back-office');

  await page.getByRole('heading', { level: 1 }).focus();
  await page.keyboard.press('/');
  await page.locator('#find input:focus').waitFor();
  await page.keyboard.type(person.email);
  expect(await page.getByLabel('Search by').inputValue()).toBe('email');
  await page.keyboard.press('Enter');
  await page.getByText('At least 10 characters.').waitFor();
  await page.getByLabel('Why are you looking for this person?').fill(REASON);
  await press(page, button(page, 'Search'), page.getByRole('heading', { name: 'One person' }));
  await checkScreen(page, 'find', 'back-office');
  await press(page, button(page, 'Open the file'), page.getByText(`Reason: ${REASON}`));

  await page.getByText(person.email, { exact: true }).first().waitFor();
  await page.getByText(/^Open for (?:30:00|2\d:\d\d)$/).waitFor();
  await page.getByRole('cell', { name: '€87.50' }).waitFor();
  await page.getByRole('table', { name: 'Latest events' }).getByRole('link', { name: 'Approval' }).waitFor();
  await page.getByText('No backup key was named.').waitFor();
  await checkScreen(page, 'account', 'back-office');
  await openPart(page, 'Payments');
  await page.getByRole('cell', { name: '−€12.50' }).waitFor();
  await checkScreen(page, 'payments', 'back-office');
  await expectTwoLinesOnPhone(page);
  await page.getByRole('table').getByRole('link').first().click();
  await page.getByRole('heading', { name: 'What happened' }).waitFor();
  await checkScreen(page, 'payment', 'back-office');
  await openPart(page, 'Approvals');
  await page.getByRole('table').getByRole('link').first().waitFor();
  await checkScreen(page, 'approvals', 'back-office');
  await page.getByRole('table').getByRole('link').first().click();
  await page.getByText('Signed by').waitFor();
  await checkScreen(page, 'approval', 'back-office');
  await openPart(page, 'Deposits and withdrawals');
  await page.getByRole('cell', { name: '+€100.00' }).waitFor();
  await checkScreen(page, 'movements', 'back-office');
  for (const part of ['Entries', 'Sessions', 'Events']) {
    await openPart(page, part);
    await page.getByRole('heading', { level: 2, name: part }).waitFor();
    await page.getByRole('table').waitFor();
    if (part === 'Entries') await page.getByText('Available').first().waitFor();
    await expectInViewOnPhone(page, part);
    await checkScreen(page, part.toLowerCase(), 'back-office');
  }

  await page.getByRole('link', { name: 'Deliveries' }).click();
  await page.getByText('This partner has no endpoints').waitFor();
  await checkScreen(page, 'webhooks', 'back-office');

  // The data is gone when somebody else could sit down.
  await signOut(page);
  expect(await page.getByText(person.email).count()).toBe(0);
});

it('finds what others have another name for, and opens the file there', { timeout: STORY_MS }, async (test) => {
  const { page } = await office.sit(test, await office.invite(newEmail(), 'support'));
  await enrolAs(page, 'Sam Support');
  const row = page.getByRole('row').filter({ hasText: 'Payment' });
  await find(page, person.paymentName, row);
  expect(await page.getByLabel('Search by').inputValue()).toBe('reference');
  await press(page, button(row, 'Open the file'), page.getByRole('heading', { name: 'What happened' }));
  await page.getByText(`Reason: ${REASON}`).waitFor();
  await page.getByText(person.paymentName, { exact: true }).waitFor();

  await find(page, person.txHash, page.getByRole('cell', { name: 'Deposit', exact: true }));
  expect(await page.getByLabel('Search by').inputValue()).toBe('transaction');
  await checkScreen(page, 'find-transaction', 'back-office');
  await press(page, button(page, 'Open the file'), page.getByRole('heading', { name: 'The deposit that was found' }));
  await page.getByRole('cell', { name: '+€100.00' }).waitFor();
  expect(await page.getByRole('heading', { name: 'Withdrawals' }).count()).toBe(0);
  await checkScreen(page, 'found-deposit', 'back-office');
  await page.getByRole('link', { name: 'All deposits and withdrawals' }).click();
  await page.getByRole('heading', { name: 'Withdrawals', exact: true }).waitFor();

  await find(page, `0x${'1'.repeat(64)}`, page.getByText('Nobody was found'));
});

it('freezes a card, blocks an account, and has it all in the audit log', { timeout: STORY_MS }, async (test) => {
  const { page } = await office.sit(test, await office.invite(newEmail(), 'compliance', 'admin'));
  await enrolAs(page, 'Cora Compliance');
  await openFile(page, person.email);
  await openPart(page, 'Cards');
  await button(page, 'Limits').click();
  await page.getByRole('dialog').getByText('Switched off').waitFor();
  await checkScreen(page, 'card-rules', 'back-office');
  await button(page, 'Close').click();
  await button(page, 'Freeze').click();
  await page.getByText('New payments with this card are declined at once.').waitFor();
  await checkScreen(page, 'freeze', 'back-office');
  await confirm(page, 'Freeze', 'The card is frozen.');
  await page.getByRole('cell', { name: 'Frozen', exact: true }).waitFor();
  await page.getByRole('cell', { name: 'Cora Compliance', exact: true }).waitFor();
  await checkScreen(page, 'cards', 'back-office');
  await button(page, 'Unfreeze').click();
  await confirm(page, 'Unfreeze', 'The card can pay again.');
  await button(page, 'Freeze').waitFor();

  await openPart(page, 'Account');
  await button(page, 'Block the account').click();
  await checkScreen(page, 'block-account', 'back-office');
  await confirm(page, 'Block the account', 'The account is blocked.');
  await button(page, 'Unblock the account').click();
  await confirm(page, 'Unblock the account', 'The account is unblocked.');
  await button(page, 'Block the account').waitFor();

  await goTo(page, 'Audit log');
  for (const operation of ['cards.freeze', 'cards.unfreeze', 'accounts.block', 'accounts.unblock']) {
    const row = page.getByRole('row').filter({ hasText: person.userId }).filter({ hasText: operation });
    await row.first().waitFor();
    expect(await row.first().textContent()).toContain(REASON);
    expect(await row.first().getByRole('cell').last().textContent()).toBe('OK');
  }
});

it('offers a supporter no action on the account, and somebody who only looks no person at all', { timeout: STORY_MS }, async (test) => {
  const supporter = await office.sit(test, await office.invite(newEmail(), 'support'));
  await enrolAs(supporter.page, 'Sam Support');
  await openFile(supporter.page, person.email);
  await supporter.page.getByRole('heading', { name: 'Balances' }).waitFor();
  expect(await supporter.page.getByRole('button', { name: /account|identity/i }).count()).toBe(0);
  const viewer = await office.sit(test, await office.invite(newEmail(), 'viewer'));
  await enrolAs(viewer.page, 'Vera Viewer');
  await viewer.page.goto(`${office.url}/people/${person.userId}/cards`);
  await viewer.page.getByText('Your roles do not allow this.').waitFor();
  expect(await viewer.page.getByRole('table').count()).toBe(0);
});

it('decides a dispute from its queue, says why a payment was declined, and ends a session for a caller', {
  timeout: STORY_MS,
}, async (test) => {
  const { token, paymentId } = person;
  const network = connectCardNetwork(office.platform.urls['CARD_URL'] ?? '', office.platform.operatorKey);
  await network.payment(person.cardId).authorize(100_000_000);
  await network.close();
  await office.platform.api.call('POST', `/cards/transactions/${paymentId}/dispute`, { token, body: { reason: 'not_received' } });
  const { page } = await office.sit(test, await office.invite(newEmail(), 'compliance'));
  await enrolAs(page, 'Cora Compliance');
  await page.goto(`${office.url}/queues/disputes`);
  await page.getByText('Overdue', { exact: true }).click();
  await button(page, 'Save this filter').click();
  await page.getByLabel('Name').fill('Late disputes');
  await checkScreen(page, 'save-filter', 'back-office');
  await button(page, 'Save').click();
  await page.getByText('All', { exact: true }).click();

  // The palette leads to the filter, and to a search for what is typed.
  await page.keyboard.press('Control+k');
  await page.keyboard.type(paymentId);
  await page.getByRole('option', { name: `Find “${paymentId}”` }).waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Find a person' }).waitFor();
  await expectSoon(() => page.getByLabel('E-mail, wallet').inputValue()).toBe(paymentId);
  await page.keyboard.press('Control+k');
  await page.keyboard.type('disputes');
  await page.getByRole('option', { name: 'Disputes: Late disputes' }).waitFor();
  await checkScreen(page, 'palette', 'back-office');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.getByText('Nothing is open here').waitFor();
  await button(page, 'Forget the filter Late disputes').click();
  await page.getByText('All', { exact: true }).click();
  await page.getByRole('table').getByRole('link').first().click();
  await page.getByLabel('Reason').fill(REASON);
  await press(page, button(page, 'Open the file'), button(page, 'Record a step'));
  await button(page, 'Record a step').click();
  await page.getByLabel('Next step until').fill('2030-01-31');
  await checkScreen(page, 'dispute-step', 'back-office');
  await confirm(page, 'Record', 'Recorded: Charged back.');
  await page.getByRole('table', { name: 'Steps of the dispute' }).getByText('Cora Compliance').waitFor();
  await checkScreen(page, 'dispute', 'back-office');
  await openPart(page, 'Account');
  await page.getByRole('table', { name: 'Disputes' }).getByRole('link').click();
  await button(page, 'Record a step').click();
  await page.getByLabel('Stage').selectOption({ label: 'Lost' });
  await confirm(page, 'Record', 'Recorded: Lost.');

  await openPart(page, 'Account');
  const declined = page.getByRole('table', { name: 'Latest events' }).getByRole('row').filter({ hasText: 'Declined' });
  await declined.getByText('Over the limit per payment').waitFor();
  await declined.getByRole('link').click();
  await page.getByRole('table', { name: 'What happened' }).getByText('Over the limit per payment').waitFor();
  await page.getByText(/Over the limit per payment Single payment, now: €/).waitFor();

  await openPart(page, 'Sessions');
  await button(page, 'End the session').first().click();
  await confirm(page, 'End the session', 'The session has ended.');
});
