import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PAYMENT_AT, PAYMENT_FACTS } from '../testing/payment-facts.ts';
import { approvedAmount } from './approved-amount.ts';
import { disputesOf } from './dispute.ts';
import { newPayment } from './new-payment.ts';
import { approvedRequests, outcomeOf, type Payment, paymentStatus, repeatedRequest } from './payment.ts';
import type { PaymentEvent } from './payment-event.ts';
import { holdIdOf } from './payment-ids.ts';
import { paymentAt, recordEvent } from './record-event.ts';

const event = (type: PaymentEvent['type'], more: Partial<PaymentEvent> = {}): PaymentEvent => ({ id: type, type, at: PAYMENT_AT, ...more });
const recorded = (...events: readonly PaymentEvent[]): Payment => events.reduce(recordEvent, newPayment(PAYMENT_FACTS));

/** Returns the amount that the effects credit to the account on balance. */
const creditedBy = ({ effects }: Payment): bigint =>
  effects.reduce((sum, effect) => {
    if (effect.kind === 'credit') return sum + effect.amount;
    return effect.kind === 'debit' ? sum - effect.amount : sum;
  }, 0n);

const clearing = event('clearing', { billing: 900n });
const dispute = event('dispute_opened', { dispute: { id: 'dispute', reason: 'fraud', provisionalCredit: 900n } });

describe('a request that was abandoned', () => {
  const request = (id: string, decision: PaymentEvent['decision']) =>
    event('authorization', { id, billing: 900n, amount: 900n, expiresAt: PAYMENT_AT, ...(decision === undefined ? {} : { decision }) });
  const abandoned = request('first', { decline: 'timed_out', billing: 0n, amount: 0n, held: 0n, heldUnknown: true });
  const approved = request('second', { billing: 900n, amount: 900n, held: 900n, authorizationCode: '123456' });

  const ordered = ({ effects }: Payment) => effects.filter(({ kind }) => kind !== 'usage');

  it.each([
    ['before', [abandoned, approved]],
    ['after', [approved, abandoned]],
  ])('%s another one was approved releases its own hold only', (_, events) => {
    const payment = recorded(...events);
    expect(payment).toMatchObject({ holdId: holdIdOf('payment', 'second'), held: 900n });
    expect(ordered(payment)).toMatchObject([{ kind: 'cancel_hold', holdId: holdIdOf('payment', 'first') }]);
  });

  it('is released when another one was approved first', () => {
    const second = { ...approved, id: 'third' };
    const payment = recorded(approved, second);
    expect(payment).toMatchObject({ holdId: holdIdOf('payment', 'second'), held: 900n });
    expect(ordered(payment)).toMatchObject([{ kind: 'cancel_hold', holdId: holdIdOf('payment', 'third') }]);
  });
});

it.each(['force_post', 'correction_debit'] as const)('an authorization holds its amount beside a %s, in either order', (type) => {
  const approval = { billing: 900n, amount: 900n, held: 900n, authorizationCode: '123456' };
  const [beside, approved] = [event(type, { billing: 300n }), event('authorization', { billing: 900n, amount: 900n, decision: approval })];
  for (const events of [
    [beside, approved],
    [approved, beside],
    [beside, event('advice', { billing: 900n })],
  ])
    expect(recorded(...events)).toMatchObject({ held: 900n, cleared: 300n });
});

