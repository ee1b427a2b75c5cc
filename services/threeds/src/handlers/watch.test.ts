import { randomUUID } from 'node:crypto';
import { startRedisRelay, testEngines } from '@florin/data/testing';
import { Decision, ChallengeStatus as Status } from '@florin/proto/threeds/v1/challenge';
import type { WatchChallengeResponse, WatchChallengesResponse } from '@florin/proto/threeds/v1/challenge_service';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AccessControlServer } from '../ports/access-control-server.ts';
import { createWorld, type Instance, type World } from '../testing/world.ts';

const { APPROVE, DECLINE } = Decision;
const ORDER = [Status.PENDING, Status.PROCESSING, Status.APPROVED] as const;

/** Confirms through AcknowledgeDecision only, so that each state can be observed. */
const later: AccessControlServer = { notify: async () => 'later' };

let world: World;
/** Two instances on one database and one Redis: one writes, the other is watched. */
let writing: Instance;
let watching: Instance;

beforeAll(async () => {
  world = await createWorld();
  [writing, watching] = await Promise.all([world.start({ acs: later }), world.start({ acs: later })]);
});
afterAll(() => world.close());

type Message = Pick<WatchChallengesResponse, 'challenge' | 'eventId' | 'snapshot'>;
const statusesOf = (messages: readonly Pick<WatchChallengeResponse, 'challenge'>[]) => messages.map(({ challenge }) => challenge?.status);
/** `id:status` of every state, `ready` for the message that ends the beginning. */
const storyOf = (messages: readonly Message[]) =>
  messages.map(({ challenge }) => (challenge === undefined ? 'ready' : `${challenge.id}:${challenge.status}`));
const reached = (status: Status) => (messages: readonly Pick<WatchChallengeResponse, 'challenge'>[]) =>
  messages.find(({ challenge }) => challenge?.status === status);
const ready = (messages: readonly Message[]) => messages.find(({ challenge }) => challenge === undefined);

describe('WatchChallenge', () => {
  it('streams the current state and each change made by another instance, then ends', async () => {
    const { id, person } = await world.raise(writing);
    const stream = watching.office.watch(id);
    await stream.until('the first state', reached(Status.PENDING));
    await writing.user(person).decide(id, APPROVE, person.wallet);
    await stream.until('the decision', reached(Status.PROCESSING));
    await writing.acs.acknowledge(id);
    expect(await stream.untilEnd()).toBe('ended');
    expect(statusesOf(stream.messages)).toEqual(ORDER);
    expect(stream.messages.at(-1)).toMatchObject({ challenge: { id, decision: APPROVE, decisionAvailable: false } });
  });

  it('streams a terminal state and ends', async () => {
    const { id } = await world.raise(writing);
    await writing.acs.cancel(id);
    const stream = watching.office.watch(id);
    expect(await stream.untilEnd()).toBe('ended');
    expect(statusesOf(stream.messages)).toEqual([Status.CANCELLED]);
  });

  it.each([
    [randomUUID(), 'CHALLENGE_NOT_FOUND'],
    ['x', 'VALIDATION_FAILED'],
  ])('rejects %s', async (id, code) => {
    expect(await watching.office.watch(id).untilEnd()).toBe(code);
  });

  it('never repeats or reverts a state, with many watchers and duplicate events', async () => {
    const { id, person } = await world.raise(writing);
    const streams = Array.from({ length: 40 }, (_, index) => (index % 2 === 0 ? watching : writing).office.watch(id));
    await writing.user(person).decide(id, DECLINE, person.wallet);
    await watching.acs.acknowledge(id);
    for (const stream of streams) {
      expect(await stream.untilEnd()).toBe('ended');
      const statuses = statusesOf(stream.messages);
      expect(statuses).toEqual([...new Set(statuses)].sort());
      expect(statuses.at(-1)).toBe(Status.DECLINED);
    }
  });

  it('streams the expiry on time without a sweeper', async () => {
    const realTime = await world.start({ runtime: { now: () => new Date() } });
    const person = world.newPerson();
    const { id } = await realTime.acs.create({ ...world.payment(person), expiresInSeconds: 1 });
    const stream = realTime.office.watch(id);
    const own = realTime.user(person).watchAll();
    expect(await stream.untilEnd()).toBe('ended');
    expect(statusesOf(stream.messages)).toEqual([Status.PENDING, Status.EXPIRED]);
    await own.until('the end', reached(Status.EXPIRED));
    expect(storyOf(own.messages)).toEqual([`${id}:${Status.PENDING}`, 'ready', `${id}:${Status.EXPIRED}`]);
    expect((await world.stored(id))?.status).toBe('expired');
    await own.stop();
    await realTime.close();
  });

  it('ends when the service stops; the next instance streams the current state', async () => {
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
    expect(statusesOf(again.messages)).toEqual([Status.PROCESSING]);
    await again.stop();
  });
});

