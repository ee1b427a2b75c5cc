import { randomUUID } from 'node:crypto';
import { Code } from '@connectrpc/connect';
import { startRedisRelay, testEngines } from '@florin/data/testing';
import { Decision, ChallengeStatus as Status } from '@florin/proto/threeds/v1/challenge';
import type { WatchChallengeResponse, WatchChallengesResponse } from '@florin/proto/threeds/v1/challenge_service';
import { ChallengeService } from '@florin/proto/threeds/v1/challenge_service';
import { onBehalfOf } from '@florin/rpc/client';
import { openGrpcClient } from '@florin/rpc/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AccessControlServer } from '../app.ts';
import { createWorld, type Instance, type World } from '../testing/world.ts';

const { APPROVE, DECLINE } = Decision;
const ORDER = [Status.PENDING, Status.PROCESSING, Status.APPROVED] as const;

/** Confirms through AcknowledgeDecision only, so that each state can be seen. */
const later: AccessControlServer = { notify: async () => 'later' };

let world: World;
/** Two instances on one database and one Redis: what is written at one is watched at the other. */
let writing: Instance;
let watching: Instance;

beforeAll(async () => {
  world = await createWorld();
  [writing, watching] = await Promise.all([world.start({ acs: later }), world.start({ acs: later })]);
});
afterAll(() => world.close());

type Told = Pick<WatchChallengesResponse, 'challenge' | 'eventId' | 'snapshot'>;
const statusesOf = (told: readonly Pick<WatchChallengeResponse, 'challenge'>[]) => told.map(({ challenge }) => challenge?.status);
/** `id:status` of every state, `ready` for the message behind the first part. */
const storyOf = (told: readonly Told[]) =>
  told.map(({ challenge }) => (challenge === undefined ? 'ready' : `${challenge.id}:${challenge.status}`));
const reached = (status: Status) => (told: readonly Pick<WatchChallengeResponse, 'challenge'>[]) =>
  told.find(({ challenge }) => challenge?.status === status);
const ready = (told: readonly Told[]) => told.find(({ challenge }) => challenge === undefined);

describe('WatchChallenge', () => {
  it('tells the state now and each change that another instance makes, then ends', async () => {
    const { id, person } = await world.raise(writing);
    const stream = watching.office.watch(id);
    await stream.until('the first state', reached(Status.PENDING));
    await writing.user(person).decide(id, APPROVE, person.wallet);
    await stream.until('the decision', reached(Status.PROCESSING));
    await writing.acs.acknowledge(id);
    expect(await stream.untilEnd()).toBe('ended');
    expect(statusesOf(stream.told)).toEqual(ORDER);
    expect(stream.told.at(-1)).toMatchObject({ challenge: { id, decision: APPROVE, decisionAvailable: false } });
  });

  it('of a challenge that is over tells that and ends', async () => {
    const { id } = await world.raise(writing);
    await writing.acs.cancel(id);
    const stream = watching.office.watch(id);
    expect(await stream.untilEnd()).toBe('ended');
    expect(statusesOf(stream.told)).toEqual([Status.CANCELLED]);
  });

  it.each([
    [randomUUID(), 'CHALLENGE_NOT_FOUND'],
    ['x', 'VALIDATION_FAILED'],
  ])('refuses %s', async (id, code) => {
    expect(await watching.office.watch(id).untilEnd()).toBe(code);
  });

  it('never tells a state twice or an older one, with many watchers and twins of events', async () => {
    const { id, person } = await world.raise(writing);
    const streams = Array.from({ length: 40 }, (_, index) => (index % 2 === 0 ? watching : writing).office.watch(id));
    await writing.user(person).decide(id, DECLINE, person.wallet);
    await watching.acs.acknowledge(id);
    for (const stream of streams) {
      expect(await stream.untilEnd()).toBe('ended');
      const statuses = statusesOf(stream.told);
      expect(statuses).toEqual([...new Set(statuses)].sort());
      expect(statuses.at(-1)).toBe(Status.DECLINED);
    }
  });

  it('tells the expiry at its very moment, without a sweeper', async () => {
    const realTime = await world.start({ runtime: { now: () => new Date() } });
    const person = world.newPerson();
    const { id } = await realTime.acs.create({ ...world.payment(person), expiresInSeconds: 1 });
    const stream = realTime.office.watch(id);
    const own = realTime.user(person).watchAll();
    expect(await stream.untilEnd()).toBe('ended');
    expect(statusesOf(stream.told)).toEqual([Status.PENDING, Status.EXPIRED]);
    await own.until('the end', reached(Status.EXPIRED));
    expect(storyOf(own.told)).toEqual([`${id}:${Status.PENDING}`, 'ready', `${id}:${Status.EXPIRED}`]);
    expect((await world.stored(id))?.status).toBe('expired');
    await own.stop();
    await realTime.close();
  });

  it('ends when the service stops; the next one tells the state now', async () => {
    const stopping = await world.start({ acs: later });
    const { id, person } = await world.raise(writing);
    const stream = stopping.office.watch(id);
    await stream.until('the first state', reached(Status.PENDING));
    await stopping.close();
    expect(await stream.untilEnd()).toBe('SERVICE_UNAVAILABLE');
    await writing.user(person).decide(id, APPROVE, person.wallet);
    const restarted = await world.start({ acs: later });
    const again = restarted.office.watch(id);
    await again.until('the state now', reached(Status.PROCESSING));
    expect(statusesOf(again.told)).toEqual([Status.PROCESSING]);
    await again.stop();
  });
});

