import { describe, expect, it } from 'vitest';
import type { Card } from './card.ts';
import { type CardChecks, type CheckedRequest, checkRequest } from './check-request.ts';
import type { Program } from './program.ts';

const NOW = new Date('2026-05-07T10:00:00Z');

const card = (more: Partial<Card> = {}): Card => ({
  id: 'card',
  userId: 'user',
  accountId: 'account',
  name: 'Card',
  last4: '4242',
  expMonth: 12,
  expYear: 2030,
  network: 'visa',
  status: 'active',
  frozenBy: [],
  expiresAt: new Date('2031-01-01T00:00:00Z'),
  createdAt: NOW,
  revision: 1,
  history: [],
  ...more,
});

const program: Program = {
  currency: 'EUR',
  decimals: 2,
  token: { symbol: 'EURe', decimals: 18 },
  limits: {},
  counts: {},
  accountLimits: {},
  cardsPerDay: 10,
  controls: {},
  expiryDays: { online: 7, cardPresent: 7, lodging: 30, mastercard: 7, fuel: 1 },
  fuelHold: 9000n,
  clearingTolerance: { tips: 20, travel: 15, others: 0 },
  transitUpTo: 1500n,
  types: {},
  creditUpTo: 500n,
  postalCodeRequired: false,
  markupBasisPoints: 0,
  exemptions: {},
  unauthenticated: {},
  cashWithoutPin: false,
  acknowledgement: { clients: [], minutes: 15 },
  decider: { fallback: { approveUpTo: 0n } },
  provisionalCreditPercent: 100,
  provisionalCreditLimits: { disputes: 3, days: 90, clearedWithinDays: 120 },
};

const check = (request: Partial<CheckedRequest>, more: { card?: Card; program?: Partial<Program> } = {}) =>
  checkRequest(
    { type: 'authorization', atm: false, billing: 100n, cashBack: 0n, checks: {}, authenticated: false, ...request },
    { card: more.card ?? card(), payment: undefined, controls: {}, program: { ...program, ...more.program }, now: NOW },
  );

describe('the checks of a credit', () => {
  const push = { type: 'credit_request', push: true } as const;
  it('let a refund through whatever the card has become, and a push to a card that is open', () => {
    expect(check({ type: 'credit_request' }, { card: card({ status: 'stolen' }) })).toBeUndefined();
    expect(check({ ...push, billing: 500n }, { card: card({ status: 'frozen', frozenBy: ['cardholder'] }) })).toBeUndefined();
    expect(check(push, { card: card({ status: 'lost' }) })).toBe('card_lost');
    expect(check({ ...push, billing: 501n })).toBe('transaction_limit_exceeded');
    expect(check(push, { program: { controls: { categories: { allow: ['1'] } } } })).toBe('category_blocked');
  });
});

describe('the checks of a request', () => {
  it.each<[CardChecks, string | undefined]>([
    [{}, undefined],
    [{ securityCode: 'correct', pin: 'correct', cryptogram: 'correct' }, undefined],
    [{ securityCode: 'incorrect' }, 'security_code_incorrect'],
    [{ securityCode: 'blocked' }, 'security_code_blocked'],
    [{ pin: 'incorrect' }, 'pin_incorrect'],
    [{ pin: 'blocked' }, 'pin_blocked'],
    [{ cryptogram: 'incorrect' }, 'cryptogram_incorrect'],
    [{ cryptogram: 'blocked' }, 'cryptogram_incorrect'],
    [{ securityCode: 'incorrect', pin: 'blocked' }, 'security_code_incorrect'],
  ])('judge the verdicts %j', (checks, decline) => {
    expect(check({ checks })).toBe(decline);
    expect(check({ checks, type: 'verification', billing: 0n })).toBe(decline);
  });

  it.each<[string, Partial<Card>, string]>([
    ['frozen', { status: 'frozen', frozenBy: ['cardholder'] }, 'card_frozen'],
    ['lost', { status: 'lost' }, 'card_lost'],
    ['stolen', { status: 'stolen' }, 'card_stolen'],
    ['cancelled', { status: 'cancelled' }, 'card_cancelled'],
    ['expired', { expiresAt: NOW }, 'card_expired'],
  ])('name a %s card before a wrong security code', (_what, more, decline) => {
    expect(check({ checks: { securityCode: 'incorrect' } }, { card: card(more) })).toBe(decline);
  });

  describe('about cash and balances', () => {
    const [cash, balance] = [{ atm: true }, { type: 'balance_inquiry', billing: 0n }] as const;
    const machine = { entryMode: 'chip', merchant: { name: 'Bank', categoryCode: '6011' } } as const;
    it.each([cash, machine, balance])('require the verdict that the PIN is correct: %o', (request) => {
      expect(check(request)).toBe('pin_required');
      expect(check({ ...request, entryMode: 'ecommerce' })).toBe('pin_required');
      expect(check({ ...request, checks: { cryptogram: 'correct' } })).toBe('pin_required');
      expect(check({ ...request, checks: { pin: 'incorrect' } })).toBe('pin_incorrect');
      expect(check({ ...request, checks: { pin: 'blocked' } })).toBe('pin_blocked');
      expect(check({ ...request, checks: { pin: 'correct' } })).toBeUndefined();
    });

    it.each([cash, balance])('leave that to the program: %o', (request) => {
      expect(check(request, { program: { cashWithoutPin: true } })).toBeUndefined();
    });
  });

  it.each([
    [{ entryMode: 'ecommerce' }, 'authentication_required'],
    [{ entryMode: 'manual' }, 'authentication_required'],
    [{}, 'authentication_required'],
    [{ authenticated: true }, undefined],
    [{ entryMode: 'merchant_initiated' }, 'authentication_required'],
    [{ entryMode: 'chip' }, undefined],
    [{ entryMode: 'contactless' }, undefined],
    [{ entryMode: 'magnetic_stripe' }, undefined],
    [{ atm: true, checks: { pin: 'correct' } }, undefined],
    [{ type: 'verification', billing: 0n }, undefined],
  ] as const)('require an authentication of what is paid at a distance: %o', (request, decline) => {
    expect(check(request, { program: { authenticationFrom: 0n } })).toBe(decline);
    const below = request as Partial<CheckedRequest>;
    expect(check({ billing: 99n, ...below }, { program: { authenticationFrom: 100n } })).toBeUndefined();
  });

  it('name a wrong security code before cash-back, controls and authentication', () => {
    const rules = { cashBackLimit: 10n, controls: { onlineOff: true }, authenticationFrom: 50n };
    const request = { entryMode: 'ecommerce', cashBack: 20n, checks: { securityCode: 'incorrect' } } as const;
    expect(check(request, { program: rules })).toBe('security_code_incorrect');
    expect(check({ ...request, checks: {} }, { program: rules })).toBe('cash_back_limit_exceeded');
    expect(check({ ...request, checks: {}, cashBack: 0n }, { program: { ...rules, controls: {} } })).toBe('authentication_required');
  });
});
