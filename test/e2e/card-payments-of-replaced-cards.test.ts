import { randomUUID } from 'node:crypto';
import { PaymentStatus } from '@florin/proto/card/v1/payment';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type CardHolder, createCardHolder } from '../support/card-holder.ts';
import { type CardNetwork, connectCardNetwork, euro, SHOP } from '../support/card-network.ts';
import { type PlatformInProcess, startPlatformInProcess } from '../support/platform-in-process.ts';
import { createCard, newPhone } from '../support/story.ts';

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

let person: CardHolder;
let replacement: string;
/** A payment of 10.00 with the card that was stolen afterwards. */
let purchase: Awaited<ReturnType<typeof purchased>>;
const purchased = async () => {
  const payment = person.payment();
  const { paymentId, authorizationCode } = await payment.authorize(1000);
  return { ...payment, paymentId, authorizationCode };
};
beforeEach(async () => {
  person = await createCardHolder(platform, network, 10_000);
  purchase = await purchased();
  const { token, cardId } = person;
  await platform.api.as(token).cards.reportCardStolen({ cardId });
  replacement = (await platform.api.as(token).cards.replaceCard({ cardId })).id;
});

const balanceBecomes = (...expected: [spendable: number, held: number]) => expect.poll(person.balance, { interval: 50 }).toEqual(expected);

describe('the payment of a card that was replaced', () => {
  it('is cleared, refunded and reversed under the id of the replacement', async () => {
    const renamed = network.payment(replacement, purchase.transactionId);
    expect(await renamed.increment(500)).toMatchObject({ approved: true });
    expect(await renamed.reverse(500)).toMatchObject({ id: purchase.paymentId, heldAmount: '1000' });
    expect(await renamed.clear(1000)).toMatchObject({ id: purchase.paymentId, status: PaymentStatus.SETTLED });
    await balanceBecomes(9000, 0);
    expect(await renamed.refund(1000)).toMatchObject({ id: purchase.paymentId, refundedAmount: '1000' });
    await balanceBecomes(10_000, 0);
  });

  it('is found by authorization code, and by merchant and amount', async () => {
    const event = (more: object) => ({ eventId: randomUUID(), cardId: replacement, ...more });
    const byCode = event({ authorizationCode: purchase.authorizationCode });
    const cleared = await network.processor.clear({ event: byCode, amount: euro(1000), merchant: SHOP });
    expect(cleared.payment).toMatchObject({ id: purchase.paymentId, clearedAmount: '1000' });
    const refunded = await network.processor.refund({ event: event({}), amount: euro(1000), merchant: SHOP });
    expect(refunded.payment).toMatchObject({ id: purchase.paymentId, refundedAmount: '1000' });
    const elsewhere = event({ transactionId: randomUUID(), authorizationCode: purchase.authorizationCode });
    const related = await network.processor.refund({ event: elsewhere, amount: euro(1), merchant: SHOP });
    expect(related.payment).toMatchObject({ relatedPaymentId: purchase.paymentId, cardId: replacement });
  });
});

it('a payment of the replacement is reported under the id of the replaced card', async () => {
  const payment = network.payment(replacement);
  const { paymentId } = await payment.authorize(700);
  const former = network.payment(person.cardId, payment.transactionId);
  expect(await former.clear(700)).toMatchObject({ id: paymentId, cardId: replacement, clearedAmount: '700' });
  await balanceBecomes(8300, 1000);
});

it('a payment is not reported under the id of another card of the same person', async () => {
  const other = await createCard(platform.api, person.token, { cardName: 'Other', phone: newPhone() });
  const foreign = network.payment(other, purchase.transactionId);
  await expect(foreign.clear(1000)).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
  const byCode = { eventId: randomUUID(), cardId: other, authorizationCode: purchase.authorizationCode };
  const cleared = await network.processor.clear({ event: byCode, amount: euro(1000), merchant: SHOP });
  expect(cleared.payment?.id).not.toBe(purchase.paymentId);
});
