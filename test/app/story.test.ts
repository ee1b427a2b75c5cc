import { expect, it } from 'vitest';
import { expectSoon, newEmail } from '../support/in-browser.ts';
import { pinsFor } from '../support/pins.ts';
import { createAnnouncedWallet } from './announced-wallet.ts';
import { openApp } from './app-in-browser.ts';
import { checkScreen, expectWholeLabels } from './check-screen.ts';
import { addMoney, approve, closeSheet, goTo, orderFirstCard, registerAs, shopDoes, signInWith, startPayment } from './steps.ts';

const STORY_MS = 240_000;

const WALLET = 'Announced Wallet';

const NUMBER = /\d{4} \d{4} \d{4} \d{4}/;

const app = openApp();

it('leads from the first page to a purchase that is paid, disputed and refunded, and every screen is in order', {
  timeout: STORY_MS,
}, async (test) => {
  const wallet = createAnnouncedWallet();
  const { page } = await app.visit(test, { wallet });
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  await button(`Continue with ${WALLET}`).waitFor();
  await checkScreen(page, 'sign-in');
  await signInWith(page, WALLET);
  await page.getByLabel('E-mail address').waitFor();
  await checkScreen(page, 'register');
  await registerAs(page, newEmail());
  await checkScreen(page, 'order-card');
  await orderFirstCard(page);
  await addMoney(page);
  await checkScreen(page, 'deposit');

  await goTo(page, 'Home');
  await startPayment(page);
  await checkScreen(page, 'approve');
  const text = await page.locator('.signed-text').textContent();
  expect(text).toMatch(/^APPROVE this card payment\nAmount: 49\.99 EUR\nCard: \*\*\*\* \d{4}\nMerchant: "Bookshop" \(DE\)\n/);
  await approve(page);
  await checkScreen(page, 'approved');
  await closeSheet(page);
  await page.getByText('Paid €49.99 at Bookshop.').waitFor();
  await page.getByText('€450.01').waitFor();
  await checkScreen(page, 'home');

  await shopDoes(page, 'Settle it', 'The shop has taken the money.');
  await goTo(page, 'Payments');
  await page.getByRole('link', { name: /Bookshop/ }).waitFor();
  await checkScreen(page, 'payments');
  await page.getByRole('link', { name: /Bookshop/ }).click();
  await button('Show the signed approval').click();
  await page.getByText('Signed by').waitFor();
  expect(await page.locator('.signed-text').textContent()).toBe(text);
  expect(await page.locator('.facts', { hasText: 'Signed by' }).textContent()).toContain(wallet.wallet.address);
  await page.locator('.facts', { hasText: 'Category' }).getByText('Bookshops').waitFor();
  await checkScreen(page, 'payment');
  await page.getByRole('main').getByRole('link', { name: 'Payments', exact: true }).click();
  await page.getByRole('link', { name: /Bookshop/ }).click();
  await button('Something is wrong').click();
  await button('Send the dispute').click();
  await page.getByRole('dialog').getByText('Choose what is wrong.').waitFor();
  await checkScreen(page, 'dispute');
  await page.getByLabel('I was charged twice').check();
  await button('Send the dispute').click();
  await page.getByText('We received your dispute.').waitFor();
  await page.getByText('Being looked at').waitFor();

  await goTo(page, 'Home');
  await shopDoes(page, 'Refund it', 'The shop has refunded the payment.');
  await goTo(page, 'Payments');
  await page.getByText('Refunded · Disputed', { exact: true }).waitFor();

  await goTo(page, 'Account');
  await page.getByRole('cell', { name: '+€500.00' }).waitFor();
  await checkScreen(page, 'account');
  const [download] = await Promise.all([page.waitForEvent('download'), button('Save as CSV').click()]);
  expect(download.suggestedFilename()).toBe('florin-statement.csv');

  await goTo(page, 'Security');
  await page.getByText('This device').waitFor();
  await page.getByText('Owns the account').waitFor();
  await checkScreen(page, 'security');
  await button('Sign out').click();
  await page.getByRole('heading', { name: 'Choose a wallet' }).waitFor();
});

