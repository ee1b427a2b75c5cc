import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { EVENTS_SCOPES } from '@florin/proto/events/v1/scopes';
import { WebhookEndpointService } from '@florin/proto/events/v1/webhook_endpoint_service';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { checkScreen } from '../app/check-screen.ts';
import { expectSoon, newEmail, START_MS } from '../support/in-browser.ts';
import { openOperatorChannel } from '../support/operator-channel.ts';
import { registerPerson } from '../support/story.ts';
import { untilThere } from './make-person.ts';
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
    await untilThere(() => events.client(WebhookEndpointService).createWebhookEndpoint(endpoint));
  } finally {
    await events.close();
  }
  await untilThere(() => registerPerson(platform.api));
}, START_MS);
afterAll(() => receiver?.close());

it('has an event delivered again to a partner who asks for it', { timeout: STORY_MS }, async (test) => {
  await expectSoon(() => taken.length).toBeGreaterThan(0);
  const { page } = await office.sit(test, await office.invite(newEmail('sam'), 'support'));
  await enrolAs(page, 'Sam Support');
  await goTo(page, 'Webhooks');
  await page.getByLabel('Id of a partner').fill(PARTNER);
  await button(page, 'Show').click();
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
