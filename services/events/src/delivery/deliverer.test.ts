import { quietLogger } from '@florin/rpc/testing';
import { afterEach, describe, expect, it } from 'vitest';
import { type FeedBlock, headAfter } from '../domain/feed-block.ts';
import type { Endpoint } from '../domain/webhooks/endpoint.ts';
import { SHARDS } from '../domain/webhooks/shards.ts';
import type { Lease } from '../store/webhook-leases.ts';
import { type Deliverer, startDeliverer } from './deliverer.ts';
import type { FeedReader } from './feed-source.ts';
import { measureAttempts } from './measure.ts';
import { createPartnerDeliveries } from './partner-deliveries.ts';
import { createRunner } from './runner.ts';
import type { Sent } from './send.ts';
import { createSlots } from './slots.ts';

/** Enough on a machine with other work. */
const LONG = { timeout: 60_000 };
const NOW = new Date('2026-03-01T12:00:00Z');
const OK: Sent = { status: 200, failure: '', answer: '', durationMs: 1 };
const POOL = { all: 100, perPartner: 100 };

const blockOf = (feed: string, count: number): FeedBlock => ({
  ...{ feed, n: 1, first: 1, last: count, at: NOW, before: {} },
  events: Array.from({ length: count }, (_, index) => ({
    ...{ id: `event-${index + 1}`, type: 'card.issued', typeNumber: 1, at: NOW },
    ...{ subject: `card/${index + 1}`, subjectSequence: 1, data: '{}' },
  })),
});

const readerOf = (block: FeedBlock): FeedReader => ({
  next: (after) => (after < block.last ? block : undefined),
  event: async () => undefined,
  head: () => headAfter(block),
  close: () => undefined,
});

const endpointOf = (id: string, more: Partial<Endpoint> = {}): Endpoint => ({
  ...{ id, requestId: id, inputHash: '', url: 'https://hooks.acme.com/', types: [], description: '' },
  ...{ createdAt: NOW, startAfter: 0, enabled: 0, secrets: [], orders: [] },
  ...more,
});

/** A promise that a test resolves. */
const gate = <T = void>() => Promise.withResolvers<T>();

/** Parts of deliveries that a test does not look at, without a database and a network. */
const partsOf = (send: (endpoint: Endpoint) => Promise<Sent>) => ({
  prepare: async (endpoint: Endpoint) => () => send(endpoint),
  slots: createSlots({ trusted: POOL, doubtful: POOL }),
  journal: { changed: () => undefined, attempted: () => undefined, isFull: () => false, close: async () => undefined },
  mayBegin: () => true,
  runtime: { now: () => NOW, newId: () => crypto.randomUUID() },
  logger: quietLogger,
  checkpointMs: 1_000_000,
  stopwatch: () => NOW.getTime(),
  measure: measureAttempts(undefined),
  source: { open: async (feed: string) => readerOf(blockOf(feed, 1)) },
  progress: {
    claim: async <T>(_term: number, initial: ReadonlyMap<string, T>) => new Map(initial),
    remove: async () => {},
    save: async () => {},
  },
  change: () => Promise.reject(new Error('nothing is changed here')),
  notify: async () => undefined,
});

describe('deliveries of an endpoint', () => {
  const parked = { subject: 'card/1', sequences: [1], attempts: 1, nextAt: new Date(0), waitMs: 0 };
  const [event] = blockOf('acme', 1).events;

  it.each(['the event', 'the secret'])('are not made when the leases expire while %s is read', async (read) => {
    let isValid = true;
    let prepared = 0;
    let sent = 0;
    const expireAfter = (name: string): void => {
      if (name === read) isValid = false;
    };
    const parts = partsOf(async () => OK);
    const runner = createRunner({
      ...parts,
      ...{ feed: 'acme', endpoint: endpointOf('one'), term: 1, disable: () => undefined },
      progress: { cursor: 1, parked: [parked], failures: 1, enabled: 0 },
      reader: {
        ...readerOf(blockOf('acme', 1)),
        event: async () => {
          expireAfter('the event');
          return event === undefined ? undefined : { ...event, sequence: 1, previousSequence: 0 };
        },
      },
      mayBegin: () => isValid,
      prepare: async () => {
        prepared += 1;
        expireAfter('the secret');
        return async () => {
          sent += 1;
          return OK;
        };
      },
    });
    runner.pump();
    await runner.stop();
    expect([prepared, sent]).toEqual([1, 0]);
    expect(runner.progress().parked).toMatchObject([{ sequences: [1], attempts: 1 }]);
  });
});

