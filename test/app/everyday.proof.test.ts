import { readFile } from 'node:fs/promises';
import { readPdf } from '@florin/app/testing/read-pdf';
import { AccountService } from '@florin/proto/ledger/v1/account_service';
import { LEDGER_SCOPES } from '@florin/proto/ledger/v1/scopes';
import type { Locator, Page, Route } from 'playwright-core';
import { expect, it, type TestContext } from 'vitest';
import { expectSoon } from '../support/in-browser.ts';
import { openOperatorChannel } from '../support/operator-channel.ts';
import { createCard, newWallet, type Person, registerPerson } from '../support/story.ts';
import { createAnnouncedWallet } from './announced-wallet.ts';
import { openApp, type Visit } from './app-in-browser.ts';
import { checkScreen, expectWholeLabels } from './check-screen.ts';
import { closeSheet, goTo } from './steps.ts';

const RUN_MS = 180_000;

const PHONE = { width: 390, height: 844 };

const SUPPORT = 'help@example.org';

const app = openApp({
  SUPPORT_EMAIL: SUPPORT,
  EXPLORER_URL: 'https://explorer.example.org',
  DEPOSIT_MINIMUMS: JSON.stringify({ EURe: `${10n ** 16n}` }),
});

const EURE = (cents: string) => `${cents}${'0'.repeat(16)}`;

type Cardholder = Person & { cardId: string };

/** A cardholder with money, made over the interface, signed in with the wallet of a visitor. */
const visitAs = async (test: TestContext, cents: string, visit: Visit = {}) => {
  const { api } = app.platform;
  const person = await registerPerson(api, newWallet(), { domain: new URL(app.url).host });
  const cardId = await createCard(api, person.token);
  await api.as(person.token).sandbox.createDeposit({ token: 'EURe', amount: EURE(cents) });
  const { page } = await app.visit(test, { ...visit, wallet: createAnnouncedWallet(person.wallet) });
  await page.getByRole('button', { name: /Announced Wallet/ }).click();
  await page.getByRole('navigation').waitFor();
  return { page, person: { ...person, cardId } };
};

/** Has a shop take money from the card. */
const pay = ({ token, cardId }: Cardholder, amount: string, name: string, capture: boolean) =>
  app.platform.api
    .as(token)
    .sandbox.createPayment({ cardId, amount, currency: 'EUR', merchant: { name, country: 'DE', categoryCode: '5942' }, capture });

/** Has a shop of a category take money from the card. */
const payAt = ({ token, cardId }: Cardholder, amount: string, name: string, categoryCode: string) =>
  app.platform.api
    .as(token)
    .sandbox.createPayment({ cardId, amount, currency: 'EUR', merchant: { name, country: 'DE', categoryCode }, capture: true });

/** Blocks the account of a cardholder, as the back office does. */
const blockAccountOf = async ({ token }: Cardholder): Promise<void> => {
  const { id: accountId } = await app.platform.api.as(token).userAccount.getAccount();
  const scopes = [LEDGER_SCOPES.writeAccounts];
  const channel = openOperatorChannel(app.platform, { audience: 'ledger', baseUrl: app.platform.urls['LEDGER_URL'], scopes });
  await channel.client(AccountService).blockAccount({ accountId });
  await channel.close();
};

const button = (page: Page | Locator, name: string) => page.getByRole('button', { name, exact: true });

/** The parts of the screen that end right of its edge. */
const BEYOND = `[...document.querySelectorAll('.money, .button, .segments label, td, th, .tabs a')]
  .filter((element) => element.getBoundingClientRect().right > innerWidth + 0.5 || element.scrollWidth > element.clientWidth + 1 && getComputedStyle(element).display !== 'inline')
  .map(({ className, textContent }) => className + ': ' + textContent)`;

