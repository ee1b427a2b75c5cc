import type { StreamEvent, StreamTail, TailListener } from '@florin/data/outbox';
import { systemRuntime } from '@florin/rpc/runtime';
import { quietLogger } from '@florin/rpc/testing';
import { describe, expect, it } from 'vitest';
import type { Challenge } from '../domain/challenge.ts';
import type { ChallengeStatus } from '../domain/challenge-state.ts';
import { createChallengeHub } from './hub.ts';

const USER = 'a2f1c0de-0000-4000-8000-000000000001';

const challengeIn = (id: string, status: ChallengeStatus) =>
  ({ id, userId: USER, status, createdAt: new Date(), expiresAt: new Date(Date.now() + 60_000) }) as unknown as Challenge;

const eventOf = (sequence: number, aggregateId: string, status: ChallengeStatus): StreamEvent => ({
  position: `1-${sequence}`,
  aggregateId,
  event: { id: `event-${sequence}`, type: 'threeds.challenge.changed', at: new Date(), payload: { userId: USER, status } },
});

/** A hub over challenges as stored, and the tail that feeds it. */
const openHub = (stored: readonly Challenge[]) => {
  const tail = Promise.withResolvers<TailListener>();
  const fed: StreamTail = { recent: [], position: '0-0', run: (listener) => tail.resolve(listener), close: async () => {} };
  const byId = new Map(stored.map((challenge) => [challenge.id, challenge]));
  const challenges = {
    findMany: async (ids: readonly string[]) => ids.flatMap((id) => byId.get(id) ?? []),
    findSince: async () => [],
    remembered: () => undefined,
    expire: async () => undefined,
  };
  const hub = createChallengeHub({ challenges, tail: fed, runtime: systemRuntime, logger: quietLogger });
  return { hub, feed: async (events: readonly StreamEvent[]) => (await tail.promise).onEvents(events) };
};

describe('the hub', () => {
  it('delivers a state once for all events of a batch that led to it, at the position of the last one', async () => {
    const { hub, feed } = openHub([challengeIn('first', 'approved'), challengeIn('second', 'cancelled')]);
    const reading = hub.readAll(new AbortController().signal);
    await feed([eventOf(1, 'first', 'processing'), eventOf(2, 'second', 'cancelled'), eventOf(3, 'first', 'approved')]);
    const read = [await reading.next(1000), await reading.next(1000), await reading.next(0)];
    expect(read).toMatchObject([{ position: '1-2', challenge: { id: 'second' } }, { position: '1-3', challenge: { id: 'first' } }, 'idle']);
    expect(hub.position()).toBe('1-3');
    reading.close();
    await hub.close();
  });

  it('resumes a reader between the events of a batch with what came after its position', async () => {
    const { hub, feed } = openHub([challengeIn('first', 'approved'), challengeIn('second', 'cancelled')]);
    const reading = hub.readAll(new AbortController().signal);
    await feed([eventOf(1, 'first', 'processing'), eventOf(2, 'second', 'cancelled'), eventOf(3, 'first', 'approved')]);
    expect(hub.since('1-1')).toMatchObject([
      { position: '1-2', challengeId: 'second' },
      { position: '1-3', challengeId: 'first' },
    ]);
    expect(hub.since('1-2')).toMatchObject([{ position: '1-3', challengeId: 'first' }]);
    reading.close();
    await hub.close();
  });
});
