import { create } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import {
  type AppendToFeed,
  createFeedClient,
  createOutboxRelay,
  type OutboxEvent,
  type Outboxed,
  outboxField,
  outboxIndex,
} from '@florin/data/outbox';
import { openStore, type Store } from '@florin/data/store';
import { createReader } from '@florin/events/testing/reader';
import { type Receiver, startReceiver } from '@florin/events/testing/receiver';
import { createWorld, type Events, newId, type World } from '@florin/events/testing/world';
import { EVENTS_SCOPES } from '@florin/proto/events/v1/scopes';
import { EntryKind, EntrySchema } from '@florin/proto/ledger/v1/entry';
import { createServiceTokenSource } from '@florin/rpc/auth';
import { createRpcChannel, type RpcChannel } from '@florin/rpc/client';
import { quietLogger, waitFor } from '@florin/rpc/testing';
import { pause } from '@florin/rpc/time';
import fc from 'fast-check';
import { Schema } from 'mongoose';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { ReplicaSet } from '../support/replica-set/replica-set.ts';

/** Enough on a machine with other work. */
const LONG_MS = 120_000;
const RUNS = 12;
const CARDS = 3;

/** `done` has the id of every event that the document ever had in its outbox. */
type Card = Outboxed & { _id: string; done: string[] };

type Failure = Parameters<ReplicaSet['failover']>[0] & { of: 'cards' | 'events'; heldMs: number };
type Step = { change: number } | { book: true } | { fail: Failure } | { restMs: number };

const stepArbitrary: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ change: fc.nat(CARDS - 1) }) },
  { weight: 2, arbitrary: fc.constant({ book: true } as const) },
  { weight: 2, arbitrary: fc.record({ restMs: fc.nat(80) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      fail: fc.record({
        of: fc.constantFrom('cards' as const, 'events' as const),
        heldMs: fc.nat(200),
        kept: fc.constantFrom(0, 0.3, 0.7, 1),
        isAcknowledged: fc.boolean(),
        interruption: fc.constantFrom('connection' as const, 'error' as const, 'write-concern-error' as const),
        electionMs: fc.nat(200),
        isUnnoticed: fc.boolean(),
      }),
    }),
  },
);

const sets = {} as Record<Failure['of'], ReplicaSet>;
let store: Store;
let world: World;
let instances: Events[];
let receiver: Receiver;
let ticking: NodeJS.Timeout;
const lost = { cards: 0, events: 0 };
const channels: RpcChannel[] = [];
const feeds: AppendToFeed[] = [];
beforeAll(async () => {
  for (const of of ['cards', 'events'] as const) sets[of] = await ReplicaSet.start({ mongodbUri: inject('mongodbUri') });
  store = await openStore({ uri: sets.cards.uri(), database: `cards-${newId().slice(-12)}`, poolSize: 8, logger: quietLogger });
  world = await createWorld({ MONGODB_URI: sets.events.uri(), WEBHOOKS_ALLOW_LOOPBACK: 'true' });
  // A delivery that fails is repeated by this clock.
  ticking = setInterval(() => world.clock.advanceSeconds(0.05), 50);
  instances = [await world.start(), await world.start()];
  await world.startDeliverer();
  receiver = await startReceiver();
  for (const { app } of instances) {
    const key = world.authority.serviceKey('card');
    const serviceToken = createServiceTokenSource({ key, audience: 'events', scopes: [EVENTS_SCOPES.append] });
    const channel = createRpcChannel({ baseUrl: app.url, serviceToken });
    channels.push(channel);
    feeds.push(createFeedClient(channel));
  }
}, LONG_MS);
afterAll(async () => {
  clearInterval(ticking);
  for (const set of Object.values(sets)) set.release();
  await Promise.all(channels.map((channel) => channel.close()));
  await world.close();
  await receiver.close();
  await store.close();
  for (const set of Object.values(sets)) await set.close();
}, LONG_MS);