it('fits a phone of 320 pixels with seven figures', { timeout: RUN_MS }, async (test) => {
  const { page, person } = await visitAs(test, '421734567', { viewport: { width: 320, height: 640 } });
  await pay(person, '123456', 'A merchant with quite a long name', true);
  for (const screen of ['Home', 'Cards', 'Payments', 'Account', 'Security'] as const) {
    await goTo(page, screen);
    await page.locator('.skeleton').first().waitFor({ state: 'detached' });
    expect(await page.evaluate('document.documentElement.scrollWidth'), screen).toBeLessThanOrEqual(320);
    expect(await page.evaluate(BEYOND), screen).toEqual([]);
  }
  const inside = `(() => {
    const box = document.querySelector('.balance').getBoundingClientRect();
    const text = document.querySelector('.balance-amount .money').getBoundingClientRect();
    return text.right <= box.right && text.left >= box.left;
  })()`;
  await goTo(page, 'Home');
  await page.locator('.balance-amount .money').waitFor();
  expect(await page.evaluate(inside)).toBe(true);
});

it('speaks French to whose browser does, with the amounts of France, and fits a phone of 320 pixels', { timeout: RUN_MS }, async (test) => {
  const { page, person } = await visitAs(test, '421734567', { locale: 'fr-FR' });
  await pay(person, '123456', 'Librairie', true);
  await page.locator('.balance-amount').getByText('4\u202f216\u202f111,11\u00a0€').waitFor();
  const titles = { '': 'Accueil', '/cards': 'Cartes', '/payments': 'Paiements', '/account': 'Compte', '/security': 'Sécurité' };
  for (const [path, title] of Object.entries(titles)) {
    await page.goto(`${app.url}${path}`);
    await page.getByRole('heading', { level: 1, name: title }).waitFor({ state: 'attached' });
    await page.locator('.skeleton').first().waitFor({ state: 'detached' });
    await expectWholeLabels(page);
    await page.setViewportSize({ width: 320, height: 640 });
    expect(await page.evaluate('document.documentElement.scrollWidth'), title).toBeLessThanOrEqual(320);
    expect(await page.evaluate(BEYOND), title).toEqual([]);
    await page.setViewportSize(PHONE);
  }
  await page.goto(`${app.url}/payments/01890a5d-ac96-774b-bcce-b302099a8057`);
  await page.getByRole('alert').getByText('Ce paiement n’existe pas.').waitFor();
  await checkScreen(page, 'payment-not-found');
  await button(page, 'Langue, Apparence').click();
  await page.getByRole('dialog').waitFor();
  await checkScreen(page, 'preferences');
  await page.locator('label').filter({ hasText: 'Deutsch' }).click();
  await page.getByRole('alert').getByText('Diese Zahlung gibt es nicht.').waitFor();
});

