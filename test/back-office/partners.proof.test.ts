import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { EVENTS_SCOPES } from '@florin/proto/events/v1/scopes';
import { WebhookEndpointService } from '@florin/proto/events/v1/webhook_endpoint_service';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { checkScreen } from '../app/check-screen.ts';
import { expectSoon, newEmail, START_MS } from '../support/in-browser.ts';
import { openOperatorChannel } from '../support/operator-channel.ts';
import { registerPerson, untilDone } from '../support/story.ts';
import { openOffice } from './office-in-browser.ts';
import { button, confirm, enrolAs, goTo } from './steps.ts';

const STORY_MS = 240_000;
const PARTNER = 'florin';

const office = openOffice();
/** Numbers of the events that the partner has taken, in order. */
const taken: number[] = [];
let receiver: Server;
let origin: string;

beforeAll(async () => {
  const take = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { sequence } = (await json(request)) as { sequence: number };
    taken.push(sequence);
    response.writeHead(204).end();
  };
  receiver = createServer((request, response) => void take(request, response));
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
  const { platform } = office;
  const scopes = [EVENTS_SCOPES.manageWebhooks];
  const events = openOperatorChannel(platform, { audience: 'events', baseUrl: platform.urls['EVENTS_URL'], scopes });
  const endpoint = { requestId: randomUUID(), partnerId: PARTNER, url: `${origin}/secret-path` };
  try {
    await untilDone(() => events.client(WebhookEndpointService).createWebhookEndpoint(endpoint));
  } finally {
    await events.close();
  }
  await untilDone(() => registerPerson(platform.api));
}, START_MS);
afterAll(() => receiver?.close());

it('has an event delivered again to a partner who asks for it', { timeout: STORY_MS }, async (test) => {
  await expectSoon(() => taken.length).toBeGreaterThan(0);
  const { page } = await office.sit(test, await office.invite(newEmail('sam'), 'support'));
  await enrolAs(page, 'Sam Support');
  await goTo(page, 'Partners');
  await page.getByLabel('Partner').selectOption(PARTNER);
  const endpoint = page.getByRole('row').filter({ hasText: origin });
  await endpoint.getByText('Enabled').waitFor();
  expect(await page.getByText('secret-path').count()).toBe(0);

  const attempts = page.getByRole('table', { name: 'Attempts' });
  /** Rows of the attempts of an event, or of all, as they are now. */
  const attemptsNow = async (number = ''): Promise<number> => {
    await page.reload();
    await attempts.or(page.getByText('No attempts')).first().waitFor();
    return attempts
      .getByRole('row')
      .filter({ has: page.getByRole('cell', { name: number, exact: number !== '' }) })
      .count();
  };
  // The address has the state of the screen, so that it is there after a reload, and the way back leaves it.
  await button(endpoint, 'Attempts').click();
  await expectSoon(() => attemptsNow()).toBeGreaterThan(0);
  await page.goBack();
  await endpoint.waitFor();
  await attempts.waitFor({ state: 'detached' });
  await page.goForward();
  await attempts.waitFor();
  await checkScreen(page, 'attempts', 'back-office');
  const attempt = attempts.getByRole('row').last();
  const number = (await attempt.getByRole('cell').nth(2).textContent()) ?? '';
  const timesTaken = (): number => taken.filter((sequence) => String(sequence) === number).length;
  const before = timesTaken();
  expect(before).toBeGreaterThan(0);
  await button(attempt, 'Deliver again').click();
  await page.getByRole('heading', { name: `Deliver event ${number} again` }).waitFor();
  await confirm(page, 'Deliver again', 'The event is delivered again.');
  await expectSoon(timesTaken).toBeGreaterThan(before);

  await expectSoon(() => attemptsNow(number)).toBeGreaterThan(before);
});

it('lets an administrator register and revoke keys of a partner, and manage its endpoints', { timeout: STORY_MS }, async (test) => {
  const { page } = await office.sit(test, await office.invite(newEmail('ada'), 'admin'));
  await enrolAs(page, 'Ada Admin');
  await goTo(page, 'Partners');
  await page.goto(`${office.url}/partners?partner=nope`);
  await page.getByText('This platform has no partner nope.').waitFor();
  await page.getByLabel('Partner').selectOption(PARTNER);
  const dialog = page.getByRole('dialog');

  const { publicKey } = generateKeyPairSync('ed25519');
  await button(page, 'Register a key').click();
  await dialog.getByLabel('Name').fill('acme-server');
  await dialog.getByLabel('Public key').fill('-----BEGIN PRIVATE KEY-----');
  await dialog.getByText('This is not the public half of an Ed25519 key.').waitFor();
  await dialog.getByLabel('Public key').fill(publicKey.export({ type: 'spki', format: 'pem' }).toString());
  await dialog.getByRole('checkbox', { name: 'users.read' }).uncheck();
  await checkScreen(page, 'register-key', 'back-office');
  await confirm(page, 'Register a key', 'The key is registered.');
  const key = page.getByRole('row').filter({ hasText: 'acme-server' });
  await key.getByText('events.read').waitFor();
  expect(await key.getByText('users.read').count()).toBe(0);

  await button(page, 'Make a bootstrap token').click();
  await confirm(page, 'Make a bootstrap token', 'The bootstrap token is made. It is shown this once.');
  expect(await dialog.locator('.signed-text').textContent()).toMatch(/^fbt_/);
  await checkScreen(page, 'bootstrap-token', 'back-office');
  await page.keyboard.press('Escape');
  await dialog.getByText('The secret is shown only this once. Copy it before you close.').waitFor();
  await button(dialog, 'I have the secret').click();

  await button(page, 'Create an endpoint').click();
  const url = `${origin}/of-the-office`;
  await dialog.getByLabel('URL').fill(url);
  await dialog.getByLabel('Types of events').fill('card.*, payment.*');
  await checkScreen(page, 'create-endpoint', 'back-office');
  await confirm(page, 'Create an endpoint', 'The endpoint is created. Its secret is shown this once.');
  const secret = await dialog.locator('.signed-text').textContent();
  expect(secret).toMatch(/^whsec_/);
  await button(dialog, 'I have the secret').click();
  const endpoints = page.getByRole('table', { name: 'Webhooks' });
  await expectSoon(() => endpoints.getByRole('row').count()).toBe(3);
  await checkScreen(page, 'partner', 'back-office');
  await button(endpoints.getByRole('row').last(), 'Attempts').click();
  await button(page, 'Rotate the secret').click();
  await confirm(page, 'Rotate the secret', 'The secret is rotated. The new one is shown this once.');
  expect(await dialog.locator('.signed-text').textContent()).not.toBe(secret);
  await button(dialog, 'I have the secret').click();
  await button(page, 'Disable').click();
  await confirm(page, 'Disable', 'The endpoint is disabled.');
  await endpoints.getByText('Disabled').waitFor();
  await button(page, 'Enable').click();
  await confirm(page, 'Enable', 'The endpoint is enabled.');
  const missing: string[] = [];
  page.on('response', (response) => {
    if (response.status() === 404) missing.push(response.url());
  });
  await button(page, 'Delete').click();
  await confirm(page, 'Delete', 'The endpoint is deleted.');
  await expectSoon(() => endpoints.getByRole('row').count()).toBe(2);
  expect(missing).toEqual([]);

  await button(key, 'Revoke').click();
  await confirm(page, 'Revoke', 'The key is revoked.');
  await key.waitFor({ state: 'detached' });
});
