import { randomUUID } from 'node:crypto';
import { CheckResult, EntryMode, PaymentStatus, TransactionType } from '@florin/proto/card/v1/payment';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CardNetwork, connectCardNetwork, euro, SHOP } from '../support/card-network.ts';
import { type PlatformInProcess, startPlatformInProcess } from '../support/platform-in-process.ts';
import { createCard, registerPerson } from '../support/story.ts';

let platform: PlatformInProcess;
let network: CardNetwork;

beforeAll(async () => {
  const program = {
    ...{ fuelHold: '9000', creditUpTo: '5000', postalCodeRequired: true },
    ...{ types: { quasi_cash: { countsAsCash: true }, account_funding: { upTo: '2000' }, bill_payment: { isDenied: true } } },
    limits: { atm: '3000' },
  };
  platform = await startPlatformInProcess({ CARD_PROGRAM: JSON.stringify(program), AUTHORIZATION_DEADLINE_MS: '5000' });
  network = connectCardNetwork(platform.urls['CARD_URL'] ?? '', platform.operatorKey);
});
afterAll(async () => {
  await network?.close();
  await platform?.close();
});

const holder = async (balance = 10_000) => {
  const { token } = await registerPerson(platform.api);
  const cardId = await createCard(platform.api, token);
  if (balance > 0) await platform.api.as(token).sandbox.createDeposit({ token: 'EURe', amount: `${BigInt(balance) * 10n ** 16n}` });
  return { token, cardId, payment: () => network.payment(cardId) };
};

const declined = (code: string) => ({ approved: false, declineReason: { code } });

describe('fuel', () => {
  const pump = { merchant: { ...SHOP, categoryCode: '5542' }, entryMode: EntryMode.CHIP };

  it('is held by the program’s amount until the advice has its own', async () => {
    const { payment } = await holder();
    const pumped = payment();
    const decision = await pumped.authorize(100, { ...pump, partialApproval: true });
    expect(decision).toMatchObject({ approved: true, responseCode: '00', approvedAmount: '100', billingAmount: '9000' });
    expect(await payment().authorize(1001)).toMatchObject(declined('insufficient_funds'));
    expect(await pumped.advise(4500)).toMatchObject({ heldAmount: '4500' });
    expect(await pumped.clear(4500)).toMatchObject({ heldAmount: '0', clearedAmount: '4500', status: PaymentStatus.SETTLED });
  });

  it('is declined where that is not there, and released with the unit that was approved', async () => {
    const { payment } = await holder(8999);
    expect(await payment().authorize(100, { ...pump, partialApproval: true })).toMatchObject(declined('insufficient_funds'));
    const { payment: another } = await holder(9000);
    const pumped = another();
    expect(await pumped.authorize(100, pump)).toMatchObject({ approved: true });
    expect(await pumped.reverse(100)).toMatchObject({ status: PaymentStatus.REVERSED, heldAmount: '0' });
  });
});

it('a clearing above the tolerance is told', async () => {
  const { payment } = await holder();
  const meal = payment();
  await meal.authorize(1000, { merchant: { ...SHOP, categoryCode: '5812' }, entryMode: EntryMode.CHIP });
  const cleared = await meal.clear(1300);
  expect(cleared?.events.at(-1)).toMatchObject({ amount: '1300', overToleranceAmount: '100' });
});