it('says from when on an account can be closed from which was paid lately', { timeout: RUN_MS }, async (test) => {
  const { page, person } = await visitAs(test, '3000');
  await pay(person, '3000', 'Bookshop', true);
  await goTo(page, 'Security');
  await button(page, 'Close the account').click();
  const sheet = page.getByRole('dialog');
  await sheet.getByLabel('To go on, type “close”').fill('close');
  await button(page, 'Close and erase').click();
  await sheet.getByText('You have paid by card lately').waitFor();
  const { headers } = await app.platform.api.request('DELETE', '/user', { token: person.token });
  const from = /erasableFrom: ([^"]+)/.exec(headers.get('link') ?? '')?.[1] ?? expect.fail('it has no date');
  const shown = { dateStyle: 'medium', timeStyle: 'short', timeZone: 'Europe/Berlin' } as const;
  await sheet.getByText(`You can close it from ${new Intl.DateTimeFormat('en-GB', shown).format(new Date(from))} on.`).waitFor();
  await checkScreen(page, 'close-account-later');
});

it('names merchants and reasons in the statement, opens their payments, and saves a table that people can read', {
  timeout: RUN_MS,
}, async (test) => {
  const { page, person } = await visitAs(test, '50000');
  await pay(person, '3000', 'Bookshop', true);
  const { cards, sandbox } = app.platform.api.as(person.token);
  const { data } = await cards.listCardTransactions();
  await cards.disputeCardTransaction({ transactionId: data[0]?.id ?? '', reason: 'not_received' });
  await goTo(page, 'Account');
  const statement = page.getByRole('table', { name: 'Statement' });
  await statement.getByRole('row', { name: /Bookshop.*Card payment.*−?-?€30\.00/ }).waitFor();
  const [download] = await Promise.all([page.waitForEvent('download'), button(page, 'Save as CSV').click()]);
  const rows = (await readFile(await download.path(), 'utf8')).split('\r\n');
  const header = rows[0]?.split(',') ?? [];
  const cells = rows.find((row) => row.includes(',card_payment,'))?.split(',');
  expect(cells).toHaveLength(header.length);
  expect(Object.fromEntries(header.map((column, index) => [column, cells?.[index]]))).toMatchObject({
    ...{ token: 'EURe', currency: 'EUR', amount: '-30.00', balanceAfter: '470.00', merchant: 'Bookshop', originalAmount: '' },
  });
  await sandbox.createPayment({
    cardId: person.cardId,
    amount: '2000',
    currency: 'USD',
    merchant: { name: 'Café Zoë', country: 'US' },
    capture: true,
  });
  const listed = async () => JSON.stringify((await app.platform.api.as(person.token).userMovements.listStatement()).data);
  await expectSoon(listed).toContain('Café Zoë');
  const [saved] = await Promise.all([page.waitForEvent('download'), button(page, 'Save as PDF').click()]);
  expect(saved.suggestedFilename()).toMatch(/^florin-statement-\d{4}-\d{2}\.pdf$/);
  const texts = readPdf(await readFile(await saved.path(), 'latin1')).flat();
  const { data: lines } = await app.platform.api.as(person.token).userMovements.listStatement();
  const [latest] = lines;
  const euros = (amount = '') => `€${(Number(amount.slice(0, -16)) / 100).toFixed(2)}`;
  expect(texts).toEqual(
    expect.arrayContaining([
      ...['Balance before, EURe', '€0.00', 'Balance after, EURe', euros(latest?.balanceAfter)],
      ...['Deposit', '€500.00', 'Bookshop', 'Card payment', '-€30.00', '€470.00', 'Café Zoë'],
      expect.stringMatching(/^US\$20\.00 · 1 USD = [\d.]+ EUR$/),
    ]),
  );
  // A month in which nothing moved has its balances too.
  const booked = euros(latest?.balanceAfter);
  await page.clock.setFixedTime(Date.now() + 32 * 86_400_000);
  await goTo(page, 'Home');
  await goTo(page, 'Account');
  const [still] = await Promise.all([page.waitForEvent('download'), button(page, 'Save as PDF').click()]);
  const ofStill = readPdf(await readFile(await still.path(), 'latin1')).flat();
  expect(ofStill).toEqual(expect.arrayContaining(['Nothing was booked in this month.']));
  expect(ofStill.slice(ofStill.indexOf('Balance before, EURe')).slice(0, 4)).toEqual([
    'Balance before, EURe',
    booked,
    'Balance after, EURe',
    booked,
  ]);
  await statement.getByRole('link', { name: 'Bookshop' }).first().click();
  await page.getByRole('heading', { level: 1, name: 'Bookshop' }).waitFor();
  const [receipt] = await Promise.all([page.waitForEvent('download'), button(page, 'Save a receipt (PDF)').click()]);
  const ofReceipt = readPdf(await readFile(await receipt.path(), 'latin1')).flat();
  const { email } = await app.platform.api.as(person.token).user.getUser();
  const { last4 } = await cards.getCard({ cardId: person.cardId });
  expect(ofReceipt).toEqual(
    expect.arrayContaining([
      ...['Florin · Receipt', 'Merchant', 'Bookshop', 'Germany', 'Amount', '€30.00', `•••• ${last4}`, data[0]?.id],
      ...['Account holder', email],
    ]),
  );
  await button(page, 'Withdraw the dispute').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Withdraw the dispute' }).click();
  await page.getByText('Dispute withdrawn').first().waitFor();
});

it('adds up payments by month and by category, less what came back, beside a drawing', { timeout: RUN_MS }, async (test) => {
  const { page, person } = await visitAs(test, '50000');
  const { sandbox } = app.platform.api.as(person.token);
  await payAt(person, '3000', 'Bookshop', '5942');
  await payAt(person, '1250', 'Second bookshop', '5942');
  const { transactionId = '' } = await payAt(person, '8000', 'Green Grocer', '5411');
  await payAt(person, '99999999', 'Yachts', '5551');
  await sandbox.refundPayment({ transactionId, amount: '6000' });
  await goTo(page, 'Payments');
  await page.getByRole('link', { name: 'Insights' }).click();
  const byMonth = page.getByRole('table', { name: 'The last months' });
  const now = new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'Europe/Berlin' }).format(new Date());
  await byMonth.getByRole('row', { name: `${now} 3 €62.50` }).waitFor();
  expect(await byMonth.getByRole('row').count()).toBe(7);
  const categories = page.getByRole('table', { name: now });
  expect((await categories.getByRole('row').allTextContents()).slice(1)).toEqual([
    'Bookshops€42.502 payments',
    'Groceries€20.00One payment',
  ]);
  for (const sign of ['books', 'groceries']) expect(await categories.locator(`.face[data-sign="${sign}"]`).count()).toBe(1);
  // The largest column is as high as the drawing allows.
  expect(await page.locator('.chart-chosen rect').getAttribute('height')).toBe('128');
  await checkScreen(page, 'insights');
  await byMonth.getByRole('link').last().click();
  await page.getByText('Nothing was paid by card in this month.').waitFor();
  await page.reload();
  await page.getByText('Nothing was paid by card in this month.').waitFor();
});

