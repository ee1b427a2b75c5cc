import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createCardHolder } from '../support/card-holder.ts';
import { type CardNetwork, connectCardNetwork, euro, SHOP } from '../support/card-network.ts';
import { expectCode } from '../support/expect-answer.ts';
import { type PlatformInProcess, startPlatformInProcess } from '../support/platform-in-process.ts';

const DEPOSIT = 10_000;
const PAID = 1000;

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

type Matching = 'authorization code' | 'merchant and amount';

/** A cleared payment, and a refund of it under a transaction id of its own. */
const createPaid = async (matching: Matching) => {
  const { token, cardId, balance, payment } = await createCardHolder(platform, network, DEPOSIT);
  const purchase = payment();
  const { paymentId, authorizationCode } = await purchase.authorize(PAID);
  await purchase.clear(PAID);
  const transactionId = randomUUID();
  const code = matching === 'authorization code' ? { authorizationCode } : {};
  const merchant = matching === 'authorization code' ? { name: 'Head office' } : SHOP;
  const event = () => ({ eventId: randomUUID(), transactionId, cardId, ...code });
  return {
    purchase,
    spendable: async () => (await balance())[0],
    announce: () => network.processor.announceCredit({ event: event(), amount: euro(PAID), merchant }),
    refund: (amount: number) => network.processor.refund({ event: event(), amount: euro(amount), merchant }),
    reverseRefund: (amount: number) => network.processor.reverseRefund({ event: event(), amount: euro(amount), merchant }),
    dispute: () => platform.api.request('POST', `/cards/transactions/${paymentId}/dispute`, { token, body: { reason: 'not_received' } }),
    resolve: (won: boolean) => network.payments.resolveDispute({ paymentId, won }),
    shown: () => platform.api.as(token).cards.getCardTransaction({ transactionId: paymentId }),
    paymentId,
  };
};
type Paid = Awaited<ReturnType<typeof createPaid>>;

it('a refund in a currency without a rate is billed as its purchase was', async () => {
  const { payment, balance } = await createCardHolder(platform, network, DEPOSIT);
  const [purchase, refund] = [payment(), payment()];
  const kronur = { amount: '500', currency: 'ISK', decimals: 0 };
  const billed = { amount: { ...kronur, billingAmount: '340' } };
  const { authorizationCode, paymentId } = await purchase.authorize(0, billed);
  await purchase.clear(0, billed);
  const answer = await network.processor.refund({ event: refund.event({ authorizationCode }), amount: kronur, merchant: SHOP });
  expect(answer).toMatchObject({ exceptionId: '', payment: { relatedPaymentId: paymentId, refundedAmount: '340' } });
  await expect.poll(balance, { interval: 50 }).toEqual([DEPOSIT, 0]);
});

it('a purchase is found by each id that its events had, by the processor and by the network', async () => {
  const { payment, balance } = await createCardHolder(platform, network, DEPOSIT);
  const [purchase, presented, other] = [payment(), payment(), payment()];
  const ofNetwork = { transactionId: randomUUID() };
  const { authorizationCode, paymentId } = await purchase.authorize(PAID);
  const clearing = { event: presented.event({ authorizationCode, network: ofNetwork }), amount: euro(PAID), merchant: SHOP };
  expect((await network.processor.clear(clearing)).payment).toMatchObject({ id: paymentId, clearedAmount: '1000' });

  expect(await presented.refund(100)).toMatchObject({ id: paymentId, refundedAmount: '100' });
  const named = { amount: euro(200), merchant: { name: 'Head office' } };
  const refund = await network.processor.refund({ event: other.event({ network: ofNetwork }), ...named });
  expect(refund.payment).toMatchObject({ relatedPaymentId: paymentId, refundedAmount: '200' });
  const following = { network: { transactionId: randomUUID(), originalTransactionId: ofNetwork.transactionId } };
  const [reversed, again] = [payment(), payment()];
  expect((await network.processor.refund({ event: again.event(following), ...named })).payment).toMatchObject({
    relatedPaymentId: paymentId,
  });
  expect((await network.processor.reverse({ event: reversed.event({ network: ofNetwork }) })).payment).toMatchObject({ id: paymentId });
  expect(await presented.reverseRefund(50)).toMatchObject({ id: paymentId, refundedAmount: '50' });
  await expect.poll(balance, { interval: 50 }).toEqual([DEPOSIT - PAID + 450, 0]);
  for (const reference of [presented.transactionId, ofNetwork.transactionId, reversed.transactionId]) {
    const found = await network.payments.findPaymentsByReference({ reference });
    expect(found.payments.map(({ id }) => id)).toContain(paymentId);
  }
});

const becomes = (paid: Paid, cents: number) => expect.poll(paid.spendable, { interval: 50 }).toBe(cents);

describe.each(['authorization code', 'merchant and amount'] as const)('a refund that matches its payment by %s', (matching) => {
  it('leaves nothing to dispute', async () => {
    const paid = await createPaid(matching);
    expect((await paid.refund(PAID)).payment).toMatchObject({ relatedPaymentId: paid.paymentId });
    expectCode(await paid.dispute(), 409, 'DISPUTE_NOT_AVAILABLE');
    expect(await paid.shown()).toMatchObject({ refundedAmount: '0', relatedRefundAmount: '1000' });
    await becomes(paid, DEPOSIT);
  });

  it.each([true, false])('pays once after a dispute that is won: %j', async (won) => {
    const paid = await createPaid(matching);
    expect((await paid.dispute()).status).toBe(200);
    await becomes(paid, DEPOSIT);
    await paid.refund(PAID);
    await becomes(paid, DEPOSIT);
    await paid.resolve(won);
    await expect.poll(paid.shown).toMatchObject({ dispute: { creditedAmount: '0' } });
    await becomes(paid, DEPOSIT);
  });

  it('pays once after a dispute was won, and gives way again when it is taken back', async () => {
    const paid = await createPaid(matching);
    await paid.dispute();
    await paid.resolve(true);
    await becomes(paid, DEPOSIT);
    await paid.refund(PAID);
    await becomes(paid, DEPOSIT);
    await paid.reverseRefund(PAID);
    await expect.poll(paid.shown).toMatchObject({ relatedRefundAmount: '0', dispute: { creditedAmount: '1000' } });
    await becomes(paid, DEPOSIT);
  });
});

