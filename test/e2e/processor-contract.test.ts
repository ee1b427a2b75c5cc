import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CheckResult, type Payment, PaymentStatus, TransactionType } from '@florin/proto/card/v1/payment';
import { fakeClock } from '@florin/rpc/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type CardHolder, createCardHolder } from '../support/card-holder.ts';
import { type CardNetwork, connectCardNetwork, euro, SHOP } from '../support/card-network.ts';
import { type PlatformInProcess, startPlatformInProcess } from '../support/platform-in-process.ts';

let platform: PlatformInProcess;
let network: CardNetwork;
let person: CardHolder;
let directory: string;
let day: string;
beforeAll(async () => {
  const clock = fakeClock();
  day = clock.now().toISOString().slice(0, 10);
  directory = await mkdtemp(join(tmpdir(), 'florin-rates-'));
  const [, date = '', month = '', year = ''] = /^\w+, (\d+) (\w+) (\d+)/.exec(clock.now().toUTCString()) ?? [];
  const name = new Intl.DateTimeFormat('en-GB', { month: 'long', timeZone: 'UTC' }).format(Date.parse(`1 ${month} ${year}`));
  await writeFile(join(directory, 'eurofxref.csv'), `Date, USD, JPY, \n${date} ${name} ${year}, 1.25, 160, \n`);
  platform = await startPlatformInProcess(
    {
      CARD_RANGES: JSON.stringify([{ prefix: '52000077', network: 'mastercard' }]),
      CARD_PROGRAM: JSON.stringify({ authenticationFrom: '3000' }),
      ACKNOWLEDGING_CLIENTS: '["operator"]',
      ECB_RATES: join(directory, 'eurofxref.csv'),
    },
    { clock },
  );
  network = connectCardNetwork(platform.urls['CARD_URL'] ?? '', platform.operatorKey);
});
afterAll(async () => {
  await network?.close();
  await platform?.close();
  await rm(directory, { recursive: true, force: true });
});
beforeEach(async () => {
  person = await createCardHolder(platform, network, 10_000);
});

describe('a card of Mastercard', () => {
  it("is declined with Mastercard's codes, and with the same ones when the request is repeated or read", async () => {
    const payment = person.payment();
    const event = payment.event();
    const declined = await payment.authorize(5000, { event });
    expect(declined).toMatchObject({ responseCode: '65', declineReason: { code: 'authentication_required' } });
    expect(await payment.authorize(5000, { event })).toEqual(declined);
    const read = await network.payments.getPayment({ paymentId: declined.paymentId });
    expect(read.payment?.events).toMatchObject([{ responseCode: '65' }]);
    const wrong = await person.payment().authorize(1000, { checks: { securityCode: CheckResult.INCORRECT } });
    expect(wrong).toMatchObject({ responseCode: '05', declineReason: { code: 'security_code_incorrect' } });
  });
});

describe('a clearing under a transaction id of its own', () => {
  it('clears the only open authorization with its code, once', async () => {
    const [payment, other] = [person.payment(), person.payment()];
    const { authorizationCode, paymentId } = await payment.authorize(1100);
    await other.authorize(500);
    const event = network.payment(person.cardId).event({ authorizationCode });
    const clear = () => payment.clear(1100, { event });
    const cleared = { id: paymentId, status: PaymentStatus.SETTLED, heldAmount: '0', clearedAmount: '1100' };
    expect(await clear()).toMatchObject(cleared);
    expect(await clear()).toMatchObject(cleared);
    const late = await payment.clear(1100, { event: network.payment(person.cardId).event({ authorizationCode }) });
    expect(late).toMatchObject({ clearedAmount: '1100' });
    expect(late?.id).not.toBe(paymentId);
  });

  it('tells of a single message, which is booked once, and is the late one of an authorization that has expired', async () => {
    const elsewhere = (more: object) => ({ event: network.payment(person.cardId).event(more) });
    const [atOnce, expired] = [person.payment(), person.payment()];
    const booked = await atOnce.authorize(2000, { singleMessage: true });
    for (const _ of [1, 2]) {
      const clearing = elsewhere({ authorizationCode: booked.authorizationCode });
      const found = await atOnce.clear(2000, clearing);
      expect(await atOnce.clear(2000, clearing)).toMatchObject({ id: found?.id });
      // An amount beyond the booking is another payment.
      expect(found?.id === booked.paymentId).toBe(_ === 1);
      expect(found).toMatchObject({ clearedAmount: '2000' });
    }
    const held = await expired.authorize(900);
    await network.processor.expire({ event: expired.event() });
    const { authorizationCode } = held;
    expect(await expired.clear(900, elsewhere({ authorizationCode }))).toMatchObject({ id: held.paymentId, clearedAmount: '900' });
    const { payment } = await network.processor.refund({ ...elsewhere({ authorizationCode }), amount: euro(900) });
    expect(payment).toMatchObject({ relatedPaymentId: held.paymentId });
    const { payment: paid } = await network.payments.getPayment({ paymentId: held.paymentId });
    expect(paid).toMatchObject({ relatedRefundAmount: '900', clearedAmount: '900' });
  });
});