describe('WatchChallenges', () => {
  it('tells the pending ones, that this was all, and then what appears and changes', async () => {
    const person = world.newPerson();
    const create = async () => (await writing.acs.create(world.payment(person))).id;
    const [old, gone] = [await create(), await create()];
    await writing.acs.cancel(gone);
    const stream = watching.user(person).watchAll();
    expect(await stream.until('ready', ready)).toMatchObject({ snapshot: true, eventId: expect.stringMatching(/^\d+-\d+$/) });
    const fresh = await create();
    await stream.until('the new one', (told) => told.find(({ challenge }) => challenge?.id === fresh));
    await writing.acs.cancel(fresh);
    const isItsEnd = ({ challenge }: WatchChallengesResponse) => challenge?.id === fresh && challenge.status === Status.CANCELLED;
    await stream.until('its end', (told) => told.find(isItsEnd));
    // The event of the one that was gone before may come late, or twice: then its end is told, never that it was pending.
    const story = storyOf(stream.told);
    expect(story).not.toContain(`${gone}:${Status.PENDING}`);
    expect(story.filter((line) => !line.startsWith(gone))).toEqual([
      `${old}:${Status.PENDING}`,
      'ready',
      `${fresh}:${Status.PENDING}`,
      `${fresh}:${Status.CANCELLED}`,
    ]);
    await stream.stop();
  });

  it('never tells anyone else’s', async () => {
    const [person, stranger] = [world.newPerson(), world.newPerson()];
    const stream = watching.user(stranger).watchAll();
    await stream.until('ready', ready);
    const { id } = await writing.acs.create(world.payment(person));
    await writing.user(person).decide(id, APPROVE, person.wallet);
    const { id: own } = await writing.acs.create(world.payment(stranger));
    await stream.until('the own one', (told) => told.find(({ challenge }) => challenge !== undefined));
    expect(storyOf(stream.told)).toEqual(['ready', `${own}:${Status.PENDING}`]);
    // Someone else's event id is a position and nothing more.
    const resumed = watching.user(stranger).watchAll(stream.told.at(0)?.eventId ?? '');
    await resumed.until('ready', ready);
    expect(storyOf(resumed.told)).toEqual([`${own}:${Status.PENDING}`, 'ready']);
    await Promise.all([stream.stop(), resumed.stop()]);
  });

  it('resumes after the last event, at any instance', async () => {
    const person = world.newPerson();
    const create = async () => (await writing.acs.create(world.payment(person))).id;
    const first = await create();
    const stream = watching.user(person).watchAll();
    const { eventId } = await stream.until('ready', ready);
    // Events of two challenges have no order of their own: the second one happens when the first has been told.
    const second = await create();
    await stream.until('the second', (told) => told.find(({ challenge }) => challenge?.id === second));
    await writing.acs.cancel(first);
    await stream.until('the end of the first', reached(Status.CANCELLED));
    await stream.stop();
    for (const instance of [watching, writing]) {
      const resumed = instance.user(person).watchAll(eventId);
      expect(await resumed.until('ready', ready)).toMatchObject({ snapshot: false });
      expect(storyOf(resumed.told)).toEqual([`${second}:${Status.PENDING}`, `${first}:${Status.CANCELLED}`, 'ready']);
      // Broken off after the first of them: the rest follows.
      const rest = instance.user(person).watchAll(resumed.told[0]?.eventId ?? '');
      await rest.until('ready', ready);
      // Two relays may have published the second one's event twice.
      expect(storyOf(rest.told).filter((line) => !line.startsWith(second))).toEqual([`${first}:${Status.CANCELLED}`, 'ready']);
      await Promise.all([resumed.stop(), rest.stop()]);
    }
    // A restarted instance has what stands in the stream.
    const restarted = await world.start({ acs: later });
    const resumed = restarted.user(person).watchAll(eventId);
    expect(await resumed.until('ready', ready)).toMatchObject({ snapshot: false });
    expect(storyOf(resumed.told)).toHaveLength(3);
    await resumed.stop();
  });

  it.each(['0-0', '1-1', '99999999999999-0', 'x', '<script>', '1'.repeat(5000)])('begins afresh after %.20s', async (lastEventId) => {
    const { id, person } = await world.raise(writing);
    const stream = watching.user(person).watchAll(lastEventId);
    expect(await stream.until('ready', ready)).toMatchObject({ snapshot: true });
    expect(storyOf(stream.told)).toEqual([`${id}:${Status.PENDING}`, 'ready']);
    await stream.stop();
  });

  it('bounds the streams of one user', async () => {
    const user = watching.user(world.newPerson());
    const streams = Array.from({ length: 50 }, () => user.watchAll());
    await Promise.all(streams.map((stream) => stream.until('ready', ready)));
    expect(await user.watchAll().untilEnd()).toBe('RATE_LIMITED');
    await Promise.all(streams.map((stream) => stream.stop()));
    const free = user.watchAll();
    await free.until('ready', ready);
    await free.stop();
  });
});

