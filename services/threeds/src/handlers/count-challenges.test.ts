import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createWorld, type Instance, type World } from '../testing/world.ts';

let world: World;
let app: Instance;
beforeAll(async () => {
  world = await createWorld();
  app = await world.start();
});
afterAll(() => world.close());

const DAY_MS = 86_400_000;
const ago = (days: number) => timestampFromDate(new Date(world.clock.now().getTime() - days * DAY_MS));

describe('CountChallenges', () => {
  it('counts by the states at the time of the response, swept or not, and leaves out what expired before', async () => {
    const person = world.newPerson();
    const raise = async (seconds: number) => (await app.acs.create({ ...world.payment(person), expiresInSeconds: seconds })).id;
    await raise(60);
    const [cancelled, approved, declined] = [await raise(300), await raise(300), await raise(300), await raise(300)];
    await app.acs.cancel(cancelled);
    await app.user(person).decide(approved, 1, person.wallet);
    await app.user(person).decide(declined, 2, person.wallet);
    const { $typeName: _type, ...before } = await app.office.count({ since: ago(1) });
    expect(before).toEqual({ open: 2n, approved: 1n, declined: 1n, cancelled: 1n, expired: 0n, failed: 0n });

    world.clock.advanceSeconds(60);
    expect(await app.office.count({ since: ago(1) })).toMatchObject({ open: 1n, expired: 1n });
    world.clock.advanceSeconds(600);
    expect(await app.office.count({ since: ago(1) })).toMatchObject({ open: 0n, approved: 1n, expired: 2n });
    expect(await app.office.count({ since: ago(0) })).toMatchObject({ open: 0n, approved: 0n, declined: 0n, expired: 0n });
  });

  it('needs a time that is not long ago, and the scope', async () => {
    await expect(app.office.count({})).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
    await expect(app.office.count({ since: ago(32) })).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
    await expect(app.acs.count({ since: ago(1) })).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await expect(app.user(world.newPerson()).count({ since: ago(1) })).rejects.toMatchObject({ code: 'FORBIDDEN' });
  });
});
