import { expect, it } from 'vitest';
import type { HoldsClient } from '../clients/holds.ts';
import { newPayment } from '../domain/new-payment.ts';
import type { PaymentEvent } from '../domain/payment-event.ts';
import { holdIdOf } from '../domain/payment-ids.ts';
import type { Program } from '../domain/program.ts';
import { PAYMENT_AT, PAYMENT_FACTS } from '../testing/payment-facts.ts';
import { createDeadline } from './deadline.ts';
import type { PreparedEvent } from './prepare-event.ts';
import { createHoldTaking } from './take-hold.ts';

const program = { decimals: 2, token: { symbol: 'EURe', decimals: 18 } } as Program;
const CENT = 10n ** 16n;

/** Asks for 9.00 with the hold of another request, at a ledger that knows the request and has this much for it. */
const askAgain = async (type: 'authorization' | 'increment', held: bigint | undefined) => {
  const asked: object[] = [];
  const holds = {
    open: async () => 'conflict',
    increase: async () => 'conflict',
    heldBefore: async (order: object) => {
      asked.push(order);
      return held;
    },
  } as unknown as HoldsClient;
  const event: PaymentEvent = { id: 'request', type, at: PAYMENT_AT, amount: 900n, currency: 'EUR', billing: 900n };
  const prepared = { facts: PAYMENT_FACTS, event, now: PAYMENT_AT } as PreparedEvent;
  const payment = { ...newPayment(PAYMENT_FACTS), holdId: 'hold' };
  const taking = createHoldTaking({ holds, program, runtime: { randomInt: () => 123 } });
  return { decision: await taking.take(prepared, payment, { partial: false, deadline: createDeadline(60_000) }), asked };
};

it.each([
  ['authorization', { holdId: holdIdOf('payment', 'request') }],
  ['increment', { holdId: 'hold', changeId: holdIdOf('payment', 'request') }],
] as const)('an %s that the ledger knows from before a restore is approved with what it holds for it', async (type, order) => {
  const { decision, asked } = await askAgain(type, 700n * CENT);
  expect(decision).toEqual({ billing: 700n, amount: 700n, held: 700n, authorizationCode: '000123' });
  expect(asked).toEqual([{ accountId: 'account', ...order, purpose: type }]);
  // One unit is the fence of a request that was abandoned.
  for (const nothing of [undefined, 1n]) {
    expect((await askAgain(type, nothing)).decision).toMatchObject({ decline: 'system_error', heldUnknown: true });
  }
});
