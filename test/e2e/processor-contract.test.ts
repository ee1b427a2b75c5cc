import { CheckResult, type Payment, PaymentStatus } from '@florin/proto/card/v1/payment';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type CardHolder, createCardHolder } from '../support/card-holder.ts';
import { type CardNetwork, connectCardNetwork } from '../support/card-network.ts';
import { type PlatformInProcess, startPlatformInProcess } from '../support/platform-in-process.ts';

let platform: PlatformInProcess;
let network: CardNetwork;
let person: CardHolder;
beforeAll(async () => {
  platform = await startPlatformInProcess({
    CARD_RANGES: JSON.stringify([{ prefix: '52000077', network: 'mastercard' }]),
    CARD_PROGRAM: JSON.stringify({ authenticationFrom: '3000' }),
    ACKNOWLEDGING_CLIENTS: '["operator"]',
  });
  network = connectCardNetwork(platform.urls['CARD_URL'] ?? '', platform.operatorKey);
  person = await createCardHolder(platform, network, 100_000);
});
afterAll(async () => {
  await network?.close();
  await platform?.close();
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
});

describe('an approval of a client that acknowledges', () => {
  const TEN_DAYS = 10 * 86_400;
  beforeEach(async () => {
    person = await createCardHolder(platform, network, 10_000);
  });
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
    expect.poll(async () => (await payment.read())?.status, { timeout: 8000, interval: 50 }).toBe(PaymentStatus.EXPIRED);
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
