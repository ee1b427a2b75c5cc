import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Receiver, startReceiver } from '../testing/receiver.ts';
import { createWorld, type Events, newId, type World } from '../testing/world.ts';

/** Enough on a machine with other work. */
const LONG = { timeout: 120_000 };

/** A type that the catalogue of this release does not have. */
const LATER = { name: 'payment.of_a_later_release', number: 9001 };

type StoredBlock = { _id: string; n: number; last: number; before: Record<string, number>; events: Record<string, unknown>[] };

let world: World;
let events: Events;
const receivers: Receiver[] = [];

beforeAll(async () => {
  world = await createWorld({ FOLLOW_JOURNAL: 'false', WEBHOOKS_ALLOW_LOOPBACK: 'true' });
  events = await world.start();
  await world.startDeliverer();
});
afterEach(async () => {
  await Promise.all(receivers.splice(0).map((receiver) => receiver.close()));
});
afterAll(() => world.close());

const newScene = () => {
  const partnerId = `p-${newId().slice(-12)}`;
  const user = world.newUser(partnerId);
  return {
    partnerId,
    append: () => events.feed.appendEvents({ events: [world.cardEvent(user, newId(), 1)] }, events.card),
    /** Adds an endpoint. @returns the sequences that it receives, each with the one before it */
    addEndpoint: async (types: string[] = []) => {
      const receiver = await startReceiver();
      receivers.push(receiver);
      const request = { requestId: newId(), partnerId, url: receiver.url, types };
      const { endpoint } = await events.webhooks.createWebhookEndpoint(request, events.backOffice);
      const received = () =>
        receiver.received.map(({ body }) => [body.sequence, body.previousSequence]).toSorted(([a = 0], [b = 0]) => a - b);
      return { named: { partnerId, endpointId: endpoint?.id ?? '' }, url: receiver.url, received };
    },
  };
};

/** Appends an event as a later release does: a copy of the last one, of a type that this release does not know. */
const appendOfLaterRelease = async (feed: string): Promise<void> => {
  const blocks = world.connection.collection<StoredBlock>('feed_blocks');
  const newest = await blocks.findOne({ feed }, { sort: { last: -1 } });
  const [event] = newest?.events ?? [];
  if (newest === null || event === undefined) throw new Error('the feed has no event');
  const [n, sequence] = [newest.n + 1, newest.last + 1];
  const later = { ...event, id: newId(), type: LATER.name, typeNumber: LATER.number, key: `payment/later#${n}`, sequence };
  const before = { ...newest.before, [String(event['typeNumber'])]: newest.last };
  await blocks.insertOne({ ...newest, _id: `${feed}:${n}`, n, first: sequence, last: sequence, before, events: [later] } as StoredBlock);
};

describe('an event of a type of a later release', LONG, () => {
  it('is delivered and read, is followed by others, and stops no other feed', async () => {
    const scene = newScene();
    const other = newScene();
    const endpoint = await scene.addEndpoint();
    const otherEndpoint = await other.addEndpoint();
    await scene.append();
    await appendOfLaterRelease(scene.partnerId);
    await scene.append();
    await other.append();
    const all = [
      [1, 0],
      [2, 1],
      [3, 2],
    ];
    await expect.poll(endpoint.received, LONG).toEqual(all);
    await expect.poll(otherEndpoint.received, LONG).toEqual([[1, 0]]);
    const page = await events.feed.listEvents({ partnerId: scene.partnerId }, events.backOffice);
    expect(page.events.map(({ sequence, previousSequence }) => [Number(sequence), Number(previousSequence)])).toEqual(all);
    expect(page.events[1]?.type).toBe(LATER.name);
  });

  it('is not lost for a group that it belongs to: the endpoint waits, and the others of the partner go on', async () => {
    const scene = newScene();
    const group = await scene.addEndpoint(['payment.*']);
    const named = await scene.addEndpoint(['payment.authorized']);
    await scene.append();
    await expect.poll(group.received, LONG).toEqual([[1, 0]]);
    await appendOfLaterRelease(scene.partnerId);
    await scene.append();
    await expect.poll(named.received, LONG).toEqual([
      [1, 0],
      [3, 1],
    ]);
    expect(group.received()).toEqual([[1, 0]]);
    const found = async () => (await events.webhooks.getWebhookEndpoint(group.named, events.backOffice)).endpoint?.delivery?.cursor;
    await expect.poll(found, LONG).toBe(`${scene.partnerId}:1`);
  });

  it('that an endpoint names makes this endpoint wait, until its owner changes it', async () => {
    const scene = newScene();
    const later = await scene.addEndpoint(['payment.authorized']);
    const stored = world.connection.collection<{ _id: string }>('webhook_endpoints');
    const types = [LATER.name];
    await stored.updateOne({ _id: scene.partnerId }, { $set: { 'endpoints.0.types': types }, $inc: { revision: 1 } });
    const known = await scene.addEndpoint();
    // A delivery to the second endpoint shows that the deliverer has read both as they are now.
    await events.webhooks.sendTestWebhookEvent({ ...known.named, requestId: newId() }, events.backOffice);
    await expect.poll(known.received, LONG).toEqual([[0, 0]]);
    await scene.append();
    await expect.poll(known.received, LONG).toEqual([
      [0, 0],
      [1, 0],
    ]);
    expect(later.received()).toEqual([]);
    await events.webhooks.updateWebhookEndpoint({ ...later.named, url: later.url, types: ['payment.authorized'] }, events.backOffice);
    await expect.poll(later.received, LONG).toEqual([[1, 0]]);
  });
});