describe('what the network says of an event', () => {
  const said = { transactionId: '300123456789', traceNumber: '123456', transmittedAt: { seconds: 1_767_225_600n, nanos: 0 } };

  it('is kept with the event, and shown with the payment', async () => {
    const payment = person.payment();
    const event = payment.event({ network: { ...said, wallet: 'apple_pay', type: TransactionType.PURCHASE } });
    const { paymentId } = await payment.authorize(100, { event });
    const read = (await network.payments.getPayment({ paymentId })).payment;
    expect(read).toMatchObject({ network: 'mastercard', networkTransactionId: '300123456789' });
    expect(read?.events[0]?.network).toMatchObject({ ...said, wallet: 'apple_pay', type: TransactionType.PURCHASE, repeat: false });
    await expect(payment.authorize(100, { event: payment.event({ network: { traceNumber: 'x' } }) })).rejects.toMatchObject({
      code: 'VALIDATION_FAILED',
    });
  });

  it('decides when the hold expires', async () => {
    const payment = person.payment();
    const seconds = BigInt(Math.floor(platform.clock.now().getTime() / 1000) + 3 * 86_400);
    const { paymentId } = await payment.authorize(100, { event: payment.event({ network: { expiresAt: { seconds, nanos: 0 } } }) });
    await network.processor.acknowledge({
      eventId: (await network.payments.getPayment({ paymentId })).payment?.events[0]?.id ?? '',
      transactionId: payment.transactionId,
    });
    expect((await network.payments.getPayment({ paymentId })).payment?.expiresAt?.seconds).toBe(seconds);
  });

  it('matches a reversal, an advice and an expiry under transaction ids of their own with their payment', async () => {
    const { processor } = network;
    const named = (transactionId: string) => network.payment(person.cardId).event({ network: { transactionId } });
    const authorized = async (transactionId: string, more: object = {}) => {
      const payment = person.payment();
      return payment.authorize(800, { event: payment.event({ network: { transactionId } }), ...more });
    };
    const [first, second, third] = [
      await authorized('T-801'),
      await authorized('T-802'),
      await authorized('T-803', { singleMessage: true }),
    ];
    expect((await processor.advise({ event: named('T-801'), amount: euro(600) })).payment).toMatchObject({
      ...{ id: first.paymentId, heldAmount: '600' },
    });
    expect((await processor.expire({ event: named('T-801') })).payment).toMatchObject({ id: first.paymentId, heldAmount: '0' });
    expect((await processor.reverse({ event: named('T-802') })).payment).toMatchObject({ id: second.paymentId, heldAmount: '0' });
    expect((await processor.reverse({ event: named('T-803') })).payment).toMatchObject({ id: third.paymentId, clearedAmount: '0' });
    expect((await processor.reverse({ event: named('T-804') })).payment).toMatchObject({ status: PaymentStatus.REVERSED });
  });

  it('matches a refund with its purchase', async () => {
    const purchase = person.payment();
    const { paymentId } = await purchase.authorize(700, { event: purchase.event({ network: { transactionId: 'T-700' } }) });
    await purchase.clear(700);
    const refund = person.payment();
    const event = refund.event({ network: { transactionId: 'T-701', originalTransactionId: 'T-700' } });
    const { payment: refunded } = await network.processor.refund({ event, amount: euro(700), merchant: { ...SHOP, id: 'M-2' } });
    expect(refunded).toMatchObject({ relatedPaymentId: paymentId, refundedAmount: '700' });
  });

  it('tells that a clearing is presented once more: it is booked once', async () => {
    const payment = person.payment();
    await payment.authorize(900);
    const clear = (acquirerReference: string) => payment.clear(900, { event: payment.event({ network: { acquirerReference } }) });
    const [first, second] = ['74027426023123456789012', '74027426023123456789013'] as const;
    expect(await clear(first)).toMatchObject({ clearedAmount: '900' });
    const twice = await clear(first);
    expect(twice).toMatchObject({ clearedAmount: '900' });
    expect(twice?.events.map(({ duplicateOf }) => duplicateOf)).toEqual(['', '', twice?.events[1]?.id]);
    expect(await clear(second)).toMatchObject({ clearedAmount: '1800' });
  });

  it('tells that a clearing is presented once more under another transaction id, also at the same time', async () => {
    const payment = person.payment();
    const { paymentId } = await payment.authorize(800);
    const presented = { network: { acquirerReference: '74027426023123456789021' } };
    const clear = (of = person.payment()) => of.clear(800, { event: of.event(presented) });
    expect(await clear(payment)).toMatchObject({ id: paymentId, clearedAmount: '800' });
    expect(await clear()).toMatchObject({ id: paymentId, clearedAmount: '800' });
    const unknown = { network: { acquirerReference: '74027426023123456789022' } };
    const events = [person.payment(), person.payment(), person.payment()].map((of) => of.clear(70, { event: of.event(unknown) }));
    const ids = (await Promise.all(events)).map((cleared) => cleared?.id);
    expect(new Set(ids).size).toBe(1);
    const read = await network.payments.getPayment({ paymentId: ids[0] ?? '' });
    expect(read.payment).toMatchObject({ clearedAmount: '70' });
  });
});

