import { streamOf } from '@florin/data/outbox';
import { openRedis } from '@florin/data/redis';
import { testEngines } from '@florin/data/testing';
import { ChallengeStatus, Decision } from '@florin/proto/threeds/v1/challenge';
import { quietLogger, waitFor } from '@florin/rpc/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AccessControlServer } from '../ports/access-control-server.ts';
import { createWorld, type Instance, type World } from '../testing/world.ts';

const { APPROVE, DECLINE } = Decision;
const SOON = { sweepIntervalMs: 50 };

/** Stands for a process that is killed between storing a decision and confirming it. */
const killedHere: AccessControlServer = { notify: () => Promise.reject(new Error('killed')) };

let world: World;
/** Never confirms anything, never sweeps. */
let app: Instance;

beforeAll(async () => {
  world = await createWorld({ ACK_TIMEOUT_SECONDS: '120' });
  app = await world.start({ acs: killedHere });
});
afterAll(() => world.close());

const until = (id: string, status: string) =>
  waitFor(`${id} to be ${status}`, async () => {
    const stored = await world.stored(id);
    return stored?.status === status ? stored : undefined;
  });

describe('sweeper', () => {
  it('stores the expiry of a challenge', async () => {
    const person = world.newPerson();
    const { id } = await app.acs.create({ ...world.payment(person), expiresInSeconds: 5 });
    const { id: later } = await app.acs.create(world.payment(person));
    world.clock.advanceSeconds(5);
    expect((await world.stored(id))?.status).toBe('pending');
    const sweeping = await world.start(SOON);
    await until(id, 'expired');
    expect((await world.stored(later))?.status).toBe('pending');
    await sweeping.close();
  });

  it.each([
    [APPROVE, ChallengeStatus.APPROVED, 'approved'],
    [DECLINE, ChallengeStatus.DECLINED, 'declined'],
  ] as const)('finishes decision %i that a kill left unconfirmed', async (decision, status, name) => {
    const person = world.newPerson();
    const { id } = await app.acs.create(world.payment(person));
    expect(await app.user(person).decide(id, decision, person.wallet)).toMatchObject({ status: ChallengeStatus.PROCESSING, decision });
    world.clock.advanceSeconds(2);
    const restarted = await world.start(SOON);
    await until(id, name);
    expect(await restarted.user(person).get(id)).toMatchObject({ status, decision });
    await restarted.close();
  });

  it('is not needed when the decision is submitted again', async () => {
    const person = world.newPerson();
    const { id } = await app.acs.create(world.payment(person));
    await app.user(person).decide(id, APPROVE, person.wallet);
    const restarted = await world.start();
    const repeated = await restarted.user(person).submit(id, APPROVE, `0x${'11'.repeat(65)}`);
    expect(repeated.status).toBe(ChallengeStatus.APPROVED);
    await restarted.close();
  });

  it('fails a decision that was not confirmed in time and keeps its receipt', async () => {
    const person = world.newPerson();
    const { id } = await app.acs.create(world.payment(person));
    await app.user(person).decide(id, APPROVE, person.wallet);
    world.clock.advanceSeconds(120);
    const sweeping = await world.start(SOON);
    await until(id, 'failed');
    const user = sweeping.user(person);
    expect(await user.get(id)).toMatchObject({ status: ChallengeStatus.FAILED, decision: APPROVE });
    expect((await user.submit(id, APPROVE, `0x${'11'.repeat(65)}`)).status).toBe(ChallengeStatus.FAILED);
    await expect(user.submit(id, DECLINE, `0x${'11'.repeat(65)}`)).rejects.toMatchObject({ code: 'DECISION_ALREADY_MADE' });
    await expect(sweeping.acs.acknowledge(id)).rejects.toMatchObject({ code: 'CHALLENGE_STATE_CONFLICT' });
    expect((await sweeping.office.receipt(id)).decision).toBe(APPROVE);
    await sweeping.close();
  });
});

