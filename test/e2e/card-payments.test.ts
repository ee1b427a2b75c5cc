import { randomUUID } from 'node:crypto';
import { PaymentStatus } from '@florin/proto/card/v1/payment';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type CardHolder, createCardHolder } from '../support/card-holder.ts';
import { type CardNetwork, CORRECT_PIN, connectCardNetwork, euro, SHOP } from '../support/card-network.ts';
import { type PlatformInProcess, startPlatformInProcess } from '../support/platform-in-process.ts';

let platform: PlatformInProcess;
let network: CardNetwork;
beforeAll(async () => {
  platform = await startPlatformInProcess();
  network = connectCardNetwork(platform.urls['CARD_URL'] ?? '', platform.operatorKey);
});
afterAll(async () => {
  await network?.close();
  await platform?.close();
});

const holder = (cents: number) => createCardHolder(platform, network, cents);

let person: CardHolder;
beforeEach(async () => {
  person = await holder(10_000);
});

const settled = async <T>(read: () => Promise<T>, expected: T) => expect.poll(read, { interval: 50 }).toEqual(expected);

describe('an authorization', () => {
  it('holds the money, and a clearing books it', async () => {
    const payment = person.payment();
    const decision = await payment.authorize(4999);
    expect(decision).toMatchObject({ approved: true, approvedAmount: '4999', responseCode: '00' });
    expect(decision.authorizationCode).toMatch(/^\d{6}$/);
    expect(await person.balance()).toEqual([5001, 4999]);
    expect(await payment.clear(2000, { moreExpected: true })).toMatchObject({
      heldAmount: '2999',
      clearedAmount: '2000',
      status: PaymentStatus.PENDING,
    });
    expect(await person.balance()).toEqual([5001, 2999]);
    expect(await payment.clear(1500)).toMatchObject({ heldAmount: '0', clearedAmount: '3500', status: PaymentStatus.SETTLED });
    expect(await person.balance()).toEqual([6500, 0]);
    expect(await payment.refund(500)).toMatchObject({ refundedAmount: '500' });
    expect(await person.balance()).toEqual([7000, 0]);
  });

  it('above the balance is declined, or approved in part where the terminal can', async () => {
    expect(await person.payment().authorize(10_001)).toMatchObject({
      approved: false,
      approvedAmount: '0',
      responseCode: '51',
      declineReason: { code: 'insufficient_funds', message: 'The balance is too low.' },
    });
    expect(await person.balance()).toEqual([10_000, 0]);
    const partial = await person.payment().authorize(10_001, { partialApproval: true });
    expect(partial).toMatchObject({ approved: true, approvedAmount: '10000', responseCode: '10' });
    expect(await person.balance()).toEqual([0, 10_000]);
  });

  it('returns the first answer to a repeat, and rejects another content under its id', async () => {
    const payment = person.payment();
    const event = payment.event();
    const first = await payment.authorize(1000, { event });
    expect(await payment.authorize(1000, { event })).toEqual(first);
    await expect(payment.authorize(1001, { event })).rejects.toMatchObject({ code: 'IDEMPOTENCY_KEY_REUSED' });
    expect(await person.balance()).toEqual([9000, 1000]);
  });

  it('is raised by an increment; a declined increment leaves it as it was', async () => {
    const payment = person.payment();
    const { paymentId } = await payment.authorize(6000);
    expect(await payment.increment(1000)).toMatchObject({ approved: true, approvedAmount: '1000' });
    expect(await person.balance()).toEqual([3000, 7000]);
    expect(await payment.increment(3001)).toMatchObject({ approved: false, declineReason: { code: 'insufficient_funds' } });
    expect(await person.balance()).toEqual([3000, 7000]);
    const read = await platform.api.as(person.token).cards.getCardTransaction({ transactionId: paymentId });
    expect([read.status, read.declineReason]).toEqual(['pending', undefined]);
    const reasons = read.events.map(({ declineReason }) => declineReason?.code);
    expect(reasons).toEqual([undefined, undefined, 'insufficient_funds']);
    expect(await person.payment().increment(100)).toMatchObject({ approved: false, responseCode: '12' });
  });

  it('is released by reversals, in part and in full, and by its expiry', async () => {
    const payment = person.payment();
    await payment.authorize(5000);
    expect(await payment.reverse(2000)).toMatchObject({ heldAmount: '3000' });
    expect(await person.balance()).toEqual([7000, 3000]);
    expect(await payment.reverse()).toMatchObject({ heldAmount: '0', status: PaymentStatus.REVERSED });
    expect(await person.balance()).toEqual([10_000, 0]);
    const expiring = person.payment();
    await expiring.authorize(5000);
    expect(await expiring.expire()).toMatchObject({ status: PaymentStatus.EXPIRED });
    expect(await person.balance()).toEqual([10_000, 0]);
    expect(await expiring.clear(5000)).toMatchObject({ status: PaymentStatus.SETTLED, clearedAmount: '5000' });
    expect(await person.balance()).toEqual([5000, 0]);
  });
});

