import { randomUUID } from 'node:crypto';
import { createStreamPublisher } from '@florin/data/outbox';
import { openRedis } from '@florin/data/redis';
import { testEngines } from '@florin/data/testing';
import { Decision, ChallengeStatus as Status } from '@florin/proto/threeds/v1/challenge';
import { quietLogger, waitFor } from '@florin/rpc/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AccessControlServer } from '../ports/access-control-server.ts';
import { createWorld, type Instance, type Person, type World } from '../testing/world.ts';

const later: AccessControlServer = { notify: async () => 'later' };

let world: World;
let writing: Instance;
let reading: Instance;

beforeAll(async () => {
  world = await createWorld();
  [writing, reading] = await Promise.all([world.start({ acs: later }), world.start({ acs: later })]);
});
afterAll(() => world.close());

const storyOf = ({ challenges }: { challenges: readonly { id: string; status: Status }[] }) =>
  challenges.map(({ id, status }) => [id, status]);

/** The changes after a position, once there are any. */
const changesAfter = (instance: Instance, person: Person, eventId: string, count: number) =>
  waitFor('the changes', async () => {
    const read = await instance.user(person).changes(eventId);
    return read.challenges.length >= count ? read : undefined;
  });

describe('ListChallengeChanges', () => {
  it('returns the pending challenges without a position, oldest first', async () => {
    const person = world.newPerson();
    const create = async () => (await writing.acs.create(world.payment(person))).id;
    const [first, gone, last] = [await create(), await create(), await create()];
    await writing.acs.cancel(gone);
    const read = await reading.user(person).changes();
    expect(read).toMatchObject({ snapshot: true, eventId: expect.stringMatching(/^\d+-\d+$/) });
    expect(storyOf(read)).toEqual([
      [first, Status.PENDING],
      [last, Status.PENDING],
    ]);
  });

  it('returns the caller’s changes after a position on any instance, each challenge once and as it is', async () => {
    const { id, person } = await world.raise(writing);
    const { eventId } = await changesAfter(reading, person, '', 1);
    const start = (await waitFor('the position of the challenge', async () => {
      const { eventId: now, snapshot } = await reading.user(person).changes(eventId);
      return snapshot ? undefined : now;
    })) as string;
    await world.raise(writing);
    await writing.user(person).decide(id, Decision.APPROVE, person.wallet);
    for (const instance of [reading, writing, await world.start({ acs: later })]) {
      const read = await waitFor('the decision', async () => {
        const now = await instance.user(person).changes(start);
        return now.challenges.some(({ status }) => status === Status.PROCESSING) ? now : undefined;
      });
      expect(read.snapshot).toBe(false);
      expect(storyOf(read)).toEqual([[id, Status.PROCESSING]]);
    }
  });

  it('returns nobody another one’s challenge, whatever an event says whose it is', async () => {
    const [{ id }, { id: own, user, person }] = [await world.raise(writing), await world.raise(writing)];
    const start = await waitFor('the position of the challenge', async () => {
      const { eventId } = await user.changes();
      return (await user.changes(eventId)).snapshot ? undefined : eventId;
    });
    const redis = await openRedis(testEngines().redisUrl, quietLogger);
    const forge = createStreamPublisher(redis, 'threeds');
    for (const challengeId of [id, own])
      await forge(challengeId, {
        id: randomUUID(),
        type: 'challenge.created',
        at: new Date(),
        payload: { userId: person.userId, status: 'pending' },
      });
    redis.destroy();
    expect(storyOf(await changesAfter(writing, person, start, 1))).toEqual([[own, Status.PENDING]]);
  });

  it.each(['0-0', '1-1', '99999999999999-0', 'x', '<script>', '1'.repeat(5000)])(
    'returns a snapshot after the unknown position %.20s',
    async (lastEventId) => {
      const { id, user } = await world.raise(reading);
      const read = await user.changes(lastEventId);
      expect(read.snapshot).toBe(true);
      expect(storyOf(read)).toEqual([[id, Status.PENDING]]);
    },
  );

  it('returns a snapshot when this instance does not reach the position of the stream', async () => {
    const { id, user } = await world.raise(reading);
    const { eventId } = await user.changes();
    const read = await user.changes(eventId, '99999999999999-0');
    expect(read.snapshot).toBe(true);
    expect(storyOf(read)).toEqual([[id, Status.PENDING]]);
  });

  it('rejects a malformed position of the stream', async () => {
    await expect(reading.user(world.newPerson()).changes('', 'x')).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
  });

  it('requires a user token', async () => {
    for (const calls of [reading.office, reading.acs, reading.gateway]) {
      await expect(calls.changes()).rejects.toMatchObject({ code: 'FORBIDDEN' });
    }
    await expect(reading.wallet(`0x${randomUUID().replaceAll('-', '')}00000000`).changes()).rejects.toMatchObject({
      code: 'USER_NOT_REGISTERED',
    });
  });
});
