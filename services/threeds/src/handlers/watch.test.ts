import { randomUUID } from 'node:crypto';
import { startRedisRelay, testEngines } from '@florin/data/testing';
import { Decision, ChallengeStatus as Status } from '@florin/proto/threeds/v1/challenge';
import type { WatchChallengeResponse } from '@florin/proto/threeds/v1/challenge_service';
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

const statusesOf = (messages: readonly Pick<WatchChallengeResponse, 'challenge'>[]) => messages.map(({ challenge }) => challenge?.status);
const reached = (status: Status) => (messages: readonly Pick<WatchChallengeResponse, 'challenge'>[]) =>
  messages.find(({ challenge }) => challenge?.status === status);
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
    const { id } = await realTime.acs.create({ ...world.payment(person), expiresInSeconds: 4 });
    const stream = realTime.office.watch(id);
    expect(await stream.untilEnd()).toBe('ended');
    expect(statusesOf(stream.messages)).toEqual([Status.PENDING, Status.EXPIRED]);
    expect((await world.stored(id))?.status).toBe('expired');
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

describe('without Redis', () => {
  it('watchers poll the store, and nothing is streamed twice once Redis is back', async () => {
    const relay = await startRedisRelay(testEngines().redisUrl);
    const lonely = await world.start({ acs: later }, { REDIS_URL: relay.url });
    const person = world.newPerson();
    const user = lonely.user(person);
    const { id } = await lonely.acs.create(world.payment(person));
    const stream = lonely.office.watch(id);
    await stream.until('the first state', reached(Status.PENDING));
    await relay.cut();
    await user.decide(id, APPROVE, person.wallet);
    await stream.until('the decision', reached(Status.PROCESSING));
    await relay.restore();
    await lonely.acs.acknowledge(id);
    expect(await stream.untilEnd()).toBe('ended');
    expect(statusesOf(stream.messages)).toEqual(ORDER);
    await lonely.close();
    await relay.close();
  });
});
