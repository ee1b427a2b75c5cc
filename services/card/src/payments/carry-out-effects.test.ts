import { quietLogger } from '@florin/rpc/testing';
import { describe, expect, it, vi } from 'vitest';
import type { AuthenticationsClient } from '../clients/authentications.ts';
import { type HoldsClient, OrderRejectedError } from '../clients/holds.ts';
import { newPayment } from '../domain/new-payment.ts';
import type { Payment } from '../domain/payment.ts';
import type { PaymentEffect } from '../domain/payment-effect.ts';
import type { Program } from '../domain/program.ts';
import { createEffects } from './carry-out-effects.ts';

const AT = new Date('2026-01-31T12:00:00Z');
const FACTS = {
  id: 'payment',
  processor: 'p',
  cardId: 'card',
  accountId: 'account',
  userId: 'user',
  kind: 'payment',
  createdAt: AT,
} as const;
const PROGRAM = { decimals: 2, token: { symbol: 'EURe', decimals: 2 } } as Program;
const POST: PaymentEffect = { id: 'post', kind: 'post', holdId: 'hold', amount: 5n, keepOpen: false };

const rejected = () => Promise.reject(new OrderRejectedError('AMOUNT_INVALID'));

/** Carries effects out at a ledger and a 3-D Secure service that behave like this. */
const carryOut = async (
  effects: readonly PaymentEffect[],
  ledger: Partial<HoldsClient>,
  authentications: Partial<AuthenticationsClient> = {},
) => {
  const confirmed: string[] = [];
  const raised: object[] = [];
  const error = vi.fn();
  const exceptions = { raise: async (exception: object) => raised.push(exception) };
  const payments = { confirm: async (_id: string, ids: readonly string[]) => void confirmed.push(...ids) };
  const parts = { payments, holds: ledger, authentications, reservations: {}, exceptions, program: PROGRAM } as unknown as Parameters<
    typeof createEffects
  >[0];
  const payment: Payment = { ...newPayment(FACTS), effects };
  const outcome = await createEffects(parts).run(payment, {
    ...quietLogger,
    error,
    warn: () => undefined,
  } as unknown as typeof quietLogger);
  return { outcome, confirmed, errors: error.mock.calls.length, raised };
};

type Row = [effect: PaymentEffect, ledger: Partial<HoldsClient>];
const byKind = (rows: Row[]) => rows.map(([effect, ledger]) => [effect.kind, effect, ledger] as const);

describe('an order that the ledger rejects', () => {
  it.each(
    byKind([
      [{ id: 'first', kind: 'open_hold', holdId: 'hold', amount: 1n, expiresAt: AT }, { open: async () => 'account_closed' }],
      [{ id: 'first', kind: 'open_hold', holdId: 'hold', amount: 1n, expiresAt: AT }, { open: rejected }],
      [{ id: 'first', kind: 'increase_hold', holdId: 'hold', amount: 1n, expiresAt: AT }, { increase: rejected }],
    ]),
  )('is given up and logged when it only sets money aside: %s', async (_, effect, ledger) => {
    const post = async () => ({ entryId: 'entry', fromHold: 0n, debt: 0n });
    expect(await carryOut([effect, POST], { ...ledger, post })).toEqual({
      outcome: 'done',
      confirmed: ['first', 'post'],
      errors: 1,
      raised: [],
    });
  });

  it.each(
    byKind([
      [{ id: 'first', kind: 'decrease_hold', holdId: 'hold', amount: 1n }, { decrease: rejected }],
      [{ id: 'first', kind: 'void_hold', holdId: 'hold' }, { void: rejected }],
      [{ id: 'first', kind: 'cancel_hold', holdId: 'hold', expiresAt: AT }, { open: async () => 'system_error' }],
      [{ id: 'first', kind: 'cancel_increase', holdId: 'hold', changeId: 'change', amount: 1n }, { increase: rejected }],
      [{ id: 'first', kind: 'credit', from: 'settlement', amount: 1n }, { transfer: rejected }],
      [{ id: 'first', kind: 'debit', to: 'settlement', amount: 1n }, { transfer: rejected }],
    ]),
  )('stays and is an exception, and the next one is carried out: %s', async (_, effect, ledger) => {
    const post = async () => ({ entryId: 'entry', fromHold: 0n, debt: 0n });
    const amount = 'amount' in effect ? { amount: effect.amount } : {};
    const raised = [expect.objectContaining({ kind: 'order_rejected', paymentId: 'payment', accountId: 'account', ...amount })];
    expect(await carryOut([effect, POST], { ...ledger, post })).toEqual({ outcome: 'rejected', confirmed: ['post'], errors: 1, raised });
  });
});