it('finds payments by merchant, kind of shop and day, and keeps a note on one', { timeout: RUN_MS }, async (test) => {
  const { page, person } = await visitAs(test, '50000');
  await payAt(person, '3000', 'Bookshop', '5942');
  await payAt(person, '1250', 'Second bookshop', '5942');
  await payAt(person, '8000', 'Green Grocer', '5411');
  await payAt(person, '900', 'Lantern Shop', '5999');
  await payAt(person, '700', 'Kite Shop', '5399');
  await goTo(page, 'Payments');
  const found = page.getByRole('main').getByRole('listitem');
  await expectSoon(() => found.count()).toBe(5);
  const search = async (label: string, fill: (field: Locator) => Promise<unknown>) => {
    await button(page, 'Search').click();
    await fill(page.getByRole('dialog').getByLabel(label));
    await button(page, 'Search payments').click();
  };
  await search('Merchant', async (field) => {
    await field.fill('second BOOK');
    await checkScreen(page, 'search-payments');
  });
  await expectSoon(() => found.allTextContents()).toEqual([expect.stringContaining('Second bookshop')]);
  // The address has the search.
  await page.reload();
  await expectSoon(() => found.count()).toBe(1);
  await page.getByRole('link', { name: /Second bookshop/ }).click();
  await page.getByRole('heading', { level: 1, name: 'Second bookshop' }).waitFor();
  await page.goBack();
  await expectSoon(() => found.count()).toBe(1);
  await button(page, 'Show all').click();
  await expectSoon(() => found.count()).toBe(5);
  await search('Category', (field) => field.selectOption('Groceries'));
  await expectSoon(() => found.allTextContents()).toEqual([expect.stringContaining('Green Grocer')]);
  // Every kind can be chosen, whatever is shown, with all of its codes.
  await search('Category', (field) => field.selectOption('Shops'));
  await expectSoon(() => found.allTextContents()).toEqual([expect.stringContaining('Kite Shop'), expect.stringContaining('Lantern Shop')]);
  await search('Category', async (field) => {
    expect(await field.locator('option:checked').textContent()).toBe('Shops');
    await field.selectOption('Vets');
  });
  await page.getByText('No payments here').waitFor();
  await button(page, 'Show all').click();
  await search('First day', (field) => field.fill('2100-01-02'));
  await page.getByText('No payments here').waitFor();
  await search('Last day', (field) => field.fill('2100-01-01'));
  await page.getByText('The last day is before the first one.').waitFor();
  await closeSheet(page);
  await button(page, 'Show all').click();

  await page.getByRole('link', { name: /Second bookshop/ }).click();
  const note = page.getByLabel('Your note');
  await note.fill('Present for Ada');
  await button(page, 'Save the note').click();
  await page.getByText('The note is saved.').waitFor();
  await button(page, 'Save the note').waitFor({ state: 'detached' });
  await page.reload();
  await expectSoon(() => note.inputValue()).toBe('Present for Ada');
  await page.getByRole('link', { name: 'All payments at Second bookshop' }).click();
  await expectSoon(() => found.count()).toBe(1);
});

