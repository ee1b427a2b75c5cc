import { signTypedMessage } from '@florin/evm/testing';
import { ChallengeStatus, Decision } from '@florin/proto/threeds/v1/challenge';
import { THREEDS_SCOPES } from '@florin/proto/threeds/v1/scopes';
import { systemRuntime } from '@florin/rpc/runtime';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DecisionLock } from '../decisions/decision-lock.ts';
import { grpcAccessControlServer } from '../ports/access-control-server.ts';
import { createWorld, type Instance, type World } from '../testing/world.ts';

const { APPROVE } = Decision;

let world: World;
let app: Instance;
const raise = () => world.raise(app);

beforeAll(async () => {
  world = await createWorld();
  app = await world.start();
});
afterAll(() => world.close());

describe('a request', () => {
  it('of another user returns CHALLENGE_NOT_FOUND', async () => {
    const { id } = await raise();
    const other = world.newPerson();
    const user = app.user(other);
    for (const challengeId of [id, systemRuntime.newId()]) {
      await expect(user.get(challengeId)).rejects.toMatchObject({ code: 'CHALLENGE_NOT_FOUND' });
      await expect(user.issue(challengeId, APPROVE)).rejects.toMatchObject({ code: 'CHALLENGE_NOT_FOUND' });
      await expect(user.submit(challengeId, APPROVE, `0x${'11'.repeat(65)}`)).rejects.toMatchObject({ code: 'CHALLENGE_NOT_FOUND' });
    }
    expect((await world.stored(id))?.badSignatures).toBe(0);
  });

  it('for an unknown challenge returns CHALLENGE_NOT_FOUND to services too', async () => {
    for (const ask of [app.acs.acknowledge, app.acs.cancel, app.office.get, app.office.receipt]) {
      await expect(ask(systemRuntime.newId())).rejects.toMatchObject({ code: 'CHALLENGE_NOT_FOUND' });
    }
  });

  it('of another access control server returns CHALLENGE_NOT_FOUND in every status', async () => {
    const other = app.service('otherAcs', [THREEDS_SCOPES.writeChallenges]);
    const { person, id, user } = await raise();
    for (const ask of [other.cancel, other.acknowledge]) await expect(ask(id)).rejects.toMatchObject({ code: 'CHALLENGE_NOT_FOUND' });
    expect((await user.get(id)).status).toBe(ChallengeStatus.PENDING);
    const waiting = await world.start({ acs: grpcAccessControlServer });
    await waiting.user(person).decide(id, APPROVE, person.wallet);
    const foreign = waiting.service('otherAcs', [THREEDS_SCOPES.writeChallenges]);
    for (const ask of [foreign.cancel, foreign.acknowledge]) await expect(ask(id)).rejects.toMatchObject({ code: 'CHALLENGE_NOT_FOUND' });
    expect(await world.stored(id)).toMatchObject({ status: 'processing' });
    expect((await waiting.acs.acknowledge(id)).status).toBe(ChallengeStatus.APPROVED);
    await expect(foreign.acknowledge(id)).rejects.toMatchObject({ code: 'CHALLENGE_NOT_FOUND' });
  });

  it('with an invalid id or without a decision is a validation error', async () => {
    const { id, user } = await raise();
    for (const ask of [app.acs.acknowledge, app.acs.cancel, app.office.get, app.office.receipt, user.get]) {
      await expect(ask('12')).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
    }
    await expect(user.issue('12', APPROVE)).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
    for (const decision of [Decision.UNSPECIFIED, 7 as Decision]) {
      await expect(user.issue(id, decision)).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
      await expect(user.submit(id, decision, `0x${'11'.repeat(65)}`)).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
    }
  });

  it('accepts an id in upper case', async () => {
    const { person, id, user } = await raise();
    expect((await user.decide(id.toUpperCase(), APPROVE, person.wallet)).id).toBe(id);
  });
});