it('an increment under a transaction id of its own raises the open payment that it names, and is found by that id', async () => {
  const [original, raising] = [person.payment(), person.payment()];
  const named = { network: { transactionId: randomUUID() } };
  const { paymentId } = await original.authorize(400, { event: original.event(named) });
  const following = { network: { transactionId: randomUUID(), originalTransactionId: named.network.transactionId } };
  const request = { event: raising.event(following), amount: euro(100) };
  const { decision } = await network.processor.increment(request);
  expect(decision).toMatchObject({ paymentId, approved: true });
  expect((await network.processor.increment(request)).decision).toEqual(decision);
  const { eventId = '', transactionId = '' } = request.event;
  expect((await network.processor.acknowledge({ eventId, transactionId })).payment).toMatchObject({ id: paymentId, heldAmount: '500' });
  expect(await raising.reverse()).toMatchObject({ id: paymentId, heldAmount: '400' });
  expect(await original.reverse()).toMatchObject({ id: paymentId, heldAmount: '0' });
  expect(await raising.increment(100)).toMatchObject({ approved: false, responseCode: '12' });
});

describe('a repeat of the network', () => {
  it('gets the recorded answer, under another event id or the same one, and holds nothing more', async () => {
    const payment = person.payment();
    const event = payment.event();
    const decided = await payment.authorize(400, { event });
    const again = { network: { repeat: true, transmittedAt: { seconds: 1_767_225_601n, nanos: 0 } } };
    expect(await payment.authorize(400, { event: { ...event, ...again } })).toEqual(decided);
    const other = payment.event(again);
    expect(await payment.authorize(400, { event: other })).toEqual(decided);
    expect(await payment.authorize(400, { event: other })).toEqual(decided);
    expect(await payment.authorize(400)).toMatchObject({ approved: false, responseCode: '12' });
    const raised = await payment.increment(100);
    expect((await network.processor.increment({ event: payment.event(again), amount: euro(100) })).decision).toEqual(raised);
    expect((await network.payments.getPayment({ paymentId: decided.paymentId })).payment?.heldAmount).toBe('500');
  });

  it('is declined when the approval was reversed in the meantime: nothing is held for it', async () => {
    const payment = person.payment();
    await payment.authorize(400);
    await payment.reverse();
    const repeat = payment.event({ network: { repeat: true } });
    expect(await payment.authorize(400, { event: repeat })).toMatchObject({ approved: false, responseCode: '12' });
  });

  it('of a reversal under another id releases nothing more', async () => {
    const payment = person.payment();
    await payment.authorize(1000);
    const reverse = (repeat: boolean) =>
      network.processor.reverse({ event: payment.event({ network: { traceNumber: '000042', repeat } }), amount: euro(300) });
    expect((await reverse(false)).payment).toMatchObject({ heldAmount: '700' });
    expect((await reverse(true)).payment).toMatchObject({ heldAmount: '700' });
  });

  it('that arrives together with its request, or without it, is approved once', async () => {
    const payment = person.payment();
    const send = (repeat: boolean) => payment.authorize(300, { event: payment.event({ network: { repeat } }) });
    const decisions = await Promise.all([send(false), send(true), send(true)]);
    const [decided] = decisions.filter(({ approved }) => approved);
    const read = (await network.payments.getPayment({ paymentId: decided?.paymentId ?? '' })).payment;
    expect(read).toMatchObject({ status: PaymentStatus.PENDING, heldAmount: '300' });
    expect(await send(true)).toEqual(decided);
  });
});

