import { CodedError } from '@florin/rpc/errors';
import { quietLogger } from '@florin/rpc/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Challenge } from '../domain/challenge.ts';
import type { ChallengeStatus } from '../domain/challenge-state.ts';
import { createChallengeHub } from './hub.ts';
import { createRecentEvents, MAX_RECENT } from './recent-events.ts';
import { createWatcher, type Update } from './watcher.ts';

const NOW = new Date('2026-01-31T12:00:00Z');
const challengeOf = (id: string, status: ChallengeStatus, userId = 'ann'): Challenge =>
  ({ id, userId, status, expiresAt: new Date(NOW.getTime() + 60_000) }) as Challenge;
const updateOf = (id: string, status: ChallengeStatus, position = '1-0'): Update => ({ challenge: challengeOf(id, status), position });

const PROGRESS: readonly ChallengeStatus[] = ['pending', 'processing', 'approved'];

const newWatcher = () => {
  const gone = new AbortController();
  return { watcher: createWatcher(gone.signal), gone };
};

describe('watcher', () => {
  it('delivers the states of each challenge once and in order, for any arrival order', async () => {
    const states = fc.array(fc.record({ id: fc.constantFrom('a', 'b', 'c'), reached: fc.integer({ min: 0, max: 2 }), read: fc.boolean() }));
    await fc.assert(
      fc.asyncProperty(states, async (arriving) => {
        const { watcher, gone } = newWatcher();
        const delivered: Update[] = [];
        const read = async () => {
          const update = await watcher.next();
          if (update !== undefined) delivered.push(update);
        };
        let waiting = new Set<string>();
        for (const { id, reached, read: reads } of arriving) {
          const before = delivered.filter(({ challenge }) => challenge.id === id).at(-1);
          watcher.deliver(updateOf(id, PROGRESS[reached] ?? 'pending'));
          if (before === undefined || PROGRESS.indexOf(before.challenge.status) < reached) waiting.add(id);
          if (reads && waiting.size > 0) {
            await read();
            waiting = new Set([...waiting].filter((other) => other !== delivered.at(-1)?.challenge.id));
          }
        }
        while (waiting.size > 0) {
          await read();
          waiting.delete(delivered.at(-1)?.challenge.id ?? '');
        }
        for (const id of ['a', 'b', 'c']) {
          const seen = delivered.filter(({ challenge }) => challenge.id === id).map(({ challenge }) => PROGRESS.indexOf(challenge.status));
          expect(seen).toEqual([...new Set(seen)].sort());
          const most = Math.max(-1, ...arriving.filter((one) => one.id === id).map(({ reached }) => reached));
          expect(seen.at(-1) ?? -1).toBe(most);
        }
        gone.abort();
      }),
      { numRuns: 200 },
    );
  });

  it('drops updates that the first read already covers and keeps later ones', async () => {
    const { watcher, gone } = newWatcher();
    watcher.deliver(updateOf('a', 'pending', '5-0'));
    watcher.deliver(updateOf('b', 'approved', '6-0'));
    watcher.start([updateOf('a', 'processing', '0-0'), updateOf('b', 'pending', '0-0')]);
    expect(await watcher.next()).toMatchObject({ challenge: { id: 'b', status: 'approved' }, position: '6-0' });
    const next = watcher.next();
    gone.abort();
    expect(await next).toBeUndefined();
  });

  it('fails for a stalled reader and releases its updates', async () => {
    const { watcher } = newWatcher();
    for (let index = 0; index < 200; index += 1) watcher.deliver(updateOf(`${index}`, 'pending'));
    await expect(watcher.next()).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    watcher.deliver(updateOf('more', 'pending'));
    await expect(watcher.next()).rejects.toBeInstanceOf(CodedError);
  });
});

describe('hub', () => {
  const newHub = () => {
    const stored = new Map<string, Challenge>();
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
        findRecent: async () => [],
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
      runtime: { now: () => NOW },
      logger: quietLogger,
    });
    const happen = async (sequence: number, ...challenges: Challenge[]) => {
      for (const challenge of challenges) stored.set(challenge.id, challenge);
      const events = challenges.map(({ id, userId }, index) => ({
        position: `2-${sequence + index}`,
        aggregateId: id,
        event: { id: `${sequence + index}`, type: 'challenge.changed', at: NOW, payload: { userId } },
      }));
      await listener?.onEvents(events);
    };
    return { hub, reads, happen, fail: (value: boolean) => (failing = value) };
  };
  const signal = new AbortController().signal;

  it('reads a challenge once for all its watchers, and never without watchers', async () => {
    const { hub, reads, happen } = newHub();
    const watches = [...Array.from({ length: 50 }, () => hub.watchChallenge('a', signal)), hub.watchUser('ann', signal)];
    for (const watch of watches) watch.start([]);
    await happen(0, challengeOf('a', 'pending'), challengeOf('b', 'pending', 'ben'), challengeOf('a', 'processing'));
    expect(reads).toEqual([['a']]);
    for (const watch of watches) expect(await watch.next()).toMatchObject({ challenge: { id: 'a', status: 'processing' } });
    await happen(5, challengeOf('b', 'approved', 'ben'));
    expect(reads).toHaveLength(1);
    await hub.close();
  });

  it('rejects a batch while the store is unavailable, and delivers it in full on redelivery', async () => {
    const { hub, happen, fail } = newHub();
    const watch = hub.watchUser('ann', signal);
    watch.start([]);
    fail(true);
    await expect(happen(0, challengeOf('a', 'pending'))).rejects.toThrow('away');
    fail(false);
    await happen(0, challengeOf('a', 'pending'), challengeOf('b', 'pending'));
    expect(await watch.next()).toMatchObject({ challenge: { id: 'a' }, position: '2-0' });
    expect(await watch.next()).toMatchObject({ challenge: { id: 'b' }, position: '2-1' });
    expect(hub.since('2-0', 'ann')).toMatchObject([{ challengeId: 'b' }]);
    await hub.close();
    await expect(watch.next()).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  });

  it('forgets closed watchers', async () => {
    const { hub, reads, happen } = newHub();
    const watches = Array.from({ length: 50 }, () => hub.watchUser('ann', signal));
    expect(() => hub.watchUser('ann', signal)).toThrow(expect.objectContaining({ code: 'STREAM_LIMIT_REACHED' }));
    for (const { close } of watches) {
      close();
      close();
    }
    hub.watchUser('ann', signal).close();
    await happen(0, challengeOf('a', 'pending'));
    expect(reads).toEqual([]);
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
