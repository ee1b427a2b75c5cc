import { signTypedMessage } from '@florin/evm/testing';
import { type Challenge, ChallengeStatus, Decision } from '@florin/proto/threeds/v1/challenge';
import { CodedError } from '@florin/rpc/errors';
import { scaled } from '@florin/rpc/testing/scaled';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DecisionLock } from '../decisions/decision-lock.ts';
import { createWorld, type Instance, type World } from '../testing/world.ts';

const { APPROVE, DECLINE } = Decision;
const STATUS = { [APPROVE]: ChallengeStatus.APPROVED, [DECLINE]: ChallengeStatus.DECLINED } as const;

/** Makes nobody wait. */
const noLock: DecisionLock = (_id, work) => work(true);

let world: World;
/** Two instances on one database. */
let one: Instance;
let two: Instance;
/** Two more that never get a lock, so that only the store can make them correct. */
let bare: Instance;
let bareToo: Instance;

beforeAll(async () => {
  world = await createWorld();
  [one, two, bare, bareToo] = await Promise.all([
    world.start(),
    world.start(),
    world.start({ lock: noLock }),
    world.start({ lock: noLock }),
  ]);
});
afterAll(() => world.close());

type Outcome = { challenge: Challenge } | { code: string };

const outcomes = async (calls: readonly Promise<Challenge>[]): Promise<Outcome[]> =>
  (await Promise.allSettled(calls)).map((result) => {
    if (result.status === 'fulfilled') return { challenge: result.value };
    if (result.reason instanceof CodedError) return { code: result.reason.code };
    throw result.reason;
  });

const codesOf = (results: readonly Outcome[]): string[] => results.flatMap((result) => ('code' in result ? [result.code] : []));

const pairs = () =>
  [
    { name: 'with locks', first: one, second: two },
    { name: 'without locks', first: bare, second: bareToo },
    { name: 'one with, one without', first: one, second: bare },
  ] as const;

const raise = async () => {
  const person = world.newPerson();
  const { id } = await one.acs.create(world.payment(person));
  const signature = {
    [APPROVE]: await signTypedMessage(person.wallet, await one.user(person).issue(id, APPROVE)),
    [DECLINE]: await signTypedMessage(person.wallet, await two.user(person).issue(id, DECLINE)),
  };
  return { person, id, signature };
};

/** Expects exactly one stored decision with one receipt. */
const expectOneDecision = async (id: string, decision: typeof APPROVE | typeof DECLINE) => {
  const [challenge, receipt] = await Promise.all([one.office.get(id), one.office.receipt(id)]);
  expect(challenge).toMatchObject({ decision, status: STATUS[decision] });
  expect(receipt.decision).toBe(decision);
  expect(await world.stored(id)).toMatchObject({ badSignatures: 0, issued: { approve: [], decline: [] } });
};