describe('a request that the network repeats under another id', () => {
  const approval = { billing: 900n, amount: 900n, held: 900n, authorizationCode: '123456' };
  const money = { amount: 900n, currency: 'EUR', billing: 900n };
  const approved = event('authorization', { ...money, decision: approval });
  const declined = event('authorization', { ...money, decision: { decline: 'pin_incorrect', billing: 0n, amount: 0n, held: 0n } });
  const repeat = event('authorization', { ...money, id: 'repeat', network: { repeat: true } });

  it('has the recorded answer, unless that is an approval which was reversed since', () => {
    expect(repeatedRequest(recorded(approved), repeat)).toMatchObject({ decision: approval });
    expect(repeatedRequest(recorded(declined, event('reversal')), repeat)).toMatchObject({ decision: { decline: 'pin_incorrect' } });
    expect(repeatedRequest(recorded(approved, event('reversal', { billing: 400n })), repeat)).toMatchObject({ decision: approval });
    expect(repeatedRequest(recorded(approved, event('reversal')), repeat)).toBeUndefined();
    const held = { ...approved, expiresAt: PAYMENT_AT };
    const increment = event('increment', { ...money, expiresAt: PAYMENT_AT, decision: approval });
    const undo = event('reversal', { undoneRequestId: increment.id });
    const again = { ...repeat, type: 'increment' as const };
    expect(repeatedRequest(recorded(held, increment), again)).toMatchObject({ decision: approval });
    expect(repeatedRequest(recorded(held, increment, undo), again)).toBeUndefined();
    const traced = { ...increment, network: { traceNumber: '000111' } };
    const sent = (traceNumber: string) => ({ ...again, network: { repeat: true as const, traceNumber } });
    expect(repeatedRequest(recorded(held, traced), sent('000111'))).toMatchObject({ decision: approval });
    expect(repeatedRequest(recorded(held, traced), sent('000222'))).toBeUndefined();
    const lapse = event('expiry', { undoneRequestId: held.id, expiresAt: PAYMENT_AT });
    expect(repeatedRequest(recorded(held, lapse), repeat)).toBeUndefined();
  });
});

describe('an event under the transaction id of an increment', () => {
  const authorization = event('authorization', {
    ...{ billing: 100n, amount: 100n, currency: 'EUR', expiresAt: PAYMENT_AT },
    decision: { billing: 100n, amount: 100n, held: 100n, authorizationCode: '123456' },
  });
  const increment = event('increment', {
    ...{ billing: 50n, amount: 50n, currency: 'EUR', expiresAt: PAYMENT_AT, transactionId: 'T2' },
    decision: { billing: 50n, amount: 50n, held: 50n, authorizationCode: '654321' },
  });
  const declined = { ...increment, decision: { decline: 'insufficient_funds' as const, billing: 0n, amount: 0n, held: 0n } };
  const own = (type: PaymentEvent['type'], more: Partial<PaymentEvent> = {}) => event(type, { transactionId: 'T2', ...more });
  const heldAfter = (...events: PaymentEvent[]) => {
    const { held, ended } = recorded(authorization, ...events);
    return [held, ended];
  };

  it.each(['reversal', 'expiry'] as const)('is about the increment alone: a %s', (type) => {
    expect(heldAfter(increment, own(type))).toEqual([100n, undefined]);
    expect(heldAfter(declined, own(type))).toEqual([100n, undefined]);
    expect(heldAfter(increment, own(type), own(type, { id: 'again' }))).toEqual([100n, undefined]);
    expect(heldAfter(increment, event(type))[1]).toBeDefined();
  });

  it('releases the stated amount, at most that of the increment', () => {
    const part = own('reversal', { billing: 20n });
    expect(heldAfter(increment, part)).toEqual([130n, undefined]);
    expect(heldAfter(increment, part, own('reversal', { id: 'rest' }))).toEqual([100n, undefined]);
    expect(heldAfter(increment, own('reversal', { billing: 90n }))).toEqual([100n, undefined]);
  });

  it('replaces its amount: an advice', () => {
    expect(heldAfter(increment, own('advice', { billing: 70n, expiresAt: PAYMENT_AT }))).toEqual([170n, undefined]);
    const standIn = own('advice', { billing: 60n, expiresAt: PAYMENT_AT });
    expect(heldAfter(declined, standIn)).toEqual([160n, undefined]);
    expect(heldAfter(declined, standIn, own('reversal'))).toEqual([100n, undefined]);
  });

  it('counts once what we have approved and the network advises', () => {
    const advice = own('advice', { billing: 70n, amount: 70n, currency: 'EUR', expiresAt: PAYMENT_AT });
    const fx = { rate: '1', markupBasisPoints: 0 };
    const part = (amount: bigint) => event('reversal', { id: `${amount}`, amount, currency: 'EUR', billing: amount, fx });
    expect(approvedAmount(recorded(authorization, increment, advice))).toBe(170n);
    expect(heldAfter(increment, advice, part(170n))).toEqual([0n, 'reversed']);
    expect(heldAfter(increment, part(20n), own('reversal'), part(80n))).toEqual([0n, 'reversed']);
    const whole = event('advice', { id: 'whole', billing: 120n, amount: 120n, currency: 'EUR', expiresAt: PAYMENT_AT });
    expect(heldAfter(increment, whole, advice)).toEqual([140n, undefined]);
    expect(heldAfter(increment, whole, advice, part(140n))).toEqual([0n, 'reversed']);
  });

  it('is not released once more by an undo', () => {
    const undo = own('reversal', { id: 'undo', undoneRequestId: increment.id, billing: 50n });
    const again = { ...increment, id: 'again' };
    expect(heldAfter(increment, own('reversal', { billing: 20n }), undo)).toEqual([100n, undefined]);
    expect(heldAfter(increment, undo, again, own('advice', { billing: 60n }))).toEqual([160n, undefined]);
  });

  it('leaves open what the processor has undone, and begins anew with it', () => {
    const undo = event('reversal', { id: 'undo', undoneRequestId: authorization.id });
    const again = { ...authorization, id: 'again' };
    for (const type of ['reversal', 'advice'] as const)
      expect(heldAfter(increment, undo, own(type, { billing: 50n }), again)).toEqual([100n, undefined]);
    expect(heldAfter(increment, undo, again, own('advice', { billing: 60n }))).toEqual([160n, undefined]);
  });

  it('covers nothing of a clearing that is beyond the hold', () => {
    const clear = event('clearing', { billing: 180n, moreExpected: true });
    expect(heldAfter(clear, increment, own('advice', { billing: 90n }))).toEqual([10n, undefined]);
    const more = { ...increment, id: 'more', transactionId: 'T3', decision: { billing: 90n, amount: 90n, held: 90n } };
    expect(heldAfter(clear, increment, own('reversal'), more)).toEqual([10n, undefined]);
  });
});

