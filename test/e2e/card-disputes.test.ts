import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type CardNetwork, connectCardNetwork } from '../support/card-network.ts';
import { expectCode } from '../support/expect-answer.ts';
import { type PlatformInProcess, startPlatformInProcess } from '../support/platform-in-process.ts';
import { createCard, registerPerson } from '../support/story.ts';

const DEPOSIT = 10_000;
const CLEARED = 1000;

let platform: PlatformInProcess;
let network: CardNetwork;
beforeAll(async () => {
  // A program that credits 40 percent provisionally.
  platform = await startPlatformInProcess({ CARD_PROGRAM: JSON.stringify({ provisionalCreditPercent: 40 }) });
  network = connectCardNetwork(platform.urls['CARD_URL'] ?? '', platform.operatorKey);
});
afterAll(async () => {
  await network?.close();
  await platform?.close();
});

/** A person with a cleared payment. */
const payer = async () => {
  const { token } = await registerPerson(platform.api);
  const cardId = await createCard(platform.api, token);
  const body = { token: 'EURe', amount: `${BigInt(DEPOSIT) * 10n ** 16n}` };
  await platform.api.as(token).sandbox.createDeposit(body);
  const payment = network.payment(cardId);
  const { paymentId } = await payment.authorize(CLEARED);
  await payment.clear(CLEARED);
  const balance = async () => {
    const { data } = await platform.api.as(token).userAccount.getBalances();
    return Number(data.find(({ currency }) => currency === 'EUR')?.spendable);
  };
  const dispute = (reason = 'fraud') =>
    platform.api.request('POST', `/cards/transactions/${paymentId}/dispute`, { token, body: { reason } });
  const resolve = (won: boolean) => network.payments.resolveDispute({ paymentId, won });
  const shown = () => platform.api.as(token).cards.getCardTransaction({ transactionId: paymentId });
  return { payment, balance, dispute, resolve, shown };
};

let person: Awaited<ReturnType<typeof payer>>;
beforeEach(async () => {
  person = await payer();
});

const PAID = DEPOSIT - CLEARED;
const balanceBecomes = (cents: number) => expect.poll(person.balance, { timeout: 10_000, interval: 50 }).toBe(cents);

describe('a dispute', () => {
  it('that is won credits what was not credited provisionally, once', async () => {
    expect((await person.dispute()).status).toBe(200);
    await balanceBecomes(PAID + 400);
    await Promise.all([person.resolve(true), person.resolve(true)]);
    await expect(person.resolve(false)).rejects.toMatchObject({ code: 'DISPUTE_NOT_AVAILABLE' });
    await balanceBecomes(DEPOSIT);
    expect(await person.shown()).toMatchObject({
      dispute: { status: 'won', amount: '1000', provisionalCredit: '400', creditedAmount: '1000' },
    });
    expectCode(await person.dispute(), 409, 'DISPUTE_NOT_AVAILABLE');
  });

  it('that is lost takes the provisional credit back, once', async () => {
    await person.dispute();
    await balanceBecomes(PAID + 400);
    await Promise.all([person.resolve(false), person.resolve(false)]);
    await balanceBecomes(PAID);
    expect(await person.shown()).toMatchObject({ dispute: { status: 'lost', creditedAmount: '0' } });
  });

  it('gives way to a refund that arrives while it is open, whatever its outcome', async () => {
    await person.dispute();
    await person.payment.refund(800);
    // 800 from the merchant, and 200 are left in dispute: 200 of the provisional 400 go back.
    await balanceBecomes(DEPOSIT);
    await person.resolve(true);
    await balanceBecomes(DEPOSIT);
    expect(await person.shown()).toMatchObject({ refundedAmount: '800', dispute: { status: 'won', creditedAmount: '200' } });
  });

  it('that was won gives way to a later refund', async () => {
    await person.dispute();
    await person.resolve(true);
    await balanceBecomes(DEPOSIT);
    await person.payment.refund(1000);
    await balanceBecomes(DEPOSIT);
    expect(await person.shown()).toMatchObject({ refundedAmount: '1000', dispute: { creditedAmount: '0' } });
  });

  it('cannot be ended before it was opened', async () => {
    await expect(person.resolve(true)).rejects.toMatchObject({ code: 'DISPUTE_NOT_AVAILABLE' });
    await expect(network.payments.resolveDispute({ paymentId: '01890a5d-ac96-774b-bcce-b302099a8057', won: true })).rejects.toMatchObject({
      code: 'PAYMENT_NOT_FOUND',
    });
  });
});
