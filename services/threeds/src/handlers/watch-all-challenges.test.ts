import { startRedisRelay, testEngines } from '@florin/data/testing';
import { Decision, ChallengeStatus as Status } from '@florin/proto/threeds/v1/challenge';
import type { WatchAllChallengesResponse } from '@florin/proto/threeds/v1/challenge_service';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AccessControlServer } from '../ports/access-control-server.ts';
import { createWorld, type Instance, type World } from '../testing/world.ts';

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

type Message = WatchAllChallengesResponse;
const mark = (messages: readonly Message[]) => messages.find(({ challenge }) => challenge === undefined);
const stateOf = (id: string, status: Status) => (messages: readonly Message[]) =>
  messages.find(({ challenge }) => challenge?.id === id && challenge.status === status);

const partsOf = (eventId: string) => eventId.split('-').map(Number) as [number, number];
const ascending = (messages: readonly Message[]) =>
  messages.every(({ eventId }, index) => {
    const [[time, sequence], [timeBefore, sequenceBefore]] = [partsOf(eventId), partsOf(messages[index - 1]?.eventId ?? '0-0')];
    return time > timeBefore || (time === timeBefore && sequence >= sequenceBefore);
  });

describe('WatchAllChallenges', () => {
  it('streams the changes of every user, each at a position of its own', async () => {
    const stream = watching.gateway.watchAll();
    expect(await stream.until('the first message', mark)).toMatchObject({ gap: true, eventId: expect.stringMatching(/^\d+-\d+$/) });
    const [ann, ben] = [world.newPerson(), world.newPerson()];
    const { id: first } = await writing.acs.create(world.payment(ann));
    const { id: second } = await writing.acs.create(world.payment(ben));
    await writing.user(ann).decide(first, Decision.APPROVE, ann.wallet);
    await writing.acs.cancel(second);
    expect(await stream.until('the decision', stateOf(first, Status.PROCESSING))).toMatchObject({ userId: ann.userId });
    expect(await stream.until('the cancellation', stateOf(second, Status.CANCELLED))).toMatchObject({ userId: ben.userId });
    const changes = stream.messages.filter(({ challenge }) => challenge !== undefined);
    expect(ascending(stream.messages)).toBe(true);
    expect(new Set(changes.map(({ eventId }) => eventId)).size).toBe(changes.length);
    await stream.stop();
  });

  it('streams a live expiry under a position of its own', async () => {
    const realTime = await world.start({ runtime: { now: () => new Date() } });
    const stream = realTime.gateway.watchAll();
    await stream.until('the first message', mark);
    const { id } = await realTime.acs.create({ ...world.payment(world.newPerson()), expiresInSeconds: 1 });
    const { id: other } = await realTime.acs.create(world.payment(world.newPerson()));
    const raised = await stream.until('the other challenge', stateOf(other, Status.PENDING));
    const expired = await stream.until('the expiry', stateOf(id, Status.EXPIRED));
    expect(expired.eventId).not.toBe(raised.eventId);
    expect(ascending(stream.messages)).toBe(true);
    await stream.stop();
    await realTime.close();
  });

  it('resumes after a position on any instance, also a restarted one', async () => {
    const stream = watching.gateway.watchAll();
    const { eventId } = await stream.until('the first message', mark);
    const { id, person } = await world.raise(writing);
    await stream.until('the challenge', stateOf(id, Status.PENDING));
    await writing.user(person).decide(id, Decision.DECLINE, person.wallet);
    await stream.until('the decision', stateOf(id, Status.PROCESSING));
    await stream.stop();
    const restarted = await world.start({ acs: later });
    for (const instance of [watching, restarted]) {
      const resumed = instance.gateway.watchAll(eventId);
      expect(await resumed.until('the mark', mark)).toMatchObject({ gap: false });
      expect(stateOf(id, Status.PROCESSING)(resumed.messages)).toMatchObject({ userId: person.userId });
      expect(ascending(resumed.messages)).toBe(true);
      await resumed.stop();
    }
  });

  it.each(['0-0', '1-1', '99999999999999-0', 'x', '1'.repeat(5000)])(
    'marks a gap after the unknown position %.20s',
    async (lastEventId) => {
      const stream = watching.gateway.watchAll(lastEventId);
      expect(await stream.until('the mark', mark)).toMatchObject({ gap: true });
      await stream.stop();
    },
  );

  it('requires the watch scope', async () => {
    for (const calls of [watching.office, watching.acs, watching.user(world.newPerson())]) {
      expect(await calls.watchAll().untilEnd()).toBe('FORBIDDEN');
    }
  });

  it('ends with SERVICE_UNAVAILABLE when the service stops', async () => {
    const stopping = await world.start({ acs: later });
    const stream = stopping.gateway.watchAll();
    await stream.until('the first message', mark);
    await stopping.close();
    expect(await stream.untilEnd()).toBe('SERVICE_UNAVAILABLE');
  });

  it('streams changes while Redis is unavailable, and marks a gap after it', async () => {
    const relay = await startRedisRelay(testEngines().redisUrl);
    const lonely = await world.start({ acs: later }, { REDIS_URL: relay.url });
    const stream = lonely.gateway.watchAll();
    const { eventId } = await stream.until('the first message', mark);
    await relay.cut();
    const { id, person } = await world.raise(lonely);
    await stream.until('the challenge', stateOf(id, Status.PENDING));
    await lonely.user(person).decide(id, Decision.APPROVE, person.wallet);
    await stream.until('the decision', stateOf(id, Status.PROCESSING));
    expect(stream.messages.filter(({ challenge }) => challenge === undefined)).toHaveLength(1);
    await relay.restore();
    const gap = (messages: readonly Message[]) => messages.filter(({ gap: isGap }) => isGap)[1];
    await stream.until('the gap', gap);
    const { id: last } = await lonely.acs.create(world.payment(person));
    await stream.until('one more', stateOf(last, Status.PENDING));
    expect(ascending(stream.messages)).toBe(true);
    // Positions from before the outage are no longer known.
    const resumed = lonely.gateway.watchAll(eventId);
    expect(await resumed.until('the mark', mark)).toMatchObject({ gap: true });
    await Promise.all([stream.stop(), resumed.stop()]);
    await lonely.close();
    await relay.close();
  });
});