describe('an increment that is undone', () => {
  const request = (id: string, billing: bigint) =>
    event(id === 'a' ? 'authorization' : 'increment', {
      id,
      billing,
      expiresAt: PAYMENT_AT,
      decision: { billing, amount: billing, held: billing },
    });
  const undo = (id: string) => event('reversal', { id: `undo ${id}`, undoneRequestId: id });
  const clear = event('clearing', { billing: 130n, moreExpected: true });
  const reverse = (billing: bigint) => event('reversal', { billing });

  it.each<[string, PaymentEvent[], bigint]>([
    ['has left to a later one what a reversal took of it', [request('b', 50n), reverse(120n), undo('b'), request('c', 40n)], 40n],
    ['has covered nothing of what was cleared beyond the hold', [clear, request('b', 50n), undo('b'), request('c', 40n)], 10n],
    ['leaves that to one that stands', [clear, request('b', 20n), request('c', 50n), reverse(15n), undo('b'), request('d', 40n)], 45n],
    [
      'covers nothing for one that was undone before',
      [clear, request('b', 20n), request('c', 20n), undo('b'), undo('c'), request('d', 40n)],
      10n,
    ],
  ])('%s', (_what, events, held) => {
    expect(recorded(request('a', 100n), ...events)).toMatchObject({ held });
  });
});

describe('the expiry of an approval that was not acknowledged', () => {
  it('undoes nothing, and ends no announced credit, after a clearing that comes at the same time', () => {
    const money = { amount: 900n, currency: 'EUR', billing: 900n };
    const decision = { billing: 900n, amount: 900n, held: 900n, authorizationCode: '123456' };
    const approved = event('authorization', { ...money, acknowledgeBy: PAYMENT_AT, expiresAt: PAYMENT_AT, decision });
    const announced = event('credit_announced', { amount: 400n, currency: 'EUR', billing: 400n, expiresAt: PAYMENT_AT });
    const lapse = event('expiry', { undoneRequestId: approved.id, expiresAt: PAYMENT_AT });
    const payment = recorded(approved, event('clearing', money), announced, lapse);
    expect([payment.pendingCredit, approvedRequests(payment).length]).toEqual([400n, 1]);
  });
});