describe('what an owner orders', () => {
  it('waits for a slot in the turn of its partner, and takes nothing from others', async () => {
    const sent: string[] = [];
    const pool = { all: 2, perPartner: 1 };
    const slots = createSlots({ trusted: pool, doubtful: pool });
    const parts = {
      ...partsOf(async ({ id }) => {
        sent.push(id);
        return OK;
      }),
      slots,
    };
    const runnerOf = (feed: string) =>
      createRunner({
        ...parts,
        ...{ feed, endpoint: endpointOf(feed), term: 1, disable: () => undefined },
        progress: { cursor: 1, parked: [], failures: 0, enabled: 0 },
        reader: readerOf(blockOf(feed, 1)),
      });
    const [mallory, acme] = [runnerOf('mallory'), runnerOf('acme')];
    const taken = slots.take({ partner: 'mallory', isDoubtful: true }, () => undefined);
    const orders = [1, 2, 3].map((order) => mallory.carryOut({ id: `order-${order}`, sequence: 0 }));
    expect(await acme.carryOut({ id: 'test', sequence: 0 })).toBe(true);
    expect(sent).toEqual(['acme']);
    taken?.release();
    expect(await Promise.all(orders)).toEqual([true, true, true]);
    expect(sent).toEqual(['acme', 'mallory', 'mallory', 'mallory']);
  });

  it('is carried out one by one', async () => {
    const gates = [gate<Sent>(), gate<Sent>()];
    let begun = 0;
    const done: string[] = [];
    const orders = ['first', 'second'].map((id) => ({ id, sequence: 0, at: NOW, isDone: false }));
    const endpoint = endpointOf('one', { startAfter: 1, orders });
    const deliveries = createPartnerDeliveries(
      {
        ...partsOf(async () => (await gates[begun++]?.promise) ?? OK),
        change: async (_feed, make) => {
          const before = { feed: 'acme', revision: 1, endpoints: [endpoint] };
          const after = make(before);
          for (const { id, isDone } of after.endpoints[0]?.orders ?? []) if (isDone) done.push(id);
          return { before, after };
        },
      },
      'acme',
      7,
    );
    await deliveries.apply({ feed: 'acme', revision: 1, endpoints: [endpoint] });
    deliveries.tick(NOW);
    await expect.poll(() => begun, LONG).toBe(1);
    deliveries.tick(NOW);
    expect(begun).toBe(1);
    gates[0]?.resolve(OK);
    await expect.poll(() => begun, LONG).toBe(2);
    gates[1]?.resolve(OK);
    await expect.poll(() => done, LONG).toEqual(['first', 'second']);
    await deliveries.stop();
  });
});

describe('deliveries of a partner', () => {
  it('that are stopped while the end of the feed is read do not begin afterwards', async () => {
    const newest = gate();
    const asked = gate();
    let sent = 0;
    const deliveries = createPartnerDeliveries(
      {
        ...partsOf(async () => {
          sent += 1;
          return OK;
        }),
        source: {
          open: async (feed) => {
            asked.resolve();
            await newest.promise;
            return readerOf(blockOf(feed, 40));
          },
        },
      },
      'acme',
      7,
    );
    const applying = deliveries.apply({ feed: 'acme', revision: 1, endpoints: [endpointOf('one')] });
    await asked.promise;
    const stopping = deliveries.stop();
    newest.resolve();
    await Promise.all([applying, stopping]);
    // A delivery that had begun would have been sent in turn before this one.
    await new Promise<void>((resolve) => setImmediate(resolve));
    expect(sent).toBe(0);
  });
});

