import { FeedService } from '@florin/proto/events/v1/feed_service';
import { createRpcChannel } from '@florin/rpc/client';
import { type CertificateFiles, createTestCa, quietLogger } from '@florin/rpc/testing';
import { openTls } from '@florin/rpc/tls';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createWorld, type Events, type World } from './testing/world.ts';

/** Enough on a machine with other work. */
const LONG = { timeout: 120_000 };

let ca: Awaited<ReturnType<typeof createTestCa>>;
let world: World;
let events: Events;
const closing: (() => unknown)[] = [];

beforeAll(async () => {
  ca = await createTestCa();
  world = await createWorld({ FOLLOW_JOURNAL: 'false', ...(await ca.issue(['events'])) });
  events = await world.start();
}, LONG.timeout);
afterAll(async () => {
  for (const close of closing) await close();
  await world?.close();
  await ca?.close();
});

/** The feeds over a connection of a process. */
const over = async (name: string) => {
  const files: CertificateFiles = await ca.issue([name]);
  const tls = openTls(files, quietLogger);
  const channel = createRpcChannel({ baseUrl: events.app.url, tls, timeoutMs: 30_000 });
  closing.push(channel.close, () => tls?.close());
  return channel.client(FeedService);
};

describe('the events service with mutual TLS', LONG, () => {
  it('takes the token of a partner’s server from the gateway and from its own instances, and from no other process', async () => {
    for (const name of ['gateway', 'events']) expect((await (await over(name)).listEvents({}, events.acme)).hasMore).toBe(false);
    for (const name of ['card', 'other-server']) {
      await expect((await over(name)).listEvents({}, events.acme)).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
    }
  });

  it('takes the token of a service from that service only', async () => {
    // Known, but without the scope.
    await expect((await over('card')).listEventTypes({}, events.card)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    for (const name of ['gateway', 'identity', 'acme-server']) {
      await expect((await over(name)).listEventTypes({}, events.card)).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
    }
  });

  it('takes no call without a certificate', async () => {
    await expect(events.feed.listEvents({}, events.acme)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  });
});
