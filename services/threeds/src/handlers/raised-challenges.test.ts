import { randomUUID } from 'node:crypto';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { Decision, ChallengeStatus as Status } from '@florin/proto/threeds/v1/challenge';
import type { WatchRaisedChallengesResponse } from '@florin/proto/threeds/v1/challenge_service';
import { THREEDS_SCOPES } from '@florin/proto/threeds/v1/scopes';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { grpcAccessControlServer, sandboxAccessControlServer } from '../ports/access-control-server.ts';
import type { Calls } from '../testing/calls.ts';
import { createWorld, type Instance, type World } from '../testing/world.ts';

let world: World;
let app: Instance;
let other: Calls;
beforeAll(async () => {
  world = await createWorld();
  app = await world.start({ acs: grpcAccessControlServer });
  other = app.service('otherAcs', [THREEDS_SCOPES.writeChallenges]);
});
afterAll(() => world.close());

const missing = { code: 'CHALLENGE_NOT_FOUND' };

describe('an access control server', () => {
  it('looks its challenge up by id and by reference', async () => {
    const payment = world.payment(world.newPerson());
    const { id } = await app.acs.create(payment);
    const expected = { id, reference: payment.reference, cardLast4: '4242', status: Status.PENDING };
    expect(await app.acs.getRaised({ case: 'challengeId', value: id })).toMatchObject(expected);
    expect(await app.acs.getRaised({ case: 'reference', value: payment.reference })).toMatchObject(expected);
    await expect(app.acs.getRaised({ case: 'reference', value: randomUUID() })).rejects.toMatchObject(missing);
    await expect(app.acs.getRaised({ case: 'reference', value: '' })).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
    await expect(app.acs.getRaised({ case: undefined })).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
  });

  it('gets nothing of another one’s challenges', async () => {
    const payment = world.payment(world.newPerson());
    const stream = other.watchRaised();
    await stream.until('the first message', (messages) => messages[0]);
    const { id } = await app.acs.create(payment);
    for (const call of [
      () => other.getRaised({ case: 'challengeId', value: id }),
      () => other.getRaised({ case: 'reference', value: payment.reference }),
      () => other.cancel(id),
      () => other.acknowledge(id),
    ]) {
      await expect(call()).rejects.toMatchObject(missing);
    }
    const { id: own } = await other.create(world.payment(world.newPerson()));
    await stream.until('the own challenge', (messages) => messages.find(({ challenge }) => challenge?.id === own));
    expect(stream.messages.flatMap(({ challenge }) => challenge?.id ?? [])).toEqual([own]);
    expect((await other.listRaised()).challenges.map((challenge) => challenge.id)).toEqual([own]);
    await stream.stop();
  });

  it('lists its challenges by status and time, newest first, in pages', async () => {
    await expect(app.office.listRaised()).rejects.toMatchObject({ code: 'FORBIDDEN' });
    const listing = await world.start({ acs: grpcAccessControlServer });
    const mine = listing.acs;
    const from = timestampFromDate(world.clock.now());
    const create = async () => (await mine.create(world.payment(world.newPerson()))).id;
    const [first, second] = [await create(), await create()];
    world.clock.advanceSeconds(10);
    const later = timestampFromDate(world.clock.now());
    const third = await create();
    await mine.cancel(second);
    const ids = async (request: Parameters<typeof mine.listRaised>[0]) => (await mine.listRaised(request)).challenges.map(({ id }) => id);
    expect((await ids({ createdFrom: from })).slice(0, 3)).toEqual([third, second, first]);
    expect(await ids({ createdFrom: later })).toEqual([third]);
    expect((await ids({ createdBefore: later })).slice(0, 2)).toEqual([second, first]);
    expect(await ids({ createdFrom: from, status: Status.CANCELLED })).toContain(second);
    const page = await mine.listRaised({ page: { limit: 1, cursor: '' } });
    expect(page.challenges).toMatchObject([{ id: third, reference: expect.any(String) }]);
    expect(await ids({ page: { limit: 1, cursor: page.page?.nextCursor ?? '' } })).toEqual([second]);
    await expect(mine.listRaised({ createdFrom: later, createdBefore: from })).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
  });

  it('watches all its challenges on one stream, and resumes after any event on any instance', async () => {
    const stream = app.acs.watchRaised();
    const start = await stream.until('the first message', (messages) => messages[0]);
    expect(start).toMatchObject({ gap: true });
    const { id, person, user } = await world.raise(app);
    const isState = (status: Status) => (messages: readonly WatchRaisedChallengesResponse[]) =>
      messages.find(({ challenge }) => challenge?.id === id && challenge.status === status);
    await stream.until('pending', isState(Status.PENDING));
    await user.decide(id, Decision.APPROVE, person.wallet);
    const { eventId } = await stream.until('processing', isState(Status.PROCESSING));
    await app.acs.acknowledge(id);
    await stream.until('approved', isState(Status.APPROVED));
    const states = stream.messages.flatMap(({ challenge }) => (challenge?.id === id ? challenge.status : []));
    expect(states).toEqual([Status.PENDING, Status.PROCESSING, Status.APPROVED]);
    await stream.stop();
    const elsewhere = await world.start({ acs: grpcAccessControlServer });
    const resumed = elsewhere.acs.watchRaised(eventId);
    await resumed.until('approved', isState(Status.APPROVED));
    await resumed.until('the mark', (messages) => messages.find(({ challenge }) => challenge === undefined));
    expect(resumed.messages.some(({ gap }) => gap)).toBe(false);
    await resumed.stop();
  });

  it('confirms a decision itself in a sandbox that confirms all others at once', async () => {
    const sandbox = await world.start({ acs: sandboxAccessControlServer });
    const person = world.newPerson();
    const decided = async (more: object) => {
      const { id } = await sandbox.acs.create({ ...world.payment(person), ...more });
      return { id, status: (await sandbox.user(person).decide(id, Decision.DECLINE, person.wallet)).status };
    };
    expect(await decided({})).toMatchObject({ status: Status.DECLINED });
    const { id, status } = await decided({ confirmsLater: true });
    expect(status).toBe(Status.PROCESSING);
    expect((await sandbox.acs.acknowledge(id)).status).toBe(Status.DECLINED);
  });
});