describe('CancelChallenge', () => {
  it('cancels a pending challenge, idempotently', async () => {
    const { person, id, user } = await raise();
    const signature = await signTypedMessage(person.wallet, await user.issue(id, APPROVE));
    const cancelled = await app.acs.cancel(id);
    expect(cancelled.status).toBe(ChallengeStatus.CANCELLED);
    expect(await app.acs.cancel(id)).toEqual(cancelled);
    await expect(user.submit(id, APPROVE, signature)).rejects.toMatchObject({ code: 'DECISION_NOT_AVAILABLE' });
    await expect(app.acs.acknowledge(id)).rejects.toMatchObject({ code: 'CHALLENGE_STATE_CONFLICT' });
  });

  it('rejects a challenge that is decided or expired', async () => {
    const decided = await raise();
    await decided.user.decide(decided.id, APPROVE, decided.person.wallet);
    await expect(app.acs.cancel(decided.id)).rejects.toMatchObject({ code: 'CHALLENGE_STATE_CONFLICT' });
    const expired = await raise();
    world.clock.advanceSeconds(300);
    await expect(app.acs.cancel(expired.id)).rejects.toMatchObject({ code: 'CHALLENGE_STATE_CONFLICT' });
  });
});

describe('expiry', () => {
  it('takes effect exactly at expiresAt, for reads and decisions', async () => {
    const person = world.newPerson();
    const { id } = await app.acs.create({ ...world.payment(person), expiresInSeconds: 10 });
    const user = app.user(person);
    const signature = await signTypedMessage(person.wallet, await user.issue(id, APPROVE));
    world.clock.advanceSeconds(9.999);
    expect(await user.get(id)).toMatchObject({ status: ChallengeStatus.PENDING, decisionAvailable: true });
    world.clock.advanceSeconds(0.001);
    expect(await user.get(id)).toMatchObject({ status: ChallengeStatus.EXPIRED, decisionAvailable: false });
    await expect(user.submit(id, APPROVE, signature)).rejects.toMatchObject({ code: 'DECISION_NOT_AVAILABLE' });
    expect(await world.stored(id)).toMatchObject({ status: 'expired', badSignatures: 0 });
  });

  it('does not affect a decision one millisecond before', async () => {
    const person = world.newPerson();
    const { id } = await app.acs.create({ ...world.payment(person), expiresInSeconds: 10 });
    world.clock.advanceSeconds(9.999);
    expect((await app.user(person).decide(id, APPROVE, person.wallet)).status).toBe(ChallengeStatus.APPROVED);
    world.clock.advanceSeconds(60);
    expect((await app.user(person).get(id)).status).toBe(ChallengeStatus.APPROVED);
  });

  it('during the verification of a signature rejects the decision', async () => {
    const person = world.newPerson();
    const { id } = await app.acs.create({ ...world.payment(person), expiresInSeconds: 10 });
    const lock: DecisionLock = async (_id, work) => {
      world.clock.advanceSeconds(10);
      return work(false);
    };
    const slow = (await world.start({ lock })).user(person);
    await expect(slow.decide(id, APPROVE, person.wallet)).rejects.toMatchObject({ code: 'DECISION_NOT_AVAILABLE' });
    expect(await world.stored(id)).toMatchObject({ status: 'expired' });
    expect((await world.stored(id))?.receipt).toBeUndefined();
  });

  it('that a reader has seen rejects a decision in progress on an instance whose clock is behind', async () => {
    const person = world.newPerson();
    const { id } = await app.acs.create({ ...world.payment(person), expiresInSeconds: 10 });
    world.clock.advanceSeconds(10);
    const behind = { now: () => new Date(world.clock.now().getTime() - 5000) };
    const lock: DecisionLock = async (_id, work) => {
      expect((await app.user(person).get(id)).status).toBe(ChallengeStatus.EXPIRED);
      return work(false);
    };
    const late = (await world.start({ runtime: behind, lock })).user(person);
    await expect(late.decide(id, APPROVE, person.wallet)).rejects.toMatchObject({ code: 'DECISION_NOT_AVAILABLE' });
    expect((await late.get(id)).status).toBe(ChallengeStatus.EXPIRED);
  });
});