it('shows the note of a payment on no other one to which a link leads', { timeout: RUN_MS }, async (test) => {
  const { page, person } = await visitAs(test, '50000');
  const { sandbox, cards } = app.platform.api.as(person.token);
  const { transactionId = '' } = await payAt(person, '3000', 'Bookshop', '5942');
  const merchant = { name: 'Bookshop', country: 'DE', categoryCode: '5942' };
  const { id: refundId } = await sandbox.createRefund({ cardId: person.cardId, amount: '3000', currency: 'EUR', merchant });
  await cards.setCardTransactionNote({ transactionId: refundId, note: 'Torn pages' });
  const note = page.getByLabel('Your note');
  const related = page.getByRole('link', { name: 'Show the payment' });
  await page.goto(`${app.url}/payments/${refundId}`);
  await expectSoon(() => note.inputValue()).toBe('Torn pages');
  await related.click();
  await page.waitForURL(`${app.url}/payments/${transactionId}`);
  await expectSoon(() => note.inputValue()).toBe('');
  // Both are there already: going back and forth draws the screen at once.
  await page.goBack();
  await expectSoon(() => note.inputValue()).toBe('Torn pages');
  await page.goForward();
  await expectSoon(() => note.inputValue()).toBe('');
});

it('says in the language of the app what is wrong with a field', { timeout: RUN_MS }, async (test) => {
  const { page } = await visitAs(test, '50000', { locale: 'de-DE' });
  await page.goto(`${app.url}/security`);
  await button(page, 'Telefonnummer ändern').click();
  await page.getByLabel('Neue Telefonnummer').fill('12345');
  await page.getByRole('dialog').getByRole('button', { name: 'Ändern' }).click();
  await page.getByRole('alert').getByText('Gib die Nummer mit der Landesvorwahl ein').waitFor();
  expect(await page.getByRole('dialog').textContent()).not.toMatch(/must|E\.164/);
  await checkScreen(page, 'change-phone');
});

it('says how to reach support, with what failed', { timeout: RUN_MS }, async (test) => {
  const { page } = await visitAs(test, '50000');
  await goTo(page, 'Security');
  expect(await page.getByRole('link', { name: 'Write to support' }).getAttribute('href')).toBe(`mailto:${SUPPORT}`);
  await page.goto(`${app.url}/payments/01890a5d-ac96-774b-bcce-b302099a8057`);
  const href = await page.getByRole('alert').getByRole('link', { name: 'Write to support' }).getAttribute('href');
  expect(decodeURIComponent(href ?? '')).toMatch(/^mailto:help@example\.org\?subject=PAYMENT_NOT_FOUND [0-9a-f]{32}$/);
});

it('freezes the card for a payment that nobody made, disputes it once it is settled, and leads to another card', {
  timeout: RUN_MS,
}, async (test) => {
  const { page, person } = await visitAs(test, '50000');
  await pay(person, '3000', 'Bookshop', false);
  await goTo(page, 'Payments');
  await page.getByRole('link', { name: /Bookshop/ }).click();
  await button(page, 'I don’t recognise this').click();
  await page.getByRole('dialog').getByText('The shop has not taken the money yet.').waitFor();
  await checkScreen(page, 'unrecognised');
  await page.getByRole('dialog').getByRole('button', { name: 'Freeze the card' }).click();
  await page.getByText('The card is frozen. It declines every payment.').first().waitFor();
  // The button that was pressed is gone.
  await expectSoon(() => page.evaluate('document.querySelector("dialog[open]").contains(document.activeElement)')).toBe(true);
  await closeSheet(page);
  const { data } = await app.platform.api.as(person.token).cards.listCards();
  expect(data[0]?.status).toBe('frozen');

  const { data: payments } = await app.platform.api.as(person.token).cards.listCardTransactions();
  await app.platform.api.as(person.token).sandbox.clearPayment({ transactionId: payments[0]?.id ?? '', amount: '3000' });
  await button(page, 'I don’t recognise this').click();
  await button(page, 'Dispute the payment').click();
  await expectSoon(() => page.getByLabel('It was not me').isChecked()).toBe(true);
  await page.getByText('so it stops working for good').waitFor();
  await button(page, 'Send the dispute').click();
  await page.getByText('We received your dispute.').waitFor();
  await button(page, 'Order a replacement').click();
  await page.getByText('Your card is ready').first().waitFor();
  const { data: after } = await app.platform.api.as(person.token).cards.listCards();
  expect(after.map(({ status }) => status).toSorted()).toEqual(['active', 'stolen']);
  await goTo(page, 'Payments');
  await page.getByRole('link', { name: /Bookshop/ }).click();
  await page.locator('.facts').getByText('Being looked at').waitFor();
});