describe('a report that the network marks as a repeat', () => {
  const approval = { billing: 900n, amount: 900n, held: 900n, authorizationCode: '123456' };
  const request = (id: string, singleMessage = false) =>
    event('authorization', { ...{ id, amount: 900n, currency: 'EUR', billing: 900n, singleMessage }, decision: approval });
  const undo = (id: string, network?: PaymentEvent['network']) =>
    event('reversal', { id: `undo ${id}`, undoneRequestId: id, ...(network === undefined ? {} : { network }) });
  const repeated = event('reversal', { network: { repeat: true, traceNumber: '000123' } });

  it('is none of what the processor has undone itself', () => {
    const single = recorded(request('a', true), undo('a'), request('b', true), repeated);
    expect([single.cleared, single.events.at(-1)?.duplicateOf]).toEqual([0n, undefined]);
    expect(recorded(request('a'), undo('a'), request('b'), repeated)).toMatchObject({ held: 0n, ended: 'reversed' });
    const others = recorded(request('a'), undo('a'), request('b'), undo('b', { repeat: true }));
    expect([others.held, others.ended]).toEqual([0n, 'reversed']);
  });

  it('is the one with its trace number, also when another attempt has begun since', () => {
    const part = (id: string, network: NonNullable<PaymentEvent['network']>) =>
      event('reversal', { ...{ id, amount: 400n, currency: 'EUR', billing: 400n }, network });
    const before = [request('a'), part('part', { traceNumber: '000123' }), undo('a'), request('b')];
    const payment = recorded(...before, part('again', { repeat: true, traceNumber: '000123' }));
    expect([payment.held, payment.events.at(-1)?.duplicateOf]).toEqual([900n, 'part']);
    expect(recorded(...before, part('again', { repeat: true }))).toMatchObject({ held: 500n });
  });
});

describe('a payment that is named as the one that it refunds', () => {
  it('does not count its own refunds twice', () => {
    const network = { acquirerReference: '1'.repeat(23) };
    const money = { amount: 300n, currency: 'EUR', billing: 300n };
    const again = event('refund', { id: 'again', ...money, network, relatedPaymentId: 'payment' });
    const other = event('refund', { ...money, id: 'other', relatedPaymentId: 'payment' });
    const payment = recorded(clearing, event('refund', { ...money, network }), again, other);
    expect(payment).not.toHaveProperty('relatedPaymentId');
    expect(payment.effects.some(({ kind }) => kind === 'relate')).toBe(false);
    const elsewhere = recorded(clearing, event('refund', { ...money, network }), { ...again, relatedPaymentId: 'another' });
    expect(elsewhere).not.toHaveProperty('relatedPaymentId');
    const former = recordEvent({ ...recorded(clearing), relatedPaymentId: 'payment' }, other);
    expect(former.effects.some(({ kind }) => kind === 'relate')).toBe(false);
  });
});

