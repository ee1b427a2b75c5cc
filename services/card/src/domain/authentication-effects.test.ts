import { describe, expect, it } from 'vitest';
import { PAYMENT_AT, PAYMENT_FACTS } from '../testing/payment-facts.ts';
import { authenticationUsed } from './authentication-effects.ts';
import { newPayment } from './new-payment.ts';
import type { Payment } from './payment.ts';
import type { PaymentEvent } from './payment-event.ts';
import { recordEvent } from './record-event.ts';

const LATER = new Date('2026-02-05T12:00:00Z');
const MONEY = { at: PAYMENT_AT, amount: 500n, currency: 'EUR', billing: 500n, expiresAt: LATER };

const declined = (
  decline: 'timed_out' | 'authentication_invalid',
  type: 'authorization' | 'increment' = 'authorization',
): PaymentEvent => ({
  ...{ id: 'request', type, ...MONEY, challengeId: 'challenge' },
  decision: { decline, billing: 0n, amount: 0n, held: 0n },
});
const approved: PaymentEvent = {
  ...{ id: 'approved', type: 'authorization', ...MONEY },
  decision: { billing: 500n, amount: 500n, held: 500n },
};
const advice: PaymentEvent = { id: 'advice', type: 'advice', ...MONEY };
const reversal: PaymentEvent = { id: 'reversal', type: 'reversal', at: PAYMENT_AT };

const effectsOf = (...events: readonly PaymentEvent[]) =>
  events
    .reduce<Payment>(recordEvent, newPayment(PAYMENT_FACTS))
    .effects.flatMap((effect) => ('challengeId' in effect ? [`${effect.kind} ${effect.requestId}`] : []));

describe('the authentication of a declined request', () => {
  it.each<[string, PaymentEvent[], string[]]>([
    ['is given back', [declined('timed_out')], ['release_authentication request']],
    ['was not used when it did not fit', [declined('authentication_invalid')], []],
    [
      'is used again when the network has approved in our place',
      [declined('timed_out'), advice],
      ['release_authentication request', 'use_authentication advice'],
    ],
    ['stays used when the network had approved before', [advice, declined('timed_out')], ['use_authentication request']],
    [
      'is given back when what the network approved was reversed before',
      [reversal, declined('timed_out'), advice],
      ['release_authentication request'],
    ],
    [
      'is given back for an increase of what the network has only changed',
      [approved, advice, declined('timed_out', 'increment')],
      ['release_authentication request'],
    ],
    [
      'is given back with an approval that the processor has not used, and used again when the network approves it',
      [{ ...approved, challengeId: 'challenge' }, { ...reversal, undoneRequestId: 'approved' }, advice],
      ['release_authentication approved', 'use_authentication advice'],
    ],
    [
      'is not given back with an approval that was not acknowledged',
      [
        { ...approved, challengeId: 'challenge' },
        { ...reversal, type: 'expiry', undoneRequestId: 'approved' },
      ],
      [],
    ],
    ['is not used by an advice about an authentication that did not fit', [declined('authentication_invalid'), advice], []],
  ])('%s', (_name, events, expected) => {
    expect(effectsOf(...events)).toEqual(expected);
  });

  it('is the payment’s where the network has approved in our place', () => {
    const used = (...events: readonly PaymentEvent[]) =>
      authenticationUsed(events.reduce<Payment>(recordEvent, newPayment(PAYMENT_FACTS)))?.challengeId;
    expect([used(declined('timed_out')), used(declined('timed_out'), advice), used(approved)]).toEqual([undefined, 'challenge', undefined]);
  });

  it('is the payment’s where an undone approval is cleared nevertheless', () => {
    const undone = [
      { ...approved, challengeId: 'challenge' },
      { ...reversal, type: 'expiry' as const, undoneRequestId: 'approved' },
    ].reduce<Payment>(recordEvent, newPayment(PAYMENT_FACTS));
    const cleared = recordEvent(undone, { id: 'clearing', type: 'clearing', ...MONEY });
    expect([authenticationUsed(undone), authenticationUsed(cleared)?.id]).toEqual([undefined, 'approved']);
  });

  it('changes no id of an order to the ledger', () => {
    const standIn = { ...advice, singleMessage: true };
    const posted = (...events: readonly PaymentEvent[]) =>
      events.reduce<Payment>(recordEvent, newPayment(PAYMENT_FACTS)).effects.filter(({ kind }) => kind === 'post');
    expect(posted(declined('timed_out'), standIn)).toEqual(posted(standIn));
  });
});