it('says that a card is frozen, also where an event has drawn it before the answer', { timeout: RUN_MS }, async (test) => {
  const { page, person } = await visitAs(test, '50000');
  await page.goto(`${app.url}/cards/${person.cardId}`);
  await page.context().route('**/freeze', async (route) => {
    const response = await route.fetch();
    await button(page, 'Unfreeze').waitFor();
    await route.fulfill({ response });
  });
  await button(page, 'Freeze').click();
  await page.getByText('The card is frozen. It declines every payment.').waitFor();
});

it('asks for a sign-in where a press meets a session that has ended, and shows the same screen afterwards', {
  timeout: RUN_MS,
}, async (test) => {
  const { page, person } = await visitAs(test, '50000');
  const address = `${app.url}/cards/${person.cardId}`;
  await page.goto(address);
  const endSession = async (route: Route): Promise<void> => {
    await app.platform.api.as(person.token).auth.logoutAll();
    await route.continue();
  };
  await page.context().route('**/freeze', endSession, { times: 1 });
  await button(page, 'Freeze').click();
  await page.getByText('You have been signed out. Sign in to go on.').waitFor();
  await checkScreen(page, 'signed-out');
  await button(page, 'Continue with Announced Wallet').click();
  // Nothing has happened yet.
  await button(page, 'Freeze').click();
  await button(page, 'Unfreeze').waitFor();
  expect(page.url()).toBe(address);
});

it('gives a card a name and a colour, which all screens show', { timeout: RUN_MS }, async (test) => {
  const { page, person } = await visitAs(test, '50000');
  await page.goto(`${app.url}/cards/${person.cardId}`);
  await button(page, 'Name and colour').click();
  const sheet = page.getByRole('dialog');
  await sheet.getByLabel('Colour').selectOption({ label: 'Violet' });
  await checkScreen(page, 'card-colour');
  await sheet.getByLabel('Name of the card').fill('Travel');
  await sheet.getByRole('button', { name: 'Save' }).click();
  await sheet.waitFor({ state: 'detached' });
  const picture = page.getByRole('img', { name: /^Card “Travel”/ });
  for (const screen of [undefined, 'Cards', 'Home'] as const) {
    if (screen !== undefined) await goTo(page, screen);
    await expectSoon(() => picture.getAttribute('data-colour')).toBe('violet');
  }
  await page.goto(`${app.url}/cards/order`);
  await page.getByRole('heading', { level: 1, name: 'Order another card' }).waitFor();
  await checkScreen(page, 'order-another');
});

it('locks a card to a shop that it has paid, and makes it one for a single purchase', { timeout: RUN_MS }, async (test) => {
  const { page, person } = await visitAs(test, '50000');
  const payIn = async (id: string, name: string) => {
    const { cardId } = person;
    const merchant = { id, name, country: 'DE', categoryCode: '5942' };
    const { reason } = await app.platform.api
      .as(person.token)
      .sandbox.createPayment({ cardId, amount: '100', currency: 'EUR', merchant, capture: true });
    return reason?.code;
  };
  await page.goto(`${app.url}/cards/${person.cardId}`);
  const lock = page.getByRole('region', { name: 'Lock to a shop' });
  await lock.getByText('Once the card has paid in a shop, you can lock it to that shop.').waitFor();
  expect(await payIn('M-1', 'Bookshop')).toBeUndefined();
  await lock.getByLabel('Shop', { exact: true }).selectOption({ label: 'Bookshop' });
  await lock.getByRole('button', { name: 'Lock', exact: true }).click();
  await lock.getByText('The card pays only at Bookshop. It declines every other shop.').waitFor();
  const single = page.getByRole('switch', { name: 'One purchase only' });
  const isStored = () => expectSoon(() => single.getAttribute('aria-busy')).toBe(null);
  await isStored();
  expect(await payIn('M-2', 'Tea House')).toBe('merchant_blocked');

  await single.click();
  await isStored();
  expect(await payIn('M-1', 'Bookshop')).toBeUndefined();
  await page.getByText('This card was for one purchase, which was made.').waitFor();
  expect(await payIn('M-1', 'Bookshop')).toBe('card_used');
  await checkScreen(page, 'card-used');
  await goTo(page, 'Cards');
  await page.getByRole('img', { name: /Used up$/ }).waitFor();
  await goTo(page, 'Payments');
  await page
    .getByRole('link', { name: /Bookshop/ })
    .first()
    .click();
  await page.getByText('The card is for a single purchase, which was made.').waitFor();

  await page.goto(`${app.url}/cards/${person.cardId}`);
  await page.getByRole('link', { name: 'Go to the purchase' }).click();
  await page.getByRole('heading', { level: 1, name: 'Bookshop' }).waitFor();
  await page.goto(`${app.url}/cards/${person.cardId}`);
  await button(page, 'Lift the lock').click();
  await lock.getByText('The card pays in every shop.').waitFor();
  await isStored();
  await single.click();
  await page.getByText('This card was for one purchase, which was made.').waitFor({ state: 'detached' });
  await isStored();
  expect(await payIn('M-2', 'Tea House')).toBeUndefined();
});

