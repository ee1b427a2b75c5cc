import { createWorld, newId, type World } from '@florin/events/testing/world';
import { waitFor } from '@florin/rpc/testing';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { ReplicaSet } from '../support/replica-set/replica-set.ts';

const LONG_MS = 120_000;

let set: ReplicaSet;
let world: World;
beforeAll(async () => {
  set = await ReplicaSet.start({ mongodbUri: inject('mongodbUri') });
  world = await createWorld({ MONGODB_URI: set.uri(), FOLLOW_JOURNAL: 'false' });
}, LONG_MS);
afterAll(async () => {
  set.release();
  // The connection that removes the database may still know the former primary.
  await waitFor('the new primary', () =>
    world.connection.dropDatabase().then(
      () => true,
      () => undefined,
    ),
  );
  await world.close();
  await set.close();
}, LONG_MS);

const settled = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    (error: { code: string }) => error.code,
  );
const notYet = (work: Promise<unknown>) => Promise.race([work, new Promise((resolve) => setTimeout(resolve, 500, 'not yet'))]);

describe('a feed whose database fails over', { timeout: LONG_MS }, () => {
  it('acknowledges no event, also as a repeat, and shows none, before a majority has it; and loses none', async () => {
    const [first, second] = [await world.start(), await world.start()];
    const partnerId = 'acme';
    const user = world.newUser(partnerId);
    const [before, event, other] = [1, 2, 3].map(() => world.cardEvent(user, newId(), 1));
    if (before === undefined || event === undefined || other === undefined) throw new Error('three events');
    const idsAt = async (at: typeof first) =>
      (await at.feed.listEvents({ partnerId, limit: 100 }, at.backOffice)).events.map(({ id }) => id);
    await first.feed.appendEvents({ events: [before] }, first.card);
    // Known to both.
    expect(await idsAt(second)).toEqual([before.id]);

    set.hold();
    const appending = settled(first.feed.appendEvents({ events: [event] }, first.card));
    await waitFor('the block', async () => (set.undecided() > 0 ? true : undefined));
    // Another relay sends the same event.
    const repeating = settled(second.feed.appendEvents({ events: [event] }, second.card));
    expect(await notYet(Promise.any([appending, repeating]))).toBe('not yet');
    expect(await idsAt(second)).toEqual([before.id]);
    await set.failover();
    set.release();
    expect(await appending).toBe('SERVICE_UNAVAILABLE');
    await repeating;

    // Another event may take the place of the one that was lost, which its relay sends again.
    const append = (sent: typeof event) => settled(first.feed.appendEvents({ events: [sent] }, first.card));
    for (const sent of [other, event]) await waitFor('the new primary', async () => ((await append(sent)) === 'done' ? true : undefined));
    expect((await idsAt(second)).sort()).toEqual([before.id, event.id, other.id].sort());
  });

  it('appends no event twice at a primary that does not know yet what a majority has', async () => {
    const at = await world.start();
    const partnerId = 'other';
    const user = world.newUser(partnerId);
    const events = [1, 2].map(() => world.cardEvent(user, newId(), 1));
    const [first, second] = events.map((event) => () => at.feed.appendEvents({ events: [event] }, at.card));
    await first?.();
    set.hold();
    const appending = second?.();
    await waitFor('the block', async () => (set.undecided() > 0 ? true : undefined));
    await set.failover({ kept: 1, isAcknowledged: true, electionMs: 0 });
    await appending;
    setTimeout(() => set.release(), 300);
    await waitFor('a repeat of all', async () =>
      (await settled(at.feed.appendEvents({ events }, at.card))) === 'done' ? true : undefined,
    );
    const page = await at.feed.listEvents({ partnerId, limit: 100 }, at.backOffice);
    expect(page.events.map(({ id }) => id)).toEqual(events.map(({ id }) => id));
  });
});
