import { CodedError } from '@florin/rpc/errors';
import { quietLogger } from '@florin/rpc/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Challenge } from '../domain/challenge.ts';
import type { ChallengeStatus } from '../domain/challenge-state.ts';
import { createChallengeHub } from './hub.ts';
import { createReader, MAX_WAITING } from './reader.ts';
import { createRecentEvents, MAX_RECENT } from './recent-events.ts';
import { createWatcher } from './watcher.ts';

const NOW = new Date('2026-01-31T12:00:00Z');
const challengeOf = (id: string, status: ChallengeStatus, userId = 'ann'): Challenge =>
  ({ id, userId, status, expiresAt: new Date(NOW.getTime() + 60_000) }) as Challenge;

const PROGRESS: readonly ChallengeStatus[] = ['pending', 'processing', 'approved'];

describe('watcher', () => {
  it('delivers states once and in order, for any arrival order, and always the last one', async () => {
    const arrivals = fc.array(fc.record({ reached: fc.integer({ min: 0, max: 2 }), read: fc.boolean() }));
    await fc.assert(
      fc.asyncProperty(arrivals, async (arriving) => {
        const watcher = createWatcher(new AbortController().signal);
        const seen: number[] = [];
        let newest = -1;
        for (const { reached, read } of arriving) {
          watcher.deliver(challengeOf('a', PROGRESS[reached] ?? 'pending'));
          newest = Math.max(newest, reached);
          if (!read || newest === (seen.at(-1) ?? -1)) continue;
          seen.push(PROGRESS.indexOf((await watcher.next())?.status ?? 'failed'));
          expect(seen.at(-1)).toBe(newest);
        }
        expect(seen).toEqual([...new Set(seen)].sort());
      }),
      { numRuns: 200 },
    );
  });

  it('ends when its signal aborts, and fails with the given error', async () => {
    const gone = new AbortController();
    const watcher = createWatcher(gone.signal);
    const next = watcher.next();
    gone.abort();
    expect(await next).toBeUndefined();
    const failing = createWatcher(new AbortController().signal);
    failing.deliver(challengeOf('a', 'pending'));
    failing.fail(new CodedError('SERVICE_UNAVAILABLE'));
    await expect(failing.next()).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  });
});

