import { ChallengeStatus, Decision } from '@florin/proto/threeds/v1/challenge';
import { CodedError } from '@florin/rpc/errors';
import { scaled } from '@florin/rpc/testing/scaled';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createWorld, type Instance, type World } from '../testing/world.ts';

/**
 * Random command sequences, run against the service and the table below. A second instance sweeps concurrently, which must never
 * change a result.
 */
const LIFE_SECONDS = 60;
const BAD = `0x${'22'.repeat(65)}`;

let world: World;
let app: Instance;

beforeAll(async () => {
  world = await createWorld({ ACS: 'grpc', ACK_TIMEOUT_SECONDS: '3600' });
  app = await world.start();
  await world.start({ sweepIntervalMs: 50 });
});
afterAll(() => world.close());

type Command = { do: 'approve' | 'decline' | 'guess' | 'cancel' | 'acknowledge' } | { do: 'wait'; seconds: number };
type State = 'pending' | 'expired' | 'cancelled' | 'guessed' | 'approving' | 'declining' | 'approved' | 'declined';

const NOT_AVAILABLE = 'DECISION_NOT_AVAILABLE';
const ALREADY_MADE = 'DECISION_ALREADY_MADE';
const CONFLICT = 'CHALLENGE_STATE_CONFLICT';

/** State × command → next state, or the error code. `step` adds waiting and the count of guesses. */
const TABLE: Record<State, Record<'approve' | 'decline' | 'guess' | 'cancel' | 'acknowledge', State | string>> = {
  pending: { approve: 'approving', decline: 'declining', guess: 'INVALID_SIGNATURE', cancel: 'cancelled', acknowledge: CONFLICT },
  expired: { approve: NOT_AVAILABLE, decline: NOT_AVAILABLE, guess: NOT_AVAILABLE, cancel: CONFLICT, acknowledge: CONFLICT },
  cancelled: { approve: NOT_AVAILABLE, decline: NOT_AVAILABLE, guess: NOT_AVAILABLE, cancel: 'cancelled', acknowledge: CONFLICT },
  guessed: { approve: NOT_AVAILABLE, decline: NOT_AVAILABLE, guess: NOT_AVAILABLE, cancel: CONFLICT, acknowledge: CONFLICT },
  // A guess is a bad signature for `approve`; a standing decision takes precedence.
  approving: { approve: 'approving', decline: ALREADY_MADE, guess: 'approving', cancel: CONFLICT, acknowledge: 'approved' },
  declining: { approve: ALREADY_MADE, decline: 'declining', guess: ALREADY_MADE, cancel: CONFLICT, acknowledge: 'declined' },
  approved: { approve: 'approved', decline: ALREADY_MADE, guess: 'approved', cancel: CONFLICT, acknowledge: 'approved' },
  declined: { approve: ALREADY_MADE, decline: 'declined', guess: ALREADY_MADE, cancel: CONFLICT, acknowledge: 'declined' },
};

const SHOWN: Record<State, { status: ChallengeStatus; decision: Decision }> = {
  pending: { status: ChallengeStatus.PENDING, decision: Decision.UNSPECIFIED },
  expired: { status: ChallengeStatus.EXPIRED, decision: Decision.UNSPECIFIED },
  cancelled: { status: ChallengeStatus.CANCELLED, decision: Decision.UNSPECIFIED },
  guessed: { status: ChallengeStatus.FAILED, decision: Decision.UNSPECIFIED },
  approving: { status: ChallengeStatus.PROCESSING, decision: Decision.APPROVE },
  declining: { status: ChallengeStatus.PROCESSING, decision: Decision.DECLINE },
  approved: { status: ChallengeStatus.APPROVED, decision: Decision.APPROVE },
  declined: { status: ChallengeStatus.DECLINED, decision: Decision.DECLINE },
};

const isState = (text: string): text is State => Object.hasOwn(TABLE, text);

type Model = { state: State; guesses: number; secondsLeft: number };

const step = (model: Model, command: Command): { model: Model; code?: string } => {
  if (command.do === 'wait') {
    const secondsLeft = model.secondsLeft - command.seconds;
    return { model: { ...model, secondsLeft, state: model.state === 'pending' && secondsLeft <= 0 ? 'expired' : model.state } };
  }
  const entry = TABLE[model.state][command.do];
  if (isState(entry)) return { model: { ...model, state: entry } };
  if (entry !== 'INVALID_SIGNATURE') return { model, code: entry };
  const guesses = model.guesses + 1;
  return { model: { ...model, guesses, state: guesses === 5 ? 'guessed' : 'pending' }, code: entry };
};

const play = async (id: string, person: ReturnType<World['newPerson']>, model: Model, command: Command): Promise<unknown> => {
  const user = app.user(person);
  switch (command.do) {
    case 'wait':
      return world.clock.advanceSeconds(command.seconds);
    case 'cancel':
      return app.acs.cancel(id);
    case 'acknowledge':
      return app.acs.acknowledge(id);
    case 'guess':
      return user.submit(id, Decision.APPROVE, BAD);
    default: {
      const decision = command.do === 'approve' ? Decision.APPROVE : Decision.DECLINE;
      return model.state === 'pending' ? user.decide(id, decision, person.wallet) : user.submit(id, decision, BAD);
    }
  }
};

const command: fc.Arbitrary<Command> = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom<Command>({ do: 'approve' }, { do: 'decline' }, { do: 'cancel' }, { do: 'acknowledge' }) },
  { weight: 3, arbitrary: fc.constant<Command>({ do: 'guess' }) },
  {
    weight: 1,
    arbitrary: fc.constantFrom<Command>({ do: 'wait', seconds: 1 }, { do: 'wait', seconds: 30 }, { do: 'wait', seconds: 59.999 }),
  },
);

it('every command sequence follows the table', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(command, { minLength: 1, maxLength: 12 }), async (commands) => {
      const person = world.newPerson();
      const { id } = await app.acs.create({ ...world.payment(person), expiresInSeconds: LIFE_SECONDS });
      let model: Model = { state: 'pending', guesses: 0, secondsLeft: LIFE_SECONDS };
      for (const next of commands) {
        const expected = step(model, next);
        const thrown = await play(id, person, model, next).then(
          () => undefined,
          (error: unknown) => error,
        );
        if (expected.code === undefined) expect(thrown).toBeUndefined();
        else expect(thrown instanceof CodedError ? thrown.code : thrown, `${next.do} in ${model.state}`).toBe(expected.code);
        model = expected.model;
        const shown = SHOWN[model.state];
        expect(await app.user(person).get(id)).toMatchObject({ ...shown, decisionAvailable: model.state === 'pending' });
      }
    }),
    { numRuns: scaled(40) },
  );
}, 120_000);
