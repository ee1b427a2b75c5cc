import { create } from '@bufbuild/protobuf';
import { ChallengeSchema, ChallengeStatus as Status } from '@florin/proto/threeds/v1/challenge';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createSubscription, type Item, MAX_WAITING, type Subscription } from './subscription.ts';

const PROGRESS = [Status.PENDING, Status.PROCESSING, Status.APPROVED] as const;
const challengeOf = (id: string, progress: number) => create(ChallengeSchema, { id, status: PROGRESS[progress] ?? Status.PENDING });
const OPEN = new AbortController().signal;

/** Everything that can be read now. */
const drain = async (subscription: Subscription): Promise<Item[]> => {
  const items: Item[] = [];
  for (;;) {
    const end = new AbortController();
    const next = subscription.next(end.signal);
    const item = await Promise.race([next, new Promise<undefined>((resolve) => setImmediate(() => resolve(undefined)))]);
    if (item === undefined || item === 'too-slow') {
      end.abort();
      subscription.wake();
      await next;
      return items;
    }
    items.push(item);
  }
};

const begin = (subscription: Subscription, snapshot = true) =>
  subscription.begin({ challenges: [], serverTime: undefined, snapshot, position: '1-0', readyAt: '1-0' });

describe('subscription', () => {
  it('passes on the states of each challenge once and in order, for any arrival order and any gaps, and always the last one', async () => {
    const arrivals = fc.array(
      fc.record({
        id: fc.constantFrom('a', 'b', 'c'),
        progress: fc.integer({ min: 0, max: 2 }),
        via: fc.constantFrom('feed', 'gap'),
        read: fc.boolean(),
      }),
    );
    await fc.assert(
      fc.asyncProperty(arrivals, fc.nat(3), async (arriving, beginAfter) => {
        const subscription = createSubscription();
        const items: Item[] = [];
        for (const [index, { id, progress, via, read }] of arriving.entries()) {
          if (index === beginAfter) begin(subscription);
          if (via === 'gap') subscription.openGap();
          if (via === 'gap') subscription.closeGap([challengeOf(id, progress)], `2-${index}`, undefined);
          else subscription.deliver(challengeOf(id, progress), `2-${index}`, undefined);
          if (read && index >= beginAfter) items.push(...(await drain(subscription)));
        }
        if (arriving.length <= beginAfter) begin(subscription);
        items.push(...(await drain(subscription)));
        for (const id of ['a', 'b', 'c']) {
          const states = items.flatMap((item) => (item.kind === 'challenge' && item.challenge.id === id ? [item.challenge.status] : []));
          const seen = states.map((status) => PROGRESS.indexOf(status as 1));
          expect(seen).toEqual([...new Set(seen)].sort());
          const most = Math.max(-1, ...arriving.filter((one) => one.id === id).map(({ progress }) => progress));
          expect(seen.at(-1) ?? -1).toBe(most);
        }
      }),
      { numRuns: 200 },
    );
  });

  it('drops what the first read covers, and marks the rows of a snapshot as incomplete', async () => {
    const subscription = createSubscription();
    subscription.deliver(challengeOf('a', 0), '5-0', undefined);
    subscription.deliver(challengeOf('b', 2), '6-0', undefined);
    const challenges = [challengeOf('a', 1), challengeOf('b', 0)];
    subscription.begin({ challenges, serverTime: undefined, snapshot: true, position: '4-0', readyAt: '4-0' });
    expect(await drain(subscription)).toMatchObject([
      { challenge: { id: 'a', status: Status.PROCESSING }, position: '4-0', own: false, incomplete: true },
      { challenge: { id: 'b', status: Status.PENDING }, position: '4-0', own: false, incomplete: true },
      { kind: 'ready', snapshot: true, incomplete: false },
      { challenge: { id: 'b', status: Status.APPROVED }, position: '6-0', own: true, incomplete: false },
    ]);
  });

  it('marks everything as incomplete from a gap until it is closed', async () => {
    const subscription = createSubscription();
    begin(subscription);
    subscription.deliver(challengeOf('a', 0), '2-0', undefined);
    await drain(subscription);
    subscription.openGap();
    subscription.deliver(challengeOf('b', 0), '3-0', undefined);
    expect(subscription.open()).toEqual(['a', 'b']);
    subscription.closeGap([challengeOf('a', 2), challengeOf('b', 0)], '4-0', undefined);
    subscription.deliver(challengeOf('c', 0), '5-0', undefined);
    expect(await drain(subscription)).toMatchObject([
      { challenge: { id: 'b' }, incomplete: true },
      { challenge: { id: 'a' }, incomplete: true },
      { kind: 'ready', snapshot: false, incomplete: false },
      { challenge: { id: 'c' }, incomplete: false },
    ]);
    expect(subscription.open()).toEqual(['b', 'c']);
  });

  it('ends for a client that is too slow, and when its signal aborts', async () => {
    const subscription = createSubscription();
    begin(subscription);
    for (let count = 0; count <= MAX_WAITING; count += 1) subscription.deliver(challengeOf(`${count}`, 0), `2-${count}`, undefined);
    expect(await subscription.next(OPEN)).toMatchObject({ kind: 'ready' });
    expect(await subscription.next(OPEN)).toBe('too-slow');
    const gone = new AbortController();
    const other = createSubscription();
    const next = other.next(gone.signal);
    gone.abort();
    other.wake();
    expect(await next).toBeUndefined();
  });
});