describe('an outstanding order that is repeated', () => {
  it('raises the debt that it leaves, and is confirmed', async () => {
    const raise = vi.fn(async () => true);
    const confirm = vi.fn(async () => undefined);
    const holds = {
      transfer: async () => undefined,
      debt: async () => 3n,
      post: async () => ({ entryId: 'entry', fromHold: 5n, debt: 2n }),
    };
    const parts = { payments: { confirm }, holds, exceptions: { raise }, program: PROGRAM } as unknown as Parameters<
      typeof createEffects
    >[0];
    const debit: PaymentEffect = { id: 'debit', kind: 'debit', to: 'settlement', amount: 4n };
    const orders = [debit, POST].map((order) => ({ ...order }));
    const payment: Payment = { ...newPayment(FACTS), effects: [debit, POST] };
    expect(await createEffects(parts).repeat(payment, orders, quietLogger)).toBe(0);
    expect(raise.mock.calls).toMatchObject([[{ kind: 'debt', amount: 3n }], [{ kind: 'debt', amount: 2n }]]);
    expect(confirm.mock.calls).toEqual([
      ['payment', ['debit'], ['debit']],
      ['payment', ['post'], ['hold', 'entry']],
    ]);
  });
});

describe('an order whose outcome is unknown', () => {
  it('stops the ones behind it', async () => {
    const effect: PaymentEffect = { id: 'first', kind: 'void_hold', holdId: 'hold' };
    const away = () => Promise.reject(new Error('connection reset'));
    expect(await carryOut([effect, POST], { void: away })).toEqual({ outcome: 'unfinished', confirmed: [], errors: 1, raised: [] });
  });
});

describe('an approval whose payment the network has approved', () => {
  const effect: PaymentEffect = {
    ...{ id: 'first', kind: 'use_authentication', challengeId: 'challenge', requestId: 'request' },
    ...{ amount: 5n, currency: 'EUR' },
  };
  const post = async () => ({ entryId: 'entry', fromHold: 0n, debt: 0n });

  it.each([true, false])('is used up for the payment, unless another one has it: %j', async (isUsable) => {
    const consume = vi.fn(async () => isUsable);
    expect(await carryOut([effect, POST], { post }, { consume })).toEqual({
      outcome: 'done',
      confirmed: ['first', 'post'],
      errors: 0,
      raised: [],
    });
    const { challengeId, requestId, amount, currency } = effect;
    const use = { challengeId, cardId: 'card', paymentId: 'payment', requestId, amount, currency, merchantId: '' };
    const presented = { ...use, approvedBefore: 0n, decidedRequestIds: [] };
    expect(consume).toHaveBeenCalledExactlyOnceWith(presented, expect.any(Number));
  });

  it('stays to be used up, and stops no booking, when the service cannot be reached', async () => {
    const away = () => Promise.reject(new Error('connection reset'));
    expect(await carryOut([effect, POST], { post }, { consume: away })).toEqual({
      outcome: 'unfinished',
      confirmed: ['post'],
      errors: 0,
      raised: [],
    });
  });
});

describe('an approval that cannot be given back', () => {
  it('stays to be given back, and stops no booking', async () => {
    const effect: PaymentEffect = { id: 'first', kind: 'release_authentication', challengeId: 'challenge', requestId: 'request' };
    const away = () => Promise.reject(new Error('connection reset'));
    const post = async () => ({ entryId: 'entry', fromHold: 0n, debt: 0n });
    expect(await carryOut([effect, POST], { post }, { release: away })).toEqual({
      outcome: 'unfinished',
      confirmed: ['post'],
      errors: 0,
      raised: [],
    });
  });
});
