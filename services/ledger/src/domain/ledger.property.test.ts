import { scaled } from '@florin/rpc/testing/scaled';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Command, command, isAlone, OPENING } from '../testing/commands.ts';
import { checkInvariants, createDraftedLedger, expectAgreement } from '../testing/drafted-ledger.ts';
import { createModel } from '../testing/model.ts';
import { viewOfSystems } from '../testing/view.ts';
import { encodeAccounts } from './balance-page.ts';

/** A long way through commands; some are earlier ones again, some come after a restart. */
const walk = fc.array(fc.record({ command, restart: fc.boolean(), again: fc.option(fc.nat(200), { freq: 4 }) }), {
  minLength: 10,
  maxLength: 100,
  size: 'max',
});

/** Corners that a random walk seldom finds. */
const parts = (amount: number, credit: 'fees' | 'settlement' | 'settling' = 'settlement') => [{ credit, amount }];
const holdOf = (id: number, amount: number, until: number, credit: 'fees' | 'settlement' = 'settlement'): Command => ({
  do: 'hold',
  id,
  account: 'a',
  token: 0,
  parts: parts(amount, credit),
  until,
  forced: false,
});
const postOf = (id: number, amount: number | undefined, more: Partial<Extract<Command, { do: 'post' }>> = {}): Command => ({
  do: 'post',
  id,
  account: 'a',
  token: 0,
  posting: undefined,
  parts: amount === undefined ? undefined : parts(amount),
  keepOpen: false,
  forced: false,
  ...more,
});
const reverseOf = (more: Partial<Extract<Command, { do: 'reverse' }>>): Command => ({
  do: 'reverse',
  id: 0,
  posting: undefined,
  reversal: 0,
  part: undefined,
  forced: true,
  ...more,
});
const increaseOf = (amount: number, more: Partial<Extract<Command, { do: 'increase' }>> = {}): Command => ({
  do: 'increase',
  id: 4,
  account: 'a',
  token: 0,
  change: 0,
  parts: parts(amount),
  until: undefined,
  forced: false,
  ...more,
});
const decreaseOf = (amount: number, more: Partial<Extract<Command, { do: 'decrease' }>> = {}): Command => ({
  do: 'decrease',
  id: 4,
  account: 'a',
  change: 2,
  amount,
  ...more,
});
const CORNERS: readonly Command[] = [
  { do: 'open', account: 'c' },
  { ...holdOf(1, 5, 9, 'fees'), account: 'c' } as Command,
  holdOf(1, 5, 2, 'fees'),
  ...[1, 1].map((id) => postOf(id, undefined)),
  holdOf(2, 5, 1),
  { do: 'wait', steps: 2 },
  postOf(2, 5),
  { do: 'void', id: 2, account: 'a' },
  ...(['expire', 'expire', 'void'] as const).map((end): Command => ({ do: end, id: 2, account: 'a' })),
  ...[increaseOf(99), increaseOf(1), increaseOf(1), increaseOf(2), increaseOf(1, { change: 1, until: 1 })],
  ...[decreaseOf(99), decreaseOf(1), decreaseOf(1), decreaseOf(2)],
  holdOf(0, 5, 3),
  { do: 'wait', steps: 1 },
  ...[increaseOf(1, { id: 0 }), decreaseOf(1, { id: 0 })],
  { do: 'extend', id: 0, account: 'a', change: 0, until: 9 },
  holdOf(3, 5, 12),
  { do: 'expire', id: 3, account: 'a' },
  { do: 'extend', id: 3, account: 'a', change: 3, until: 3 },
  ...[12, 12, 11].map((until): Command => ({ do: 'extend', id: 3, account: 'a', change: 3, until })),
  { do: 'increase', id: 3, account: 'a', token: 1, change: 0, parts: parts(1), until: undefined, forced: false },
  // The same clearing twice under two ids, more than was held, and after the end.
  postOf(3, 4, { posting: 0, keepOpen: true }),
  postOf(3, 4, { posting: 0, keepOpen: true }),
  postOf(3, 4, { posting: 1, keepOpen: true }),
  postOf(3, 4, { posting: 1, keepOpen: true, forced: true }),
  postOf(3, 4, { posting: 1, keepOpen: true }),
  ...(['void', 'void', 'expire'] as const).map((end): Command => ({ do: end, id: 3, account: 'a' })),
  postOf(3, 4, { posting: 2, forced: true }),
  reverseOf({ id: 3, posting: 2, part: { transfer: 0, amount: 1 } }),
  reverseOf({ id: 3, posting: 2, part: { transfer: 0, amount: 1 } }),
  reverseOf({ id: 3, posting: 2, part: { transfer: 0, amount: 2 } }),
  reverseOf({ id: 3, posting: 2, reversal: 1, part: { transfer: 0, amount: 4 } }),
  reverseOf({ id: 3, posting: 2, reversal: 1 }),
  reverseOf({ id: 3, posting: 2, reversal: 2 }),
  reverseOf({ id: 3 }),
  { do: 'transfer', id: 5, forced: false, legs: [{ debit: 'a', credit: 'b', token: 0, amount: 3 }] },
  { do: 'transfer', id: 6, forced: false, legs: [{ debit: 'b', credit: 'settlement', token: 0, amount: 3 }] },
  reverseOf({ id: 5, forced: false }),
  { do: 'withdraw', id: 0, account: 'a', token: 0, amount: 1, forced: false },
  ...(['completed', 'completed', 'processing', 'failed'] as const).map((target): Command => ({ do: 'report', id: 0, target })),
  { do: 'block', account: 'b', change: 0 },
  ...[0, 0].map((change): Command => ({ do: 'unblock', account: 'b', change })),
  { do: 'block', account: 'c', change: 0 },
  // Dust goes with the close, as a fee.
  { do: 'transfer', id: 7, forced: false, legs: [{ debit: 'settlement', credit: 'c', token: 0, amount: 2 }] },
  { do: 'close', account: 'c' },
  { do: 'transfer', id: 8, forced: false, legs: [{ debit: 'settlement', credit: 'c', token: 0, amount: 2 }] },
  { do: 'transfer', id: 9, forced: false, legs: [{ debit: 'fees', credit: 'chain', token: 0, amount: 2 }] },
  { do: 'block', account: 'c', change: 0 },
  { do: 'unblock', account: 'c', change: 0 },
  { do: 'see', id: 4, account: 'c', token: 0, amount: 1 },
  { do: 'transfer', id: 3, forced: false, legs: [{ debit: 'a', credit: 'c', token: 0, amount: 1 }] },
  // A forced transfer is booked on a closed account as well, and is owed.
  { do: 'transfer', id: 4, forced: true, legs: [{ debit: 'c', credit: 'settlement', token: 0, amount: 7 }] },
];