describe('events in an unusual order', () => {
  it('decline an authorization whose reversal came first', async () => {
    const payment = person.payment();
    expect(await payment.reverse()).toMatchObject({ status: PaymentStatus.REVERSED });
    expect(await payment.authorize(1000)).toMatchObject({ approved: false, responseCode: '12' });
    expect(await person.balance()).toEqual([10_000, 0]);
  });

  it('hold only what was not cleared before the authorization', async () => {
    const payment = person.payment();
    expect(await payment.clear(1500)).toMatchObject({ clearedAmount: '1500' });
    expect(await payment.authorize(4000)).toMatchObject({ approved: true, approvedAmount: '4000' });
    expect(await person.balance()).toEqual([6000, 2500]);
  });

  it('book clearings after a decline, after a reversal and above the balance', async () => {
    const declined = person.payment();
    await declined.authorize(20_000);
    expect(await declined.clear(3000)).toMatchObject({ status: PaymentStatus.SETTLED, clearedAmount: '3000' });
    const reversed = person.payment();
    await reversed.authorize(1000);
    await reversed.reverse();
    expect(await reversed.clear(1000)).toMatchObject({ status: PaymentStatus.SETTLED });
    expect(await person.balance()).toEqual([6000, 0]);
    await person.payment().clear(7000);
    expect(await person.balance()).toEqual([0, 0]);
    await platform.api.as(person.token).sandbox.createDeposit({ token: 'EURe', amount: `${15n * 10n ** 18n}` });
    await settled(person.balance, [500, 0]);
  });

  it('record a stand-in authorization after the decline that it overrules', async () => {
    const payment = person.payment();
    await payment.authorize(20_000);
    expect(await payment.advise(2000)).toMatchObject({ status: PaymentStatus.PENDING, heldAmount: '2000' });
    expect(await person.balance()).toEqual([8000, 2000]);
    expect(await payment.advise(1500)).toMatchObject({ heldAmount: '1500' });
    expect(await person.balance()).toEqual([8500, 1500]);
  });

  it('match an event without a transaction id by authorization code, then by merchant and amount', async () => {
    const payment = person.payment();
    const { authorizationCode, paymentId } = await payment.authorize(1200);
    const byCode = payment.event({ transactionId: '', authorizationCode });
    expect(await payment.clear(1000, { event: byCode, moreExpected: true })).toMatchObject({ id: paymentId, heldAmount: '200' });
    const other = person.payment();
    const { paymentId: otherId } = await other.authorize(777);
    expect(await other.clear(777, { event: other.event({ transactionId: '' }) })).toMatchObject({ id: otherId, heldAmount: '0' });
    const unknown = await other.clear(5, { event: other.event({ transactionId: '' }) });
    expect([paymentId, otherId]).not.toContain(unknown?.id);
  });
});