describe('reader', () => {
  it('keeps every update in order, also repeats of a state', async () => {
    const reader = createReader(new AbortController().signal);
    const updates = ['1-0', '1-1', '1-1', '2-0'].map((position) => ({ position, challenge: challengeOf('a', 'approved') }));
    for (const update of updates) reader.push(update);
    const read = [];
    for (const _ of updates) read.push(await reader.next(0));
    expect(read).toEqual(updates);
    expect(await reader.next(0)).toBe('idle');
  });

  it('fails when it is too slow, and releases its updates', async () => {
    const reader = createReader(new AbortController().signal);
    for (let count = 0; count <= MAX_WAITING; count += 1) reader.push({ position: `1-${count}` });
    await expect(reader.next(0)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  });
});

describe('hub', () => {
  const newHub = () => {
    const stored = new Map<string, Challenge>();
    const remembered = new Map<string, Challenge>();
    const reads: string[][] = [];
    let failing = false;
    let listener: Parameters<Parameters<typeof createChallengeHub>[0]['tail']['run']>[0] | undefined;
    const hub = createChallengeHub({
      challenges: {
        findMany: async (ids) => {
          reads.push([...ids]);
          if (failing) throw new Error('the store is away');
          return ids.flatMap((id) => stored.get(id) ?? []);
        },
        findSince: async () => [],
        remembered: (id) => remembered.get(id),
        expire: async () => undefined,
      },
      tail: {
        recent: [],
        position: '1-0',
        run: (given) => {
          listener = given;
        },
        close: async () => undefined,
      },
      runtime: { now: () => NOW, newId: () => '019b76da-a800-7000-8000-000000000000' },
      logger: quietLogger,
    });
    const happen = async (sequence: number, ...challenges: Challenge[]) => {
      for (const challenge of challenges) stored.set(challenge.id, challenge);
      const events = challenges.map(({ id, userId, status }, index) => ({
        position: `2-${sequence + index}`,
        aggregateId: id,
        event: { id: `${sequence + index}`, type: 'challenge.changed', at: NOW, payload: { userId, status } },
      }));
      await listener?.onEvents(events);
    };
    return { hub, reads, remembered, happen, fail: (value: boolean) => (failing = value) };
  };
  const signal = new AbortController().signal;

  it('reads a challenge once for all that follow it, and never for no one', async () => {
    const { hub, reads, happen } = newHub();
    const watches = Array.from({ length: 50 }, () => hub.watchChallenge('a', signal));
    await happen(0, challengeOf('a', 'pending'), challengeOf('b', 'pending', 'ben'), challengeOf('a', 'processing'));
    expect(reads).toEqual([['a']]);
    for (const watch of watches) expect(await watch.next()).toMatchObject({ id: 'a', status: 'processing' });
    const reading = hub.readAll(signal);
    await happen(5, challengeOf('b', 'approved', 'ben'));
    expect(reads).toEqual([['a'], ['b']]);
    expect(await reading.next(0)).toMatchObject({ challenge: { id: 'b' }, position: '2-5' });
    await hub.close();
  });

  it('reads no challenge that this process remembers at the status of the event or a later one', async () => {
    const { hub, reads, remembered, happen } = newHub();
    const reading = hub.readAll(signal);
    remembered.set('a', challengeOf('a', 'approved'));
    remembered.set('b', challengeOf('b', 'pending'));
    await happen(0, challengeOf('a', 'pending'), challengeOf('b', 'approved'));
    expect(reads).toEqual([['b']]);
    for (const id of ['a', 'b']) expect(await reading.next(0)).toMatchObject({ challenge: { id, status: 'approved' } });
    await hub.close();
  });

  it('rejects a batch while the store is unavailable, and delivers it in full on redelivery', async () => {
    const { hub, happen, fail } = newHub();
    const reading = hub.readAll(signal);
    fail(true);
    await expect(happen(0, challengeOf('a', 'pending'))).rejects.toThrow('away');
    fail(false);
    await happen(0, challengeOf('a', 'pending'), challengeOf('b', 'pending'));
    expect(await reading.next(0)).toMatchObject({ challenge: { id: 'a' }, position: '2-0' });
    expect(await reading.next(0)).toMatchObject({ challenge: { id: 'b' }, position: '2-1' });
    expect(hub.since('2-0', 'ann')).toMatchObject([{ challengeId: 'b' }]);
    await hub.close();
    await expect(reading.next(0)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  });

  it('forgets closed watchers and readers', async () => {
    const { hub, reads, happen } = newHub();
    for (const { close } of [hub.watchChallenge('a', signal), hub.readAll(signal)]) {
      close();
      close();
    }
    await happen(0, challengeOf('a', 'pending'));
    expect(reads).toEqual([]);
    await hub.close();
  });

  it('waits for a position', async () => {
    const { hub, happen } = newHub();
    expect(await hub.reached('1-0', 0)).toBe(true);
    expect(await hub.reached('2-3', 1)).toBe(false);
    const reached = hub.reached('2-3', 60_000);
    await happen(3, challengeOf('a', 'pending'));
    expect(await reached).toBe(true);
    expect(hub.position()).toBe('2-3');
    await hub.close();
  });
});

describe('recent events', () => {
  const event = (sequence: number, challengeId = 'a', userId = 'ann') => ({ position: `7-${sequence}`, challengeId, userId });

  it('return each of a user’s challenges once, ordered by its latest event', () => {
    const recent = createRecentEvents();
    recent.add([event(1), event(2, 'b'), event(3, 'c', 'ben'), event(4, 'a')]);
    expect(recent.since('7-1', 'ann')).toEqual([event(2, 'b'), event(4, 'a')]);
    expect(recent.since('7-4', 'ann')).toEqual([]);
    expect(recent.since('7-2', 'ben')).toEqual([event(3, 'c', 'ben')]);
  });

  it.each(['7-0', '6-9', '7-5', '8-0', '0-0', '', 'x-y', '7-1-1', '-'])('return undefined after the unknown position %j', (position) => {
    const recent = createRecentEvents();
    expect(recent.since(position, 'ann')).toBeUndefined();
    recent.add([event(1), event(4)]);
    expect(recent.since(position, 'ann')).toBeUndefined();
    recent.breakOff();
    expect(recent.since('7-4', 'ann')).toBeUndefined();
  });

  it('are bounded, and positions that were dropped are unknown', () => {
    const recent = createRecentEvents();
    for (let sequence = 1; sequence <= 3 * MAX_RECENT; sequence += 1) recent.add([event(sequence, `${sequence}`)]);
    expect(recent.since('7-1', 'ann')).toBeUndefined();
    expect(recent.since(`7-${2 * MAX_RECENT + 1}`, 'ann')).toHaveLength(MAX_RECENT - 1);
  });
});