describe('a credit that is asked for', () => {
  const ask = (cardId: string, amount: number, push: boolean, event = { eventId: randomUUID(), transactionId: randomUUID(), cardId }) =>
    network.processor.authorizeCredit({ event, amount: euro(amount), merchant: SHOP, push }).then(({ decision }) => decision);

  it('is announced when it is approved, once, and settled by the credit', async () => {
    const { cardId } = await holder();
    const event = { eventId: randomUUID(), transactionId: randomUUID(), cardId };
    const decision = await ask(cardId, 5000, true, event);
    expect(decision).toMatchObject({ approved: true, responseCode: '00', approvedAmount: '5000', billingAmount: '5000' });
    expect(await ask(cardId, 5000, true, event)).toEqual(decision);
    const { payment: pending } = await network.payments.getPayment({ paymentId: decision?.paymentId ?? '' });
    expect(pending).toMatchObject({ status: PaymentStatus.PENDING, pendingCreditAmount: '5000', refundedAmount: '0' });
    const credit = { event: { ...event, eventId: randomUUID() }, amount: euro(5000), merchant: SHOP };
    expect((await network.processor.credit(credit)).payment).toMatchObject({ status: PaymentStatus.SETTLED, pendingCreditAmount: '0' });
  });

  it('is declined above the program’s amount and for a card that is closed, unless it is a refund', async () => {
    const { cardId, token } = await holder();
    const tooMuch = await ask(cardId, 5001, true);
    expect(tooMuch).toMatchObject(declined('transaction_limit_exceeded'));
    const { payment } = await network.payments.getPayment({ paymentId: tooMuch?.paymentId ?? '' });
    expect(payment).toMatchObject({ status: PaymentStatus.DECLINED, pendingCreditAmount: '0' });
    expect(await ask(cardId, 5001, false)).toMatchObject({ approved: true });
    await platform.api.as(token).cards.freezeCard({ cardId });
    expect(await ask(cardId, 100, true)).toMatchObject({ approved: true });
    await platform.api.as(token).cards.cancelCard({ cardId });
    expect(await ask(cardId, 100, true)).toMatchObject(declined('card_cancelled'));
    expect(await ask(cardId, 100, false)).toMatchObject({ approved: true });
  });
});

describe('a transaction', () => {
  it('is judged by its type', async () => {
    const { payment } = await holder();
    const pay = (amount: number, type: TransactionType) => {
      const next = payment();
      return next.authorize(amount, { event: next.event({ network: { type } }), entryMode: EntryMode.CHIP });
    };
    const raise = async (type: TransactionType, first: number, more: number) => {
      const next = payment();
      await next.authorize(first, { event: next.event({ network: { type } }), entryMode: EntryMode.CHIP });
      return next.increment(more);
    };
    expect(await pay(2000, TransactionType.ACCOUNT_FUNDING)).toMatchObject({ approved: true });
    expect(await pay(2001, TransactionType.ACCOUNT_FUNDING)).toMatchObject(declined('transaction_limit_exceeded'));
    expect(await raise(TransactionType.ACCOUNT_FUNDING, 100, 1901)).toMatchObject(declined('transaction_limit_exceeded'));
    expect(await pay(100, TransactionType.BILL_PAYMENT)).toMatchObject(declined('type_blocked'));
    expect(await pay(100, TransactionType.ORIGINAL_CREDIT)).toMatchObject(declined('transaction_invalid'));
    // An increment counts as cash too.
    expect(await raise(TransactionType.QUASI_CASH, 500, 2501)).toMatchObject(declined('atm_limit_exceeded'));
    expect(await raise(TransactionType.QUASI_CASH, 500, 1000)).toMatchObject({ approved: true });
    expect(await payment().authorize(1001, { atm: true })).toMatchObject(declined('atm_limit_exceeded'));
    expect(await payment().authorize(1000, { atm: true })).toMatchObject({ approved: true });
  });

  it('is answered with the result of the address verification, and with what is left', async () => {
    const { payment } = await holder();
    const [yes, no] = [CheckResult.CORRECT, CheckResult.INCORRECT];
    const paid = payment();
    const first = { checks: { postalCode: yes, streetAddress: no }, includeAvailable: true };
    expect(await paid.authorize(1000, first)).toMatchObject({ approved: true, addressResult: 'Z', availableAmount: '9000' });
    const more = { event: paid.event(), amount: euro(500), includeAvailable: true };
    expect((await network.processor.increment(more)).decision).toMatchObject({
      approved: true,
      addressResult: '',
      availableAmount: '8500',
    });
    expect(await payment().authorize(1000, { checks: { postalCode: no } })).toMatchObject({
      ...declined('address_incorrect'),
      addressResult: 'N',
    });
    const { decision } = await network.processor.verify({
      event: payment().event(),
      merchant: SHOP,
      checks: { postalCode: yes, streetAddress: yes },
    });
    expect(decision).toMatchObject({ approved: true, addressResult: 'Y' });
  });
});