describe('a request whose answer the processor has not used', () => {
  const money = { amount: 900n, currency: 'EUR', billing: 900n, expiresAt: PAYMENT_AT };
  const approval = { billing: 900n, amount: 900n, held: 900n, authorizationCode: '123456' };
  const request = (id: string, more: Partial<PaymentEvent> = {}) => event('authorization', { id, ...money, decision: approval, ...more });
  const increment = event('increment', { ...money, decision: approval });
  const undo = (id: string) => event('reversal', { id: `undo ${id}`, undoneRequestId: id });
  const advice = event('advice', { ...money, expiresAt: new Date(PAYMENT_AT.getTime() + 1) });
  const lapse = (id: string) => event('expiry', { id: `lapse ${id}`, undoneRequestId: id, expiresAt: PAYMENT_AT });
  const standIn = event('advice', { ...money, singleMessage: true });
  const more = event('advice', { ...money, amount: 1800n, billing: 1800n });
  const part = event('clearing', { ...money, amount: 300n, billing: 300n, moreExpected: true });
  const again = event('clearing', { id: 'again', billing: 900n });
  const over = event('clearing', { ...money, amount: 1200n, billing: 1200n, moreExpected: true });
  const single = request('a', { singleMessage: true });
  const other = request('b', { singleMessage: true });
  const refund = event('refund', { billing: 400n });
  const forced = event('force_post', { billing: 300n });
  const release = event('reversal', { ...money, amount: 300n, billing: 300n });

  it.each<[string, PaymentEvent[], [held: bigint, cleared: bigint, status: string]]>([
    ['is released', [request('a'), undo('a')], [0n, 0n, 'reversed']],
    ['is declined when it comes later', [undo('a'), request('a')], [0n, 0n, 'declined']],
    ['leaves another attempt alone', [undo('a'), request('b')], [900n, 0n, 'pending']],
    ['leaves another attempt alone that comes first', [request('a'), undo('a'), request('b'), undo('c')], [900n, 0n, 'pending']],
    ['is released once', [request('a'), undo('a'), request('b'), { ...undo('a'), id: 'again' }], [900n, 0n, 'pending']],
    ['is released after another one was', [request('a'), undo('a'), request('b'), undo('b')], [0n, 0n, 'reversed']],
    ['ends for good with a reversal of the network', [request('a'), undo('a'), event('reversal'), request('b')], [0n, 0n, 'reversed']],
    ['is held again when the network approves it', [request('a'), undo('a'), advice], [900n, 0n, 'pending']],
    ['stays held that the network has approved before', [request('a'), advice, undo('a')], [900n, 0n, 'pending']],
    ['expires', [request('a'), lapse('a')], [0n, 0n, 'expired']],
    ['is held again when the network approves what has expired', [request('a'), lapse('a'), advice], [900n, 0n, 'pending']],
    ['gives way to another one after it has expired', [request('a'), lapse('a'), request('b')], [900n, 0n, 'pending']],
    ['is cleared after it has expired', [request('a'), lapse('a'), again], [0n, 900n, 'settled']],
    ['does not expire that the network has approved before', [request('a'), advice, lapse('a')], [900n, 0n, 'pending']],
    ['stays held when the network has approved it without it', [advice, undo('a'), request('a')], [900n, 0n, 'pending']],
    ['is booked when the network approves it as a single message', [request('a'), undo('a'), standIn], [0n, 900n, 'settled']],
    ['stays booked that was cleared', [request('a'), event('clearing', money), undo('a')], [0n, 900n, 'settled']],
    ['is an increase, which is released alone', [request('a'), increment, undo('increment')], [900n, 0n, 'pending']],
    ['is an increase, which is declined later', [request('a'), undo('increment'), increment], [900n, 0n, 'pending']],
    [
      'is an increase, which is released alone after an advice',
      [request('a'), advice, increment, undo('increment')],
      [900n, 0n, 'pending'],
    ],
    [
      'is an increase, which is released alone after a partial clearing',
      [request('a'), part, increment, undo('increment')],
      [600n, 300n, 'pending'],
    ],
    [
      'is an increase, which stays held when the network replaces the amount',
      [request('a'), increment, more, undo('increment')],
      [1800n, 0n, 'pending'],
    ],
    [
      'stays reversed when an attempt comes that was undone before',
      [request('a'), undo('a'), undo('b'), request('b')],
      [0n, 0n, 'reversed'],
    ],
    ['is given back when it was booked', [single, undo('a')], [0n, 0n, 'reversed']],
    ['leaves another attempt to be booked', [single, undo('a'), { ...single, id: 'b' }], [0n, 900n, 'settled']],
    ['is given back when another attempt was', [single, undo('a'), { ...single, id: 'b' }, undo('b')], [0n, 0n, 'reversed']],
    ['leaves another attempt to be held', [single, undo('a'), request('b')], [900n, 0n, 'pending']],
    ['leaves another attempt to be cleared twice', [single, undo('a'), request('b'), clearing, again], [0n, 1800n, 'settled']],
    ['is booked once with the approval of the network, in one order', [single, undo('a'), standIn], [0n, 900n, 'settled']],
    ['is booked once with the approval of the network, in the other order', [single, standIn, undo('a')], [0n, 900n, 'settled']],
    ['is booked once where it never arrived', [standIn, undo('a')], [0n, 900n, 'settled']],
    ['is no part of what another one has booked', [single, undo('a'), other, { ...clearing, billing: 1200n }], [0n, 1200n, 'settled']],
    ['leaves another attempt to be booked whole after a refund', [single, refund, undo('a'), other], [0n, 900n, 'settled']],
    ['leaves another attempt to be held whole after a refund', [single, refund, undo('a'), request('b')], [900n, 400n, 'pending']],
    ['leaves what was booked beside it', [single, forced, undo('a')], [0n, 300n, 'settled']],
    [
      'is an increase that had covered a part of a clearing',
      [request('a'), over, increment, undo('increment'), { ...increment, id: 'more' }],
      [600n, 1200n, 'pending'],
    ],
    [
      'is an increase, which is released once',
      [request('a'), increment, undo('increment'), { ...undo('increment'), id: 'again' }],
      [900n, 0n, 'pending'],
    ],
    ['is held less what was released before it, when the network approves it', [release, advice], [600n, 0n, 'pending']],
    ['is booked less what was released before it, when the network approves it', [release, standIn], [0n, 600n, 'settled']],
    ['is held whole by a later advice', [release, advice, { ...advice, id: 'later' }], [900n, 0n, 'pending']],
    ['is an increase of an earlier attempt', [request('a'), increment, undo('a'), request('b'), undo('increment')], [900n, 0n, 'pending']],
  ])('%s', (_, events, expected) => {
    const payment = recorded(...events);
    expect([payment.held, payment.cleared, paymentStatus(payment)]).toEqual(expected);
  });
});

