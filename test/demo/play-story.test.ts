import { PARTNER_SCOPES } from '@florin/proto/events/v1/scopes';
import { serviceKeySchema, signServiceToken } from '@florin/rpc/auth';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type PlatformInProcess, startPlatformInProcess } from '../support/platform-in-process.ts';
import { playStory } from './play-story.ts';
import type { BackOfficeCall } from './receive-webhooks.ts';

let platform: PlatformInProcess;
beforeAll(async () => {
  platform = await startPlatformInProcess({}, { events: {} });
});
afterAll(() => platform?.close());

it('plays every step of the story', { timeout: 120_000 }, async () => {
  const lines: string[] = [];
  await playStory(platform.url, (line) => lines.push(line));
  expect(lines.at(-1)).toBe('\nThe demo is complete: all 26 steps had the expected result.');
});

/** Calls the events service with the operator's key. */
const call: BackOfficeCall = async <R>(rpc: string, request: object): Promise<R> => {
  const key = serviceKeySchema.parse(platform.operatorKey);
  const token = await signServiceToken({ key, audience: 'events', scopes: [...PARTNER_SCOPES] });
  const response = await fetch(`${platform.urls['EVENTS_URL']}/${rpc}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify(request),
  });
  expect(response.status).toBe(200);
  return (await response.json()) as R;
};

it('shows the events of the story, and proves that none is missing, also by webhooks', { timeout: 180_000 }, async () => {
  const lines: string[] = [];
  const webhooks = { call, now: () => platform.clock.now().getTime() };
  await playStory(platform.url, (line) => lines.push(line), { events: true, webhooks });
  const shown = lines.filter((line) => line.startsWith('      · '));
  for (const type of ['user.registered', 'card.issued', 'deposit.approved', 'challenge.approved', 'payment.cleared', 'card.stolen']) {
    expect(
      shown.some((line) => line.includes(` ${type} `)),
      type,
    ).toBe(true);
  }
  expect(lines.at(-2)).toMatch(/^ +\d+ of all users of the partner by signed webhooks, .* none is missing\.$/);
  expect(await call('florin.events.v1.WebhookEndpointService/ListWebhookEndpoints', { partnerId: 'florin' })).toEqual({});
  expect(lines.at(-3)).toMatch(/^\nEvents\n +\d+ by stream, and the same ones by page\..* none is missing\.$/);
});