it('a conversion at the reference rates shows its day, its mark-up and its cost', async () => {
  const payment = person.payment();
  const dollars = { amount: '1000', currency: 'USD', decimals: 2 };
  const { paymentId: transactionId } = await payment.authorize(0, { amount: dollars });
  const read = () => platform.api.as(person.token).cards.getCardTransaction({ transactionId });
  const conversionCost = { referenceRate: '0.8', referenceDate: day, overReferenceBasisPoints: 100 };
  const fx = { rate: '0.8', markupBasisPoints: 100, rateDate: day, markupAmount: '8' };
  expect(await read()).toMatchObject({ heldAmount: '808', fx, conversionCost });
  await payment.clear(0, { amount: { ...dollars, billingAmount: '820' } });
  const billed = await read();
  expect(billed).toMatchObject({ clearedAmount: '820', conversionCost: { ...conversionCost, overReferenceBasisPoints: 250 } });
  expect(billed).not.toHaveProperty('fx');
});

it('lines of the statement have the amount, rate and mark-up of what they have booked', async () => {
  const holder = await createCardHolder(platform, network, 5000);
  const payment = holder.payment();
  const dollars = (amount: string) => ({ amount: { amount, currency: 'USD', decimals: 2 } });
  await payment.authorize(0, dollars('2000'));
  await payment.clear(0, { ...dollars('500'), moreExpected: true });
  await payment.clear(0, { amount: { ...dollars('1500').amount, billingAmount: '1230' } });
  await network.processor.refund({ event: payment.event(), ...dollars('1000') });
  const ours = (originalAmount: string, markupAmount: string) => ({
    foreign: { originalAmount, originalCurrency: 'USD', fx: { rate: '0.8', markupAmount } },
  });
  const ofProcessor = { foreign: { originalAmount: '1500', conversionCost: { overReferenceBasisPoints: 250 } } };
  const read = async () => (await platform.api.as(holder.token).userMovements.listStatement({ limit: 3 })).data;
  await expect.poll(read, { interval: 100 }).toMatchObject([ours('1000', '2'), ofProcessor, ours('500', '4')]);
  expect((await read())[1]?.foreign).not.toHaveProperty('fx');
});

it('an approval says what is available when it is asked for', async () => {
  const holder = await createCardHolder(platform, network, 1000);
  expect(await holder.payment().authorize(300, { includeAvailable: true })).toMatchObject({ approved: true, availableAmount: '700' });
  expect(await holder.payment().authorize(300)).toMatchObject({ approved: true, availableAmount: '' });
});

it('a decline elsewhere is among the payments, with its response code', async () => {
  const payment = person.payment();
  const request = { event: payment.event(), amount: euro(500), merchant: SHOP, responseCode: '91' };
  const { payment: declined } = await network.processor.reportDecline(request);
  expect(declined).toMatchObject({ status: PaymentStatus.DECLINED, declineReason: { code: 'declined_elsewhere' }, heldAmount: '0' });
  expect(declined?.events).toMatchObject([{ type: 'decline', approved: false, responseCode: '91' }]);
  expect((await network.processor.reportDecline(request)).payment).toEqual(declined);
  await expect(network.processor.reportDecline({ ...request, responseCode: '?' })).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
  const { data } = await platform.api.as(person.token).cards.listCardTransactions();
  expect(data[0]).toMatchObject({ id: declined?.id, status: 'declined', declineReason: { code: 'declined_elsewhere' } });
});

it('a wrong expiry date and a wrong authentication value are declined', async () => {
  const checked = (checks: object) => person.payment().authorize(100, { checks });
  expect(await checked({ expiryDate: CheckResult.INCORRECT })).toMatchObject({
    responseCode: '54',
    declineReason: { code: 'expiry_incorrect' },
  });
  expect(await checked({ authenticationValue: CheckResult.INCORRECT })).toMatchObject({
    declineReason: { code: 'authentication_invalid' },
  });
});

