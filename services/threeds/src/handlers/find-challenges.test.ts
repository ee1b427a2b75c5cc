import { randomUUID } from 'node:crypto';
import { ChallengeStatus as Status } from '@florin/proto/threeds/v1/challenge';
import { THREEDS_SCOPES } from '@florin/proto/threeds/v1/scopes';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createWorld, type Instance, type World } from '../testing/world.ts';

let world: World;
let app: Instance;
beforeAll(async () => {
  world = await createWorld();
  app = await world.start();
});
afterAll(() => world.close());

const found = async (reference: string, limit?: number) => {
  const { challenges, hasMore } = await app.office.find(reference, limit);
  return { ids: challenges.map(({ id }) => id), hasMore };
};

describe('FindChallenges', () => {
  it('finds what any server raised under exactly this reference, newest first', async () => {
    const payment = { ...world.payment(world.newPerson()), reference: `acs ${randomUUID()}` };
    const { id: first } = await app.acs.create(payment);
    const other = app.service('otherAcs', [THREEDS_SCOPES.writeChallenges]);
    const { id: second } = await other.create({ ...world.payment(world.newPerson()), reference: payment.reference });
    expect(await found(payment.reference)).toEqual({ ids: [second, first], hasMore: false });
    expect(await found(payment.reference, 1)).toEqual({ ids: [second], hasMore: true });
    for (const reference of [payment.reference.slice(0, -1), payment.reference.toUpperCase(), '.*', '$ne']) {
      expect(await found(reference)).toEqual({ ids: [], hasMore: false });
    }
  });

  it('shows each as it is now, swept or not', async () => {
    const payment = { ...world.payment(world.newPerson()), expiresInSeconds: 60 };
    await app.acs.create(payment);
    world.clock.advanceSeconds(60);
    expect((await app.office.find(payment.reference)).challenges).toMatchObject([{ status: Status.EXPIRED, decisionAvailable: false }]);
  });

  it('wants a reference, a limit that is small, and the scope', async () => {
    for (const [reference, limit] of [
      ['', 0],
      ['x'.repeat(101), 0],
      ['a\u0000b', 0],
      ['x', 101],
      ['x', -1],
    ] as const) {
      await expect(app.office.find(reference, limit)).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
    }
    await expect(app.acs.find('x')).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await expect(app.user(world.newPerson()).find('x')).rejects.toMatchObject({ code: 'FORBIDDEN' });
  });
});
