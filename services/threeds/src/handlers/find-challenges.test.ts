import { randomUUID } from 'node:crypto';
import type { MessageInitShape } from '@bufbuild/protobuf';
import { AuthenticationService, type FindAuthenticationRequestSchema } from '@florin/proto/threeds/v1/authentication_service';
import { Decision, ChallengeStatus as Status } from '@florin/proto/threeds/v1/challenge';
import { THREEDS_SCOPES } from '@florin/proto/threeds/v1/scopes';
import { createRpcChannel } from '@florin/rpc/client';
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

  it('finds one by what an authorization has of it', async () => {
    const dsTransactionId = randomUUID();
    const authenticationValue = Buffer.alloc(20, dsTransactionId).toString('base64');
    const later = await world.start({}, { ACS: 'grpc' });
    const person = world.newPerson();
    const { id, reference } = await later.acs.create({ ...world.payment(person), dsTransactionId });
    await later.user(person).decide(id, Decision.APPROVE, person.wallet);
    await later.acs.acknowledge(id, authenticationValue);
    await later.acs.acknowledge(id, Buffer.alloc(20, 'other').toString('base64'));
    for (const name of [dsTransactionId, dsTransactionId.toUpperCase(), authenticationValue]) {
      expect(await found(name)).toEqual({ ids: [id], hasMore: false });
    }
    expect(await later.acs.getRaised({ case: 'dsTransactionId', value: dsTransactionId })).toMatchObject({ id, dsTransactionId });
    const other = later.service('otherAcs', [THREEDS_SCOPES.writeChallenges]);
    await expect(other.getRaised({ case: 'dsTransactionId', value: dsTransactionId })).rejects.toMatchObject({
      code: 'CHALLENGE_NOT_FOUND',
    });
    const channel = createRpcChannel({ baseUrl: later.url });
    const headers = {
      authorization: `Bearer ${await world.authority.serviceToken('card', 'threeds', [THREEDS_SCOPES.consumeAuthentications])}`,
    };
    const find = async (names: MessageInitShape<typeof FindAuthenticationRequestSchema>) =>
      (await channel.client(AuthenticationService).findAuthentication(names, { headers })).challengeId;
    const { cardId } = person;
    const named = { acsTransactionId: reference, dsTransactionId, authenticationValue };
    for (const names of [named, { dsTransactionId }, { authenticationValue }, { acsTransactionId: reference }]) {
      expect(await find({ cardId, ...names })).toBe(id);
    }
    const unknown = { code: 'CHALLENGE_NOT_FOUND' };
    await expect(find({ cardId: world.newPerson().cardId, ...named })).rejects.toMatchObject(unknown);
    await expect(find({ cardId, ...named, dsTransactionId: randomUUID() })).rejects.toMatchObject(unknown);
    await expect(find({ cardId })).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
    await channel.close();
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