describe('an approval of a client that acknowledges', () => {
  const TEN_DAYS = 10 * 86_400;
  const approved = async (amount: number) => {
    const payment = person.payment();
    const event = payment.event();
    const { paymentId } = await payment.authorize(amount, { event });
    const read = async () => (await network.payments.getPayment({ paymentId })).payment;
    const acknowledge = async () =>
      (await network.processor.acknowledge({ eventId: event.eventId ?? '', transactionId: payment.transactionId })).payment;
    return { ...payment, authorization: event, read, acknowledge };
  };
  type Approved = Awaited<ReturnType<typeof approved>>;
  const secondsHeld = (payment: Payment | undefined) => Number(payment?.expiresAt?.seconds) - Number(payment?.createdAt?.seconds);
  const isExpired = (payment: Approved) =>
    expect.poll(async () => (await payment.read())?.status, { interval: 50 }).toBe(PaymentStatus.EXPIRED);
  /** Fifteen minutes later, once what is not acknowledged has expired. */
  const fifteenMinutesLater = async () => {
    const witness = await approved(1);
    platform.clock.advanceSeconds(15 * 60 + 1);
    await isExpired(witness);
  };

  it('is held for 15 minutes without the acknowledgement, and a late clearing books', async () => {
    const payment = await approved(1000);
    await fifteenMinutesLater();
    await isExpired(payment);
    expect(await payment.acknowledge()).toMatchObject({ status: PaymentStatus.EXPIRED, heldAmount: '0' });
    expect(await payment.authorize(1000, { event: payment.authorization })).toMatchObject({ approved: true });
    expect(await payment.clear(1000)).toMatchObject({ status: PaymentStatus.SETTLED, clearedAmount: '1000' });
  });

  it('counts as undone after 15 minutes: what the network approves in our place is held again, and a repeat is decided anew', async () => {
    const [advised, repeated] = [await approved(700), await approved(600)];
    await fifteenMinutesLater();
    for (const one of [advised, repeated]) await isExpired(one);
    expect(await advised.advise(700)).toMatchObject({ status: PaymentStatus.PENDING, heldAmount: '700' });
    const repeat = repeated.event({ network: { repeat: true } });
    expect(await repeated.authorize(600, { event: repeat })).toMatchObject({ approved: true });
    expect(await repeated.read()).toMatchObject({ status: PaymentStatus.PENDING, heldAmount: '600' });
  });

  it('is held for its whole time once it is acknowledged, however often', async () => {
    const payment = await approved(1000);
    expect(secondsHeld(await payment.read())).toBe(15 * 60);
    const answers = await Promise.all([payment.acknowledge(), payment.acknowledge(), payment.acknowledge()]);
    expect(answers.map(secondsHeld)).toEqual([TEN_DAYS, TEN_DAYS, TEN_DAYS]);
    await fifteenMinutesLater();
    const read = await payment.read();
    expect(read).toMatchObject({ status: PaymentStatus.PENDING, heldAmount: '1000' });
    expect(read?.events.map(({ type }) => type)).toEqual(['authorization', 'acknowledgement']);
  });

  it.each<[string, (payment: Approved) => Promise<unknown>, string]>([
    ['an increment', (payment) => payment.increment(100), '1100'],
    ['an advice', (payment) => payment.advise(900), '900'],
    ['a part of its clearings', (payment) => payment.clear(300, { moreExpected: true }), '700'],
  ])('is acknowledged by %s', async (_what, send, heldAmount) => {
    const payment = await approved(1000);
    await send(payment);
    await fifteenMinutesLater();
    expect(await payment.read()).toMatchObject({ status: PaymentStatus.PENDING, heldAmount });
  });

  it('is reversed before or after the acknowledgement', async () => {
    const [before, after] = [await approved(1000), await approved(500)];
    await before.reverse();
    expect(await before.acknowledge()).toMatchObject({ status: PaymentStatus.REVERSED });
    await after.acknowledge();
    expect(await after.reverse()).toMatchObject({ status: PaymentStatus.REVERSED, heldAmount: '0' });
  });

  it('is of a request that was decided for this client', async () => {
    const { transactionId } = await approved(1000);
    await expect(network.processor.acknowledge({ eventId: 'another', transactionId })).rejects.toMatchObject({ code: 'PAYMENT_NOT_FOUND' });
    await expect(network.processor.acknowledge({ eventId: 'x', transactionId: 'y' })).rejects.toMatchObject({ code: 'PAYMENT_NOT_FOUND' });
    await expect(network.processor.acknowledge({ eventId: '', transactionId })).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
  });
});