describe('the outcome of a payment', () => {
  const approval = { billing: 900n, amount: 900n, held: 900n, authorizationCode: '123456' };
  const refusal = (decline: 'pin_incorrect' | 'insufficient_funds') => ({ decline, billing: 0n, amount: 0n, held: 0n });
  const request = (id: string, decision: PaymentEvent['decision']) =>
    event('authorization', { id, billing: 900n, amount: 900n, expiresAt: PAYMENT_AT, ...(decision === undefined ? {} : { decision }) });
  const wrongPin = request('a', refusal('pin_incorrect'));
  const tooLow = request('b', refusal('insufficient_funds'));
  const approved = request('c', approval);

  it.each<[string, PaymentEvent[], string | undefined]>([
    ['one approval', [approved], 'approved'],
    ['a decline before an approval', [wrongPin, approved], 'approved'],
    ['a decline after an approval', [approved, tooLow], 'approved'],
    ['one decline', [wrongPin], 'pin_incorrect'],
    ['several declines', [wrongPin, tooLow], 'insufficient_funds'],
    ['nothing that was decided', [event('clearing', { billing: 900n })], undefined],
    ['nothing', [], undefined],
  ])('with %s', (_, events, expected) => {
    expect(outcomeOf(recorded(...events))).toBe(expected);
  });
});

