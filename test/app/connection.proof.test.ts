import { testPort } from '@florin/rpc/testing';
import { expect, it } from 'vitest';
import { newEmail, press } from '../support/in-browser.ts';
import { createCard, newWallet, registerPerson } from '../support/story.ts';
import { createAnnouncedWallet } from './announced-wallet.ts';
import { openApp } from './app-in-browser.ts';
import { slowConnection } from './slow-connection.ts';
import { approve, becomeCardholder, closeSheet, goTo, startPayment } from './steps.ts';

const RUN_MS = 300_000;

const WALLET = 'Announced Wallet';

const app = openApp();

it('shows that it starts while its scripts are on their way, and leads to a payment on a slow connection', {
  timeout: RUN_MS,
}, async (test) => {
  const { context, page } = await app.visit(test, { wallet: createAnnouncedWallet() });
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await context.route('**/assets/*.js', async (route) => {
    await released;
    await route.continue();
  });
  await page.reload({ waitUntil: 'commit' });
  await page.locator('#app .skeleton').waitFor();
  expect(await page.getByRole('button').count()).toBe(0);
  release();
  await slowConnection(page);
  await becomeCardholder(page, WALLET, newEmail());
  await goTo(page, 'Home');
  await startPayment(page);
  await approve(page);
  await closeSheet(page);
  await page.getByText('€450.01').waitFor();
});

it('says that the platform is away while it is restarted, and goes on by itself once it is back', { timeout: RUN_MS }, async (test) => {
  const { platform } = app;
  const port = await testPort();
  const start = () => platform.startGateway({ PORT: String(port) });
  const host = `127.0.0.1:${port}`;
  const gateway = await start();
  const person = await registerPerson(platform.api, newWallet(), { domain: host });
  const cardId = await createCard(platform.api, person.token);
  const { page, problems } = await app.visit(test, { wallet: createAnnouncedWallet(person.wallet) });
  await page.goto(`http://${host}/app`);
  await page.getByRole('button', { name: `Continue with ${WALLET}` }).click();
  await page.getByRole('navigation').waitFor();
  await goTo(page, 'Cards');
  await page.goto(`http://${host}/app/cards/${cardId}`);
  const freeze = page.getByRole('button', { name: 'Freeze', exact: true });
  await freeze.waitFor();

  await gateway.close();
  await page.getByText('You are offline.').waitFor();
  await freeze.click();
  await page.getByRole('alert').waitFor();
  expect((await platform.api.as(person.token).cards.getCard({ cardId })).status).toBe('active');

  await start();
  await page.getByText('You are offline.').waitFor({ state: 'detached' });
  await press(page, freeze, page.getByText('The card is frozen. It declines every payment.'));
  expect((await platform.api.as(person.token).cards.getCard({ cardId })).status).toBe('frozen');
  // The browser tells of requests that nobody answered.
  expect(problems.splice(0).filter((problem) => !problem.includes('ERR_'))).toEqual([]);
});
