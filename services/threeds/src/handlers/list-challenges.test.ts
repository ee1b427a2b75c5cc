import { randomUUID } from 'node:crypto';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { ChallengeStatus as Status } from '@florin/proto/threeds/v1/challenge';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createWorld, type Instance, type World } from '../testing/world.ts';

let world: World;
let app: Instance;
beforeAll(async () => {
  world = await createWorld();
  app = await world.start();
});
afterAll(() => world.close());

const idsOf = ({ challenges }: { challenges: { id: string }[] }) => challenges.map(({ id }) => id);

describe('ListChallenges', () => {
  it('returns the caller’s challenges, newest first, in pages that new challenges do not shift', async () => {
    const person = world.newPerson();
    const user = app.user(person);
    const ids: string[] = [];
    for (let count = 0; count < 5; count += 1) ids.unshift((await app.acs.create(world.payment(person))).id);
    await world.raise(app);

    const all = await user.list();
    expect(idsOf(all)).toEqual(ids);
    expect(all.page).toMatchObject({ nextCursor: '' });
    const first = await user.list({ page: { limit: 2 } });
    expect(idsOf(first)).toEqual(ids.slice(0, 2));
    const { id: newer } = await app.acs.create(world.payment(person));
    const second = await user.list({ page: { limit: 2, cursor: first.page?.nextCursor ?? '' } });
    const third = await user.list({ page: { limit: 2, cursor: second.page?.nextCursor ?? '' } });
    expect([...idsOf(second), ...idsOf(third)]).toEqual(ids.slice(2));
    expect(third.page).toMatchObject({ nextCursor: '' });
    expect(idsOf(await user.list({ page: { limit: 1 } }))).toEqual([newer]);
  });

  it('never returns another user’s challenges', async () => {
    const { person } = await world.raise(app);
    expect(idsOf(await app.user(world.newPerson()).list())).toEqual([]);
    expect(idsOf(await app.user(person).list())).toHaveLength(1);
  });

  it('filters by the status at the time of the response, swept or not', async () => {
    const person = world.newPerson();
    const user = app.user(person);
    const raise = async (seconds: number) => (await app.acs.create({ ...world.payment(person), expiresInSeconds: seconds })).id;
    const [short, cancelled, decided, pending] = [await raise(60), await raise(300), await raise(300), await raise(300)];
    await app.acs.cancel(cancelled);
    await user.decide(decided, 1, person.wallet);
    const list = async (status: Status) => idsOf(await user.list({ status }));
    expect(await list(Status.PENDING)).toEqual([pending, short]);
    expect(await list(Status.EXPIRED)).toEqual([]);

    world.clock.advanceSeconds(60);
    expect((await world.stored(short))?.status).toBe('pending');
    expect(await list(Status.PENDING)).toEqual([pending]);
    const expired = await user.list({ status: Status.EXPIRED });
    expect(expired.challenges).toMatchObject([{ id: short, status: Status.EXPIRED, decisionAvailable: false }]);
    expect((await world.stored(short))?.status).toBe('expired');
    expect(await list(Status.CANCELLED)).toEqual([cancelled]);
    expect(await list(Status.APPROVED)).toEqual([decided]);
    expect(await list(Status.FAILED)).toEqual([]);
    expect(await list(Status.UNSPECIFIED)).toEqual([pending, decided, cancelled, short]);
  });

  it('filters by the card and the time of creation', async () => {
    const person = world.newPerson();
    const user = app.user(person);
    const first = await app.acs.create(world.payment(person));
    const from = world.clock.now();
    world.clock.advanceSeconds(10);
    const later = await app.acs.create(world.payment(person));
    const { cardId } = world.payment(person);
    expect(idsOf(await user.list({ cardId }))).toEqual([later.id, first.id]);
    expect(idsOf(await user.list({ cardId: randomUUID() }))).toEqual([]);
    const middle = timestampFromDate(new Date(from.getTime() + 5000));
    expect(idsOf(await user.list({ createdFrom: middle }))).toEqual([later.id]);
    expect(idsOf(await user.list({ createdBefore: middle, cardId }))).toEqual([first.id]);
    const reversed = user.list({ createdFrom: middle, createdBefore: timestampFromDate(from) });
    await expect(reversed).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
  });

  it.each([
    [{ status: 99 as Status }, 'status'],
    [{ page: { limit: 101 } }, 'page.limit'],
    [{ page: { limit: -1 } }, 'page.limit'],
    [{ page: { cursor: 'x' } }, 'page.cursor'],
    [{ page: { cursor: Buffer.from(`${randomUUID()}x`).toString('base64url') } }, 'page.cursor'],
    [{ page: { cursor: `${Buffer.from(randomUUID()).toString('base64url')}=` } }, 'page.cursor'],
  ])('rejects %j', async (request, path) => {
    const rejected = app.user(world.newPerson()).list(request);
    await expect(rejected).rejects.toMatchObject({ code: 'VALIDATION_FAILED', message: expect.stringContaining(path) });
  });
});