type Step = { command: Command; restart: boolean; again: number | null };

/** Lets ledger and model walk side by side; notes what was answered to what. */
const walkAlong = (steps: readonly Step[], reached: Set<string>): void => {
  const [model, ledger] = [createModel(), createDraftedLedger()];
  const asked: Command[] = [];
  const step = (c: Command): void => {
    const [answer] = ledger.ask([c]);
    expect([c, answer]).toEqual([c, model.apply(c)]);
    reached.add(`${c.do} ${answer}`);
    asked.push(c);
    expectAgreement(ledger, model);
  };
  OPENING.forEach(step);
  for (const { command: next, restart, again } of steps) {
    if (restart) ledger.restart();
    step(again === null ? next : (asked[again % asked.length] ?? next));
  }
  ledger.restart();
  expectAgreement(ledger, model);
  checkInvariants(ledger);
};

const explore = (parameters: fc.Parameters<[Step[]]>): Set<string> => {
  const reached = new Set<string>();
  fc.assert(
    fc.property(walk, (steps) => walkAlong(steps, reached)),
    parameters,
  );
  return reached;
};

describe('the rules of the ledger', () => {
  it('agree with a simple model on any requests, with repeats, contradictions and restarts', () => {
    explore({ numRuns: scaled(100) });
  });

  it('are explored to their ends: walks that never come to an answer prove nothing about it', () => {
    const ends: Record<string, string[]> = {
      transfer: ['created', 'same', 'other', 'ACCOUNT_NOT_FOUND', 'ACCOUNT_BLOCKED', 'ACCOUNT_CLOSED', 'INSUFFICIENT_FUNDS'],
      hold: ['created', 'same', 'other', 'ACCOUNT_NOT_ACTIVE', 'ACCOUNT_BLOCKED', 'HOLD_EXPIRED', 'INSUFFICIENT_FUNDS'],
      increase: [
        'created',
        'same',
        'other',
        'HOLD_NOT_FOUND',
        'HOLD_EXPIRED',
        'TOKEN_MISMATCH',
        'HOLD_EXPIRY_INVALID',
        'INSUFFICIENT_FUNDS',
      ],
      decrease: ['created', 'same', 'other', 'HOLD_NOT_FOUND', 'HOLD_EXPIRED', 'AMOUNT_INVALID'],
      extend: ['created', 'same', 'other', 'HOLD_NOT_FOUND', 'HOLD_EXPIRED', 'HOLD_EXPIRY_INVALID'],
      post: ['created', 'same', 'other', 'HOLD_NOT_FOUND', 'HOLD_EXPIRED', 'AMOUNT_INVALID', 'TOKEN_MISMATCH'],
      reverse: [
        'created',
        'same',
        'other',
        'absent',
        'ENTRY_NOT_REVERSIBLE',
        'ENTRY_ALREADY_REVERSED',
        'REVERSAL_EXCEEDS_ENTRY',
        'INSUFFICIENT_FUNDS',
      ],
      unsee: ['created', 'same'],
      void: ['created', 'same', 'other', 'HOLD_NOT_FOUND', 'HOLD_EXPIRED'],
      expire: ['created', 'same', 'other', 'HOLD_NOT_FOUND', 'HOLD_EXPIRY_INVALID'],
      see: ['created', 'same', 'other', 'ACCOUNT_NOT_FOUND', 'ACCOUNT_CLOSED'],
      resolve: ['created', 'same', 'other'],
      withdraw: ['created', 'same', 'other', 'ACCOUNT_BLOCKED', 'INSUFFICIENT_FUNDS'],
      report: ['created', 'same', 'other', 'WITHDRAWAL_STATE_CONFLICT'],
      close: ['created', 'same', 'ACCOUNT_NOT_EMPTY'],
      block: ['created', 'same', 'ACCOUNT_STATE_CONFLICT', 'ACCOUNT_CLOSED'],
      unblock: ['created', 'same', 'ACCOUNT_STATE_CONFLICT', 'ACCOUNT_CLOSED'],
    };
    const reached = explore({ numRuns: 150, seed: 7 });
    walkAlong(
      CORNERS.map((c) => ({ command: c, restart: false, again: null })),
      reached,
    );
    const missed = Object.entries(ends).flatMap(([verb, answers]) =>
      answers.map((answer) => `${verb} ${answer}`).filter((one) => !reached.has(one)),
    );
    expect(missed).toEqual([]);
  });

  it('judge a batch as they judge its requests one by one', () => {
    // Requests that need a movement to be known first are left out: a batch knows only what was there before it; and time stands still.
    const independent = command.filter((c) => !isAlone(c));
    fc.assert(
      fc.property(fc.array(command, { maxLength: 30 }), fc.array(independent, { maxLength: 30 }), (before, batch) => {
        const [one, many] = [createDraftedLedger(), createDraftedLedger()];
        for (const c of [...OPENING, ...before]) expect(many.ask([c])).toEqual(one.ask([c]));
        expect(many.ask(batch)).toEqual(batch.flatMap((c) => one.ask([c])));
        expect(encodeAccounts(many.state().accounts())).toBe(encodeAccounts(one.state().accounts()));
        expect(viewOfSystems(many.state().systems())).toEqual(viewOfSystems(one.state().systems()));
        many.restart();
        checkInvariants(many);
      }),
      { numRuns: scaled(300) },
    );
  });
});
