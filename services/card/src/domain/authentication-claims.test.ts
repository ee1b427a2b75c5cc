import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { programSchema } from '../program-config.ts';
import { PAYMENT_AT, PAYMENT_FACTS } from '../testing/payment-facts.ts';
import { acceptedClaim, CLAIMS, type Claim, type ClaimRules, claimForIncrease, claimsOf } from './authentication-claims.ts';
import { newPayment } from './new-payment.ts';
import type { Payment } from './payment.ts';
import type { PaymentEvent } from './payment-event.ts';
import { recordEvent } from './record-event.ts';
import { authenticationOfRequest } from './unauthenticated.ts';

const SHOP = { id: 'M-1', name: 'Shop' };
const VALUE = { authenticationValue: 'correct' } as const;

type Request = Parameters<typeof acceptedClaim>[1];
const accepted = (rules: ClaimRules, request: Partial<Request>, originals: readonly Payment[] = []) =>
  acceptedClaim(
    rules,
    { ...{ claims: [], processor: 'bridge', total: 500n, amount: 500n, currency: 'EUR', merchant: SHOP, checks: VALUE }, ...request },
    originals,
  );

/** A payment with one decided request. */
const paymentWith = (more: Partial<PaymentEvent>, decline?: 'insufficient_funds'): Payment => {
  const money = { at: PAYMENT_AT, amount: 500n, currency: 'EUR', billing: 500n };
  const decision = decline === undefined ? { billing: 500n, amount: 500n, held: 500n } : { decline, billing: 0n, amount: 0n, held: 0n };
  return recordEvent(newPayment({ ...PAYMENT_FACTS, merchant: SHOP }), { id: 'first', type: 'authorization', ...money, decision, ...more });
};

describe('a claim about the authentication', () => {
  it.each(CLAIMS)('%s is not accepted by a program that does not name it', (claim) => {
    const all = Object.fromEntries(CLAIMS.filter((other) => other !== claim).map((other) => [other, { withoutOriginal: true }]));
    expect(accepted(all, { claims: [claim] })).toBeUndefined();
  });

  it('is accepted up to its amount, from the clients that are named', () => {
    const rules = { transaction_risk: { upTo: 500n, clients: ['bridge'] } };
    const claims = ['transaction_risk'] as const;
    expect(accepted(rules, { claims })).toBe('transaction_risk');
    expect(accepted(rules, { claims, total: 501n })).toBeUndefined();
    expect(accepted(rules, { claims, processor: 'other' })).toBeUndefined();
  });

  it.each(['challenged', 'frictionless', 'attempted'] as const)('%s needs the verdict that the value is correct', (claim) => {
    const rules = { [claim]: {} };
    expect(accepted(rules, { claims: [claim] })).toBe(claim);
    expect(accepted(rules, { claims: [claim], checks: {} })).toBeUndefined();
  });

  it.each<[string, Payment, Claim[]]>([
    ['approved by the cardholder', paymentWith({ challengeId: 'challenge' }), ['recurring', 'merchant_initiated', 'requestor_initiated']],
    ['authenticated by a delegate', paymentWith({ exemption: 'delegated' }), ['recurring', 'merchant_initiated', 'requestor_initiated']],
    [
      'that followed from one',
      paymentWith({ exemption: 'merchant_initiated' }),
      ['recurring', 'merchant_initiated', 'requestor_initiated'],
    ],
    ['for another amount', paymentWith({ challengeId: 'c', amount: 400n }), ['merchant_initiated', 'requestor_initiated']],
    ['without an authentication', paymentWith({}), []],
    ['with an exemption', paymentWith({ exemption: 'transaction_risk' }), []],
    ['that was declined', paymentWith({ challengeId: 'challenge' }, 'insufficient_funds'), []],
    ['of another merchant', { ...paymentWith({ challengeId: 'c' }), merchant: { id: 'M-2', name: 'Other' } }, []],
  ])('that follows from a payment needs one that is known and authenticated: %s', (_what, original, fitting) => {
    const claims = ['recurring', 'merchant_initiated', 'requestor_initiated'] as const;
    for (const claim of claims) {
      expect(accepted({ [claim]: {} }, { claims: [claim] }, [original])).toBe(fitting.includes(claim) ? claim : undefined);
      expect(accepted({ [claim]: {} }, { claims: [claim] })).toBeUndefined();
      expect(accepted({ [claim]: { withoutOriginal: true } }, { claims: [claim] })).toBe(claim);
    }
  });

  it('of an unattended terminal is for contactless fares and parking', () => {
    const request = { claims: ['unattended_terminal'], entryMode: 'contactless', merchant: { ...SHOP, categoryCode: '4111' } } as const;
    expect(accepted({ unattended_terminal: {} }, request)).toBe('unattended_terminal');
    expect(accepted({ unattended_terminal: {} }, { ...request, merchant: SHOP })).toBeUndefined();
    expect(accepted({ unattended_terminal: {} }, { ...request, entryMode: 'ecommerce' })).toBeUndefined();
  });

  it('that merchants initiate is stated by the entry mode, after what is stated', () => {
    expect(claimsOf(['frictionless', undefined], 'merchant_initiated')).toEqual(['frictionless', 'merchant_initiated']);
    expect(claimsOf([], 'ecommerce')).toEqual([]);
  });

  it('covers an increase up to its amount, unless it is for one amount', () => {
    const rules = { transaction_risk: { upTo: 600n }, recurring: {} };
    const payment = paymentWith({ exemption: 'transaction_risk' });
    expect(claimForIncrease(rules, payment, 600n)).toBe('transaction_risk');
    expect(claimForIncrease(rules, payment, 601n)).toBeUndefined();
    expect(claimForIncrease(rules, paymentWith({ exemption: 'recurring' }), 600n)).toBeUndefined();
    expect(claimForIncrease({}, payment, 600n)).toBeUndefined();
  });

  it.each<[Claim | undefined, object | undefined]>([
    [undefined, { channel: 'remote', isAuthenticated: false }],
    ['low_value', { channel: 'remote', isAuthenticated: false }],
    ['challenged', { channel: 'remote', isAuthenticated: true }],
    ['delegated', { channel: 'remote', isAuthenticated: true }],
    ['transaction_risk', undefined],
    ['frictionless', undefined],
  ])('%s counts in the row of payments without an authentication as %j', (exemption, counted) => {
    expect(authenticationOfRequest({ entryMode: 'ecommerce', atm: false, checks: {}, exemption }, false)).toEqual(counted);
  });

  it('of an unattended terminal takes no part in the row of contactless payments', () => {
    const tap = { entryMode: 'contactless', atm: false, checks: {} } as const;
    expect(authenticationOfRequest({ ...tap, exemption: 'unattended_terminal' }, false)).toBeUndefined();
    expect(authenticationOfRequest(tap, false)).toEqual({ channel: 'contactless', isAuthenticated: false });
  });
});

it('every claim has its line in the documentation for processors, and the program accepts only those from an authenticated payment by default', async () => {
  const page = await readFile(new URL('../../../../docs/processor.md', import.meta.url), 'utf8');
  const section = page.split('## Authentication by others, and exemptions')[1]?.split('\n## ')[0] ?? '';
  const rows = [...section.matchAll(/^\| `([a-z_]+)` \|/gm)].map(([, claim]) => claim);
  expect(rows.toSorted()).toEqual([...CLAIMS].toSorted());
  expect(programSchema.parse({}).exemptions).toEqual({ recurring: {}, merchant_initiated: {} });
});