/** A service with an outbox, two relays of it, and a partner that reads its feed and receives webhooks. */
const openScene = async () => {
  const partnerId = `p-${newId().slice(-12)}`;
  const userId = world.newUser(partnerId);
  const accountId = newId();
  world.neighbours.holders.set(accountId, userId);
  const schema = new Schema<Card>(
    { _id: String, outbox: outboxField, done: [String] },
    { collection: `cards_${newId()}`, versionKey: false },
  );
  schema.index(outboxIndex);
  const model = store.connection.model<Card>(`Card${newId()}`, schema);
  await model.createIndexes();
  await Promise.all(instances.map((one) => one.renewTokens()));
  const [first] = instances;
  if (first === undefined) throw new Error('no instance');
  const endpoint = { requestId: newId(), partnerId, url: `${receiver.url}/${partnerId}`, contactEmail: 'ops@acme.com' };
  await first.webhooks.createWebhookEndpoint(endpoint, first.backOffice);

  /** Ids of what the platform's own consumers were told. */
  const told = new Set<string>();
  const publish = async (_id: string, event: OutboxEvent): Promise<void> => void told.add(event.id);
  const relays = feeds.map((feed) => createOutboxRelay({ model, publish, feed, logger: quietLogger, intervalMs: 20 }));
  const cards = Array.from({ length: CARDS }, newId);
  const acknowledged = new Set<string>();
  const booked: string[] = [];

  const reader = createReader();
  let cursor = '';
  let at = 0;
  /** Reads on at the other instance. */
  const read = async (): Promise<boolean> => {
    at += 1;
    const { feed, backOffice } = instances[at % instances.length] ?? first;
    const page = await feed.listEvents({ partnerId, after: cursor, limit: 50 }, backOffice);
    reader.take(page.events);
    cursor = page.cursor;
    return !page.hasMore && reader.isComplete(page.checkpoint);
  };

  return {
    partnerId,
    cards,
    model,
    told,
    acknowledged,
    booked,
    reader,
    read,
    change: async (card: string): Promise<void> => {
      const event = { id: newId(), type: 'card.frozen', at: new Date(), payload: { cardId: card, userId, status: 'frozen' } };
      await model.updateOne({ _id: card }, { $push: { outbox: event, done: event.id } }, { upsert: true });
      acknowledged.add(event.id);
    },
    book: (): void => {
      const id = newId();
      const transfers = [{ debit: `${accountId}/available`, credit: 'settlement', token: 'EURe', amount: '1' }];
      const entry = { id, shard: '0', kind: EntryKind.TRANSFER, accountId, transfers, createdAt: timestampFromDate(world.clock.now()) };
      world.neighbours.journal.get('0')?.push(create(EntrySchema, entry));
      booked.push(`entry/0/${id}`);
    },
    close: () => Promise.all(relays.map((relay) => relay.close())),
  };
};

/** Ignores what fails while there is no primary. */
const attempt = (work: Promise<unknown>): Promise<void> =>
  work.then(
    () => undefined,
    () => undefined,
  );

const fail = async ({ of, heldMs, ...failure }: Failure): Promise<void> => {
  const set = sets[of];
  set.hold();
  await pause(heldMs);
  lost[of] += await set.failover(failure);
  await pause(heldMs);
  set.rejoin();
  set.release();
};

describe('outboxes, feeds, followers of the journal and webhooks whose databases fail over', () => {
  it(
    'lose nothing that was acknowledged, tell of nothing that is not there, and prove what is complete',
    async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(stepArbitrary, { minLength: 10, maxLength: 30 }), async (steps) => {
          const scene = await openScene();
          const changes: Promise<void>[] = [];
          let isOver = false;
          // A reader whose proof fails ends the run; one that is not answered goes on.
          const proving: string[] = [];
          const reading = (async () => {
            while (!isOver) {
              await scene.read().catch((error: unknown) => {
                if (!(error instanceof Error && 'code' in error)) proving.push(String(error));
              });
              await pause(20);
            }
          })();
          for (const step of steps) {
            if ('change' in step) changes.push(attempt(scene.change(scene.cards[step.change] ?? '')));
            else if ('book' in step) scene.book();
            else if ('fail' in step) await fail(step.fail);
            else await pause(step.restMs);
          }
          await Promise.all(changes);
          // A change that was interrupted may be kept: it counts once a majority has it, and so the reads below.
          await waitFor('a majority for all changes', async () => (sets.cards.undecided() === 0 ? true : undefined), LONG_MS);
          const { model, reader, told, acknowledged, booked, partnerId } = scene;
          const isEmpty = async () => ((await model.exists({ 'outbox.0': { $exists: true } })) === null ? true : undefined);
          await waitFor('empty outboxes', () => isEmpty().catch(() => undefined), LONG_MS);
          const done = (await model.find().lean()).flatMap((card) => card.done);
          const isAllRead = () => reader.received.length >= done.length + booked.length;
          await waitFor('everything in the feed', async () => (isAllRead() ? true : undefined), LONG_MS);
          isOver = true;
          await reading;
          expect(proving).toEqual([]);
          expect(await scene.read()).toBe(true);
          const isOfCard = ({ subject }: { subject: string }) => subject.startsWith('card/');
          expect(
            reader.received
              .filter(isOfCard)
              .map(({ id }) => id)
              .sort(),
          ).toEqual(done.toSorted());
          expect(reader.received.flatMap((event) => (isOfCard(event) ? [] : [event.subject])).sort()).toEqual(booked.toSorted());
          expect([...acknowledged].filter((id) => !done.includes(id))).toEqual([]);
          expect([...told].filter((id) => !done.includes(id))).toEqual([]);
          const delivered = () =>
            new Set(
              receiver.received.flatMap(({ path, body }) => (path.endsWith(partnerId) && body.type !== 'checkpoint' ? [body.id] : [])),
            );
          const isDelivered = () => reader.received.every(({ id }) => delivered().has(id));
          await waitFor('everything at the receiver', async () => (isDelivered() ? true : undefined), LONG_MS);
          const known = new Set(reader.received.map(({ id }) => id));
          expect([...delivered()].filter((id) => !known.has(id))).toEqual([]);
          await scene.close();
        }),
        { numRuns: RUNS, seed: 20_261_124, endOnFailure: true },
      );
      // Else nothing was rolled back.
      for (const writes of Object.values(lost)) expect(writes).toBeGreaterThan(0);
    },
    20 * 60_000,
  );
});
