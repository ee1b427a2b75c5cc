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

const becomes = (paid: Paid, cents: number) => expect.poll(paid.spendable, { timeout: 10_000, interval: 50 }).toBe(cents);

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
    await expect.poll(paid.shown, { timeout: 10_000 }).toMatchObject({ dispute: { creditedAmount: '0' } });
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
    await expect.poll(paid.shown, { timeout: 10_000 }).toMatchObject({ relatedRefundAmount: '0', dispute: { creditedAmount: '1000' } });
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
  await expect.poll(balance, { timeout: 10_000 }).toEqual([DEPOSIT, 0]);
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