describe('a dispute', () => {
  it.each([
    [0n, 900n],
    [600n, 300n],
  ])('that was calculated before a refund of %s credits %s', (refunded, credited) => {
    const refunds = refunded === 0n ? [] : [event('refund', { billing: refunded })];
    const payment = recorded(clearing, ...refunds, dispute);
    expect(payment.dispute).toMatchObject({ provisionalCredit: credited, status: 'submitted' });
    const credits = payment.effects.filter((effect) => effect.kind === 'credit' && effect.from === 'disputes');
    expect(credits.map((effect) => ('amount' in effect ? effect.amount : 0n))).toEqual([credited]);
  });

  it.each([900n, 1000n])('is without effect after a refund of %s', (refunded) => {
    expect(recorded(clearing, event('refund', { billing: refunded }), dispute)).not.toHaveProperty('dispute');
  });

  it('that is lost takes back what it has credited', () => {
    const payment = recorded(clearing, event('refund', { billing: 600n }), dispute, event('dispute_lost'));
    expect(payment.effects.at(-1)).toMatchObject({ kind: 'debit', to: 'disputes', amount: 300n });
  });

  it.each([
    ['won', 0n, 900n],
    ['won', 600n, 300n],
    ['won', 900n, 0n],
    ['lost', 0n, 0n],
    ['lost', 600n, 0n],
  ] as const)('that is %s after a refund of %s has credited %s, whatever was credited provisionally', (outcome, amount, credited) => {
    for (const provisionalCredit of [0n, 450n, 900n]) {
      const opened = event('dispute_opened', { dispute: { id: 'dispute', reason: 'fraud', provisionalCredit } });
      const refunds = amount === 0n ? [] : [event('refund', { billing: amount })];
      const payment = recorded(clearing, opened, ...refunds, event(`dispute_${outcome}`));
      expect(payment.dispute).toMatchObject({ amount: 900n, provisionalCredit, credited, status: outcome });
      expect(creditedBy(payment)).toBe(credited + amount);
    }
  });

  it('that is won gives way to a later refund, and counts again when the refund is taken back', () => {
    const won = [clearing, dispute, event('dispute_won'), event('refund', { billing: 900n })];
    expect(recorded(...won).dispute).toMatchObject({ credited: 0n });
    expect(creditedBy(recorded(...won))).toBe(900n);
    const reversed = recorded(...won, event('refund_reversal', { billing: 900n }));
    expect([reversed.dispute?.credited, creditedBy(reversed)]).toEqual([900n, 900n]);
  });

  it('credits no more than was cleared when a refund is reversed before it arrives', () => {
    const early = [clearing, event('refund_reversal', { billing: 900n }), dispute, event('dispute_won')];
    expect(recorded(...early).dispute).toMatchObject({ credited: 900n });
    const late = recorded(...early, event('refund', { billing: 900n }));
    expect([late.dispute?.credited, creditedBy(late)]).toEqual([900n, 900n]);
  });

  it('credits the same in whatever order refunds of all kinds arrive', () => {
    const refunds = [
      event('refund', { billing: 300n }),
      event('related_refund', { billing: 500n }),
      event('refund_reversal', { billing: 300n }),
      event('related_refund_reversal', { billing: 100n }),
    ];
    for (const outcome of [[], [event('dispute_won')], [event('dispute_lost')]]) {
      const orders = [refunds, refunds.toReversed(), [...refunds.slice(2), ...refunds.slice(0, 2)]];
      const credits = orders.map((order) => recorded(clearing, dispute, ...order, ...outcome).dispute?.credited);
      expect(new Set(credits).size).toBe(1);
      expect(credits[0]).toBe(outcome[0]?.type === 'dispute_lost' ? 0n : 500n);
    }
  });

  it('credits the same whether a further clearing comes before a refund or after it', () => {
    const [again, refund] = [event('clearing', { id: 'again', billing: 500n }), event('refund', { billing: 300n })];
    const credited = [
      [again, refund],
      [refund, again],
    ].map((order) => creditedBy(recorded(clearing, dispute, event('dispute_won'), ...order)));
    expect(credited).toEqual([1200n, 1200n]);
  });

  it('never credits an amount twice, in any order of events', () => {
    const kinds = [
      ...(['clearing', 'refund', 'refund_reversal', 'related_refund', 'related_refund_reversal', 'second_presentment'] as const),
      ...(['dispute_opened', 'dispute_chargeback', 'dispute_representment', 'dispute_arbitration'] as const),
      ...(['dispute_won', 'dispute_lost', 'dispute_withdrawn'] as const),
    ];
    const step = fc.record({ type: fc.constantFrom(...kinds), billing: fc.bigInt({ min: 1n, max: 1000n }), id: fc.constantFrom('a', 'b') });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 14 }), (steps) => {
        const events = steps.map(({ type, billing, id }, index) =>
          event(type, { id: `${index}`, billing, dispute: { id, reason: 'fraud', provisionalCredit: billing } }),
        );
        const payment = recorded(...events);
        const disputes = disputesOf(payment);
        const disputeCredit = disputes.reduce((sum, { credited }) => sum + credited, 0n);
        expect(creditedBy(payment)).toBe(payment.refunded + disputeCredit);
        for (const { credited, amount, status } of disputes) {
          expect(credited >= 0n && credited <= amount).toBe(true);
          if (status === 'lost' || status === 'withdrawn') expect(credited).toBe(0n);
        }
        const refunds = payment.refunded + (payment.refundedElsewhere ?? 0n);
        if (disputeCredit > 0n) expect(refunds + disputeCredit).toBeLessThanOrEqual(payment.cleared);
        // A second presentment books nothing.
        const presented = steps.filter(({ type }) => type === 'clearing').reduce((sum, { billing }) => sum + billing, 0n);
        expect(payment.cleared).toBe(presented);
      }),
    );
  });
});