describe('WatchChallenges', () => {
  it('streams the pending challenges, `ready`, and then new challenges and changes', async () => {
    const person = world.newPerson();
    const create = async () => (await writing.acs.create(world.payment(person))).id;
    const [old, gone] = [await create(), await create()];
    await writing.acs.cancel(gone);
    const stream = watching.user(person).watchAll();
    expect(await stream.until('ready', ready)).toMatchObject({ snapshot: true, eventId: expect.stringMatching(/^\d+-\d+$/) });
    const fresh = await create();
    await stream.until('the new challenge', (messages) => messages.find(({ challenge }) => challenge?.id === fresh));
    await writing.acs.cancel(fresh);
    const isItsEnd = ({ challenge }: WatchChallengesResponse) => challenge?.id === fresh && challenge.status === Status.CANCELLED;
    await stream.until('its end', (messages) => messages.find(isItsEnd));
    // The event of the earlier challenge may arrive late or twice; then its end is streamed, never that it was pending.
    const story = storyOf(stream.messages);
    expect(story).not.toContain(`${gone}:${Status.PENDING}`);
    expect(story.filter((line) => !line.startsWith(gone))).toEqual([
      `${old}:${Status.PENDING}`,
      'ready',
      `${fresh}:${Status.PENDING}`,
      `${fresh}:${Status.CANCELLED}`,
    ]);
    await stream.stop();
  });

  it('never streams another user’s challenges', async () => {
    const [person, stranger] = [world.newPerson(), world.newPerson()];
    const stream = watching.user(stranger).watchAll();
    await stream.until('ready', ready);
    const { id } = await writing.acs.create(world.payment(person));
    await writing.user(person).decide(id, APPROVE, person.wallet);
    const { id: own } = await writing.acs.create(world.payment(stranger));
    await stream.until('the own challenge', (messages) => messages.find(({ challenge }) => challenge !== undefined));
    expect(storyOf(stream.messages)).toEqual(['ready', `${own}:${Status.PENDING}`]);
    // Another user's event id is only a position.
    const resumed = watching.user(stranger).watchAll(stream.messages.at(0)?.eventId ?? '');
    await resumed.until('ready', ready);
    expect(storyOf(resumed.messages)).toEqual([`${own}:${Status.PENDING}`, 'ready']);
    await Promise.all([stream.stop(), resumed.stop()]);
  });

  it('resumes after the last event on any instance', async () => {
    const person = world.newPerson();
    const create = async () => (await writing.acs.create(world.payment(person))).id;
    const first = await create();
    const stream = watching.user(person).watchAll();
    const { eventId } = await stream.until('ready', ready);
    // Events of two challenges are not ordered: the second one is triggered after the first was streamed.
    const second = await create();
    await stream.until('the second', (messages) => messages.find(({ challenge }) => challenge?.id === second));
    await writing.acs.cancel(first);
    await stream.until('the end of the first', reached(Status.CANCELLED));
    await stream.stop();
    for (const instance of [watching, writing]) {
      const resumed = instance.user(person).watchAll(eventId);
      expect(await resumed.until('ready', ready)).toMatchObject({ snapshot: false });
      expect(storyOf(resumed.messages)).toEqual([`${second}:${Status.PENDING}`, `${first}:${Status.CANCELLED}`, 'ready']);
      // Disconnected after the first of them: the rest follows.
      const rest = instance.user(person).watchAll(resumed.messages[0]?.eventId ?? '');
      await rest.until('ready', ready);
      // Two relays may have published the second event twice.
      expect(storyOf(rest.messages).filter((line) => !line.startsWith(second))).toEqual([`${first}:${Status.CANCELLED}`, 'ready']);
      await Promise.all([resumed.stop(), rest.stop()]);
    }
    // A restarted instance has the events of the stream.
    const restarted = await world.start({ acs: later });
    const resumed = restarted.user(person).watchAll(eventId);
    expect(await resumed.until('ready', ready)).toMatchObject({ snapshot: false });
    expect(storyOf(resumed.messages)).toHaveLength(3);
    await resumed.stop();
  });

  it.each(['0-0', '1-1', '99999999999999-0', 'x', '<script>', '1'.repeat(5000)])(
    'starts over after the unknown position %.20s',
    async (lastEventId) => {
      const { id, person } = await world.raise(writing);
      const stream = watching.user(person).watchAll(lastEventId);
      expect(await stream.until('ready', ready)).toMatchObject({ snapshot: true });
      expect(storyOf(stream.messages)).toEqual([`${id}:${Status.PENDING}`, 'ready']);
      await stream.stop();
    },
  );

  it('limits the streams of one user', async () => {
    const user = watching.user(world.newPerson());
    const streams = Array.from({ length: 50 }, () => user.watchAll());
    await Promise.all(streams.map((stream) => stream.until('ready', ready)));
    expect(await user.watchAll().untilEnd()).toBe('STREAM_LIMIT_REACHED');
    await Promise.all(streams.map((stream) => stream.stop()));
    const free = user.watchAll();
    await free.until('ready', ready);
    await free.stop();
  });
});

describe('without Redis', () => {
  it('watchers poll the store, and nothing is streamed twice once Redis is back', async () => {
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
    await all.until('the new challenge', (messages) => messages.find(({ challenge }) => challenge?.id === raised));
    await relay.restore();
    await lonely.acs.acknowledge(id);
    expect(await one.untilEnd()).toBe('ended');
    await all.until('the end', reached(Status.APPROVED));
    const { id: last } = await lonely.acs.create(world.payment(person));
    await all.until('one more', (messages) => messages.find(({ challenge }) => challenge?.id === last));

    expect(statusesOf(one.messages)).toEqual(ORDER);
    expect(storyOf(all.messages)).toEqual([
      `${id}:${Status.PENDING}`,
      'ready',
      `${id}:${Status.PROCESSING}`,
      `${raised}:${Status.PENDING}`,
      `${id}:${Status.APPROVED}`,
      `${last}:${Status.PENDING}`,
    ]);
    // Positions from before the outage are no longer known.
    const resumed = user.watchAll(all.messages.at(1)?.eventId ?? '');
    expect(await resumed.until('ready', ready)).toMatchObject({ snapshot: true });
    await Promise.all([all.stop(), resumed.stop()]);
    await lonely.close();
    await relay.close();
  });
});
