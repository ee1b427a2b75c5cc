import { type PushService, startPushService } from '@florin/notifications/testing/push-service';
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { expectSoon } from '../support/in-browser.ts';
import { createCard, newWallet, registerPerson, siweMessage } from '../support/story.ts';
import { createAnnouncedWallet } from './announced-wallet.ts';
import { openApp } from './app-in-browser.ts';
import { checkScreen } from './check-screen.ts';
import { closeSheet, goTo } from './steps.ts';

const RUN_MS = 240_000;

let push: PushService;
beforeAll(async () => {
  push = await startPushService();
});
afterAll(() => push.close());

const app = openApp({}, { notifications: {} });

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

/** Subscribes at the stand-in instead of the browser maker's push service, which needs the internet. */
const subscribeAtStandIn = async (context: BrowserContext): Promise<string> => {
  const { device, subscription } = push.subscribe();
  await context.grantPermissions(['notifications']);
  await context.addInitScript(`(() => {
    const kept = 'test.subscribed';
    const made = { toJSON: () => (${JSON.stringify(subscription)}), unsubscribe: async () => (localStorage.removeItem(kept), true) };
    Object.assign(PushManager.prototype, {
      getSubscription: async () => (localStorage.getItem(kept) === null ? null : made),
      subscribe: async () => (localStorage.setItem(kept, 'yes'), made),
    });
  })()`);
  return device;
};

it('tells a device of a payment that waits, shows a message once that is delivered twice, and forgets the device', {
  timeout: RUN_MS,
}, async (test) => {
  const { api } = app.platform;
  const person = await registerPerson(api, newWallet(), { domain: new URL(app.url).host });
  const cardId = await createCard(api, person.token);
  const { page, context } = await app.visit(test, { keepsApp: true, wallet: createAnnouncedWallet(person.wallet) });
  const device = await subscribeAtStandIn(context);
  await page.reload();
  await page.getByRole('button', { name: /Announced Wallet/ }).click();
  await goTo(page, 'Security');
  await expectSoon(() =>
    page.evaluate<boolean>("navigator.serviceWorker.getRegistration('/app').then((found) => found?.active?.state === 'activated')"),
  ).toBe(true);
  await button(page, 'Notify me on this device').click();
  await button(page, 'Stop notifying me here').waitFor();
  await page.getByLabel('Payments: E-mail', { exact: true }).check();
  await page.getByLabel('Stay silent at night').check();
  await page.getByLabel('From', { exact: true }).waitFor();
  await checkScreen(page, 'notifications');
  await expectSoon(async () => (await api.as(person.token).notifications.getNotificationPreferences()).preferences).toMatchObject({
    kinds: { payment_approved: { push: true, email: true }, challenge: { push: true, email: false } },
    quietHours: { from: '22:00', to: '07:00', timeZone: 'Europe/Berlin' },
  });

  const { challengeId } = await api
    .as(person.token)
    .sandbox.createChallenge({ cardId, amount: '1999', currency: 'EUR', merchant: { id: '1', displayName: 'Bookshop' } });
  await expectSoon(() => push.shownOn(device)).toMatchObject([{ title: 'Is this payment yours?', path: `?approve=${challengeId}` }]);
  expect(push.faults).toEqual([]);
  const [shown] = push.shownOn(device);

  // Does what the browser would do with the message that it decrypts.
  const session = await context.newCDPSession(page);
  const registrations: { registrationId: string; scopeURL: string }[] = [];
  session.on('ServiceWorker.workerRegistrationUpdated', (updated) => registrations.push(...updated.registrations));
  await session.send('ServiceWorker.enable');
  await expectSoon(() => registrations.length).toBeGreaterThan(0);
  const [{ registrationId = '' } = {}] = registrations;
  const deliver = { origin: new URL(app.url).origin, registrationId, data: JSON.stringify(shown) };
  for (let repeat = 0; repeat < 2; repeat += 1) await session.send('ServiceWorker.deliverPushMessage', deliver);
  const shownHere = () =>
    page.evaluate<string[]>(
      "navigator.serviceWorker.getRegistration('/app').then((found) => found.getNotifications()).then((all) => all.map(({ title, body }) => title + ' ' + body))",
    );
  await expectSoon(shownHere).toEqual([expect.stringMatching(/^Is this payment yours\? €19\.99, Bookshop\./)]);

  // The challenge has opened its sheet.
  await closeSheet(page);

  // The browser is a new device too: the next one is told a while later.
  app.platform.clock.advanceSeconds(600);
  const domain = new URL(app.url).host;
  const message = await siweMessage(api, person.wallet.address, domain);
  const signed = { message, signature: await person.wallet.signMessage({ message }) };
  await api.request('POST', '/auth/siwe', {
    body: signed,
    headers: { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Gecko/20100101 Firefox/131.0' },
  });
  await expectSoon(() => push.shownOn(device)).toContainEqual(
    expect.objectContaining({ body: expect.stringContaining('a new sign-in'), path: '/security' }),
  );

  const devices = async () => (await api.as(person.token).notifications.getNotificationPreferences()).devices.length;
  await button(page, 'Change the phone number').click();
  await page.getByLabel('New phone number').fill('+49 151 98765432');
  await button(page, 'Change').click();
  await button(page, 'Sign in again').click();
  await page.getByRole('button', { name: /Announced Wallet/ }).click();
  await button(page, 'Stop notifying me here').waitFor();
  expect(await devices()).toBe(1);

  const lost = push.subscribe().subscription;
  await api.as(person.token).notifications.putNotificationSubscription({ endpoint: lost.endpoint, keys: lost.keys, language: 'en' });
  await page.reload();
  await page.getByText('Another device is notified too.').waitFor();
  await button(page, 'Stop notifying my other devices').click();
  await page.getByText('Another device is notified too.').waitFor({ state: 'detached' });
  expect(await devices()).toBe(1);
  await button(page, 'Stop notifying me here').click();
  await button(page, 'Notify me on this device').waitFor();
  expect((await api.as(person.token).notifications.getNotificationPreferences()).devices).toEqual([]);
});