it('a refund that was announced leaves the rest to dispute, whatever is sent twice', async () => {
  const paid = await createPaid('authorization code');
  await paid.announce();
  const event = { eventId: randomUUID(), transactionId: randomUUID(), cardId: paid.purchase.cardId };
  await network.processor.refund({ event, amount: euro(7), merchant: { name: 'Other' } });
  const refunds = await Promise.all([paid.refund(400), paid.refund(100)]);
  expect(refunds.map(({ payment }) => payment?.relatedPaymentId)).toEqual([paid.paymentId, paid.paymentId]);
  expect((await paid.dispute()).status).toBe(200);
  expect(await paid.shown()).toMatchObject({ relatedRefundAmount: '500', dispute: { amount: '500', creditedAmount: '500' } });
  await becomes(paid, DEPOSIT + 7);
});

describe('a purchase without an authorization that is presented after its refund', () => {
  const named = async (names: object, more: { forcePost?: boolean } = {}) => {
    const { token, cardId, balance } = await createCardHolder(platform, network, DEPOSIT);
    const event = () => ({ eventId: randomUUID(), transactionId: randomUUID(), cardId, ...names });
    const shown = async (id = '') => (await network.payments.getPayment({ paymentId: id })).payment;
    return {
      event,
      shown,
      refund: async () => (await network.processor.refund({ event: event(), amount: euro(PAID), merchant: SHOP })).payment,
      present: async () => (await network.processor.clear({ event: event(), amount: euro(PAID), merchant: SHOP, ...more })).payment,
      dispute: (id = '') => platform.api.request('POST', `/cards/transactions/${id}/dispute`, { token, body: { reason: 'not_received' } }),
      spendable: async () => (await balance())[0],
    };
  };
  const ofNetwork = { network: { transactionId: 'T-offline' } };

  it.each([
    ['authorization code', { authorizationCode: '482913' }, { forcePost: true }],
    ['retrieval reference', { retrievalReference: '000000000482' }, {}],
    ["the network's id", ofNetwork, {}],
  ])('is related with it by %s, and not disputed', async (_, names, more) => {
    const offline = await named(names, more);
    const refund = await offline.refund();
    const purchase = await offline.present();
    await expect.poll(() => offline.shown(purchase?.id)).toMatchObject({ relatedRefundAmount: '1000' });
    expect(await offline.shown(refund?.id)).toMatchObject({ relatedPaymentId: purchase?.id });
    expectCode(await offline.dispute(purchase?.id), 409, 'DISPUTE_NOT_AVAILABLE');
    expect(await offline.spendable()).toBe(DEPOSIT);
  });

  it('is related with it when both come at once, and only the first of two purchases is', async () => {
    const offline = await named({ authorizationCode: '482913' }, { forcePost: true });
    const [purchase, refund] = await Promise.all([offline.present(), offline.refund()]);
    await expect.poll(() => offline.shown(refund?.id)).toMatchObject({ relatedPaymentId: purchase?.id });
    const other = await offline.present();
    expect((await offline.dispute(other?.id)).status).toBe(200);
    expectCode(await offline.dispute(purchase?.id), 409, 'DISPUTE_NOT_AVAILABLE');
  });
});

it('refunds in another currency return what was billed, together', async () => {
  const { cardId, balance, payment } = await createCardHolder(platform, network, DEPOSIT);
  const purchase = payment();
  const yen = (amount: number) => ({ amount: String(amount), currency: 'JPY', decimals: 0 });
  const { authorizationCode } = await purchase.authorize(0, { amount: yen(1000) });
  const cleared = await purchase.clear(0, { amount: { ...yen(1000), billingAmount: '700' } });
  expect(cleared).toMatchObject({ clearedAmount: '700' });
  const elsewhere = () => ({ eventId: randomUUID(), transactionId: randomUUID(), cardId, authorizationCode });
  const refund = async (amount: number) =>
    (await network.processor.refund({ event: elsewhere(), amount: yen(amount), merchant: SHOP })).payment?.refundedAmount;
  expect([await refund(333), await refund(333)]).toEqual(['233', '233']);
  await network.processor.refund({ event: purchase.event(), amount: yen(334), merchant: SHOP });
  await expect.poll(balance).toEqual([DEPOSIT, 0]);
});

it('a push to the card in another currency is worth its rate, without the mark-up', async () => {
  const { balance, payment } = await createCardHolder(platform, network, DEPOSIT);
  const dollars = { amount: '100000', currency: 'USD', decimals: 2 };
  await network.processor.credit({ event: payment().event(), amount: dollars, merchant: SHOP });
  expect(await balance()).toEqual([DEPOSIT + 92_000, 0]);
});

it('a refund after the window of the match by amount is found by its authorization code', async () => {
  const paid = await createPaid('authorization code');
  platform.clock.advanceSeconds(90 * 86_400);
  expect((await paid.refund(PAID)).payment).toMatchObject({ relatedPaymentId: paid.paymentId });
});