it('gives the focus back to what opened a sheet', { timeout: RUN_MS }, async (test) => {
  const { page, person } = await visitAs(test, '50000');
  await page.goto(`${app.url}/cards/${person.cardId}`);
  for (const name of ['Name and colour', 'PIN', 'Report lost', 'Cancel the card']) {
    await button(page, name).click();
    await page.getByRole('dialog').waitFor();
    if (name === 'Cancel the card') await checkScreen(page, 'card-cancel');
    await closeSheet(page);
    await expectSoon(() => page.evaluate('document.activeElement.textContent')).toBe(name);
  }
});

it('shows an address to scan, and what holds a deposit', { timeout: RUN_MS }, async (test) => {
  const { page, person } = await visitAs(test, '50000');
  const { sandbox } = app.platform.api.as(person.token);
  const { txHash } = await sandbox.createDeposit({ token: 'EURe', amount: EURE('75000'), kyt: 'hold' });
  await sandbox.createDeposit({ token: 'EURe', amount: EURE('100'), kyt: 'reject' });
  for (let count = 0; count < 24; count += 1) await sandbox.createDeposit({ token: 'EURe', amount: EURE('100') });
  await goTo(page, 'Account');
  // It is older than a page of deposits.
  const movements = page.locator('.panel', { has: page.getByRole('heading', { name: 'Deposits and withdrawals' }) });
  await expectSoon(() => movements.getByRole('listitem').count()).toBe(25);
  // Events of the deposits may still come, and read the list anew.
  await expectSoon(async () => {
    await button(movements, 'Show more')
      .click({ timeout: 1000 })
      .catch(() => undefined);
    return movements.getByRole('button', { name: /^Deposit Pending/ }).count();
  }).toBe(1);
  await page.getByRole('button', { name: /^Deposit Pending/ }).click();
  const sheet = page.getByRole('dialog');
  await sheet.getByText('We are checking where this money comes from.').waitFor();
  expect(await sheet.textContent()).toContain(txHash);
  const explorer = sheet.getByRole('link', { name: 'View in the block explorer' });
  expect(await explorer.getAttribute('href')).toBe(`https://explorer.example.org/tx/${txHash}`);
  await checkScreen(page, 'deposit-held');
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await sheet.getByRole('button', { name: /^Copy/ }).first().click();
  // In the sheet: the screen below is covered, and silent for screen readers.
  await sheet.getByText('Copied.').waitFor();
  await closeSheet(page);
  await page.getByRole('button', { name: /^Deposit Rejected/ }).click();
  await sheet.getByText('We could not accept this money.').waitFor();
  await closeSheet(page);
  await page.getByRole('main').getByRole('link', { name: 'Add money' }).click();
  const code = page.getByRole('img', { name: 'The address as a QR code' });
  await code.waitFor();
  await page.getByText(/^Send at least 0\.01.EURe\. Less is not credited\.$/).waitFor();
  // Of a blocked account, whose Safe another key may control, no address is shown.
  await blockAccountOf(person);
  await page.reload();
  await page.getByText('Do not send money to it').waitFor();
  expect(await code.count()).toBe(0);
  await goTo(page, 'Account');
  await page.getByText('Blocked', { exact: true }).waitFor();
  expect(await page.getByRole('button', { name: 'Copy address' }).count()).toBe(0);
});