describe('the kind of a payment', () => {
  const money = { billing: 900n, amount: 900n, currency: 'EUR' };
  const approved = event('authorization', { ...money, decision: { billing: 900n, amount: 900n, held: 900n }, expiresAt: PAYMENT_AT });
  const denied = event('authorization', { ...money, decision: { decline: 'pin_incorrect', billing: 0n, amount: 0n, held: 0n } });
  const of = (kind: Payment['kind'], ...events: readonly PaymentEvent[]) =>
    events.reduce(recordEvent, newPayment({ ...PAYMENT_FACTS, kind }));
  const refund = event('refund', money);

  it.each<[Payment['kind'], PaymentEvent[], Payment['kind']]>([
    ['refund', [refund, clearing], 'payment'],
    ['refund', [refund, approved], 'payment'],
    ['refund', [refund, { ...approved, atm: true }], 'atm'],
    ['refund', [refund, denied, event('correction_debit', money)], 'refund'],
    ['verification', [event('verification'), event('advice', money)], 'payment'],
    ['payment', [clearing, refund], 'payment'],
  ])('that begins as a %s is set by the first event that holds or clears', (kind, events, expected) => {
    expect(of(kind, ...events).kind).toBe(expected);
  });

  it('is told again as it was after each event, and a purchase is no refund of another one any more', () => {
    const related = { ...refund, relatedPaymentId: 'another' };
    const payment = of('refund', related, clearing, event('refund', { ...money, id: 'later' }));
    expect(paymentAt(payment, 'refund').kind).toBe('refund');
    // The refund is told once, and taken back once.
    expect(payment.effects.filter(({ kind }) => kind === 'relate')).toHaveLength(2);
    expect(payment).not.toHaveProperty('relatedPaymentId');
  });
});

describe('the status of a payment of which nothing was approved', () => {
  const request = (id: string): PaymentEvent =>
    event('authorization', { id, billing: 900n, amount: 900n, decision: { decline: 'pin_incorrect', billing: 0n, amount: 0n, held: 0n } });

  it.each<[string, PaymentEvent[], string]>([
    ['declined and then reversed', [request('a'), event('reversal')], 'declined'],
    ['declined again after the reversal', [request('a'), event('reversal'), request('b')], 'declined'],
    ['reversed before its request', [event('reversal'), request('a')], 'reversed'],
    [
      'approved by the network all the same, and reversed',
      [request('a'), event('advice', { billing: 900n }), event('reversal')],
      'reversed',
    ],
    ['only expired', [event('expiry')], 'expired'],
    ['only reversed', [event('reversal')], 'reversed'],
  ])('is right when it is %s', (_what, events, status) => {
    expect(paymentStatus(recorded(...events))).toBe(status);
  });
});