describe('without Redis', () => {
  it('watchers go on by asking the store, and nothing is told twice when it is back', async () => {
    const relay = await startRedisRelay(testEngines().redisUrl);
    const lonely = await world.start({ acs: later }, { REDIS_URL: relay.url });
    const person = world.newPerson();
    const user = lonely.user(person);
    const { id } = await lonely.acs.create(world.payment(person));
    const one = lonely.office.watch(id);
    const all = user.watchAll();
    await Promise.all([one.until('the first state', reached(Status.PENDING)), all.until('ready', ready)]);

    await relay.cut();
    await user.decide(id, APPROVE, person.wallet);
    await one.until('the decision', reached(Status.PROCESSING));
    const { id: raised } = await lonely.acs.create(world.payment(person));
    await all.until('the new one', (told) => told.find(({ challenge }) => challenge?.id === raised));
    await relay.restore();
    await lonely.acs.acknowledge(id);
    expect(await one.untilEnd()).toBe('ended');
    await all.until('the end', reached(Status.APPROVED));
    const { id: last } = await lonely.acs.create(world.payment(person));
    await all.until('one more', (told) => told.find(({ challenge }) => challenge?.id === last));

    expect(statusesOf(one.told)).toEqual(ORDER);
    expect(storyOf(all.told)).toEqual([
      `${id}:${Status.PENDING}`,
      'ready',
      `${id}:${Status.PROCESSING}`,
      `${raised}:${Status.PENDING}`,
      `${id}:${Status.APPROVED}`,
      `${last}:${Status.PENDING}`,
    ]);
    // What was told before Redis went is no place to resume from any more.
    const resumed = user.watchAll(all.told.at(1)?.eventId ?? '');
    expect(await resumed.until('ready', ready)).toMatchObject({ snapshot: true });
    await Promise.all([all.stop(), resumed.stop()]);
    await lonely.close();
    await relay.close();
  });
});

describe('a reader who does not read', () => {
  /** More than the connection takes (a window of 64 kB and some buffers) and a watcher holds (64 states) together. */
  const RAISED = 800;

  it('is ended, and misses nothing when coming back', async () => {
    const person = world.newPerson();
    const { client, close } = openGrpcClient(ChallengeService, watching.url);
    const token = await world.authority.userToken({ wallet: person.wallet.address, userId: person.userId });
    const stream = client.watchChallenges({}, onBehalfOf({ token, requestId: 'slow' }))[Symbol.asyncIterator]();
    let lastEventId = (await stream.next()).value?.eventId;
    const quick = watching.user(person).watchAll();
    await quick.until('ready', (told) => (told.length > 0 ? true : undefined));

    const ids = new Set<string>();
    while (ids.size < RAISED) {
      const some = await Promise.all(Array.from({ length: 20 }, () => writing.acs.create(world.payment(person))));
      for (const { id } of some) ids.add(id);
    }
    await quick.until('all of them', (told) => (told.length > RAISED ? true : undefined));

    const seen: string[] = [];
    const reading = async () => {
      for (;;) {
        const { value } = await stream.next();
        seen.push(value.challenge.id);
        lastEventId = value.eventId;
      }
    };
    await expect(reading()).rejects.toMatchObject({ code: Code.Unavailable });
    expect(seen.length).toBeLessThan(RAISED);
    const resumed = watching.user(person).watchAll(lastEventId);
    await resumed.until('ready', (told) => told.find(({ challenge }) => challenge === undefined));
    const missed = resumed.told.flatMap(({ challenge }) => challenge?.id ?? []);
    expect(new Set([...seen, ...missed])).toEqual(ids);
    await Promise.all([quick.stop(), resumed.stop()]);
    close();
  }, 60_000);
});
