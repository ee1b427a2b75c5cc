import { readFileSync } from 'node:fs';
import { neededRights, observeCommands, observedUri, testEngines } from '@florin/data/testing';
import { connections } from 'mongoose';
import { afterAll, expect, it } from 'vitest';
import { startReceiver } from '../testing/receiver.ts';
import { createWorld, newId } from '../testing/world.ts';

type Role = { createRole: string; privileges: { resource: { collection: string }; actions: string[] }[] };
const lines = readFileSync(new URL('../../../../docs/reference/mongodb-roles.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n');
const roles = lines.map((line) => JSON.parse(line) as Role);

/** The actions that the role of the process grants, by collection. */
const GRANTED = new Map(
  roles
    .filter(({ createRole }) => createRole === 'florin-webhooks')
    .flatMap(({ privileges }) => privileges.map(({ resource, actions }) => [resource.collection, new Set(actions)] as const)),
);

const receiver = await startReceiver();
const world = await createWorld({
  FOLLOW_JOURNAL: 'false',
  WEBHOOKS_ALLOW_LOOPBACK: 'true',
  MONGODB_URI: observedUri(testEngines().mongodbUri),
});
afterAll(async () => {
  await world.close();
  await receiver.close();
});

it('of the process that delivers webhooks grants what it does, and lets it write neither feeds nor records of the audit log', async () => {
  const events = await world.start();
  const others = new Set(connections);
  const deliverer = await world.startDeliverer();
  const own = connections.filter((connection) => !others.has(connection)).map(observeCommands);
  expect(own).toHaveLength(1);

  const partnerId = `p-${newId().slice(-12)}`;
  const user = world.newUser(partnerId);
  const request = { requestId: newId(), partnerId, url: receiver.url, contactEmail: 'it@acme.com' };
  const { endpoint } = await events.webhooks.createWebhookEndpoint(request, events.backOffice);
  await events.feed.appendEvents({ events: [world.cardEvent(user, newId(), 1)] }, events.card);
  await expect.poll(() => receiver.received.length).toBeGreaterThan(0);
  const named = { endpointId: endpoint?.id ?? '', partnerId };
  await events.webhooks.rotateWebhookSecret({ ...named, requestId: newId() }, events.backOffice);
  await expect
    .poll(async () => (await events.webhooks.listWebhookAttempts({ ...named, sequence: 0n }, events.backOffice)).attempts.length)
    .toBeGreaterThan(0);
  await deliverer.close();

  const needed = neededRights(own.flatMap((commands) => commands()));
  expect(needed.filter(({ collection, action }) => GRANTED.get(collection)?.has(action) !== true)).toEqual([]);
  expect(needed.map(({ collection }) => collection)).toContain('feed_blocks');
  for (const collection of ['feed_blocks', 'feed_archives'])
    expect([...(GRANTED.get(collection) ?? [])].filter((action) => ['insert', 'update', 'remove'].includes(action))).toEqual([]);
  expect([...(GRANTED.get('audit_events') ?? [])].filter((action) => ['update', 'remove'].includes(action))).toEqual([]);
  expect(GRANTED.has('')).toBe(false);
});