describe('other events', () => {
  it('book cash at once, credits, and refunds that are taken back', async () => {
    const cash = await person.payment().authorize(2000, { atm: true, singleMessage: true });
    expect(cash.approved).toBe(true);
    await settled(person.balance, [8000, 0]);
    const credit = person.payment();
    await network.processor.credit({ event: credit.event(), amount: euro(300), merchant: SHOP });
    const refund = person.payment();
    expect(await refund.refund(200)).toMatchObject({ isCredit: true, refundedAmount: '200' });
    expect(await person.balance()).toEqual([8500, 0]);
    await refund.reverseRefund(200);
    expect(await person.balance()).toEqual([8300, 0]);
  });

  it('relate a refund under a transaction id of its own to the payment that it refunds', async () => {
    const { paymentId } = await person.payment().authorize(640);
    const other = person.payment();
    const { paymentId: otherId } = await other.authorize(777);
    const cleared = person.payment();
    const { paymentId: clearedId } = await cleared.authorize(888);
    await cleared.clear(888);
    const refund = await person.payment().refund(888);
    expect(refund).toMatchObject({ relatedPaymentId: clearedId, refundedAmount: '888', isCredit: true });
    expect([paymentId, otherId, clearedId]).not.toContain(refund?.id);
    expect(await platform.api.as(person.token).cards.getCardTransaction({ transactionId: refund?.id ?? '' })).toMatchObject({
      kind: 'refund',
      relatedTransactionId: clearedId,
    });
    expect(await person.payment().refund(3)).toMatchObject({ relatedPaymentId: '' });
  });

  it('check a card without an amount, and report the balance', async () => {
    const verified = await network.processor.verify({ event: person.payment().event(), merchant: SHOP });
    expect(verified.decision).toMatchObject({ approved: true, responseCode: '00' });
    const inquiry = await network.processor.inquireBalance({ event: person.payment().event(), merchant: SHOP, checks: CORRECT_PIN });
    expect(inquiry).toMatchObject({ available: '10000', currency: 'EUR', decision: { approved: true } });
  });

  it('convert foreign currencies with the mark-up, and take the rate of the clearing', async () => {
    const payment = person.payment();
    const dollars = { amount: '1000', currency: 'USD', decimals: 2 };
    expect(await payment.authorize(0, { amount: dollars })).toMatchObject({ approvedAmount: '1000', billingAmount: '930' });
    expect(await person.balance()).toEqual([9070, 930]);
    const cleared = await payment.clear(0, { amount: { ...dollars, billingAmount: '950' } });
    expect(cleared).toMatchObject({ clearedAmount: '950', originalAmount: '1000', originalCurrency: 'USD' });
    expect(cleared?.fx).toBeUndefined();
    expect(await person.balance()).toEqual([9050, 0]);
  });

  it('take a cent for what is worth less, and return it once', async () => {
    const amount = { amount: '5', currency: 'SEK', decimals: 2 };
    const payment = person.payment();
    expect(await payment.authorize(0, { amount })).toMatchObject({ approved: true, billingAmount: '1' });
    expect(await payment.clear(0, { amount })).toMatchObject({ heldAmount: '0', clearedAmount: '1' });
    const refund = async () => (await network.processor.refund({ event: payment.event(), amount, merchant: SHOP })).payment?.refundedAmount;
    expect([await refund(), await refund()]).toEqual(['1', '1']);
    expect(await person.balance()).toEqual([10_000, 0]);
  });
});

describe('bad input', () => {
  const wrong: [string, object][] = [
    ['an amount of zero', { amount: euro(0) }],
    ['a negative amount', { amount: euro(-5) }],
    ['an amount above 10^15', { amount: euro(10n ** 15n + 1n) }],
    ['no amount', { amount: undefined }],
    ["another currency's decimals", { amount: { ...euro(100), decimals: 0 } }],
    ['an unknown currency', { amount: { amount: '100', currency: 'XXX', decimals: 2 } }],
    ['an unknown category', { merchant: { ...SHOP, categoryCode: '0001' } }],
    ['control characters in the name', { merchant: { ...SHOP, name: 'Shop\u0007' } }],
    ['an empty event id', { event: { eventId: '', transactionId: 't', cardId: randomUUID() } }],
    ['no transaction id', { event: { eventId: 'e', transactionId: '', cardId: randomUUID() } }],
    ['a card id that is no UUID', { event: { eventId: 'e', transactionId: 't', cardId: 'x' } }],
  ];

  it.each(wrong)('with %s is rejected, and nothing is written', async (_what, change) => {
    await expect(person.payment().authorize(100, change)).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
    expect(await person.balance()).toEqual([10_000, 0]);
  });

  it('about an unknown card, or the payment of another card, is rejected', async () => {
    await expect(network.payment(randomUUID()).authorize(100)).rejects.toMatchObject({ code: 'CARD_NOT_FOUND' });
    const payment = person.payment();
    await payment.authorize(100);
    const stranger = await holder(0);
    const foreign = network.payment(stranger.cardId, payment.transactionId);
    await expect(foreign.clear(100)).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
    expect(await foreign.authorize(50)).toMatchObject({ approved: false });
    expect(await person.balance()).toEqual([9900, 100]);
  });
});

it('a frozen or stolen card declines authorizations, never clearings', async () => {
  const payment = person.payment();
  await payment.authorize(1000);
  const { token, cardId } = person;
  await platform.api.as(token).cards.freezeCard({ cardId });
  expect(await person.payment().authorize(100)).toMatchObject({ responseCode: '62', declineReason: { code: 'card_frozen' } });
  await platform.api.as(token).cards.reportCardStolen({ cardId });
  expect(await person.payment().authorize(100)).toMatchObject({ responseCode: '43' });
  expect(await payment.clear(1000)).toMatchObject({ status: PaymentStatus.SETTLED });
});