it('shows a card, its limits, controls and secrets, and what becomes of a lost one', { timeout: STORY_MS }, async (test) => {
  const wallet = createAnnouncedWallet();
  const { page } = await app.visit(test, { wallet });
  const signatures = () => wallet.asked.filter((method) => method === 'eth_signTypedData_v4').length;
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  await signInWith(page, WALLET);
  await registerAs(page, newEmail());
  await orderFirstCard(page);
  await page.getByRole('progressbar', { name: /^A day/ }).waitFor();
  await checkScreen(page, 'card');

  await button('Show the details').click();
  await button('Sign and show').click();
  await expectSoon(() => page.getByRole('dialog').textContent()).toMatch(NUMBER);
  const [number = ''] = NUMBER.exec((await page.getByRole('dialog').textContent()) ?? '') ?? [];
  const [pin] = pinsFor(number.replaceAll(' ', ''));
  await checkScreen(page, 'reveal');
  await button('Hide now').click();
  await button('Sign and show').waitFor();
  await closeSheet(page);

  await button('PIN').click();
  await checkScreen(page, 'pin');
  await page.getByLabel('New PIN').fill(pin);
  await button('Set a PIN').click();
  await page.getByText('The PIN is set.').waitFor();
  await button('PIN').click();
  await button('Show the PIN').click();
  await page.getByText(pin).waitFor();
  await closeSheet(page);

  await page.getByRole('link', { name: 'Change' }).click();
  // By its role: the screen before it has a meter of the same name.
  await page.getByRole('textbox', { name: 'A day' }).fill('9000000');
  await button('Save').click();
  await page.getByText(/^The card program permits at most €/).waitFor();
  await page.getByRole('textbox', { name: 'A day' }).fill('60.00');
  await checkScreen(page, 'limits');
  await button('Save').click();
  await page.getByText('€0.00 of €60.00 used').waitFor();

  // Closing needs no signature; what lets the card pay more is signed once.
  let signed = signatures();
  await page.getByRole('link', { name: 'Change' }).click();
  await page.getByRole('textbox', { name: 'A day' }).fill('70.00');
  await button('Save').click();
  await page.getByText('€0.00 of €70.00 used').waitFor();
  signed += 1;
  expect(signatures()).toBe(signed);

  const online = page.getByRole('switch', { name: 'Online' });
  // It moves before the platform has stored it.
  const isStored = () => expectSoon(() => online.getAttribute('aria-busy')).toBe(null);
  await online.click();
  await expectSoon(() => online.isChecked()).toBe(false);
  await isStored();
  const payInVain = async (reason: string): Promise<void> => {
    await button('Sandbox').click();
    await button('Pay without approval').click();
    await page.getByText(`Bookshop was declined: ${reason}`).waitFor();
  };
  await payInVain('This way of paying is switched off for the card.');
  expect(signatures()).toBe(signed);

  await online.click();
  await expectSoon(() => online.isChecked()).toBe(true);
  await isStored();
  signed += 1;
  expect(signatures()).toBe(signed);
  const countries = page.getByRole('region', { name: 'Blocked countries' });
  await countries.getByLabel('Block a country').selectOption({ label: 'Germany' });
  await countries.getByRole('button', { name: 'Block', exact: true }).click();
  await button('Unblock Germany').waitFor();
  await isStored();
  await payInVain('You do not permit payments in this country.');
  await button('Unblock Germany').click();
  await countries.getByText('The card pays in every country.').waitFor();
  await isStored();
  const shops = page.getByRole('region', { name: 'Blocked kinds of shops' });
  await shops.getByLabel('Block a kind of shop').selectOption({ label: 'Gambling and betting' });
  await shops.getByRole('button', { name: 'Block', exact: true }).click();
  await button('Unblock Gambling and betting').waitFor();
  await shops.getByText('Merchant category 7995').waitFor();
  await isStored();
  await checkScreen(page, 'controls');
  await page.reload();
  await button('Unblock Gambling and betting').waitFor();

  await button('Freeze').click();
  signed = signatures();
  await button('Unfreeze').click();
  await button('Freeze').waitFor();
  expect(signatures()).toBe(signed + 1);
  await button('Report lost').click();
  await checkScreen(page, 'card-lost');
  await page.getByRole('dialog').getByRole('button', { name: 'Report lost' }).click();
  await button('Order a replacement').click();
  await button('Show the details').waitFor();
  await goTo(page, 'Cards');
  await page.getByRole('img', { name: /Reported lost/ }).waitFor();
  await checkScreen(page, 'cards');

  await goTo(page, 'Security');
  await page.getByText('PIN changed').waitFor();
  await page.getByText('Details shown').waitFor();
});

it('is there in German, and brings a wallet of its own in the sandbox', { timeout: STORY_MS }, async (test) => {
  const { page } = await app.visit(test, { locale: 'de-DE' });
  await page.getByRole('button', { name: 'Weiter mit Testwallet' }).click();
  await page.getByLabel('E-Mail-Adresse').fill(newEmail());
  await page.getByRole('button', { name: 'Code senden' }).click();
  await page.getByRole('button', { name: 'E-Mail lesen' }).click();
  await expectSoon(() => page.getByLabel('Code aus der E-Mail').inputValue()).toMatch(/^\d{6}$/);
  await page.getByRole('button', { name: 'Konto eröffnen' }).click();
  await page.getByRole('button', { name: 'Karte bestellen' }).click();
  await page.getByRole('button', { name: 'Daten anzeigen' }).waitFor();
  await page.getByRole('link', { name: 'Start' }).click();
  await page.getByText(/^0,00\s€$/).waitFor();
  await checkScreen(page, 'home-in-german');
  for (const screen of ['Karten', 'Zahlungen', 'Konto', 'Sicherheit', 'Start']) {
    await page.getByRole('navigation').getByRole('link', { name: screen, exact: true }).click();
    await page.getByRole('heading', { level: 1, name: screen }).waitFor({ state: 'attached' });
    await expectWholeLabels(page);
  }
  await page.reload();
  await page.getByText(/^0,00\s€$/).waitFor();
});