describe('with ACS=grpc', () => {
  it('only AcknowledgeDecision confirms a decision, idempotently', async () => {
    const waiting = await world.start(SOON, { ACS: 'grpc' });
    const person = world.newPerson();
    const { id } = await waiting.acs.create(world.payment(person));
    await expect(waiting.acs.acknowledge(id)).rejects.toMatchObject({ code: 'CHALLENGE_STATE_CONFLICT' });
    expect((await waiting.user(person).decide(id, DECLINE, person.wallet)).status).toBe(ChallengeStatus.PROCESSING);
    const { id: swept } = await waiting.acs.create({ ...world.payment(person), expiresInSeconds: 2 });
    world.clock.advanceSeconds(2);
    await until(swept, 'expired');
    expect((await world.stored(id))?.status).toBe('processing');
    const twins = await Promise.all([waiting.acs.acknowledge(id), waiting.acs.acknowledge(id)]);
    expect(twins.map(({ status }) => status)).toEqual([ChallengeStatus.DECLINED, ChallengeStatus.DECLINED]);
    expect((await waiting.acs.acknowledge(id)).status).toBe(ChallengeStatus.DECLINED);
    await waiting.close();
  });
});

describe('events', () => {
  it('reach the stream once per change, in order, and leave the outbox', async () => {
    const redis = await openRedis(testEngines().redisUrl, quietLogger);
    const busy = await world.start({ acs: killedHere });
    const person = world.newPerson();
    const raise = async (seconds = 300) => (await busy.acs.create({ ...world.payment(person), expiresInSeconds: seconds })).id;
    const user = busy.user(person);

    const decided = await raise();
    await user.decide(decided, APPROVE, person.wallet);
    await busy.acs.acknowledge(decided);
    await busy.acs.acknowledge(decided);
    const declined = await raise();
    await user.decide(declined, DECLINE, person.wallet);
    await busy.acs.acknowledge(declined);
    const cancelled = await raise();
    await busy.acs.cancel(cancelled);
    await busy.acs.cancel(cancelled);
    const guessed = await raise();
    for (let count = 0; count < 5; count += 1) await user.submit(guessed, APPROVE, `0x${'11'.repeat(65)}`).catch(() => undefined);
    const expired = await raise(1);
    world.clock.advanceSeconds(1);
    const sweeping = await world.start(SOON);
    await until(expired, 'expired');

    const all = [decided, declined, cancelled, guessed, expired];
    await waitFor('all events to be published', async () =>
      (await world.count({ _id: { $in: all }, 'outbox.0': { $exists: true } })) === 0 ? true : undefined,
    );
    const published = (await redis.xRange(streamOf('threeds'), '-', '+')) ?? [];
    const typesOf = (id: string) => {
      const mine = published.filter(({ message }) => message['aggregateId'] === id).map(({ message }) => message);
      // Delivery is at least once: two relays may publish the same event; its id identifies duplicates.
      const first = mine.filter((event, index) => mine.findIndex((other) => other['id'] === event['id']) === index);
      return first.map(({ type }) => type);
    };
    expect(typesOf(decided)).toEqual(['challenge.created', 'challenge.decided', 'challenge.approved']);
    expect(typesOf(declined)).toEqual(['challenge.created', 'challenge.decided', 'challenge.declined']);
    expect(typesOf(cancelled)).toEqual(['challenge.created', 'challenge.cancelled']);
    expect(typesOf(guessed)).toEqual(['challenge.created', 'challenge.failed']);
    expect(typesOf(expired)).toEqual(['challenge.created', 'challenge.expired']);
    const payloads = published
      .filter(({ message }) => message['aggregateId'] === decided)
      .map(({ message }) => JSON.parse(String(message['payload'])) as Record<string, unknown>);
    const { userId, cardId, accountId } = person;
    expect(payloads[0]).toMatchObject({ challengeId: decided, status: 'pending', userId, cardId, accountId, last4: expect.any(String) });
    expect(payloads[0]).toMatchObject({ amount: expect.any(String), currency: expect.any(String), merchant: expect.any(Object) });
    expect(payloads[0]).not.toHaveProperty('decision');
    expect(payloads.at(-1)).toMatchObject({ status: 'approved', decision: 'approve', userId, cardId, accountId });
    await sweeping.close();
    await busy.close();
    redis.destroy();
  });
});