describe('the status of deliveries', () => {
  it('is the states of its endpoints, what is parked, and how late those that work are', async () => {
    const working = gate<Sent>();
    let sent = 0;
    const deliveries = createPartnerDeliveries(
      {
        ...partsOf(async ({ id }) => {
          sent += 1;
          return id === 'works' ? working.promise : { ...OK, status: 500 };
        }),
        source: { open: async (feed) => readerOf(blockOf(feed, 1)) },
      },
      'acme',
      7,
    );
    const endpoints = [
      endpointOf('works'),
      endpointOf('fails'),
      endpointOf('gone', { disabled: { reason: 'gone', at: NOW } }),
      endpointOf('off', { disabled: { reason: 'requested', at: NOW } }),
    ];
    await deliveries.apply({ feed: 'acme', revision: 1, endpoints });
    await expect.poll(() => sent, LONG).toBe(2);
    const status = { shards: 0, endpoints: { working: 0, failing: 0, down: 0, paused: 0, disabled: 0 }, parked: 0, lagMs: 0 };
    deliveries.addStatus(status, new Date(NOW.getTime() + 2500));
    expect(status).toMatchObject({ endpoints: { working: 1, failing: 1, down: 0, paused: 1, disabled: 1 }, parked: 1, lagMs: 2500 });
    working.resolve(OK);
    await deliveries.stop();
  });
});

describe('changes of a partner', LONG, () => {
  let deliverer: Deliverer | undefined;
  afterEach(() => deliverer?.close());

  it('are applied while deliveries of another one do not end', async () => {
    const slow = gate<Sent>();
    const begun: string[] = [];
    const endpoints = new Map([['mallory', { feed: 'mallory', shard: 1, revision: 1, endpoints: [endpointOf('slow')] }]]);
    const leases = new Map<number, Lease>(Array.from({ length: SHARDS }, (_, shard) => [shard, { shard, owner: '', term: 0, beat: 0 }]));
    const parts = partsOf((endpoint) => {
      begun.push(endpoint.id);
      return endpoint.id === 'slow' ? slow.promise : Promise.resolve(OK);
    });
    deliverer = await startDeliverer({
      ...parts,
      times: { expiryMs: 600_000, beatMs: 20, validMs: 600_000 },
      leases: {
        ...{ prepare: async () => {}, beat: async () => {}, release: async () => {}, forget: async () => {} },
        list: async () => ({ leases: [...leases.values()], presences: [] }),
        take: async (lease, owner) => {
          leases.set(lease.shard, { ...lease, owner, term: lease.term + 1 });
          return lease.term + 1;
        },
      },
      endpoints: {
        revisions: async () => [...endpoints.values()].map(({ feed, shard, revision }) => ({ feed, shard, revision })),
        findAll: async (feeds) => feeds.flatMap((feed) => endpoints.get(feed) ?? []),
      },
    });
    await expect.poll(() => begun, LONG).toEqual(['slow']);
    // The replay waits for the delivery that is under way.
    const replayed = [endpointOf('slow', { replay: { id: 'again', cursor: '', after: 0 } })];
    endpoints.set('mallory', { feed: 'mallory', shard: 1, revision: 2, endpoints: replayed });
    endpoints.set('acme', { feed: 'acme', shard: 2, revision: 1, endpoints: [endpointOf('one')] });
    await expect.poll(() => begun, LONG).toContain('one');
    endpoints.set('acme', { feed: 'acme', shard: 2, revision: 2, endpoints: [endpointOf('one'), endpointOf('two')] });
    await expect.poll(() => begun, LONG).toContain('two');
    expect(begun.filter((id) => id === 'slow')).toHaveLength(1);
    slow.resolve(OK);
    await expect.poll(() => begun.filter((id) => id === 'slow'), LONG).toHaveLength(2);
  });
});