describe.each(['with locks', 'without locks', 'one with, one without'])('two instances %s', (name) => {
  const pair = () => pairs().find((each) => each.name === name) ?? pairs()[0];

  it('accept exactly one of approve and decline, again and again', async () => {
    const { first, second } = pair();
    for (let round = 0; round < scaled(20); round += 1) {
      const { person, id, signature } = await raise();
      const submits = [
        () => first.user(person).submit(id, APPROVE, signature[APPROVE]),
        () => second.user(person).submit(id, DECLINE, signature[DECLINE]),
      ];
      if (round % 2 === 1) submits.reverse();
      const results = await outcomes(submits.map((submit) => submit()));
      expect(codesOf(results)).toEqual(['DECISION_ALREADY_MADE']);
      const [winner] = results.flatMap((result) => ('challenge' in result ? [result.challenge] : []));
      await expectOneDecision(id, winner?.decision === APPROVE ? APPROVE : DECLINE);
    }
  });

  it('accept the same decision from many devices as one', async () => {
    const { first, second } = pair();
    for (let round = 0; round < scaled(5); round += 1) {
      const { person, id, signature } = await raise();
      const again = await signTypedMessage(person.wallet, await second.user(person).issue(id, APPROVE));
      const results = await outcomes([
        first.user(person).submit(id, APPROVE, signature[APPROVE]),
        second.user(person).submit(id, APPROVE, again),
        first.user(person).submit(id, APPROVE, signature[APPROVE]),
        second.user(person).submit(id, APPROVE, again),
      ]);
      expect(codesOf(results)).toEqual([]);
      await expectOneDecision(id, APPROVE);
    }
  });

  it('let either the decision or the cancellation win', async () => {
    const { first, second } = pair();
    for (let round = 0; round < scaled(10); round += 1) {
      const { person, id, signature } = await raise();
      const results = await outcomes([
        first.user(person).submit(id, APPROVE, signature[APPROVE]),
        // Delayed more each round, so that both sides win some rounds.
        new Promise((resolve) => setTimeout(resolve, round)).then(() => second.acs.cancel(id)),
      ]);
      const codes = codesOf(results);
      const { status } = await one.office.get(id);
      if (status === ChallengeStatus.CANCELLED) {
        expect(codes).toEqual(['DECISION_NOT_AVAILABLE']);
        await expect(one.office.receipt(id)).rejects.toMatchObject({ code: 'RECEIPT_NOT_FOUND' });
      } else {
        expect(codes).toEqual(['CHALLENGE_STATE_CONFLICT']);
        await expectOneDecision(id, APPROVE);
      }
    }
  });

  it('count concurrent bad signatures exactly and stop at five', async () => {
    const { first, second } = pair();
    const { person, id, signature } = await raise();
    const stranger = privateKeyToAccount(generatePrivateKey());
    const bad = await signTypedMessage(stranger, await first.user(person).issue(id, APPROVE));
    const guesses = Array.from({ length: 12 }, (_, index) => (index % 2 === 0 ? first : second).user(person).submit(id, APPROVE, bad));
    const codes = codesOf(await outcomes(guesses));
    expect(codes).toHaveLength(12);
    expect(codes.filter((code) => code === 'INVALID_SIGNATURE').length).toBeGreaterThanOrEqual(5);
    expect(codes.every((code) => code === 'INVALID_SIGNATURE' || code === 'DECISION_NOT_AVAILABLE')).toBe(true);
    expect(await world.stored(id)).toMatchObject({ status: 'failed', badSignatures: 5 });
    await expect(first.user(person).submit(id, APPROVE, signature[APPROVE])).rejects.toMatchObject({ code: 'DECISION_NOT_AVAILABLE' });
  });

  it('cancel once for concurrent requests', async () => {
    const { first, second } = pair();
    const withdrawn = await raise();
    const cancels = [first, second, first, second].map((instance) => instance.acs.cancel(withdrawn.id));
    expect(codesOf(await outcomes(cancels))).toEqual([]);
    const { status } = await one.office.get(withdrawn.id);
    expect(status).toBe(ChallengeStatus.CANCELLED);
  });
});

describe('expiry', () => {
  it('and a decision exclude each other', async () => {
    for (let round = 0; round < scaled(15); round += 1) {
      const { person, id, signature } = await raise();
      world.clock.advanceSeconds(299.999);
      const results = await outcomes([
        one.user(person).submit(id, APPROVE, signature[APPROVE]),
        bare.user(person).submit(id, APPROVE, signature[APPROVE]),
        new Promise((resolve) => setTimeout(resolve, round)).then(() => {
          world.clock.advanceSeconds(0.001);
          return two.user(person).get(id);
        }),
      ]);
      const shown = results.at(2);
      const { status } = await one.office.get(id);
      if (status === ChallengeStatus.EXPIRED) {
        expect(codesOf(results)).toEqual(['DECISION_NOT_AVAILABLE', 'DECISION_NOT_AVAILABLE']);
        expect((await world.stored(id))?.receipt).toBeUndefined();
      } else {
        // Later requests find the standing decision, and no reader has seen the challenge expired.
        expect(codesOf(results)).toEqual([]);
        expect(shown).not.toMatchObject({ challenge: { status: ChallengeStatus.EXPIRED } });
        await expectOneDecision(id, APPROVE);
      }
    }
  });
});
