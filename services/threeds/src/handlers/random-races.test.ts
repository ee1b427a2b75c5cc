import { setTimeout as pause } from 'node:timers/promises';
import { signTypedMessage } from '@florin/evm/testing';
import { type Challenge, Decision, ChallengeStatus as Status } from '@florin/proto/threeds/v1/challenge';
import { processEnvironment } from '@florin/rpc/config';
import { CodedError } from '@florin/rpc/errors';
import { scaled } from '@florin/rpc/testing/scaled';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createWorld, type Instance, type World } from '../testing/world.ts';

/** Number of challenges; `npm run faults -- races` sets a larger one. */
const ROUNDS = Number(processEnvironment()['RACE_ROUNDS'] ?? scaled(500));
const AT_ONCE = 20;
const { APPROVE, DECLINE } = Decision;

/** Difference between the clocks of the two instances. */
const SKEW_SECONDS = 5;
/** Expired for the instance whose clock is ahead, not for the other one. */
const SHORT_SECONDS = 8;
const PASSED_SECONDS = 4;
const LONG_SECONDS = 300;

let world: World;
let behind: Instance;
let ahead: Instance;

beforeAll(async () => {
  world = await createWorld();
  const skewed = { now: () => new Date(world.clock.now().getTime() + SKEW_SECONDS * 1000) };
  [behind, ahead] = await Promise.all([world.start(), world.start({ runtime: skewed })]);
});
afterAll(() => world.close());

const act = fc.record({
  what: fc.constantFrom('approve', 'decline', 'cancel', 'read'),
  where: fc.constantFrom('behind', 'ahead'),
  afterMs: fc.integer({ min: 0, max: 12 }),
});
const script = fc.record({ short: fc.boolean(), acts: fc.array(act, { minLength: 2, maxLength: 5 }) });
type Script = (typeof script extends fc.Arbitrary<infer T> ? T : never) & object;

type Answer = { what: string; status?: Status; code?: string };

const MAX_TRIES = 5;

/** The outcome of a call. A call whose outcome is unknown is repeated, as an app does. */
const answerOf = async (what: string, call: () => Promise<Challenge>): Promise<Answer> => {
  for (let tries = 1; ; tries += 1) {
    try {
      return { what, status: (await call()).status };
    } catch (error) {
      if (!(error instanceof CodedError)) throw error;
      const isUnknown = error.code === 'SERVICE_UNAVAILABLE' || error.code === 'UPSTREAM_TIMEOUT';
      if (!isUnknown || tries === MAX_TRIES) return { what, code: error.code };
    }
  }
};

const prepare = async (given: Script) => {
  const person = world.newPerson();
  const { id } = await behind.acs.create({ ...world.payment(person), expiresInSeconds: given.short ? SHORT_SECONDS : LONG_SECONDS });
  // Signed while the challenge is open for both instances.
  const [approve, decline] = await Promise.all(
    [APPROVE, DECLINE].map(async (decision) => signTypedMessage(person.wallet, await behind.user(person).issue(id, decision))),
  );
  return { ...given, id, person, signatures: { approve: approve ?? '', decline: decline ?? '' } };
};

const play = async ({ id, person, signatures, acts }: Awaited<ReturnType<typeof prepare>>): Promise<Answer[]> =>
  Promise.all(
    acts.map(async ({ what, where, afterMs }) => {
      await pause(afterMs);
      const instance = where === 'ahead' ? ahead : behind;
      const calls: Record<typeof what, () => Promise<Challenge>> = {
        approve: () => instance.user(person).submit(id, APPROVE, signatures.approve),
        decline: () => instance.user(person).submit(id, DECLINE, signatures.decline),
        cancel: () => instance.acs.cancel(id),
        read: () => instance.user(person).get(id),
      };
      return answerOf(what, calls[what]);
    }),
  );

/** The result that each act must have had, given the stored challenge. */
const expected = (what: string, stored: { status: string; decision?: string }): string => {
  if (what === 'cancel') return stored.status === 'cancelled' ? 'ok' : 'CHALLENGE_STATE_CONFLICT';
  if (stored.decision === undefined) return 'DECISION_NOT_AVAILABLE';
  return stored.decision === what ? 'ok' : 'DECISION_ALREADY_MADE';
};

const TERMINAL: Readonly<Record<string, Status>> = {
  approved: Status.APPROVED,
  declined: Status.DECLINED,
  cancelled: Status.CANCELLED,
  expired: Status.EXPIRED,
};

const check = async (id: string, answers: readonly Answer[], context: string): Promise<string> => {
  const stored = (await world.stored(id)) ?? expect.fail(`${id} is gone`);
  for (const { what, code, status } of answers) {
    // A read returns the stored status; an expiry that it returned is final.
    if (what === 'read') expect([Status.PENDING, Status.PROCESSING, TERMINAL[stored.status]], context).toContain(status);
    else expect({ what, answer: code ?? 'ok' }, context).toEqual({ what, answer: expected(what, stored) });
  }
  expect(stored.receipt !== undefined, context).toBe(stored.decision !== undefined);
  if (stored.decision !== undefined) expect(stored.status, context).toBe(stored.decision === 'approve' ? 'approved' : 'declined');
  expect(stored.badSignatures, context).toBe(0);
  return stored.status;
};

describe('two instances whose clocks disagree by five seconds', () => {
  it(`give each of ${ROUNDS} challenges exactly one outcome, and every caller the documented result`, async () => {
    const seed = Date.now() & 0x7fffffff;
    const scripts = fc.sample(script, { numRuns: ROUNDS, seed });
    const outcomes = new Map<string, number>();
    for (let start = 0; start < ROUNDS; start += AT_ONCE) {
      const rounds = await Promise.all(scripts.slice(start, start + AT_ONCE).map(prepare));
      world.clock.advanceSeconds(PASSED_SECONDS);
      const answers = await Promise.all(rounds.map(play));
      const statuses = await Promise.all(
        rounds.map(({ id, acts, short }, index) =>
          check(id, answers[index] ?? [], `seed ${seed}: ${JSON.stringify({ short, acts, answers: answers[index] })}`),
        ),
      );
      for (const status of statuses) outcomes.set(status, (outcomes.get(status) ?? 0) + 1);
    }
    // Each side won some rounds; otherwise nothing raced.
    for (const status of ['approved', 'declined', 'cancelled', 'expired'])
      expect(outcomes.get(status) ?? 0, status).toBeGreaterThan(ROUNDS / 50);
  }, 600_000);
});
